import Terminal

/// What the benchmark was asked for.
struct BenchOptions: Sendable {
  /// Small sizes, for continuous integration.
  let isQuick: Bool
  /// Whether figures are named instead of measured.
  let isListing: Bool
  /// How many games the long match plays; `nil` for the usual number.
  let games: Int?
  /// The folder to make stores in; `nil` for the system's temporary one.
  let data: String?
  /// Beginnings of the names of the figures wanted; none for all.
  private let only: [String]
  private let parsed: ParsedCommand

  init(_ parsed: ParsedCommand) throws(UsageError) {
    self.parsed = parsed
    isQuick = parsed.has("quick")
    isListing = parsed.has("list")
    data = parsed.text("data")
    games = try parsed.integer("games", in: 1...10_000_000)
    only = parsed.texts("only")
  }

  /// The figures wanted. One that takes long must be named whole.
  func figures(of all: [any Figure]) throws(UsageError) -> [any Figure] {
    for name in only where !all.contains(where: { $0.name.hasPrefix(name) }) {
      throw parsed.badValue("only", "no figure's name begins so; `--list` shows them")
    }
    return all.filter { figure in
      guard !figure.isByNameOnly || isListing else { return only.contains(figure.name) }
      return only.isEmpty || only.contains { figure.name.hasPrefix($0) }
    }
  }

  /// The words that stand for the benchmark on a command line, behind how it is run.
  static let path = ["parlor-bench"]

  private static let definition = CommandDefinition(
    "parlor-bench", group: "", summary: "Measure Parlor beside plain C that does the same job.",
    text: [
      "Prints one JSON object a line for each figure: name, value, unit, floor (the value of the C floor, written"
        + " for the same job with the same libraries and run in turns with it), ratio (the floor's time by ours: 1"
        + " is as fast as C) and what else there is to know. Progress goes to standard error.",
      "Results are compared with the floor's: when they differ, the benchmark fails with status 1. Being slow is"
        + " no failure.",
    ],
    options: [
      .flag("quick", "Small sizes, for continuous integration."),
      .value(
        "only", "NAME", "Only figures whose names begin so; some run only when named whole.", repeats: true),
      .value(
        "data", "DIR", "Make stores in this folder, and remove them; a temporary one when not given.",
        kind: .folder),
      .value("games", "N", "How many games match.tic-tac-toe.memory plays, instead of 1,000,000."),
      .flag("list", "Name the figures and measure nothing."),
    ],
    examples: [
      .init("parlor-bench --quick", "Every figure, small."),
      .init("parlor-bench --only append --data .", "How fast events are appended on this folder's disk."),
      .init(
        "parlor-bench --quick --only solve.connect-four.L1_R3",
        "The first 30 positions of the hard set; the whole set takes an hour or so."),
    ],
    exitStatuses: [
      .init(.ok, "All figures were measured, and their results agree with the floor's."),
      .init(.negative, "A result differs from the floor's, or from the value that it should have."),
      .init(.usage, "The arguments are wrong."),
      .init(.noInput, "A program or file that is needed is not there."),
      .init(.cannotCreate, "No store can be made in the folder."),
    ])

  /// The table of one command, run as examples show it.
  static let table = CommandTable(
    program: "Tools/run", summary: definition.summary, commands: [definition], globals: [])
}

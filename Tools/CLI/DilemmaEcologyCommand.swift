import Evolution
import Games
import Pictures
import Terminal

/// `parlor dilemma ecology`.
enum DilemmaEcologyCommand: Command {
  private static let generations = 1...10_000

  static let definition = CommandDefinition(
    "dilemma ecology", group: Group.tournaments,
    summary: "Let strategies of the prisoner's dilemma grow and shrink by what they gain.",
    text: [
      "An ecological tournament: from one generation to the next each strategy's share of a population without end is"
        + " multiplied by what it gains from all, by their shares, and divided by the mean of that, which is the"
        + " replicator in discrete time. All begin with equal shares.",
      DilemmaPopulation.text,
      "`csv` has a line for each generation, `svg` a picture of the shares.",
    ],
    options: DilemmaPopulation.options + [
      .value("generations", "N", "How many generations pass.", standard: "500")
    ],
    examples: [
      .init(
        "dilemma ecology --entrants axelrod-first --set rounds=200 --set payoffs=axelrod",
        "What becomes of the first tournament's entries."),
      .init(
        "dilemma ecology --entrants tit-for-tat,defector,cooperator,random --set noise=20 --format svg > shares.svg",
        "A picture, with noise."),
    ],
    exitStatuses: [.init(.interrupted, "Interrupted by Ctrl-C; nothing is kept.")],
    objects: [
      .init(
        "generation", "For each generation, from 0.",
        ["generation": "its number", "shares": "each strategy's share, from 0 to 1"]),
      .init("ecology", "At the end.", DilemmaPopulation.fields),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let population = try DilemmaPopulation(parsed, context)
    let generations = try parsed.integer("generations", in: Self.generations) ?? 1
    guard let encounters = population.encounters(context) else {
      context.console.note("Stopped before the first generation; nothing is kept.")
      return .interrupted
    }
    var ecology = Ecology(population.gains(encounters), weights: population.counts)
    var shares = [ecology.shares]
    for generation in 1...generations {
      if context.interrupts.isStopRequested {
        context.console.note("Stopped in generation \(generation) of \(generations); nothing is kept.")
        return .interrupted
      }
      ecology.advance()
      shares.append(ecology.shares)
    }
    let format = context.isJSON ? "json" : parsed.text("format") ?? "text"
    try tell(format, population, encounters, shares, context)
    return .ok
  }

  private static func tell(
    _ format: String, _ population: DilemmaPopulation, _ encounters: PrisonersDilemma.Encounters,
    _ shares: [[Double]], _ context: Context
  ) throws {
    switch format {
    case "json":
      for (generation, shares) in shares.enumerated() {
        try context.object(
          "generation",
          ["generation": .integer(Int64(generation)), "shares": .array(shares.map { .real($0) })])
      }
      try context.object("ecology", population.members(encounters))
    case "csv":
      let lines = shares.enumerated().map { generation, shares in
        CSVText.line(["\(generation)"] + shares.map { DecimalText.text($0, digits: 6) })
      }
      try context.console.data([CSVText.line(["generation"] + population.names)] + lines)
    case "svg":
      let moments = shares.enumerated().map { ShareChart.Moment(time: $0, shares: $1) }
      let title = "Ecology: \(population.settings)"
      try context.console.data(
        ShareChart(title: title, unit: "generation", names: population.names, moments: moments).svg())
    default: try context.pages(text(population, shares, context))
    }
  }

  /// The shares at the start and at the end, the largest at the end first.
  private static func text(
    _ population: DilemmaPopulation, _ shares: [[Double]], _ context: Context
  ) -> [String] {
    let (start, end) = (shares[0], shares[shares.count - 1])
    var table = TextTable([
      .number("RANK"), .text("STRATEGY", shrinks: false), .number("START"), .number("END"), .number("MOST"),
      .number("IN GENERATION"),
    ])
    let order = population.names.indices.sorted { (-end[$0], $0) < (-end[$1], $1) }
    for (place, strategy) in order.enumerated() {
      let most = shares.indices.reduce(0) { shares[$1][strategy] > shares[$0][strategy] ? $1 : $0 }
      table.append([
        "\(place + 1)", population.names[strategy], DecimalText.percent(start[strategy]),
        DecimalText.percent(end[strategy]), DecimalText.percent(shares[most][strategy]), "\(most)",
      ])
    }
    return ["\(Room.count(shares.count - 1, "generation")); \(population.settings)", ""]
      + context.lines(of: table)
  }
}

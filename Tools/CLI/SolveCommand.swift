import Platform
import Rules
import SearchBots
import Terminal

/// `parlor solve GAME [POSITION] [--file F] [--nodes N]`.
enum SolveCommand: Command {
  static let definition = CommandDefinition(
    "solve", group: Group.about, summary: "Compute the exact value and the best moves of positions.",
    text: [
      "A position is written as the moves that lead to it, without anything between: columns 1 to 7 in"
        + " Connect Four, cells 1 to 9 in tic-tac-toe. Left out, it is the start of the game.",
      "The value is what the side to move gets when both play for the best; above 0 it wins, 0 is a draw. In"
        + " Connect Four a win counts the stones that the winner still has, the last one played included, so"
        + " that sooner wins are worth more.",
      "In a file, each line holds a position, or `start`; empty lines and lines that begin with # are passed"
        + " over. A number after the position is the value that it should have: then a summary follows, and"
        + " the exit status is 1 when one differs.",
    ],
    arguments: [
      .init("game", "The game.", kind: .proposal(SearchBots.solvedGames)),
      .init("position", "The moves so far; the start of the game when it is left out.", isOptional: true),
    ],
    options: [
      .value("file", "FILE", "Solve each position of a file; `-` for standard input.", kind: .file),
      .value(
        "nodes", "N",
        "Give up on a position after visiting so many; no limit when it is left out. Tic-tac-toe is always"
          + " solved whole."),
    ],
    examples: [
      .init("solve connect-four 4453", "One position."),
      .init("solve tic-tac-toe", "The start of the game."),
      .init("solve connect-four --file positions.txt --json", "Many positions, for a program."),
    ],
    exitStatuses: [
      .init(.ok, "All positions were solved, or given up at the limit."),
      .init(.negative, "A value differs from the one that stands in the file."),
      .init(.dataError, "A position is no position of the game."),
    ],
    objects: [
      .init(
        "solved", "For each position.",
        [
          "position": "the moves so far",
          "value": "the exact value for the side to move; null when not proven",
          "best": "all best moves; empty when the game is over or they are not proven",
          "nodes": "how many nodes the search visited", "microseconds": "the time it took",
          "proven": "whether the value and all best moves are proven",
          "lower": "the value is at least this", "upper": "the value is at most this",
          "expected": "the value that the file says, or null",
        ]),
      .init(
        "compared", "At the end, when the file says values.",
        ["positions": "how many were compared", "differing": "how many differ or were not proven"]),
    ])

  /// A position to solve.
  private struct Task {
    var position: String
    var expected: Int32?
    /// The line of the file, from 1.
    var line: Int?
  }

  /// What a file's values were compared with.
  private struct Comparison {
    var positions = 0
    var differing = 0
  }

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let name = parsed.argument("game") else { preconditionFailure("\(parsed.name) has a game") }
    let rules = try context.games.game(name, parsed).rules()
    let nodes: UInt64? = try parsed.integer("nodes", in: 1...UInt64.max)
    var comparison = Comparison()
    SearchBots.prepareSolver(of: rules)
    if let file = parsed.text("file") {
      guard parsed.argument("position") == nil else {
        throw parsed.badArgument("position", "give a position or `--file`, not both")
      }
      try solve(file: file, context) { task in
        try solve(task, rules, nodes: nodes, &comparison, context)
      } progress: { total in
        progressLine(total: total, context)
      }
    } else {
      let task = Task(position: parsed.argument("position").map(plain) ?? "")
      try solve(task, rules, nodes: nodes, &comparison, context)
    }
    return try conclude(comparison, context)
  }

  private static func plain(_ position: String) -> String { position == "start" ? "" : position }

  // MARK: - Files

  private static func solve(
    file: String, _ context: Context, _ body: (Task) throws -> Void,
    progress: (Int) -> ProgressLine?
  ) throws {
    guard file != "-" else {
      try forEachTask(of: .input, context, body)
      return
    }
    let total = try count(file, context)
    let read = try OpenFile.reading(file)
    let line = total.flatMap(progress)
    defer { line?.finish() }
    var done = 0
    try forEachTask(of: read.descriptor, context) { task in
      try body(task)
      done += 1
      line?.advance(to: done)
    }
  }

  /// How many positions a file holds; `nil` where counting would take too long or take the file's bytes away.
  private static func count(_ file: String, _ context: Context) throws -> Int? {
    let counted = try OpenFile.reading(file)
    guard try counted.status().kind == .file else { return nil }
    var total = 0
    let isWhole = try forEachTask(of: counted.descriptor, limitLines: 100_000, context) { _ in total += 1 }
    return isWhole ? total : nil
  }

  /// A file long enough to be waited for shows how far it is.
  private static func progressLine(total: Int, _ context: Context) -> ProgressLine? {
    guard total > 1 else { return nil }
    return ProgressLine(
      on: context.console, label: "solving", unit: "positions", total: total, now: ContinuousClock().stopwatch
    )
  }

  /// - Returns: whether the file ended before the limit.
  @discardableResult private static func forEachTask(
    of file: Descriptor, limitLines: Int = .max, _ context: Context, _ body: (Task) throws -> Void
  ) throws -> Bool {
    var reader = LineReader(file, stop: context.interrupts.stop, discardsLongLines: false)
    var number = 0
    while number < limitLines {
      number += 1
      switch try reader.next() {
      case .line(let text):
        if let task = try task(text, line: number) { try body(task) }
      case .end: return true
      case .tooLong(let limit): throw fault(number, "it is longer than \(limit) bytes")
      case .notText: throw fault(number, "it is not UTF-8 text")
      case .interrupted, .timedOut: throw Failure(.interrupted, nil)
      }
    }
    return false
  }

  private static func task(_ text: String, line: Int) throws(Failure) -> Task? {
    let words = text.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard let first = words.first, !first.hasPrefix("#") else { return nil }
    var task = Task(position: plain(first), line: line)
    guard words.count > 1 else { return task }
    guard words.count == 2, let expected = Int32(words[1]) else {
      throw fault(line, "after the position stands at most one whole number, its value")
    }
    task.expected = expected
    return task
  }

  private static func fault(_ line: Int, _ reason: String) -> Failure {
    Failure(.dataError, "line \(line) of the file: \(reason)")
  }

  // MARK: - Solving

  private static func solve(
    _ task: Task, _ rules: any GameRules, nodes: UInt64?, _ comparison: inout Comparison, _ context: Context
  ) throws {
    try context.checkStop()
    let clock = ContinuousClock()
    let start = clock.now
    let solution: PositionSolution
    do throws(SolveError) {
      solution = try SearchBots.solve(
        rules, position: task.position, nodeLimit: nodes, isCancelled: context.isCancelled)
    } catch {
      let failure = Failure(error)
      throw task.line.map { fault($0, failure.words ?? "") } ?? failure
    }
    let elapsed = start.duration(to: clock.now)
    if let expected = task.expected {
      comparison.positions += 1
      if solution.value != expected { comparison.differing += 1 }
    }
    if context.isJSON {
      try context.object("solved", members(of: solution, task, elapsed))
    } else {
      try context.console.line(words(for: solution, task, elapsed))
    }
  }

  private static func words(for solution: PositionSolution, _ task: Task, _ elapsed: Duration) -> String {
    let position = task.position.isEmpty ? "start" : SafeText(task.position).text
    let value =
      solution.value.map { "value \($0)" } ?? "value \(solution.lower) to \(solution.upper), not proven"
    let best = solution.best.isEmpty ? "" : "  best \(solution.best.joined(separator: ","))"
    let differs = task.expected.map { solution.value == $0 ? "" : "  but \($0) was expected" } ?? ""
    let nodes = Room.count(Int(clamping: solution.nodes), "node")
    let time = DurationText.text(milliseconds: elapsed.wholeMilliseconds)
    return "\(position)  \(value)\(best)  \(nodes)  \(time)\(differs)"
  }

  private static func members(of solution: PositionSolution, _ task: Task, _ elapsed: Duration)
    -> [JSONMember]
  {
    [
      JSONMember("position", .string(task.position)),
      JSONMember("value", solution.value.map { .integer(Int64($0)) } ?? .null),
      JSONMember("best", .array(solution.best.map { .string($0) })),
      JSONMember("nodes", .unsigned(solution.nodes)),
      JSONMember("microseconds", .integer(elapsed.wholeMicroseconds)),
      JSONMember("proven", .bool(solution.isProven)),
      JSONMember("lower", .integer(Int64(solution.lower))),
      JSONMember("upper", .integer(Int64(solution.upper))),
      JSONMember("expected", task.expected.map { .integer(Int64($0)) } ?? .null),
    ]
  }

  private static func conclude(_ comparison: Comparison, _ context: Context) throws -> ExitStatus {
    guard comparison.positions > 0 else { return .ok }
    if context.isJSON {
      try context.object(
        "compared",
        [
          "positions": .integer(Int64(comparison.positions)),
          "differing": .integer(Int64(comparison.differing)),
        ])
    } else {
      let positions = Room.count(comparison.positions, "position")
      try context.console.line(
        comparison.differing == 0
          ? "\(positions): every value is as expected."
          : "\(positions): \(comparison.differing) not as expected.")
    }
    return comparison.differing == 0 ? .ok : .negative
  }
}

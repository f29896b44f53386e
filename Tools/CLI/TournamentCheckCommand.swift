import Platform
import Terminal
import Tournaments

/// `parlor tournament check FILE…`.
enum TournamentCheckCommand: Command {
  static let definition = CommandDefinition(
    "tournament check", group: Group.tournaments,
    summary: "Check the pairings of Swiss tournaments by FIDE's Dutch system, and of round robins.",
    text: [
      "Reads tournament report files (TRF), pairs every round again from what was before it, and says where a file"
        + " has other games, colours or byes. The rules are those in force since February 2026 (FIDE Handbook"
        + " C.04.3). Players without a game or bye in a round are taken as absent. A file whose type (092) is a"
        + " round robin is compared with the Berger tables, colours being swapped in every second cycle.",
      "The number of rounds is that of XXR or 142, else that of the file; the first colour that of XXC or 152, else"
        + " what the first round tells. Files with acceleration, forbidden pairs or teams are refused.",
      "Of several files, one that cannot be read is said on standard error and the others are checked; then the"
        + " status is 1 if any round differs, else that of the first file that was not read.",
    ],
    arguments: [.init("file", "A tournament report file.", repeats: true, kind: .file)],
    examples: [
      .init("tournament check open.trf", "One tournament."),
      .init("tournament check *.trf --json", "Many, for a program."),
    ],
    exitStatuses: [
      .init(.ok, "All rounds agree."), .init(.negative, "A round differs."),
      .init(.dataError, "A file is no tournament report, or asks for what is not known here."),
      .init(.noInput, "There is no such file."),
    ],
    objects: [
      .init(
        "round", "For each round.",
        [
          "path": "the file", "round": "its number, from 1",
          "agrees": "whether the file has what the system pairs",
          "pairable": "false when no pairing keeps to the absolute criteria",
          "expected":
            "what the system pairs and the file does not have: objects with `white` and `black`, pairing numbers;"
            + " `black` is null for a bye",
          "found": "what the file has in place of that, in the same form",
        ]),
      .init(
        "checked", "For each file, after its rounds.",
        [
          "path": "the file", "name": "the tournament's name", "players": "how many there are",
          "rounds": "how many were paired again", "differing": "how many of them differ",
        ]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    var isDifferent = false
    var unread: ExitStatus?
    let paths = parsed.arguments("file")
    let files = paths.count > 1 ? progress("files", paths.count, context) : nil
    defer { files?.finish() }
    for (done, path) in paths.enumerated() {
      try context.checkStop()
      defer { files?.advance(to: done + 1) }
      do {
        if try !check(path, isAlone: files == nil, context) { isDifferent = true }
      } catch {
        let failure = Failure(error)
        guard paths.count > 1, !failure.isInterruption, let words = failure.words else { throw error }
        let named =
          error is SwissReportError || error is SwissError ? "\(SafeText(path).text): \(words)" : words
        context.console.report(error: named, hint: failure.hint)
        unread = unread ?? failure.status
      }
    }
    return isDifferent ? .negative : unread ?? .ok
  }

  private static func progress(_ unit: String, _ total: Int, _ context: Context) -> ProgressLine {
    ProgressLine(
      on: context.console, label: "pairing", unit: unit, total: total, now: ContinuousClock().stopwatch)
  }

  /// Checks one file; when it is alone and large, how far it is is shown.
  /// - Returns: whether all of its rounds agree.
  private static func check(_ path: String, isAlone: Bool, _ context: Context) throws -> Bool {
    let report = try SwissReport(try bytes(of: path))
    let check = SwissCheck(report)
    let isLong = isAlone && report.players.count >= 100
    let progress = isLong ? progress("rounds", report.roundCount, context) : nil
    defer { progress?.finish() }
    var differing: [SwissCheck.Round] = []
    for round in 0..<report.roundCount {
      try context.checkStop()
      let found = try check.check(round)
      if !found.agrees { differing.append(found) }
      if context.isJSON { try context.object("round", members(of: found, path)) }
      progress?.advance(to: round + 1)
    }
    progress?.finish()
    if context.isJSON {
      try context.object(
        "checked",
        [
          "path": .string(path), "name": .string(report.name),
          "players": .integer(Int64(report.players.count)), "rounds": .integer(Int64(report.roundCount)),
          "differing": .integer(Int64(differing.count)),
        ])
    } else {
      try show(differing, of: report, path, context)
    }
    return differing.isEmpty
  }

  private static func bytes(of path: String) throws -> [UInt8] {
    let file = try OpenFile.reading(path)
    do throws(SystemError) {
      return try file.readAll(limit: SwissReport.mostBytes + 1)
    } catch { throw FileError(.reading, error) }
  }

  private static func show(
    _ differing: [SwissCheck.Round], of report: SwissReport, _ path: String, _ context: Context
  ) throws(ConsoleError) {
    let drawing = context.console.output.drawing
    let name = SafeText(path).text
    let rounds = Room.count(report.roundCount, "round")
    guard !differing.isEmpty else {
      let verb = report.roundCount == 1 ? "agrees" : "agree"
      return try context.console.line("\(name): \(drawing.paint("\(rounds) \(verb)", .green))")
    }
    let verb = differing.count == 1 ? "differs" : "differ"
    let words = drawing.paint("\(differing.count) of \(rounds) \(verb)", .bold, .red)
    try context.console.line("\(name): \(words)")
    for round in differing {
      guard !round.isUnpairable else {
        try context.console.line("  Round \(round.number): no pairing keeps to the absolute criteria.")
        continue
      }
      try context.console.lines([
        "  Round \(round.number): expected \(text(round.expected))", "    in the file \(text(round.found))",
      ])
    }
  }

  private static func text(_ pairs: [SwissCheck.Pair]) -> String {
    guard !pairs.isEmpty else { return "nothing else" }
    return pairs.map { pair in
      pair.black.map { "\(pair.white) – \($0)" } ?? "a bye for \(pair.white)"
    }.joined(separator: ", ")
  }

  private static func members(of round: SwissCheck.Round, _ path: String) -> [JSONMember] {
    [
      JSONMember("path", .string(path)), JSONMember("round", .integer(Int64(round.number))),
      JSONMember("agrees", .bool(round.agrees)), JSONMember("pairable", .bool(!round.isUnpairable)),
      JSONMember("expected", .array(round.expected.map(value))),
      JSONMember("found", .array(round.found.map(value))),
    ]
  }

  private static func value(_ pair: SwissCheck.Pair) -> JSONValue {
    .object([
      "white": .integer(Int64(pair.white)),
      "black": pair.black.map { .integer(Int64($0)) } ?? .null,
    ])
  }
}

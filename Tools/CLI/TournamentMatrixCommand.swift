import EventLog
import Events
import Games
import Projection
import Rules
import Terminal
import Tournaments

/// `parlor tournament matrix`.
enum TournamentMatrixCommand: Command {
  static let definition = CommandDefinition(
    "tournament matrix", group: Group.tournaments,
    summary: "Show who gained what from whom, and how often they cooperated.",
    text: [
      "For tournaments of the prisoner's dilemma. A row is an entrant, a column its opponent: the mean score of a"
        + " round, and the share of rounds in which the entrant cooperated, with noise as it counted. Games that are"
        + " over count, with the rounds that were played, also where somebody gave up."
    ],
    arguments: [RoomName.tournamentArgument],
    options: [
      .value(
        "of", "WHAT", "Only this matrix; csv without it is that of payoffs.",
        kind: .choice(Kind.allCases.map(\.rawValue))),
      .value("format", "FORMAT", "How it is written.", standard: "text", kind: .choice(["text", "csv"])),
    ],
    examples: [
      .init("tournament matrix", "Both matrices of the newest tournament."),
      .init("tournament matrix last --of cooperation --format csv", "Cooperation rates for a spreadsheet."),
    ],
    objects: [
      .init(
        "matrix", "Sums of each entrant, by row, against each, by column; no rounds where they did not meet.",
        [
          "id": "the tournament's room", "entrants": "their labels, by seed",
          "rounds": "rounds that were played, a list of rows", "scores": "the sums of the row's scores",
          "cooperations": "in how many rounds the row cooperated",
        ])
    ])

  /// Which matrix.
  enum Kind: String, CaseIterable {
    case payoff, cooperation

    var title: String { self == .payoff ? "Mean score of a round" : "Cooperation rate" }

    /// The value of sums as text; `nil` without rounds.
    func text(_ sums: PrisonersDilemma.Encounters.Sums) -> String? {
      (self == .payoff ? sums.meanScore : sums.cooperationRate).map { DecimalText.text($0, digits: 3) }
    }
  }

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let log = try context.store.reader()
    let tournament = try RoomName(parsed.argument("id") ?? "last").tournament(in: log, context.games)
    guard tournament.create.rules == PrisonersDilemma.name else {
      throw Failure(
        .usage, "the tournament \(tournament.room.short) is of \(tournament.create.rules)",
        hint: "there are matrices of the prisoner's dilemma alone")
    }
    var encounters = PrisonersDilemma.Encounters(count: tournament.labels.count)
    let held = Set(try log.rooms(of: tournament.room).map(\.room))
    for room in tournament.rooms where held.contains(room.room) {
      try context.checkStop()
      guard
        let attempt = tournament.state.record(PairingNumber(room.pairing))?.pairing.attempt(Int(room.attempt))
      else { continue }
      for game in try Room(room.room, in: log, games: context.games).state.games where game.ending != nil {
        guard let view = game.state.view(for: nil) as? ViewOf<PrisonersDilemma> else { continue }
        encounters.add(view.view, of: (attempt.entrants[0].index, attempt.entrants[1].index))
      }
    }
    try show(encounters, of: tournament, Kind(rawValue: parsed.text("of") ?? ""), parsed, context)
    return .ok
  }

  private static func show(
    _ encounters: PrisonersDilemma.Encounters, of tournament: TournamentRoom, _ kind: Kind?,
    _ parsed: ParsedCommand, _ context: Context
  ) throws {
    if context.isJSON { return try context.object("matrix", members(encounters, of: tournament)) }
    let labels = tournament.labels
    if parsed.text("format") == "csv" {
      return try context.console.lines(csv(encounters, kind ?? .payoff, labels))
    }
    var lines = [TournamentView(tournament: tournament, context: context).heading]
    for kind in kind.map({ [$0] }) ?? Kind.allCases {
      lines += ["", kind.title] + context.lines(of: table(encounters, kind, labels))
    }
    try context.pages(lines)
  }

  private static func table(
    _ encounters: PrisonersDilemma.Encounters, _ kind: Kind, _ labels: [String]
  ) -> TextTable {
    var table = TextTable(
      [.number("NO"), .text("ENTRANT", shrinks: false), .number("ALL")]
        + labels.indices.map { .number("\($0 + 1)") })
    for (index, label) in labels.enumerated() {
      let cells = labels.indices.map { kind.text(encounters[index, $0]) ?? "–" }
      table.append(
        [
          "\(index + 1)", SafeText(label, limitColumns: 24).text,
          kind.text(encounters.total(of: index)) ?? "–",
        ]
          + cells)
    }
    return table
  }

  private static func csv(
    _ encounters: PrisonersDilemma.Encounters, _ kind: Kind, _ labels: [String]
  ) -> [String] {
    [CSVText.line(["entrant"] + labels)]
      + labels.enumerated().map { index, label in
        CSVText.line([label] + labels.indices.map { kind.text(encounters[index, $0]) ?? "" })
      }
  }

  private static func members(
    _ encounters: PrisonersDilemma.Encounters, of tournament: TournamentRoom
  ) -> [JSONMember] {
    [
      JSONMember("id", .string(tournament.room.description)),
      JSONMember("entrants", .array(tournament.labels.map { .string($0) })),
      JSONMember("rounds", encounters.rows(\.rounds)), JSONMember("scores", encounters.rows(\.score)),
      JSONMember("cooperations", encounters.rows(\.cooperations)),
    ]
  }
}

import EventLog
import Events
import Peer
import Terminal
import Tournaments

/// `parlor tournament verify [ID|FILE]`.
enum TournamentVerifyCommand: Command {
  static let definition = CommandDefinition(
    "tournament verify", group: Group.tournaments,
    summary: "Prove a tournament whole: signatures, games, draws, pairings and standings.",
    text: [
      "Reads the tournament's room and the rooms of its games, from the log or from a file of `tournament export`,"
        + " which is not taken. Checks every id, chain and signature, plays every game again, opens what draws and"
        + " choices committed to, pairs the tournament again from its results, compares each result with its room, and"
        + " computes the standings and their tie-breaks. What is false is named with pairing, room and event.",
      "A result whose room is not here is not proven. A walkover by the organizer's word, and whom it disqualifies, is"
        + " a decision: the rules allow it, and it is told. A fork accuses its author.",
    ],
    arguments: [
      .init(
        "tournament",
        "The tournament: first digits of its id, or `last`; or a file, `-` for one on standard input.",
        isOptional: true, kind: .stored(.tournaments, orFile: true))
    ],
    examples: [
      .init("tournament verify", "Prove the newest tournament."),
      .init("tournament verify cup.parlor --json", "Prove a file, for a program."),
    ],
    exitStatuses: [
      .init(.ok, "Everything is proven."), .init(.negative, "Something is false, or the file was changed."),
      .init(.unavailable, "Nothing is false, and something is not proven."),
      .init(.dataError, "The file is none of a tournament."),
      .init(.noInput, "There is no such tournament or file."),
    ],
    objects: [
      .init(
        "finding", "For each thing that does not simply hold.",
        [
          "finding": "`false`, `not proven`, `decision` or `fork`",
          "pairing": "the pairing, `M1` and on; null when it is about none",
          "attempt": "1, or more for a decider; null when it is about no pairing",
          "room": "the room's id, or null", "event": "the event's id, or null", "reason": "what was found",
        ]),
      .init(
        "proof", "Once, at the end.",
        [
          "path": "the file as it was named; null for a tournament of the log",
          "id": "the tournament's room; null when a damaged file does not even say it",
          "valid":
            "true when everything is proven, false when something is false, null when something is not proven",
          "rooms": "how many rooms were read", "events": "how many events they have",
          "reveals": "of draws and choices: an object with `opened` and `unopened`, which have no effect",
          "pairings": "how many pairings there are; null, as what follows, where they are not known",
          "decided": "how many are decided",
          "complete": "whether the tournament is over: every pairing is decided, and no other one follows",
          "champion": "the winner; null until there is one",
          "standings": "as `tournament standings` tells them",
          "standingsDigest": "a hash of entrants, rules and results, equal for equal runs",
        ]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let name = parsed.argument("tournament") ?? "last"
    guard let path = try RoomName(name).bundlePath() else {
      guard LogVerifyCommand.isReader else { return try LogVerifyCommand.verifyApart(context) }
      let log = try context.store.reader()
      let room = try RoomName(name).tournament(in: log, context.games).room
      return try show(try ProofSteps(context).proof(of: room, in: log), nil, context)
    }
    let file: LogFile
    do { file = try LogFile(path, context.store) } catch let error as BundleError {
      return try show(error, path, nil, context)
    }
    switch consume file {
    case .tournament(let reader):
      do {
        return try show(try ProofSteps(context).proof(of: reader), path, context)
      } catch let error as BundleError {
        return try show(error, path, reader.rooms[0], context)
      }
    case .bundle:
      throw Failure(
        .dataError, "\(SafeText(path).text) holds one room and no tournament",
        hint: "`parlor log verify` checks it; `parlor tournament export` writes a tournament with its games")
    }
  }

  // MARK: - Showing

  /// Shows what is wrong with a file that does not even say of which tournament it is.
  private static func show(
    _ error: BundleError, _ path: String, _ room: RoomID?, _ context: Context
  ) throws -> ExitStatus {
    guard error.isOfContent else { throw error }
    try show([TournamentProof.Finding(error, of: room)], context)
    if context.isJSON {
      try context.object("proof", members(of: nil, path, room, .negative, context))
    } else {
      try context.console.line("\(SafeText(path).text): nothing is proven.")
    }
    return .negative
  }

  private static func show(
    _ proof: TournamentProof, _ path: String?, _ context: Context
  ) throws -> ExitStatus {
    let status: ExitStatus = proof.fault != nil ? .negative : proof.isUnproven ? .unavailable : .ok
    guard !context.isJSON else {
      try show(proof.findings, context)
      try context.object("proof", members(of: proof, path, proof.room, status, context))
      return status
    }
    let view = proof.tournament.map { TournamentView(tournament: $0, context: context) }
    if let view { try context.console.lines([view.heading, ""] + view.standings() + [""]) }
    try show(proof.findings, context)
    try context.console.line(words(for: proof, status, context))
    if let view { try context.console.line("Standings digest \(try view.tournament.standingsDigest())") }
    return status
  }

  private static func words(
    for proof: TournamentProof, _ status: ExitStatus, _ context: Context
  ) -> String {
    let drawing = context.console.output.drawing
    var words = "\(Room.count(proof.rooms, "room")), \(Room.count(proof.events, "event"))"
    if let state = proof.tournament?.state {
      words += ", \(state.decidedCount) of \(Room.count(state.pairingCount, "pairing")) decided"
      if !state.isComplete && state.decidedCount == state.pairingCount { words += ", others may follow" }
    }
    switch status {
    case .ok: return "\(words): \(drawing.paint("everything is proven", .green))."
    case .negative: return "\(words): \(drawing.paint("not everything is true", .bold, .red))."
    default: return "\(words): nothing is false, and \(drawing.paint("not everything is proven", .bold))."
    }
  }

  private static func show(_ findings: [TournamentProof.Finding], _ context: Context) throws(ConsoleError) {
    for finding in findings {
      guard context.isJSON else {
        let event = finding.event.map { ["    Event: \($0)"] } ?? []
        let room = finding.room.map { ["    Room: \($0)"] } ?? []
        let words = "\(finding.kind.mark) \(finding.kind.rawValue): \(SafeText(finding.description).text)."
        try context.console.lines([words] + room + event)
        continue
      }
      try context.object(
        "finding",
        [
          "finding": .string(finding.kind.rawValue),
          "pairing": .optional(finding.pairing.map { "\($0)" }),
          "attempt": finding.attempt.map { .integer(Int64($0) + 1) } ?? .null,
          "room": .optional(finding.room?.description), "event": .optional(finding.event?.description),
          "reason": .string(finding.reason),
        ])
    }
  }

  private static func members(
    of proof: TournamentProof?, _ path: String?, _ room: RoomID?, _ status: ExitStatus, _ context: Context
  ) throws -> [JSONMember] {
    let tournament = proof?.tournament
    let view = tournament.map { TournamentView(tournament: $0, context: context) }
    func count(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }
    return [
      JSONMember("path", .optional(path)), JSONMember("id", .optional(room?.description)),
      JSONMember("valid", status == .unavailable ? .null : .bool(status == .ok)),
      JSONMember("rooms", count(proof?.rooms ?? 0)), JSONMember("events", count(proof?.events ?? 0)),
      JSONMember(
        "reveals",
        .object([
          "opened": count(proof?.reveals.opened ?? 0), "unopened": count(proof?.reveals.unopened ?? 0),
        ])),
      JSONMember("pairings", count(tournament?.state.pairingCount)),
      JSONMember("decided", count(tournament?.state.decidedCount)),
      JSONMember("complete", tournament.map { .bool($0.state.isComplete) } ?? .null),
      JSONMember(
        "champion",
        .optional(
          tournament.flatMap { tournament in
            tournament.state.champion.map { tournament.labels[$0.index] }
          })),
      JSONMember("standings", view?.standingsValue ?? .null),
      JSONMember("standingsDigest", .optional(try tournament?.standingsDigest().description)),
    ]
  }
}

extension TournamentProof.Finding.Kind {
  /// What marks it before others.
  fileprivate var mark: String {
    switch self {
    case .isFalse: "!"
    case .notProven: "?"
    case .decision, .fork: "–"
    }
  }
}

/// Proves a tournament, and shows how many of its rooms were read.
final class ProofSteps {
  private let context: Context
  private var progress: ProgressLine?

  init(_ context: Context) { self.context = context }

  /// What a tournament of the log proves.
  func proof(of room: RoomID, in log: LMDBEventLog) throws -> TournamentProof {
    defer { progress?.finish() }
    return try TournamentProof.of(room, in: log, context.games, step: take)
  }

  /// What a tournament's file proves.
  func proof(of reader: TournamentFileReader) throws -> TournamentProof {
    defer { progress?.finish() }
    return try TournamentProof.of(reader, context.games, step: take)
  }

  private func take(_ done: Int, _ total: Int) throws(Failure) {
    try context.checkStop()
    progress =
      progress
      ?? ProgressLine(
        on: context.console, label: "verifying", unit: "rooms", total: total, now: ContinuousClock().stopwatch
      )
    progress?.advance(to: done)
  }
}

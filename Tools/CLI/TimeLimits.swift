import Events
import Peer
import Platform
import Projection
import Service
import Terminal

// Referees and time limits, on the command line and in words.

extension Context {
  /// The longest limits that are taken: a month for a move, a week for a clock, an hour for an increment, in seconds.
  private static let limitMoveSeconds: UInt32 = 2_592_000
  private static let limitClockMinutes: UInt32 = 10_080
  private static let limitIncrementSeconds: UInt32 = 3_600

  /// What a host says of referee and time limits.
  static let limitOptions: [OptionDefinition] = [
    .value(
      "referee", "PEER",
      "The key of a third peer, which rules when a player's time is up: its `parlor serve` does so by itself."
    ),
    .value("move-limit", "SECONDS", "The time for each move; needs a referee."),
    .value(
      "clock", "MINUTES+SECONDS",
      "The time for all of a player's moves in a game, and what each move adds; needs a referee."),
  ]

  /// Agreeing to a referee without being asked.
  static let consentOption = OptionDefinition.value(
    "accept-referee", "PEER",
    "Agree to the referee with this key, who may decide the game, and to the game's time limits. At a terminal you are"
      + " asked; without one, a game with a referee is joined with this alone.")

  /// Puts referee and time limits of the command line into a new game.
  func setLimits(_ new: inout Intent.NewRoom, _ parsed: ParsedCommand) throws {
    if let text = parsed.text("referee") {
      guard let referee = peerID(text) else {
        throw parsed.badValue("referee", "a peer is named by its key of 64 hexadecimal digits")
      }
      new.terms.referee = referee
    }
    new.terms = try limits(parsed, referee: new.terms.referee)
    guard new.terms.referee.isSome || !new.terms.hasLimits else {
      throw parsed.badValue(
        parsed.text("clock") == nil ? "move-limit" : "clock",
        "without a referee nothing follows from a player's silence: name one with --referee PEER")
    }
  }

  /// The time limits of the command line.
  func limits(_ parsed: ParsedCommand, referee: PeerID) throws -> Terms {
    var terms = Terms()
    terms.referee = referee
    let limit = try parsed.integer("move-limit", in: 1...Self.limitMoveSeconds)
    terms.moveLimitMilliseconds = (limit ?? 0) * 1000
    if let text = parsed.text("clock") {
      guard let (minutes, seconds) = Self.clock(text) else {
        throw parsed.badValue(
          "clock",
          "write minutes and the seconds that each move adds, as 5+3; at most"
            + " \(Self.limitClockMinutes)+\(Self.limitIncrementSeconds)")
      }
      terms.clockMilliseconds = minutes * 60_000
      terms.incrementMilliseconds = seconds * 1000
    }
    return terms
  }

  /// Minutes and seconds of a clock, as in `5+3` or `5`.
  private static func clock(_ text: String) -> (minutes: UInt32, seconds: UInt32)? {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let minutes = UInt32(parts[0]), (1...limitClockMinutes).contains(minutes),
      let seconds = parts.count == 2 ? UInt32(parts[1]) : 0, seconds <= limitIncrementSeconds
    else { return nil }
    return (minutes, seconds)
  }

  /// The referee and the limits that the person agrees to in a game that has a referee.
  /// - Returns: `nil` when it was asked to stop.
  func consent(to state: RoomState, _ parsed: ParsedCommand, _ input: TableInput) async throws -> Terms? {
    let named = try parsed.text("accept-referee").map { text in
      guard let peer = peerID(text) else {
        throw parsed.badValue("accept-referee", "a peer is named by its key of 64 hexadecimal digits")
      }
      return peer
    }
    // A referee that holds a seat is none: the game is refused with words.
    guard let referee = state.referee else { return Terms() }
    if named == referee { return Terms(state.create) }
    if named != nil { throw ServiceError.refused("the game's referee is another one: \(referee)") }
    guard Descriptor.input.isTerminal, !isJSON else {
      throw Failure(
        .negative, "the game has a referee, who can decide it: \(referee)",
        hint: "`--accept-referee \(referee)` agrees to that")
    }
    return try await ask(about: referee, state, input)
  }

  /// What the person agrees to in the game after another. What was agreed to once holds for it; other terms are asked
  /// about at a terminal, and elsewhere the peer refuses them.
  /// - Returns: `nil` when it was asked to stop.
  func consent(
    to next: RoomState, after before: RoomState, _ input: TableInput
  ) async throws -> Terms? {
    let agreed = Terms(before.create)
    guard let referee = next.referee, Terms(next.create) != agreed, Descriptor.input.isTerminal, !isJSON
    else { return agreed }
    try console.paragraph("The next game is not played as the one before.")
    return try await ask(about: referee, next, input)
  }

  /// Asks whether a game is to be played with its referee and within its limits.
  private func ask(about referee: PeerID, _ state: RoomState, _ input: TableInput) async throws -> Terms? {
    try console.paragraph("\(state.name(of: state.creator))'s game has a referee: \(referee).")
    try console.line(
      "It decides by its own clock when a player's time is up (\(Terms(state.create).limitWords)), and nobody can"
        + " check that."
    )
    try console.prompt("Agree to this referee? [y/N] ")
    let answer = try await input.line()
    if case .line(let text) = answer, ["y", "yes"].contains(text.lowercased()) { return Terms(state.create) }
    // The cursor stands behind the question.
    if answer == .end || answer == .interrupted { console.note("") }
    if answer == .interrupted { return nil }
    throw ServiceError.refused("the game was not joined: you do not agree to its referee")
  }
}

extension Terms {
  /// The time limits, for people.
  var limitWords: String {
    var words: [String] = []
    if moveLimitMilliseconds > 0 {
      words.append("\(Self.duration(UInt64(moveLimitMilliseconds))) for each move")
    }
    if clockMilliseconds > 0 {
      let increment =
        incrementMilliseconds > 0
        ? ", and \(Self.duration(UInt64(incrementMilliseconds))) more for each move" : ""
      words.append("\(Self.duration(UInt64(clockMilliseconds))) for all moves of a game\(increment)")
    }
    return words.isEmpty ? "no time limit" : words.joined(separator: "; ")
  }

  /// Referee and time limits for `--json`; their names and meanings are in `limitFields`.
  var limitMembers: [JSONMember] {
    func limit(_ milliseconds: UInt32) -> JSONValue {
      milliseconds == 0 ? nil : .integer(Int64(milliseconds))
    }
    return [
      JSONMember("referee", .optional(referee.isSome ? referee.description : nil)),
      JSONMember("move-limit", limit(moveLimitMilliseconds)), JSONMember("clock", limit(clockMilliseconds)),
      JSONMember("increment", limit(incrementMilliseconds)),
    ]
  }

  /// A time as people read it, to the second: `1:05` for a minute and five seconds, `40 s` for less than a minute.
  static func duration(_ milliseconds: UInt64) -> String {
    let seconds = milliseconds / 1000
    guard seconds >= 60 else { return "\(seconds) s" }
    let rest = seconds % 60
    let minutes = seconds / 60
    guard minutes >= 60 else { return "\(minutes):\(rest < 10 ? "0" : "")\(rest)" }
    let restMinutes = minutes % 60
    return "\(minutes / 60):\(restMinutes < 10 ? "0" : "")\(restMinutes):\(rest < 10 ? "0" : "")\(rest)"
  }
}

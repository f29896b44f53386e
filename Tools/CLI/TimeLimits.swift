import Events
import Peer
import Platform
import Projection
import Service
import Terminal

// Referees and time limits, on the command line and in words.

extension Terms {
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

  /// The time limits of the command line.
  init(_ parsed: ParsedCommand, referee: PeerID) throws {
    self.init()
    self.referee = referee
    let limit = try parsed.integer("move-limit", in: 1...Self.limitMoveSeconds)
    moveLimitMilliseconds = (limit ?? 0) * 1000
    if let text = parsed.text("clock") {
      guard let (minutes, seconds) = Self.clock(text) else {
        throw parsed.badValue(
          "clock",
          "write minutes and the seconds that each move adds, as 5+3; at most"
            + " \(Self.limitClockMinutes)+\(Self.limitIncrementSeconds)")
      }
      clockMilliseconds = minutes * 60_000
      incrementMilliseconds = seconds * 1000
    }
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
}

extension Intent.NewRoom {
  /// Puts referee and time limits of the command line into a new game.
  mutating func setLimits(_ parsed: ParsedCommand) throws {
    if let text = parsed.text("referee") {
      guard let referee = PeerID(hex: text) else {
        throw parsed.badValue("referee", "a peer is named by its key of 64 hexadecimal digits")
      }
      terms.referee = referee
    }
    terms = try Terms(parsed, referee: terms.referee)
    guard terms.referee.isSome || !terms.hasLimits else {
      throw parsed.badValue(
        parsed.text("clock") == nil ? "move-limit" : "clock",
        "without a referee nothing follows from a player's silence: name one with --referee PEER")
    }
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

import EventLog
import Events
import Platform
import Projection
import Terminal

/// Which rooms of a log are listed, as its options say.
struct RoomFilter {
  private let game: String?
  private let player: String?
  private let bot: String?
  private let status: String?
  private let since: Since?
  /// The most rooms; `nil` for all.
  let limit: Int?

  /// Since when rooms were created.
  private enum Since {
    /// A day, or a minute, as `WallClock.text` begins.
    case day(String)
    /// Milliseconds since 1970.
    case moment(UInt64)
  }

  /// How many rooms are listed when nothing is said.
  static let standardLimit = 20

  static let options: [OptionDefinition] = [
    .flag("all", "List all rooms, not only the newest \(standardLimit)."),
    .value("limit", "N", "List at most so many, the newest."),
    .value("game", "GAME", "Only rooms of this game.", kind: GameOptions.tableNames),
    .value(
      "player", "NAME", "Only rooms in which somebody of this name, or whose key begins so, has a seat."),
    .value("bot", "BOT", "Only rooms in which this bot has a seat: `lookahead` means all depths."),
    .value(
      "status", "STATUS", "Only rooms that stand so.",
      kind: .choice([
        "waiting", "playing", "finished", "abandoned", "closed", "unknown-rules", "unknown-edition",
      ])),
    .value(
      "since", "WHEN", "Only rooms created since: a day such as 2026-11-20, or a time ago: 90m, 12h, 7d."),
  ]

  init(_ parsed: ParsedCommand) throws {
    game = parsed.text("game")
    player = parsed.text("player")?.lowercased()
    bot = parsed.text("bot")
    status = parsed.text("status")
    let most = try parsed.integer("limit", in: 1...Int.max)
    if most != nil, parsed.has("all") { throw parsed.badValue("limit", "it is given with --all") }
    limit = parsed.has("all") ? nil : most ?? Self.standardLimit
    since = try parsed.text("since").map { text in
      guard let since = Self.since(text, now: WallClock.milliseconds()) else {
        throw parsed.badValue("since", "it is no day such as 2026-11-20 and no time such as 90m, 12h or 7d")
      }
      return since
    }
  }

  private static func since(_ text: String, now: UInt64) -> Since? {
    if text.wholeMatch(of: #/[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2})?/#) != nil { return .day(text) }
    return SizeText.milliseconds(text).map { .moment(now - min(now, $0)) }
  }

  /// Whether anything but the number of rooms is asked for.
  var chooses: Bool { game != nil || player != nil || bot != nil || status != nil || since != nil }

  /// Whether a room may be meant, by what its first event says.
  func mayFit(_ listing: RoomListing) -> Bool {
    if let game, case .create(let create) = listing.create.action, create.rules != game { return false }
    return switch since {
    case nil: true
    case .day(let day): WallClock.text(milliseconds: listing.create.wallTime) >= day
    case .moment(let moment): listing.create.wallTime >= moment
    }
  }

  /// Whether a room is meant that may be.
  func fits(_ room: RoomStanding) -> Bool {
    let seats = room.state.seats.compactMap { $0 }
    let players =
      seats.map { ($0.peer, $0.profile) } + (room.state.hosted?.players.map { ($0.peer, $0.profile) } ?? [])
    if let status, room.status != status { return false }
    if let player {
      let isThere = players.contains { peer, profile in
        profile.name.lowercased() == player || player.count >= 4 && peer.description.hasPrefix(player)
      }
      guard isThere else { return false }
    }
    guard let bot else { return true }
    return players.contains { _, profile in
      let name = profile.bot?.specification
      return name == bot || name?.hasPrefix(bot + ":") == true
    }
  }
}

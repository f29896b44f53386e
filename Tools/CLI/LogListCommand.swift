import EventLog
import Events
import Peer
import Platform
import Projection
import Rules
import Terminal

/// `parlor log list`.
enum LogListCommand: Command {
  static let definition = CommandDefinition(
    "log list", group: Group.log, summary: "List rooms, the newest first.",
    options: RoomFilter.options,
    examples: [
      .init("log list", "The newest \(RoomFilter.standardLimit) rooms."),
      .init("log list --game othello --bot lookahead --since 7d", "This week's games against it."),
      .init("log list --all --json", "Every room, for a program."),
    ],
    objects: [
      .init(
        "room", "For each room.",
        [
          "id": "the room's id, 64 hexadecimal digits",
          "kind": "`game`, `tournament` or `rounds`, hosted ones such as a quiz",
          "game": "the game's name on the command line",
          "status":
            "`waiting`, `playing`, `finished`, `abandoned`, `closed`, `unknown-rules` or `unknown-edition`",
          "waiting-for": "the seats, from 1, of which the game that is on waits for a step",
          "since": "when the step before came, in milliseconds since 1970 by its author's clock, or null",
          "events": "how many events the room has", "digest": "the hash of everything they amount to",
          "players":
            "objects with `seat` (from 1), `name`, `peer` (public key) and `bot` (specification or null)",
          "games": "games of the room; in a tournament, of each pairing",
          "tournament": "the id of the tournament's room that it belongs to, or null",
          "created": "milliseconds since 1970 by the creator's clock",
        ])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let filter = try RoomFilter(parsed)
    guard let log = try context.store.readerIfAny() else { return .ok }
    let listings = try log.rooms(limit: filter.chooses ? nil : filter.limit).filter(filter.mayFit)
    var count = 0
    var table = TextTable([
      .text("ROOM", shrinks: false), .text("GAME", least: 12), .text("PLAYERS", least: 20),
      .text("STATUS", least: 12),
      .number("EVENTS").yielding(1), .text("WHEN", shrinks: false).yielding(2),
    ])
    for listing in listings {
      try context.checkStop()
      if count == filter.limit { break }
      if filter.chooses {
        let state = try log.outline(of: listing.room, context.games).state
        guard try filter.fits(RoomStanding(state, in: log, context.games)) else { continue }
      }
      count += 1
      if context.isJSON {
        var room = try Room(listing.room, in: log, games: context.games)
        try context.object(
          "room", members(of: room.standing, digest: room.digest(), since: room.waitsSince, listing))
      } else {
        let state = try log.outline(of: listing.room, context.games).state
        let since =
          state.owing.isEmpty ? nil : try Room(listing.room, in: log, games: context.games).waitsSince
        table.append(
          try cells(of: RoomStanding(state, in: log, context.games), since: since, listing))
      }
    }
    if context.isJSON { return .ok }
    try context.pages(context.lines(of: table))
    if let limit = filter.limit, count == limit, !filter.chooses {
      context.console.note("These are the newest \(limit); `parlor log list --all` shows all.")
    }
    return .ok
  }

  private static func cells(of room: RoomStanding, since: UInt64?, _ listing: RoomListing) -> [String] {
    let create = room.state.create
    let names = room.state.seats.map { $0.map { SafeText($0.profile.name, limitColumns: 24).text } ?? "–" }
    let players =
      room.state.hosted.map { Room.count($0.players.count, "player") }
      ?? (names.count > 2 ? "\(names.count) entrants" : names.joined(separator: " – "))
    let game = create.rules + (room.isTournament ? " tournament" : "")
    return [
      listing.room.short, game, players, status(of: room, since: since), "\(listing.events)",
      WallClock.text(milliseconds: listing.create.wallTime),
    ]
  }

  /// Where a room stands; of a game that is on, for whom it waits and since when.
  private static func status(of room: RoomStanding, since: UInt64?) -> String {
    guard let since else { return room.status }
    let names = room.state.owing.map { room.state.name(of: $0) }
    return "waits for \(names.joined(separator: ", ")) since \(WallClock.text(milliseconds: since))"
  }

  private static func members(
    of room: RoomStanding, digest: Digest, since: UInt64?, _ listing: RoomListing
  ) -> [JSONMember] {
    let create = room.state.create
    let tournament: RoomID? =
      if case .games(let id, _, _) = create.purpose, id.isSome { id } else { nil }
    return [
      JSONMember("id", .string(listing.room.description)),
      JSONMember("kind", .string(room.isTournament ? "tournament" : create.isHosted ? "rounds" : "game")),
      JSONMember("game", .string(create.rules)), JSONMember("status", .string(room.status)),
      JSONMember("waiting-for", .array(room.state.owing.map { .integer(Int64($0.index + 1)) })),
      JSONMember("since", since.map { .unsigned($0) } ?? .null),
      JSONMember("events", .integer(Int64(listing.events))),
      JSONMember("digest", .string(digest.description)), JSONMember("players", room.players),
      JSONMember("games", .integer(Int64(create.games))),
      JSONMember("tournament", .optional(tournament?.description)),
      JSONMember("created", .unsigned(listing.create.wallTime)),
    ]
  }
}

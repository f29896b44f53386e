import EventLog
import Events
import Peer
import Platform
import Projection
import Rules
import Terminal

/// `parlor log list`.
enum LogListCommand: Command {
  /// What is printed of each room.
  private static let object = ObjectDefinition(
    "room", "For each room.",
    [
      "id": "the room's id, 64 hexadecimal digits",
      "kind": "`game`, `tournament` or `rounds`, hosted ones such as a quiz",
      "game": "the game's name on the command line",
      "status":
        "`waiting`, `playing`, `finished`, `abandoned`, `closed`, `unknown-rules`, `unknown-edition`, or `damaged`"
        + " where the room cannot be read: then only `id` and `events` are there, the others null or empty",
      "waiting-for": "the seats, from 1, of which the game that is on waits for a step",
      "since": "when the step before came, in milliseconds since 1970 by its author's clock, or null",
      "events": "how many events the room has",
      "digest": "the hash of everything they amount to",
      "players":
        "objects with `seat` (from 1), `name`, `peer` (public key) and `bot` (specification or null)",
      "games": "games of the room; in a tournament, of each pairing",
      "tournament": "the id of the tournament's room that it belongs to, or null",
      "created": "milliseconds since 1970 by the creator's clock",
    ])

  static let definition = CommandDefinition(
    "log list", group: Group.log, summary: "List rooms, the newest first.",
    options: RoomFilter.options,
    examples: [
      .init("log list", "The newest \(RoomFilter.standardLimit) rooms."),
      .init("log list --game othello --bot lookahead --since 7d", "This week's games against it."),
      .init("log list --all --json", "Every room, for a program."),
    ],
    objects: [object])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let filter = try RoomFilter(parsed)
    guard let log = try context.store.readerIfAny() else { return .ok }
    let listings = try log.rooms(limit: filter.chooses ? nil : filter.limit).filter(filter.mayFit)
    var (count, damaged) = (0, 0)
    var table = TextTable([
      .text("ROOM", shrinks: false), .text("GAME", least: 12), .text("PLAYERS", least: 20),
      .text("STATUS", least: 12),
      .number("EVENTS").yielding(1), .text("WHEN", shrinks: false).yielding(2),
    ])
    for listing in listings {
      try context.checkStop()
      if count == filter.limit { break }
      let row: Row
      do {
        guard let found = try Self.row(of: listing, in: log, filter, context) else { continue }
        row = found
      } catch let error as LogError {
        guard case .corrupt = error else { throw error }
        damaged += 1
        // Nobody knows whether it is among those that are looked for.
        if filter.chooses { continue }
        row = Self.damagedRow(of: listing, context)
      }
      switch row {
      case .object(let members): try context.object("room", members)
      case .cells(let cells): table.append(cells)
      }
      count += 1
    }
    if !context.isJSON { try context.pages(context.lines(of: table)) }
    if damaged > 0 {
      context.console.note(
        "\(Room.count(damaged, "room")) cannot be read; `parlor log verify` says what is wrong.")
    }
    if context.isJSON { return .ok }
    if let limit = filter.limit, count == limit, !filter.chooses {
      context.console.note("These are the newest \(limit); `parlor log list --all` shows all.")
    }
    return .ok
  }

  /// What is printed of a room.
  private enum Row {
    case object([JSONMember])
    case cells([String])
  }

  /// - Returns: `nil` for a room that is not looked for.
  private static func row(
    of listing: RoomListing, in log: any EventLog, _ filter: RoomFilter, _ context: Context
  ) throws -> Row? {
    if filter.chooses || !context.isJSON {
      let state = try log.outline(of: listing.room, context.games).state
      let standing = try RoomStanding(state, in: log, context.games)
      if filter.chooses, !filter.fits(standing) { return nil }
      guard context.isJSON else {
        let since =
          state.owing.isEmpty ? nil : try Room(listing.room, in: log, games: context.games).waitsSince
        return .cells(cells(of: standing, since: since, listing))
      }
    }
    var room = try Room(listing.room, in: log, games: context.games)
    return .object(members(of: room.standing, digest: room.digest(), since: room.waitsSince, listing))
  }

  private static func damagedRow(of listing: RoomListing, _ context: Context) -> Row {
    guard context.isJSON else {
      return .cells([listing.room.short, "", "", damagedStatus, "\(listing.events)", ""])
    }
    let known: [String: JSONValue] = [
      "id": .string(listing.room.description), "status": .string(damagedStatus),
      "events": .integer(Int64(listing.events)), "waiting-for": .array([]), "players": .array([]),
    ]
    return .object(object.fields.map { JSONMember($0.name, known[$0.name] ?? .null) })
  }

  private static let damagedStatus = "damaged"

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

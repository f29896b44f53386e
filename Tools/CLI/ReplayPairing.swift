import EventLog
import Events
import Projection
import Rules
import Terminal
import Tournaments

/// A room of a tournament's pairing, as `replay` lists it.
struct ReplayPairing {
  let room: RoomID
  let pairing: UInt32
  let attempt: UInt8
  /// Who plays and where it stands; `nil` when the room is not here.
  let players: [String]?
  let status: String

  /// The object of a pairing's room.
  static let object = ObjectDefinition(
    "pairing-room", "For each room of a tournament's pairings, instead of positions.",
    [
      "tournament": "the id of the tournament's room", "pairing": "the pairing, `M1` and on",
      "attempt": "the attempt at it, from 1", "room": "the id of the room with its games",
      "players": "the names of its seats, a list; null when the room is not here",
      "status": "where it stands, as in `log list`, or `absent`",
    ])

  /// Lists the rooms of a tournament.
  static func list(_ named: NamedRoom, _ context: Context) throws -> ExitStatus {
    let pairings = try named.store.map { try stored(of: named.room, in: $0, context) } ?? named.room.sealed
    var table = TextTable([
      .text("PAIRING", shrinks: false), .number("ATTEMPT"), .text("ROOM", shrinks: false), .text("PLAYERS"),
      .text("STATUS", shrinks: false),
    ])
    for pairing in pairings {
      let number = "\(PairingNumber(pairing.pairing))"
      let attempt = Int(pairing.attempt) + 1
      if context.isJSON {
        try context.object(
          "pairing-room",
          [
            "tournament": .string(named.room.state.room.description), "pairing": .string(number),
            "attempt": .integer(Int64(attempt)), "room": .string(pairing.room.description),
            "players": pairing.players.map { .array($0.map { .string($0) }) } ?? .null,
            "status": .string(pairing.status),
          ])
      }
      let players = pairing.players?.map { SafeText($0, limitColumns: 24).text }
      table.append([
        number, "\(attempt)", pairing.room.short, players?.joined(separator: " – ") ?? "–", pairing.status,
      ])
    }
    if context.isJSON { return .ok }
    let title = "Tournament of \(named.room.title), room \(named.room.state.room.short), \(named.room.status)"
    try context.console.line(title)
    try context.table(table)
    if !pairings.isEmpty { context.console.note("`parlor replay ROOM` shows the games of one.") }
    return .ok
  }

  private static func stored(
    of tournament: Room, in log: LMDBEventLog, _ context: Context
  ) throws -> [ReplayPairing] {
    try log.rooms(of: tournament.state.room).compactMap { listing in
      try context.checkStop()
      guard case .create(let create) = listing.create.action,
        case .games(_, let pairing, let attempt) = create.purpose
      else { return nil }
      let room = try Room(listing.room, in: log, games: context.games)
      let names = room.state.seats.map { $0?.profile.name ?? "–" }
      return ReplayPairing(
        room: listing.room, pairing: pairing, attempt: attempt, players: names,
        status: room.status)
    }
    .sorted { ($0.pairing, $0.attempt, $0.room) < ($1.pairing, $1.attempt, $1.room) }
  }
}

extension Room {
  /// The rooms that the organizer's results name, for a tournament whose rooms are not at hand.
  fileprivate var sealed: [ReplayPairing] {
    (standing.tournament?.rooms ?? []).map {
      ReplayPairing(room: $0.room, pairing: $0.pairing, attempt: $0.attempt, players: nil, status: "absent")
    }
  }
}

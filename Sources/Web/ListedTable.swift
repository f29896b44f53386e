internal import Events
internal import JSON
internal import Peer
internal import Projection
internal import Rules
internal import Service

extension RoomState {
  /// A table in a list, for who looks at it.
  func listed(for peer: PeerID, _ games: GameCatalog) -> JSONValue {
    let title =
      games.definition(create.rules, version: create.rulesVersion)?.title
      ?? games.hosted(create.rules, version: create.rulesVersion)?.title
    return [
      "room": .string(room.description), "code": .string(GameCode.of(room)), "game": .string(create.rules),
      "title": .optional(title),
      "creator": ["peer": .string(creator.description), "name": .string(create.profile.name)],
      "games": .integer(Int64(create.games)), "target": .integer(Int64(create.target)),
      "phase": .string(TableView.Phase(phase).rawValue), "seats": .integer(Int64(seats.count)),
      "free": .integer(Int64(seats.count { $0 == nil })),
      "seat": seat(of: peer).map { .integer(Int64($0.index + 1)) } ?? .null,
      "may-join": .bool(hasFreeSeat(for: peer) && creator != peer && seat(of: peer) == nil),
      "to-choose": .bool(seatToChoose(of: peer) != nil),
    ]
  }
}

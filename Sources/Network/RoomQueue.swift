internal import Events

/// Rooms, each once, in the order in which they came.
struct RoomQueue {
  private(set) var rooms: [RoomID] = []
  private var members: Set<RoomID> = []

  var isEmpty: Bool { rooms.isEmpty }

  func contains(_ room: RoomID) -> Bool { members.contains(room) }

  mutating func add(_ room: RoomID) { if members.insert(room).inserted { rooms.append(room) } }

  mutating func takeAll() -> [RoomID] {
    defer { self = RoomQueue() }
    return rooms
  }
}

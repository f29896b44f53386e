package import Events

/// Rooms, each once, in the order in which they came.
package struct RoomQueue {
  package private(set) var rooms: [RoomID] = []
  private var members: Set<RoomID> = []

  package init() {}

  var isEmpty: Bool { rooms.isEmpty }

  func contains(_ room: RoomID) -> Bool { members.contains(room) }

  package mutating func add(_ room: RoomID) { if members.insert(room).inserted { rooms.append(room) } }

  package mutating func takeAll() -> [RoomID] {
    defer { self = RoomQueue() }
    return rooms
  }
}

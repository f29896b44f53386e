internal import Events

/// Which rooms come into memory, and which stay there.
struct RoomsInMemory {
  /// Rooms that are being read from the store.
  private var loading: Set<RoomID> = []
  /// Rooms that stay in memory, and how many want that.
  private var held: [RoomID: Int] = [:]

  /// A room is to be read from the store.
  /// - Returns: `false` where it is being read already.
  mutating func beginLoading(_ room: RoomID) -> Bool { loading.insert(room).inserted }

  mutating func endLoading(_ room: RoomID) { loading.remove(room) }

  func isHeld(_ room: RoomID) -> Bool { held[room] != nil }

  /// Has a room stay until as many calls of `letGo`.
  mutating func hold(_ room: RoomID) { held[room, default: 0] += 1 }

  mutating func letGo(_ room: RoomID) { held[room] = held[room].flatMap { $0 > 1 ? $0 - 1 : nil } }
}

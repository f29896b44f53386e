internal import Events

/// What those who watch a peer see of it beside its rooms: they are told when it changes.
struct WatchedState {
  /// Who is connected, as it was told last.
  private(set) var neighbourhood = Neighbourhood()
  /// Whether nothing could be stored when it was looked last.
  private var isPaused = false
  /// Why this peer may not write into rooms at which somebody has looked, in words.
  private(set) var hindrances: [RoomID: String] = [:]

  /// Takes note of how neighbours stand.
  /// - Parameter time: milliseconds since 1970.
  /// - Returns: whether that has changed.
  mutating func note(_ neighbours: [NeighbourStatus], atMilliseconds time: UInt64) -> Bool {
    neighbourhood.note(neighbours, atMilliseconds: time)
  }

  /// Takes note of whether nothing can be stored.
  /// - Returns: whether that has changed.
  mutating func note(isPaused: Bool) -> Bool {
    defer { self.isPaused = isPaused }
    return isPaused != self.isPaused
  }

  /// Takes note of what hinders this peer in rooms: of each, what keeps it from writing, or nothing.
  mutating func note(_ hindrances: [String?], in rooms: [RoomID]) {
    for (room, words) in zip(rooms, hindrances) { self.hindrances[room] = words }
  }
}

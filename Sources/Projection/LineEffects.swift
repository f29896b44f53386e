/// What the events of a room are to its line of play, by position.
struct LineEffects: Sendable {
  /// Of each event 0 where it has no effect, 1 where it has one besides the nodes, and of a node 2 more than its place.
  private var marks: [UInt32] = []

  /// Which game and ply an event is the node of.
  func place(of position: Int) -> (game: Int, ply: Int)? {
    guard position < marks.count, marks[position] > 1 else { return nil }
    let place = Int(marks[position]) - 2
    return (place >> 16, place & 0xFFFF)
  }

  /// Whether an event has an effect.
  func contain(_ position: Int) -> Bool { position < marks.count && marks[position] > 0 }

  /// Notes that an event has an effect besides the nodes.
  mutating func insert(_ position: Int) {
    makeRoom(for: position)
    if marks[position] == 0 { marks[position] = 1 }
  }

  /// Notes that an event is the node of a place: that of the last ply of a game, or of none.
  mutating func setNode(_ position: Int, game: Int, ply: Int) {
    makeRoom(for: position)
    marks[position] = UInt32(game) << 16 + UInt32(ply) + 2
  }

  private mutating func makeRoom(for position: Int) {
    while marks.count <= position { marks.append(0) }
  }
}

extension ConnectFour {
  /// The number of ways to play `depth` further moves; games that end earlier count nothing.
  ///
  /// The last ply is counted without being played: this is the quick form for deep counts.
  public func perft(_ position: Position, depth: Int) -> UInt64 {
    if depth <= 0 { return 1 }
    return Self.perft(position.moverStones, position.opponentStones, depth: depth)
  }

  private static func perft(_ mine: UInt64, _ theirs: UInt64, depth: Int) -> UInt64 {
    guard !ConnectFourBits.hasFour(theirs) else { return 0 }
    var cells = ConnectFourBits.playable(mine | theirs)
    if depth == 1 { return UInt64(cells.nonzeroBitCount) }
    var count: UInt64 = 0
    while cells != 0 {
      let cell = cells & (0 &- cells)
      cells ^= cell
      count += perft(theirs, mine | cell, depth: depth - 1)
    }
    return count
  }
}

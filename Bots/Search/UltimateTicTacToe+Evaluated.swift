package import Games
package import Rules

extension UltimateTicTacToe: Evaluated {
  /// What one, two and three of a line are worth that the other side cannot complete any more.
  private static let shares: [Int] = [0, 1, 4, 0]

  /// Lines that are still open, of small boards that are won and, less, of stones on the boards that are not decided.
  package func evaluation(of position: Position, for seat: Seat) -> Int32 {
    let (mine, theirs) = (position.won(by: seat), position.won(by: seat.opponent))
    let drawn = position.decided & ~(mine | theirs)
    var total = 12 * (mine.nonzeroBitCount - theirs.nonzeroBitCount)
    total += 16 * (lines(mine, blockedBy: theirs | drawn) - lines(theirs, blockedBy: mine | drawn))
    for board in 0..<9 where position.decided >> UInt16(board) & 1 == 0 {
      let (own, other) = (position.stones(of: seat, on: board), position.stones(of: seat.opponent, on: board))
      total += lines(own, blockedBy: other) - lines(other, blockedBy: own)
    }
    return Int32(truncatingIfNeeded: total)
  }

  /// The small boards that are won.
  package func glance(at position: Position, for seat: Seat) -> Int32 {
    let (mine, theirs) = (position.won(by: seat), position.won(by: seat.opponent))
    return Int32(truncatingIfNeeded: mine.nonzeroBitCount - theirs.nonzeroBitCount)
  }

  private func lines(_ mask: UInt16, blockedBy other: UInt16) -> Int {
    TicTacToe.Position.lines.reduce(0) { sum, line in
      line & other == 0 ? sum + Self.shares[(line & mask).nonzeroBitCount] : sum
    }
  }

  /// The middle, then corners.
  package func preference(of move: Move) -> Int32 { move.cell == 4 ? 2 : move.cell % 2 == 0 ? 1 : 0 }
}

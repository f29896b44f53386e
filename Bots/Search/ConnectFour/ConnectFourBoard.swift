package import Games

/// A position as the solver plays it: stones alone, whoever they belong to.
package struct ConnectFourBoard: Hashable, Sendable {
  /// Stones of the side to move.
  var mine: UInt64
  /// Stones of both sides.
  var occupied: UInt64

  /// The position without its seats.
  package init(_ position: ConnectFour.Position) {
    mine = position.moverStones
    occupied = position.occupied
  }

  /// Stones of the side that moved last.
  var theirs: UInt64 { occupied ^ mine }
  /// How many stones stand.
  var ply: Int { occupied.nonzeroBitCount }
  /// Cells where the side to move wins at once.
  var wins: UInt64 {
    ConnectFourBits.threats(mine, occupied: occupied) & ConnectFourBits.playable(occupied)
  }

  /// The position after a stone of the side to move.
  /// - Parameter cell: a playable cell.
  func playing(_ cell: UInt64) -> ConnectFourBoard {
    var after = self
    after.mine = theirs
    after.occupied |= cell
    return after
  }

  /// The cell that a stone into the column takes; 0 when the column is full.
  func cell(inColumn column: Int) -> UInt64 {
    ConnectFourBits.playable(occupied) & ConnectFourBits.column(column)
  }
}

/// Scores: 22 less the stones that the winner has played when it wins, negative for the side to move when it
/// loses, 0 for a draw (the convention of Pascal Pons's published test sets).
enum ConnectFourScore {
  /// Above every score.
  static let infinity: Int32 = 22

  /// The side to move wins with its stone after next: the best when it does not win at once.
  @inline(__always) static func winsLater(ply: Int32) -> Int32 { 20 &- ply / 2 }
  /// The best when the side to move wins neither at once nor with its stone after next.
  @inline(__always) static func winsNoSooner(ply: Int32) -> Int32 { 19 &- ply / 2 }
  /// The other side wins with its next stone.
  @inline(__always) static func losesNext(ply: Int32) -> Int32 { (ply &+ 1) / 2 &- 21 }
  /// The other side wins with its stone after next: the worst when it does not win with its next one.
  @inline(__always) static func losesLater(ply: Int32) -> Int32 { (ply &+ 1) / 2 &- 20 }

  /// The value of a position whose game is over; `nil` of any other.
  static func final(_ board: ConnectFourBoard) -> Int32? {
    let ply = Int32(truncatingIfNeeded: board.ply)
    if ConnectFourBits.hasFour(board.theirs) { return (ply &+ 1) / 2 &- 22 }
    return ply == 42 ? 0 : nil
  }
}

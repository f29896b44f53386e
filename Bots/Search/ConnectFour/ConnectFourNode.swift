import Games

/// A position inside the search, with the cells where each side completes a line.
///
/// Neither side is about to win: the side to move has no line to complete now, and it was not left one.
package struct ConnectFourNode: Sendable {
  /// Stones of the side to move.
  var mine: UInt64
  /// Stones of the other side.
  var theirs: UInt64
  /// Empty cells that complete a line of the side to move.
  var myThreats: UInt64
  /// Empty cells that complete a line of the other side.
  var theirThreats: UInt64
  /// How many stones stand.
  var ply: Int32

  /// Positions with fewer stones share their key with their mirror image.
  private static var mirrorPlies: Int32 { 14 }

  /// The position of a board.
  package init(_ board: ConnectFourBoard) {
    mine = board.mine
    theirs = board.theirs
    myThreats = ConnectFourBits.threats(mine, occupied: board.occupied)
    theirThreats = ConnectFourBits.threats(theirs, occupied: board.occupied)
    ply = Int32(truncatingIfNeeded: board.ply)
  }

  /// Stones of both sides.
  var occupied: UInt64 { mine | theirs }

  /// The playable cells that do not let the other side win with its next stone.
  @inline(__always) var movesThatDoNotLose: UInt64 {
    var moves = ConnectFourBits.playable(occupied)
    let forced = moves & theirThreats
    if forced != 0 {
      if forced & (forced &- 1) != 0 { return 0 }
      moves = forced
    }
    return moves & ~(theirThreats &>> 1)
  }

  /// The position after a stone of the side to move.
  @inline(__always) func playing(_ cell: UInt64) -> ConnectFourNode {
    playing(cell, threats: ConnectFourBits.threats(mine | cell, occupied: occupied | cell))
  }

  /// The position after a stone that makes these threats.
  @inline(__always) func playing(_ cell: UInt64, threats: UInt64) -> ConnectFourNode {
    var after = self
    after.mine = theirs
    after.theirs = mine | cell
    after.myThreats = theirThreats & ~cell
    after.theirThreats = threats
    after.ply = ply &+ 1
    return after
  }

  /// How promising the position is for the side that moved last: its threats, those twice that lie just above
  /// a playable cell, where the other side then cannot play.
  @inline(__always) var promise: Int32 {
    let near = theirThreats & ConnectFourBits.playable(occupied) &<< 1
    return Int32(truncatingIfNeeded: theirThreats.nonzeroBitCount &+ near.nonzeroBitCount)
  }

  /// A number of 49 bits for each position; near the empty board one for a position and its mirror image.
  ///
  /// Each column's seven bits are its stones' cells plus those of the side to move, a number for each
  /// filling.
  @inline(__always) var key: UInt64 { Self.key(mine &+ occupied, ply: ply) }

  /// The key of the position after a stone of the side to move.
  @inline(__always) func key(after cell: UInt64) -> UInt64 {
    Self.key(theirs &+ (occupied | cell), ply: ply &+ 1)
  }

  @inline(__always) private static func key(_ filling: UInt64, ply: Int32) -> UInt64 {
    ply < mirrorPlies ? min(filling, ConnectFourBits.mirrored(filling)) : filling
  }
}

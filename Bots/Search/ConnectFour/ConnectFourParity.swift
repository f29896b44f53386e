import Games

/// What the second player has by answering in the same column ("follow-up" or claimeven; Allis, A
/// Knowledge-based Approach of Connect-Four, 1988).
///
/// Let the first player be to move. An even number of cells is empty, so an even number of columns has an odd
/// number of empty cells; call these open. The second player answers in the same column, except that a stone
/// on the lowest empty cell of an open column is answered in another open column, of which there is then one.
/// So the first player gets at most the cells of the rows 1, 3, 5 and the playable cells of open columns, and
/// the second player gets at least the cells of the rows 2, 4, 6 that are not playable in open columns. A
/// cell where this gives the second player the win ends the game, so the first player gets nothing above it.
package enum ConnectFourParity {
  private static var rows135: UInt64 { ConnectFourBits.bottom &* 0b010101 }
  private static var row2: UInt64 { ConnectFourBits.bottom &* 0b000010 }
  private static var row3: UInt64 { ConnectFourBits.bottom &* 0b000100 }
  private static var rows35: UInt64 { ConnectFourBits.bottom &* 0b010100 }
  private static var rows24: UInt64 { ConnectFourBits.bottom &* 0b001010 }
  private static var rows246: UInt64 { ConnectFourBits.bottom &* 0b101010 }

  /// Answers whether a position is worth at least `target` to the side to move, when the strategies tell.
  /// - Returns: as `ConnectFourSearch.bound`; `nil` when only a search can tell.
  @inline(__always) package static func bound(_ node: ConnectFourNode, target: Int32) -> Int32? {
    if node.ply & 1 == 0 {
      if target >= -2, holdsFirst(node.mine, second: node.theirs, threats: node.theirThreats, below: target) {
        return min(target &- 1, 0)
      }
      if target <= 2, firstWins(node.mine, second: node.theirs, threats: node.myThreats, atLeast: target) {
        return max(target, 1)
      }
    } else {
      let limit = 1 &- target
      if limit >= -2, holdsFirst(node.theirs, second: node.mine, threats: node.myThreats, below: limit) {
        return max(target, 0)
      }
      if limit <= 2, firstWins(node.theirs, second: node.mine, threats: node.theirThreats, atLeast: limit) {
        return min(target &- 1, -1)
      }
    }
    return nil
  }

  /// Whether this strategy holds the first player below a score.
  ///
  /// Also sound when the second player is to move: it then plays into any open column first.
  /// - Parameters:
  ///   - second: the second player's stones.
  ///   - threats: the cells that complete a line of the second player's.
  ///   - limit: the score for the first player, -2 or more.
  @inline(__always) private static func holdsFirst(
    _ first: UInt64, second: UInt64, threats: UInt64, below limit: Int32
  ) -> Bool {
    let occupied = first | second
    let playable = ConnectFourBits.playable(occupied)
    let even = ConnectFourBits.board & ~occupied & rows246 & ~playable
    let ends = threats & even
    let open = playable & rows246
    let reach = first | ((ConnectFourBits.board & ~occupied & rows135) | open) & ~above(ends)
    if ConnectFourBits.hasFour(reach) { return false }
    if limit > 0 { return true }
    return ConnectFourBits.hasFour(second | even & wonRows(below: limit))
  }

  /// Whether the first player wins by a threat of its own in row 3 or 5, whoever is to move.
  ///
  /// Let the threat's cell be x in column c. The first player answers in the same column, outside c, as the
  /// second player does above; a stone on the lowest cell of an open column is answered in another open
  /// column or, when none is left, by one in c; in c below x it takes odd rows, so that the second player is
  /// at last to move with nothing left but the cell below x. The second player gets at most the rows 1, 3, 5
  /// and the playable cells of open columns outside c, nothing above a cell of the rows 2, 4, 6 where the
  /// answer wins, and below x in c the rows 2, 4 and the playable cell. If that is no line,
  /// the first player plays x when at most 6 less x's row cells are empty above it.
  /// - Parameters:
  ///   - threats: the cells that complete a line of the first player's.
  ///   - limit: the least score for the first player, 2 or less.
  @inline(__always) private static func firstWins(
    _ first: UInt64, second: UInt64, threats: UInt64, atLeast limit: Int32
  ) -> Bool {
    let occupied = first | second
    let playable = ConnectFourBits.playable(occupied)
    var cells = threats & (limit > 1 ? row3 : rows35) & ~playable
    if cells == 0 { return false }
    let empty = ConnectFourBits.board & ~occupied
    let ends = threats & rows246 & ~playable
    let outside = (empty & rows135 | playable & rows246) & ~above(ends)
    while cells != 0 {
      let cell = cells & (0 &- cells)
      cells ^= cell
      let column = ConnectFourBits.column(cell.trailingZeroBitCount / 7)
      let below = column & (cell &- 1) & (empty & rows246 | playable)
      if !ConnectFourBits.hasFour(second | outside & ~column | below) { return true }
    }
    return false
  }

  /// The cells above these cells of even rows.
  @inline(__always) private static func above(_ cells: UInt64) -> UInt64 {
    // Above row 2 lie rows 3 and 4 and what lies above row 4; above row 6 lies nothing.
    let tops = cells & rows24 | (cells & row2) &<< 2
    return tops &<< 1 | tops &<< 2
  }

  /// Rows whose cells suffice: a line whose last cell lies in row r is full when at most 6 - r cells are
  /// empty, so the second player then has played at most 21 - (6 - r) / 2 stones.
  @inline(__always) private static func wonRows(below limit: Int32) -> UInt64 {
    switch limit {
    case 0: ConnectFourBits.bottom &* 0b111111
    case -1: ConnectFourBits.bottom &* 0b001111
    default: ConnectFourBits.bottom &* 0b000011
    }
  }
}

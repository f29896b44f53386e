import Games

/// Exact values of the first two plies: own computation, agrees with published values of Tromp and Allis.
enum ConnectFourOpening {
  /// Values for the side to move after one stone, by its column.
  private static let one: [Int32] = [2, 1, 0, -1, 0, 1, 2]
  /// Values for the side to move after two stones, by the columns of the first and the second.
  private static let two: [[Int32]] = [
    [1, -2, -1, -2, 1, -1, 2],
    [2, 0, -1, 0, 2, 2, 3],
    [2, 2, 0, 0, 0, 0, 3],
    [4, 2, 2, 1, 2, 2, 4],
    [3, 0, 0, 0, 0, 2, 2],
    [3, 2, 2, 0, -1, 0, 2],
    [2, -1, 1, -2, -1, -2, 1],
  ]

  /// The value for the side to move, when at most two stones stand.
  static func value(_ board: ConnectFourBoard) -> Int32? {
    switch board.ply {
    case 0: 1
    case 1: one[column(of: board.theirs)]
    case 2: two[column(of: board.mine)][column(of: board.theirs)]
    default: nil
    }
  }

  private static func column(of stone: UInt64) -> Int { stone.trailingZeroBitCount / 7 }
}

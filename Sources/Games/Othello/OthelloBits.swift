/// Boards of eight by eight as bits: a1 is bit 0, h1 bit 7, a2 bit 8, h8 bit 63. Row 1 is the top one, as Othello is
/// written.
enum OthelloBits {
  /// All cells but those of column a, which a step to the right cannot reach.
  private static let notA: UInt64 = 0xFEFE_FEFE_FEFE_FEFE
  /// All cells but those of column h.
  private static let notH: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

  /// The empty cells on which a stone of `mine` would turn some of `theirs`.
  static func moves(_ mine: UInt64, _ theirs: UInt64) -> UInt64 {
    let empty = ~(mine | theirs)
    var moves: UInt64 = 0
    for direction in 0..<8 {
      var run = step(mine, direction) & theirs
      // At most six stones lie between two others.
      for _ in 0..<5 { run |= step(run, direction) & theirs }
      moves |= step(run, direction) & empty
    }
    return moves
  }

  /// The stones of `theirs` that a stone of `mine` on an empty cell turns.
  static func turned(by cell: UInt64, _ mine: UInt64, _ theirs: UInt64) -> UInt64 {
    var turned: UInt64 = 0
    for direction in 0..<8 {
      var run: UInt64 = 0
      var next = step(cell, direction)
      while next & theirs != 0 {
        run |= next
        next = step(next, direction)
      }
      if next & mine != 0 { turned |= run }
    }
    return turned
  }

  /// Every cell moved one step; what leaves the board is gone.
  private static func step(_ cells: UInt64, _ direction: Int) -> UInt64 {
    switch direction {
    case 0: cells << 1 & notA
    case 1: cells >> 1 & notH
    case 2: cells << 8
    case 3: cells >> 8
    case 4: cells << 9 & notA
    case 5: cells >> 9 & notH
    case 6: cells << 7 & notH
    default: cells >> 7 & notA
    }
  }
}

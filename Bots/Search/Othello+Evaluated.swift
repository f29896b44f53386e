package import Games
package import Rules

extension Othello: Evaluated {
  /// The corners, and the cells beside them that give a corner away while it is empty.
  private static let corners: [(corner: UInt64, diagonal: UInt64)] = [
    (1 << 0, 1 << 9), (1 << 7, 1 << 14), (1 << 56, 1 << 49), (1 << 63, 1 << 54),
  ]

  /// Corners and the moves that each side has now, which count more than stones until the end is near.
  package func evaluation(of position: Position, for seat: Seat) -> Int32 {
    let (mine, theirs) = (position.stones(of: seat), position.stones(of: seat.opponent))
    var total = 5 * (mobility(mine, theirs) - mobility(theirs, mine))
    for (corner, diagonal) in Self.corners {
      total += 60 * (share(of: mine, in: corner) - share(of: theirs, in: corner))
      guard (mine | theirs) & corner == 0 else { continue }
      total -= 25 * (share(of: mine, in: diagonal) - share(of: theirs, in: diagonal))
    }
    if (mine | theirs).nonzeroBitCount > 50 { total += mine.nonzeroBitCount - theirs.nonzeroBitCount }
    return Int32(truncatingIfNeeded: total)
  }

  /// The stones on the board, of which beginners take as many as they can.
  package func glance(at position: Position, for seat: Seat) -> Int32 {
    Int32(truncatingIfNeeded: position.count(of: seat) - position.count(of: seat.opponent))
  }

  private func mobility(_ mine: UInt64, _ theirs: UInt64) -> Int {
    Othello.moves(mine, theirs).nonzeroBitCount
  }

  private func share(of stones: UInt64, in cells: UInt64) -> Int { stones & cells == 0 ? 0 : 1 }

  /// Corners first, then edges; last the cells beside a corner.
  package func preference(of move: Move) -> Int32 {
    let (column, row) = (min(move.cell % 8, 7 - move.cell % 8), min(move.cell / 8, 7 - move.cell / 8))
    switch (min(column, row), max(column, row)) {
    case (0, 0): return 4
    case (1, 1): return 0
    case (0, 1): return 1
    case (0, _): return 3
    default: return 2
    }
  }

  /// By how many stones the game is won, negative for the loser, 0 for a draw.
  package func value(of outcome: Outcome, in position: Position, for seat: Seat) -> Int32 {
    Int32(truncatingIfNeeded: position.count(of: seat) - position.count(of: seat.opponent))
  }

  package static func words(forProven value: Int32, after plies: Int) -> String {
    value == 0 ? "at best a draw" : "\(value > 0 ? "wins" : "loses") by \(value.magnitude)"
  }
}

package import Games
package import Rules

extension ConnectFour: Evaluated {
  /// Lines still open to one side alone, by the stones in them, and threats in the rows that the side will
  /// get.
  ///
  /// A line with one stone counts 1, two 4, three 16. Of empty cells that complete a line the first player
  /// will get those in rows 1, 3, 5 if all else is filled, the second player those in rows 2, 4, 6 (Allis
  /// 1988); such a cell counts 32.
  package func evaluation(of position: Position, for seat: Seat) -> Int32 {
    let mine = position.stones(of: seat)
    let theirs = position.occupied ^ mine
    let first = seat == position.first
    return Self.promise(mine, theirs, isFirst: first) - Self.promise(theirs, mine, isFirst: !first)
  }

  /// The nearer the middle column, the better.
  package func preference(of move: Move) -> Int32 { 0 - Int32(abs(move.column - 3)) }

  /// 22 less the stones that the winner has played, negative for the loser, 0 for a draw.
  package func value(of outcome: Outcome, in position: Position, for seat: Seat) -> Int32 {
    guard let winner = outcome.winner else { return 0 }
    let score = 22 - Int32(truncatingIfNeeded: position.stones(of: winner).nonzeroBitCount)
    return winner == seat ? score : 0 - score
  }

  /// The winner's last stone follows from the value, and whose it is from whoever has moved.
  package static func words(forProven value: Int32, after plies: Int) -> String {
    guard value != 0, (-21...21).contains(value) else {
      return value == 0 ? "at best a draw" : value > 0 ? "wins" : "loses"
    }
    let (isOfFirst, stones) = ((plies % 2 == 1) == (value > 0), 22 - Int(value.magnitude))
    let end = isOfFirst ? 2 * stones - 1 : 2 * stones
    // Of the winner's own moves; the opponent of whoever has moved comes next.
    let left = (end - plies + 1) / 2
    guard left > 0 else { return value > 0 ? "wins" : "loses" }
    return "\(value > 0 ? "wins" : "loses") in \(left)"
  }

  private static func promise(_ mine: UInt64, _ theirs: UInt64, isFirst: Bool) -> Int32 {
    var total = 0
    for step: UInt64 in [1, 7, 6, 8] { total += openLines(mine, theirs, step: step) }
    let rows: UInt64 = ConnectFourBits.bottom * (isFirst ? 0b010101 : 0b101010)
    let threats = ConnectFourBits.threats(mine, occupied: mine | theirs) & rows
    return Int32(truncatingIfNeeded: total + 32 * threats.nonzeroBitCount)
  }

  /// Counts the stones of every line of one direction at once, each line at the bit of its first cell.
  private static func openLines(_ mine: UInt64, _ theirs: UInt64, step: UInt64) -> Int {
    let free = ConnectFourBits.board & ~theirs
    let open = ConnectFourBits.fours(free, step: step)
    let (a, b, c, d) = (mine, mine >> step, mine >> (2 * step), mine >> (3 * step))
    let odd = (a ^ b ^ c ^ d) & open
    let twos = ((a & b) ^ (c & d) ^ ((a ^ b) & (c ^ d))) & open
    return (odd & ~twos).nonzeroBitCount + 4 * (twos & ~odd).nonzeroBitCount
      + 16 * (odd & twos).nonzeroBitCount
  }
}

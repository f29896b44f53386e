import Games
import Testing

/// Cells by column and row, a slow and plain picture of the board to check the bits against.
private struct Grid {
  static let steps = [(0, 1), (1, 0), (1, 1), (1, -1)]

  /// The 42 cells.
  static let cells = (0..<49).map { UInt64(1) << UInt64($0) }.filter { $0 & ConnectFourBits.board != 0 }

  /// Every line of four as bits: 69 of them.
  static let lines: [UInt64] = (0..<7).flatMap { column in
    (0..<6).flatMap { row in steps.compactMap { line(column, row, $0) } }
  }

  private static func line(_ column: Int, _ row: Int, _ step: (Int, Int)) -> UInt64? {
    let last = (column + 3 * step.0, row + 3 * step.1)
    guard (0..<7).contains(last.0), (0..<6).contains(last.1) else { return nil }
    return (0..<4).reduce(UInt64(0)) { bits, index in
      bits | ConnectFourBits.cell(column: column + index * step.0, row: row + index * step.1)
    }
  }

  static func hasFour(_ stones: UInt64) -> Bool { lines.contains { $0 & stones == $0 } }
}

@Suite("Connect Four: bits")
struct ConnectFourBitsTests {
  @Test("the board has 42 cells and 69 lines, each found alone")
  func lines() {
    #expect(ConnectFourBits.board.nonzeroBitCount == 42)
    #expect(Grid.lines.count == 69)
    for line in Grid.lines {
      #expect(ConnectFourBits.hasFour(line))
      #expect(ConnectFourBits.line(line) == line)
    }
  }

  @Test("three of each line threaten its fourth cell")
  func threats() {
    for line in Grid.lines {
      for cell in Grid.cells where line & cell != 0 {
        let stones = line ^ cell
        #expect(!ConnectFourBits.hasFour(stones))
        // A cell below a stone of its column is never empty in a game.
        if stones & (cell << 1) == 0 {
          #expect(ConnectFourBits.threats(stones, occupied: stones) & cell != 0)
        }
      }
    }
  }

  @Test("lines, threats and mirror images of random boards agree with the plain grid")
  func randomBoards() {
    var random = Xorshift(state: 7)
    for _ in 0..<500 {
      let stones = random.next() & random.next() & ConnectFourBits.board
      #expect(ConnectFourBits.hasFour(stones) == Grid.hasFour(stones))
      #expect(ConnectFourBits.mirrored(ConnectFourBits.mirrored(stones)) == stones)
      #expect(Grid.hasFour(ConnectFourBits.mirrored(stones)) == Grid.hasFour(stones))
      let occupied = stones | (random.next() & ConnectFourBits.board)
      let found = ConnectFourBits.threats(stones, occupied: occupied)
      for cell in Grid.cells where occupied & (cell | (cell << 1)) == 0 {
        let completes = Grid.lines.contains { $0 & cell != 0 && $0 & ~(stones | cell) == 0 }
        #expect((found & cell != 0) == completes)
      }
      #expect(found & occupied == 0)
    }
  }

  @Test("mirroring exchanges the columns")
  func mirror() {
    for column in 0..<7 {
      for row in 0..<6 {
        let cell = ConnectFourBits.cell(column: column, row: row)
        #expect(ConnectFourBits.mirrored(cell) == ConnectFourBits.cell(column: 6 - column, row: row))
      }
    }
  }
}

/// A small generator of test boards (xorshift64, Marsaglia 2003).
private struct Xorshift {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

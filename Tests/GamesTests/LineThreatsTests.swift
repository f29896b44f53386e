import BotKit
import Games
import Rules
import TestKit
import Testing

/// Lines that can still be completed, counted with bits and again by trying every cell.
@Suite struct LineThreatsTests {
  private func boards(_ body: (KInARow, KInARow.Position, String) throws -> Void) throws {
    let settings = [
      ["width=9"], ["width=7", "exact=yes", "line=4"], ["width=19", "height=19", "line=6"],
      ["width=3", "height=5", "line=3", "exact=yes"],
    ]
    for seed in 0..<UInt64(Effort.size(160, quick: 40)) {
      let rules = try KInARow(parameters(settings[Int(seed) % settings.count]))
      var random = RandomStream(seed: seed)
      let game = RandomGame(rules, first: Seat(0), plyLimit: 5 + Int(seed % 90), random: &random)
      guard let position = game.positions.last(where: { !$0.board.isWon }) else { continue }
      try body(rules, position, "seed \(seed)")
    }
  }

  /// The empty cells on which a stone of the side would win, by playing it; the other side plays elsewhere first.
  private func wins(_ rules: KInARow, _ stones: CellSet, _ others: CellSet) -> Set<Int> {
    var cells: Set<Int> = []
    (rules.grid.cells - stones - others).forEach { index in
      var with = stones
      with.insert(index)
      if SlowLine(rules.grid).wins(with, through: index) { cells.insert(index) }
    }
    return cells
  }

  @Test func completionsAreTheCellsThatWin() throws {
    var found = 0
    try boards { rules, position, place in
      for (mine, theirs) in [position.board.sides, (position.board.sides.other, position.board.sides.next)] {
        let cells = indices(rules.grid.completions(of: mine, against: theirs))
        #expect(cells == wins(rules, mine, theirs), "\(place)")
        found += cells.count
      }
    }
    #expect(found > 20, "\(found) cells")
  }

  @Test func forksMakeTwoCompletions() throws {
    var found = 0
    try boards { rules, position, place in
      let (mine, theirs) = position.board.sides
      let before = wins(rules, mine, theirs)
      // A fork is of lines that lack two stones: nothing is to be completed before.
      guard before.isEmpty else { return }
      let forks = indices(rules.grid.forks(of: mine, against: theirs))
      for index in indices(rules.grid.cells - mine - theirs) {
        var with = mine
        with.insert(index)
        #expect((wins(rules, with, theirs).count > 1) == forks.contains(index), "\(place) cell \(index)")
      }
      found += forks.count
    }
    #expect(found > 5, "\(found) forks")
  }

  @Test func linesAreCountedByWhatTheyLack() throws {
    try boards { rules, position, place in
      let (mine, theirs) = position.board.sides
      let slow = SlowLine(rules.grid).openLines(mine, theirs)
      let lines = rules.grid.openLines(of: mine, against: theirs)
      #expect([lines.0, lines.1, lines.2, lines.3] == Array(slow[1...4]), "\(place)")
    }
  }
}

private func indices(_ cells: CellSet) -> Set<Int> {
  var indices: Set<Int> = []
  cells.forEach { indices.insert($0) }
  return indices
}

/// Lines, cell by cell.
private struct SlowLine {
  let grid: LineGrid

  init(_ grid: LineGrid) { self.grid = grid }

  private static let directions = [(1, 0), (0, 1), (1, 1), (-1, 1)]

  private func has(_ stones: CellSet, _ column: Int, _ row: Int) -> Bool {
    grid.cell(column: column, row: row).map { stones.contains($0.index) } ?? false
  }

  func wins(_ stones: CellSet, through index: Int) -> Bool {
    Self.directions.contains { right, up in
      var (column, row) = (index % 20, index / 20)
      while has(stones, column - right, row - up) { (column, row) = (column - right, row - up) }
      var length = 0
      while has(stones, column + length * right, row + length * up) { length += 1 }
      return grid.isExact ? length == grid.line : length >= grid.line
    }
  }

  /// How many lines lack so many stones.
  func openLines(_ mine: CellSet, _ theirs: CellSet) -> [Int] {
    var counts = [Int](repeating: 0, count: 20)
    for row in 0..<grid.height {
      for column in 0..<grid.width {
        for (right, up) in Self.directions {
          let cells = (0..<grid.line).map { (column + $0 * right, row + $0 * up) }
          guard cells.allSatisfy({ grid.cell(column: $0, row: $1) != nil && !has(theirs, $0, $1) }) else {
            continue
          }
          let isLonger =
            has(mine, column - right, row - up)
            || has(mine, column + grid.line * right, row + grid.line * up)
          if grid.isExact && isLonger { continue }
          counts[cells.count { !has(mine, $0, $1) }] += 1
        }
      }
    }
    return counts
  }
}

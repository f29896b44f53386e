// What searches want to know of a board: the lines that a side can still complete, counted for all cells at once.

extension LineGrid {
  /// The lines of one direction that one side can still complete; each stands at its first cell.
  private struct OpenLines {
    /// By how many stones they lack, from 0; those that lack more than four are left out.
    var lacking: (CellSet, CellSet, CellSet, CellSet, CellSet)

    init(_ grid: LineGrid, of mine: CellSet, against theirs: CellSet, step: Int) {
      let free = grid.cells - theirs
      lacking = (grid.cells, CellSet(), CellSet(), CellSet(), CellSet())
      // A line that one's own stone would make too long is none where only exact lines win.
      if grid.isExact { lacking.0 = grid.cells - mine.up(step) - mine.down(grid.line * step) }
      for place in 0..<grid.line {
        let (stones, gaps) = (mine.down(place * step), (free - mine).down(place * step))
        lacking.4 = (lacking.4 & stones) | (lacking.3 & gaps)
        lacking.3 = (lacking.3 & stones) | (lacking.2 & gaps)
        lacking.2 = (lacking.2 & stones) | (lacking.1 & gaps)
        lacking.1 = (lacking.1 & stones) | (lacking.0 & gaps)
        lacking.0 = lacking.0 & stones
      }
    }
  }

  /// How many lines one side can still complete, by how many stones they lack: one, two, three and four.
  public func openLines(of mine: CellSet, against theirs: CellSet) -> (Int, Int, Int, Int) {
    var counts = (0, 0, 0, 0)
    for step in Self.steps {
      let lines = OpenLines(self, of: mine, against: theirs, step: step)
      counts.0 += lines.lacking.1.count
      counts.1 += lines.lacking.2.count
      counts.2 += lines.lacking.3.count
      counts.3 += lines.lacking.4.count
    }
    return counts
  }

  /// The empty cells on which one more stone of a side completes a line.
  public func completions(of mine: CellSet, against theirs: CellSet) -> CellSet {
    var cells = CellSet()
    for step in Self.steps {
      let lines = OpenLines(self, of: mine, against: theirs, step: step).lacking.1
      guard !lines.isEmpty else { continue }
      for place in 0..<line { cells |= lines.up(place * step) - mine }
    }
    return cells
  }

  /// The empty cells on which one more stone of a side makes two completions at once, as in an open four.
  public func forks(of mine: CellSet, against theirs: CellSet) -> CellSet {
    var (once, twice) = (CellSet(), CellSet())
    for step in Self.steps {
      let lines = OpenLines(self, of: mine, against: theirs, step: step).lacking.2
      guard !lines.isEmpty else { continue }
      // Where a line lacks two cells, a stone on one of them makes the other one a completion, so many steps away.
      for distance in 1..<line {
        var (ahead, behind) = (CellSet(), CellSet())
        for place in 0..<(line - distance) {
          let other = place + distance
          let pairs = lines - mine.down(place * step) - mine.down(other * step)
          ahead |= pairs.up(place * step)
          behind |= pairs.up(other * step)
        }
        twice |= once & ahead
        once |= ahead
        twice |= once & behind
        once |= behind
      }
    }
    return twice
  }
}

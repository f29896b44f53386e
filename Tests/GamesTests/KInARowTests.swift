import BotKit
import Games
import Rules
import TestKit
import Testing

/// K in a row: the shared suite, counts, and a slow reference beside the bits.
@Suite struct KInARowTests {
  static let settings: [[String]] = [
    [], ["width=3", "height=3"], ["width=4", "height=3", "line=3"],
    ["width=5", "height=7", "line=4", "exact=yes"], ["width=7", "height=6", "line=4", "gravity=yes"],
    ["width=6", "height=5", "line=4", "exact=yes", "gravity=yes"],
  ]

  private func rules(_ settings: String...) throws -> KInARow { try KInARow(parameters(settings)) }

  @Test func keepsTheSuite() {
    RulesSuite.check(KInARow.self, codes: 0...99, settings: Self.settings, games: 12)
  }

  @Test func keepsTheSuiteOnTheLargestBoard() {
    let large = [["width=19", "height=19"], ["width=19", "height=19", "line=19", "gravity=yes"]]
    RulesSuite.check(KInARow.self, codes: 0...370, settings: large, games: 2)
  }

  @Test func goldenPlaythroughs() throws {
    try Playthrough.check(
      KInARow.self,
      settings: [["width=4", "height=5", "line=4"], ["width=6", "height=5", "line=4", "gravity=yes"]])
  }

  @Test func threeByThreeIsTicTacToe() throws {
    let rules = try rules("width=3", "height=3", "line=3")
    let other = TicTacToe()
    let depth = Effort.size(8, quick: 7)
    for seat in [Seat(0), Seat(1)] {
      #expect(
        Perft(rules, from: rules.start(first: seat), depth: depth)
          == Perft(other, from: other.start(first: seat), depth: depth))
    }
  }

  @Test func sevenBySixWithGravityIsConnectFour() throws {
    let rules = try rules("width=7", "height=6", "line=4", "gravity=yes")
    let other = ConnectFour()
    let depth = Effort.size(7, quick: 6)
    let counted = Perft(rules, from: rules.start(first: Seat(1)), depth: depth)
    #expect(counted == Perft(other, from: other.start(first: Seat(1)), depth: depth))
    if depth > 6 { #expect(counted.games > 0) }
  }

  /// The two bit layouts agree to the end of random games, which no count reaches.
  @Test func everyGameOfConnectFourEndsAlike() throws {
    let rules = try rules("width=7", "height=6", "line=4", "gravity=yes")
    let other = ConnectFour()
    for seed in 0..<UInt64(Effort.size(2_000, quick: 200)) {
      var random = RandomStream(seed: seed)
      let game = RandomGame(rules, first: Seat(UInt16(seed % 2)), plyLimit: 99, random: &random)
      var state = GameOf(rules: other, position: other.start(first: game.first))
      for (step, position) in zip(game.steps, game.positions.dropFirst()) {
        let turn = state.turn
        let isPlayed = state.play(step[0])
        #expect(isPlayed, "\(turn)")
        #expect(state.turn == rules.turn(in: position), "seed \(seed)")
      }
    }
  }

  /// Counts of move sequences (`reference/data/perft/mnk.txt`).
  @Test(.enabled(if: ReferenceData.has("perft/mnk.txt"), "\(ReferenceData.absence)"))
  func countsAreThePublishedOnes() throws {
    let limit = Effort.size(200_000, quick: 20_000, variable: "PARLOR_PERFT_NODES")
    var counted = 0
    for line in try ReferenceData.lines("perft/mnk.txt") where line.hasPrefix("perft mnk(") {
      let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
      guard numbers.count == 5, numbers[4] <= limit else { continue }
      let rules = try rules("width=\(numbers[0])", "height=\(numbers[1])", "line=\(numbers[2])")
      let start = rules.start(first: Seat(0))
      #expect(Perft(rules, from: start, depth: numbers[3]).nodes[numbers[3]] == UInt64(numbers[4]), "\(line)")
      counted += 1
    }
    #expect(counted > 25, "\(counted) lines")
  }

  /// Different positions of Connect Four on boards of other sizes, told apart by their bytes without the last cell
  /// (`reference/data/perft/connect4_positions_by_board_size.csv`).
  @Test(
    .enabled(if: ReferenceData.has("perft/connect4_positions_by_board_size.csv"), "\(ReferenceData.absence)"))
  func positionsAreThePublishedOnes() throws {
    let limit = Effort.size(50_000, quick: 20_000, variable: "PARLOR_PERFT_NODES")
    var counted = 0
    for line in try ReferenceData.lines("perft/connect4_positions_by_board_size.csv").dropFirst() {
      let numbers = line.split(separator: ",").compactMap { Int($0) }
      for (width, positions) in numbers.enumerated().dropFirst(3) where positions <= limit {
        guard numbers[0] > 2, max(width, numbers[0]) > 3 else { continue }
        let rules = try rules("width=\(width)", "height=\(numbers[0])", "line=4", "gravity=yes")
        #expect(different(rules) == positions, "\(width) by \(numbers[0])")
        counted += 1
      }
    }
    #expect(counted >= 2, "\(counted) boards")
  }

  private func different(_ rules: KInARow) -> Int {
    var level = [rules.start(first: Seat(0))]
    var total = 0
    while !level.isEmpty {
      total += level.count
      var seen: Set<[UInt8]> = []
      var next: [KInARow.Position] = []
      for position in level {
        rules.forEachMove(of: position.mover, in: position) { move in
          var after = position
          rules.play(move, in: &after)
          if seen.insert(Array(rules.encode(after).dropFirst(3))).inserted { next.append(after) }
        }
      }
      level = next
    }
    return total
  }

  /// The rules again, on rows of letters.
  @Test func agreesWithASlowReference() throws {
    var (draws, overlong) = (0, 0)
    for seed in 0..<UInt64(Effort.size(600, quick: 90)) {
      let rules = try KInARow(parameters(Self.settings[Int(seed) % Self.settings.count]))
      var random = RandomStream(seed: seed)
      let game = RandomGame(rules, first: Seat(UInt16(seed % 2)), plyLimit: 999, random: &random)
      var slow = SlowLines(rules.grid)
      for (ply, step) in game.steps.enumerated() {
        let move = try #require(rules.move(code: step[0]))
        slow.play(Int(move.column), rules.hasGravity ? nil : Int(move.row), ply % 2 == 0 ? "X" : "O")
        let isOver = slow.isWon || slow.isFull
        #expect(isOver == (rules.turn(in: game.positions[ply + 1]).outcome != nil), "seed \(seed) ply \(ply)")
        overlong += slow.hasOverline && rules.grid.isExact ? 1 : 0
      }
      let outcome = rules.turn(in: game.positions[game.steps.count]).outcome
      let last = game.steps.count % 2 == 1 ? game.first : game.first.opponent
      #expect(outcome?.winner == (slow.isWon ? last : nil))
      draws += slow.isWon ? 0 : 1
    }
    #expect(draws > 1 && overlong > 0, "\(draws) draws, \(overlong) positions with a line that is too long")
  }
}

/// Settings from texts such as `width=3`.
func parameters(_ settings: [String]) -> Parameters {
  var parameters = Parameters()
  for setting in settings {
    let parts = setting.split(separator: "=").map(String.init)
    parameters[parts[0]] = parts[1]
  }
  return parameters
}

/// A board of letters, on which every line is looked at.
private struct SlowLines {
  private var cells: [[Character]]
  private let line: Int
  private let isExact: Bool

  init(_ grid: LineGrid) {
    cells = Array(repeating: Array(repeating: ".", count: grid.width), count: grid.height)
    (line, isExact) = (grid.line, grid.isExact)
  }

  var isFull: Bool { !cells.joined().contains(".") }
  var isWon: Bool { runs.contains { isExact ? $0 == line : $0 >= line } }
  var hasOverline: Bool { runs.contains { $0 > line } }

  mutating func play(_ column: Int, _ row: Int?, _ sign: Character) {
    let landing = row ?? cells.firstIndex { $0[column] == "." }
    if let landing { cells[landing][column] = sign }
  }

  private func sign(_ column: Int, _ row: Int) -> Character {
    cells.indices.contains(row) && cells[row].indices.contains(column) ? cells[row][column] : "."
  }

  /// The length of each whole line of equal letters.
  private var runs: [Int] {
    var runs: [Int] = []
    for row in cells.indices {
      for column in cells[row].indices where cells[row][column] != "." {
        for (right, up) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
          let sign = cells[row][column]
          guard self.sign(column - right, row - up) != sign else { continue }
          var length = 1
          while self.sign(column + length * right, row + length * up) == sign { length += 1 }
          runs.append(length)
        }
      }
    }
    return runs
  }
}

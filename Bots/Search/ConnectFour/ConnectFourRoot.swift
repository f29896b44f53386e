import Games

/// The first ply of the solver: bounds of the position and of each of its moves, narrowed from both ends.
struct ConnectFourRoot {
  private typealias Move = ConnectFourSolution.Move

  private let board: ConnectFourBoard
  private let ply: Int32
  private var search: ConnectFourSearch
  private var moves: [Move]
  private var lower: Int32
  private var upper: Int32

  /// The position with what is known of it without a search.
  /// - Parameter board: a position that is not over.
  init(_ board: ConnectFourBoard, search: ConnectFourSearch) {
    self.board = board
    self.search = search
    ply = Int32(truncatingIfNeeded: board.ply)
    moves = [3, 2, 4, 1, 5, 0, 6].compactMap { Self.move(inColumn: $0, of: board) }
    lower = 0 - ConnectFourScore.infinity
    upper = ConnectFourScore.infinity
    if let value = ConnectFourOpening.value(board) {
      lower = value
      upper = value
    }
    narrow()
  }

  /// Positions visited, the first included.
  var nodes: UInt64 { search.nodes + 1 }
  /// Whether the search ended before its task was done.
  var isStopped: Bool { search.isStopped }
  /// Whether the search is no longer wanted.
  var wasCancelled: Bool { search.wasCancelled }
  /// What is known now.
  var solution: ConnectFourSolution {
    ConnectFourSolution(lower: lower, upper: upper, moves: moves, nodes: nodes)
  }

  /// Searches until the value is known.
  mutating func findValue() {
    while lower < upper, !isStopped { test(nextTarget) }
  }

  /// Searches until it is known of each move whether it is a best one; the value is known already.
  mutating func findBestMoves() {
    guard lower == upper else { return }
    for index in moves.indices where moves[index].lower < lower && moves[index].upper >= lower {
      if isStopped { return }
      test(index, target: lower)
    }
  }

  /// The score to test next: far from 0 at first, where answers are quick; then whether somebody wins, for which
  /// the rules of `ConnectFourParity` tell most; then halfway between the bounds.
  private var nextTarget: Int32 {
    if upper > 12, lower < 9 { return 9 }
    if upper > 6, lower < 6 { return 6 }
    if lower < -12, upper >= -8 { return -8 }
    if lower < -6, upper >= -5 { return -5 }
    if lower <= 0, upper > 0 { return 1 }
    if lower < 0, upper == 0 { return 0 }
    return (lower + upper + 1) / 2
  }

  /// Finds out whether the position is worth at least `target`.
  private mutating func test(_ target: Int32) {
    for index in order where moves[index].upper >= target {
      if moves[index].lower < target { test(index, target: target) }
      if isStopped || moves[index].lower >= target { break }
    }
    narrow()
  }

  private mutating func test(_ index: Int, target: Int32) {
    let cell = board.cell(inColumn: moves[index].column)
    let value = 0 - search.bound(ConnectFourNode(board.playing(cell)), target: 1 - target)
    if isStopped { return }
    if value >= target {
      moves[index].lower = max(moves[index].lower, value)
    } else {
      moves[index].upper = min(moves[index].upper, value)
    }
  }

  private mutating func narrow() {
    lower = max(lower, moves.map(\.lower).max() ?? lower)
    upper = min(upper, moves.map(\.upper).max() ?? upper)
    for index in moves.indices { moves[index].upper = min(moves[index].upper, upper) }
  }

  /// Moves in the order of the search: those that threaten most first, then from the middle.
  private var order: [Int] {
    let ranks = moves.map { move in
      let cell = board.cell(inColumn: move.column)
      return ConnectFourBits.threats(board.mine | cell, occupied: board.occupied | cell).nonzeroBitCount
    }
    return moves.indices.sorted { (0 - ranks[$0], $0) < (0 - ranks[$1], $1) }
  }

  /// A move with the bounds that need no search, `nil` when the column is full.
  private static func move(inColumn column: Int, of board: ConnectFourBoard) -> Move? {
    let cell = board.cell(inColumn: column)
    if cell == 0 { return nil }
    let ply = Int32(truncatingIfNeeded: board.ply)
    let after = board.playing(cell)
    if let value = ConnectFourOpening.value(after) ?? ConnectFourScore.final(after) {
      return Move(column: column, lower: 0 - value, upper: 0 - value)
    }
    if after.wins != 0 {
      let value = ConnectFourScore.losesNext(ply: ply)
      return Move(column: column, lower: value, upper: value)
    }
    return Move(
      column: column, lower: ConnectFourScore.losesLater(ply: ply),
      upper: ConnectFourScore.winsLater(ply: ply))
  }
}

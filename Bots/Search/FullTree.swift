import Rules

/// All positions that a position leads to, each with its worth to the seat whose turn it is.
struct FullTree<R: Evaluated> {
  /// A proven value and how long the game still takes when both play for the best.
  struct Worth: Hashable, Comparable {
    /// In the game's own units.
    var value: Int32
    /// Plies to the end.
    var plies: Int32

    /// Orders by value; among won positions the quicker is worth more, among lost ones the slower.
    static func < (a: Worth, b: Worth) -> Bool {
      if a.value != b.value { return a.value < b.value }
      return a.value > 0 ? a.plies > b.plies : a.value < 0 && a.plies < b.plies
    }
  }

  /// A legal move and what it is worth to the seat that plays it.
  struct Move {
    var move: R.Move
    var worth: Worth
  }

  /// Positions between two looks at whether the search is still wanted.
  private static var pauseNodes: UInt64 { 1024 }

  private let rules: R
  private let isCancelled: @Sendable () -> Bool
  private var known: [R.Position: Worth] = [:]
  /// Positions at which the game is over.
  private var ended: Set<R.Position> = []
  /// Positions visited, each once.
  private(set) var nodes: UInt64 = 0
  /// Whether the search is no longer wanted; its answers then mean nothing.
  private(set) var isStopped = false

  /// A search of positions of these rules.
  init(_ rules: R, isCancelled: @escaping @Sendable () -> Bool) {
    self.rules = rules
    self.isCancelled = isCancelled
  }

  /// The legal moves of the seat to move, those preferred first.
  mutating func moves(in position: R.Position) -> [Move] {
    guard case .seat(let seat) = rules.turn(in: position) else { return [] }
    nodes += 1
    if nodes % Self.pauseNodes == 0, isCancelled() { isStopped = true }
    var moves: [Move] = []
    for move in rules.orderedMoves(of: seat, in: position) where !isStopped {
      var after = position
      rules.play(move, in: &after)
      moves.append(Move(move: move, worth: worth(of: after, for: seat)))
    }
    return moves
  }

  /// What a position is worth to the seat that moved last.
  private mutating func worth(of position: R.Position, for seat: Seat) -> Worth {
    switch rules.turn(in: position) {
    case .over(let outcome):
      if ended.insert(position).inserted { nodes += 1 }
      return Worth(value: rules.value(of: outcome, in: position, for: seat), plies: 1)
    case .seat(let next):
      let best = worth(of: position)
      return Worth(value: next == seat ? best.value : 0 - best.value, plies: best.plies + 1)
    case .round:
      preconditionFailure("\(R.name): choices are made together, this search cannot search them")
    }
  }

  /// What a position is worth to the seat whose turn it is.
  private mutating func worth(of position: R.Position) -> Worth {
    if let worth = known[position] { return worth }
    let best = moves(in: position).map(\.worth).max() ?? Worth(value: 0, plies: 0)
    if !isStopped { known[position] = best }
    return best
  }
}

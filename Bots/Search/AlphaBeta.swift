package import Rules

/// Alpha-beta to a fixed depth over any rules that searches know (Knuth and Moore, An Analysis of Alpha-Beta
/// Pruning, 1975).
///
/// Inside, a game that ends is worth a million for each of the game's own units, less one for each ply on the
/// way when it is won, so that every proven end lies beyond every estimate and quick wins beat slow ones.
package struct AlphaBeta<R: Evaluated> {
  /// One unit of the game's values.
  static var unit: Int32 { 1_000_000 }
  /// The farthest that an estimate may lie from 0.
  private static var farthestEstimate: Int32 { 900_000 }
  /// Beyond every value.
  private static var infinity: Int32 { .max }
  /// Positions between two looks at whether the search is still wanted.
  private static var pauseNodes: UInt64 { 1024 }

  private let rules: R
  private let isGlance: Bool
  private let nodeLimit: UInt64
  private let isCancelled: @Sendable () -> Bool
  private var moves: [[R.Move]]
  /// Positions visited.
  package private(set) var nodes: UInt64 = 0
  /// Whether a position was estimated, because the depth ended before the game.
  package private(set) var hasEstimated = false
  /// Whether legal moves were passed over that may be better than those it looked at.
  package private(set) var hasPassedOver = false
  /// Whether the search is no longer wanted; its answers then mean nothing.
  package private(set) var isStopped = false
  /// Whether it has wanted to visit more positions than it may; its last answer then means nothing.
  package private(set) var isExhausted = false

  /// A search of positions of these rules, to at most `depth` plies.
  /// - Parameters:
  ///   - isGlance: whether it sees what a beginner sees (`Evaluated.glance`).
  ///   - nodeLimit: the most positions that it visits, in all its answers together.
  package init(
    _ rules: R, depth: Int, isGlance: Bool = false, nodeLimit: UInt64 = .max,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.rules = rules
    self.isGlance = isGlance
    self.nodeLimit = nodeLimit
    self.isCancelled = isCancelled
    moves = Array(repeating: [], count: depth + 1)
  }

  /// What a move found by this search is worth.
  package struct Answer: Equatable {
    /// Every best move, those preferred first.
    package var best: [R.Move]
    /// Its value inside the search.
    package var value: Int32
  }

  /// Finds every best move of the seat to move.
  /// - Parameters:
  ///   - position: a position that waits for `seat`.
  ///   - depth: plies to look ahead, at least 1.
  package mutating func bestMoves(of seat: Seat, in position: R.Position, depth: Int) -> Answer {
    var answer = Answer(best: [], value: 0 - Self.infinity)
    guard visit() else { return answer }
    for move in takeMoves(of: seat, in: position, depth: depth) {
      // One below the best so far: a move that is as good gets its exact value too.
      let alpha = max(answer.value, 1 - Self.infinity) - 1
      let value = value(
        after: move, by: seat, in: position, depth: depth - 1, ply: 1, alpha: alpha, beta: Self.infinity)
      if value > answer.value { answer = Answer(best: [], value: value) }
      if value == answer.value { answer.best.append(move) }
    }
    return answer
  }

  /// What a move is worth, looked at by itself.
  /// - Parameters:
  ///   - position: a position that waits for `seat`.
  ///   - depth: plies to look ahead with the move, at least 1.
  package mutating func value(of move: R.Move, by seat: Seat, in position: R.Position, depth: Int) -> Int32 {
    value(
      after: move, by: seat, in: position, depth: depth - 1, ply: 1, alpha: 1 - Self.infinity,
      beta: Self.infinity)
  }

  private mutating func value(
    after move: R.Move, by seat: Seat, in position: R.Position, depth: Int, ply: Int, alpha: Int32,
    beta: Int32
  ) -> Int32 {
    var after = position
    rules.play(move, in: &after)
    switch rules.turn(in: after) {
    case .over(let outcome):
      guard visit() else { return 0 }
      return Self.end(rules.value(of: outcome, in: after, for: seat), ply: ply)
    case .seat(seat):
      return value(of: after, for: seat, depth: depth, ply: ply, alpha: alpha, beta: beta)
    case .seat(let other):
      return 0 - value(of: after, for: other, depth: depth, ply: ply, alpha: 0 - beta, beta: 0 - alpha)
    case .round:
      preconditionFailure("\(R.name): choices are made together, alpha-beta cannot search them")
    }
  }

  private mutating func value(
    of position: R.Position, for seat: Seat, depth: Int, ply: Int, alpha: Int32, beta: Int32
  ) -> Int32 {
    guard visit() else { return 0 }
    if nodes % Self.pauseNodes == 0, isCancelled() { isStopped = true }
    if isStopped { return 0 }
    if depth == 0 {
      hasEstimated = true
      let estimate =
        isGlance ? rules.glance(at: position, for: seat) : rules.evaluation(of: position, for: seat)
      return min(max(estimate, 0 - Self.farthestEstimate), Self.farthestEstimate)
    }
    let moves = takeMoves(of: seat, in: position, depth: depth)
    defer { self.moves[depth] = moves }
    var best = 0 - Self.infinity
    for move in moves {
      let value = value(
        after: move, by: seat, in: position, depth: depth - 1, ply: ply + 1, alpha: max(alpha, best),
        beta: beta)
      best = max(best, value)
      if best >= beta || isExhausted { break }
    }
    return best
  }

  /// Counts a position.
  /// - Returns: `false` where it would be one too many.
  @inline(__always)
  private mutating func visit() -> Bool {
    guard nodes < nodeLimit else {
      isExhausted = true
      return false
    }
    nodes += 1
    return true
  }

  /// The moves worth a search in the storage of this depth, which `value` gives back: no allocation once each depth has
  /// some.
  private mutating func takeMoves(of seat: Seat, in position: R.Position, depth: Int) -> [R.Move] {
    var taken: [R.Move] = []
    swap(&taken, &moves[depth])
    taken.removeAll(keepingCapacity: true)
    if isGlance {
      hasPassedOver = true
      rules.forEachObviousMove(of: seat, in: position) { taken.append($0) }
    } else if !rules.forEachCandidate(of: seat, in: position, { taken.append($0) }) {
      hasPassedOver = true
    }
    rules.order(&taken)
    return taken
  }

  private static func end(_ value: Int32, ply: Int) -> Int32 {
    value * unit - value.signum() * Int32(truncatingIfNeeded: ply)
  }

  /// The value in the game's own units, when it is that of an end; `nil` of an estimate.
  package static func ending(_ value: Int32) -> Int32? {
    if value.magnitude <= UInt32(farthestEstimate) { return nil }
    return (value + value.signum() * (unit / 2)) / unit
  }
}

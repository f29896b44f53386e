package import Rules

/// Monte Carlo tree search: random games from the positions that looked best so far, with upper confidence bounds (UCT:
/// Kocsis and Szepesvári, Bandit Based Monte-Carlo Planning, 2006). Ends that are proven go up the tree (Winands,
/// Björnsson and Saito, Monte-Carlo Tree Search Solver, 2008), draws too.
///
/// The same seed and number of random games give the same move on every machine: what is computed in floating point are
/// quotients and square roots alone, which every machine rounds alike. In place of the natural logarithm of the visits
/// stands the number of their bits.
package struct MonteCarlo<R: Evaluated> {
  /// One move and the position that it leads to.
  private struct Node {
    let move: R.Move
    /// Who moved.
    let mover: Seat
    var firstChild: Int32 = 0
    var childCount: Int32 = 0
    var visits: UInt32 = 0
    /// Two for each random game that the mover won, one for each that nobody won.
    var points: UInt32 = 0
    /// What the position is worth to the mover, where that is certain.
    var proven: Proof?
    /// Whether its children are all legal moves that can be best.
    var isComplete = true
  }

  /// A certain end, as the mover sees it.
  private enum Proof: Int8 {
    case lost = -1
    case drawn = 0
    case won = 1

    init(_ outcome: Outcome, for seat: Seat) {
      self = outcome.winner.map { $0 == seat ? .won : .lost } ?? .drawn
    }
  }

  /// How many random games begin at a position before its moves are told apart.
  private static var visitsBeforeMoves: UInt32 { 3 }
  /// Random games between two looks at whether the search is still wanted.
  private static var pause: Int { 32 }

  private let rules: R
  private let start: R.Position
  private let seat: Seat
  private var chance: Chance
  private var nodes: [Node] = []
  private var path: [Int] = []
  /// How many random games were played.
  package private(set) var games = 0

  /// A search of a position that waits for `seat`.
  package init(_ game: GameOf<R>, seat: Seat, seed: UInt64) {
    (rules, start, self.seat) = (game.rules, game.position, seat)
    chance = Chance(seed: seed)
  }

  /// Plays so many random games, fewer where the end is proven before.
  /// - Returns: the best move; `nil` when the search was no longer wanted.
  package mutating func move(games limit: Int, isCancelled: () -> Bool) -> R.Move? {
    let (first, isComplete) = addMoves(of: seat, in: start)
    let root = first..<nodes.count
    precondition(!root.isEmpty, "\(R.name): the game does not wait for \(seat)")
    while games < limit, !isDecided(root, isComplete) {
      if games % Self.pause == 0, isCancelled() { return nil }
      playOne(from: root)
      games += 1
    }
    return nodes[best(of: root)].move
  }

  /// Whether more games cannot change the choice.
  private func isDecided(_ root: Range<Int>, _ isComplete: Bool) -> Bool {
    if root.count == 1 && isComplete { return true }
    if nodes[root].contains(where: { $0.proven == .won }) { return true }
    return nodes[root].count { $0.proven != nil } == root.count
  }

  /// The move to play: a proven win, else the one that was visited most and is not proven lost, as a draw is worth what
  /// a position is whose games were won half the time. Of equals the one that scored most, then the first.
  private func best(of root: Range<Int>) -> Int {
    func rank(_ node: Node) -> (Int, UInt32, UInt32) {
      (node.proven == .won ? 2 : node.proven == .lost ? 0 : 1, node.visits, node.points)
    }
    var best = root.lowerBound
    for index in root where rank(nodes[best]) < rank(nodes[index]) { best = index }
    return best
  }

  // MARK: - One random game

  private mutating func playOne(from root: Range<Int>) {
    var position = start
    var (children, parentVisits) = (root, UInt32(games + 1))
    path.removeAll(keepingCapacity: true)
    while true {
      let index = select(children, parentVisits)
      path.append(index)
      rules.play(nodes[index].move, in: &position)
      if nodes[index].proven != nil { break }
      if nodes[index].childCount == 0 {
        guard nodes[index].visits >= Self.visitsBeforeMoves, case .seat(let next) = rules.turn(in: position)
        else { break }
        let (first, isComplete) = addMoves(of: next, in: position)
        nodes[index].firstChild = Int32(first)
        nodes[index].childCount = Int32(nodes.count - first)
        nodes[index].isComplete = isComplete
        prove(index)
        if nodes[index].proven != nil { break }
      }
      let first = Int(nodes[index].firstChild)
      (children, parentVisits) = (first..<first + Int(nodes[index].childCount), nodes[index].visits)
    }
    count(position)
  }

  /// The child whose bound is highest; one that nobody has visited before all others.
  private func select(_ children: Range<Int>, _ parentVisits: UInt32) -> Int {
    let bits = Double(UInt32.bitWidth - parentVisits.leadingZeroBitCount)
    var (best, highest) = (children.lowerBound, -2.0)
    for index in children {
      let node = nodes[index]
      let bound: Double
      switch node.proven {
      case .lost?: bound = -1
      case .won?: return index
      case .drawn? where node.visits > 0: bound = 0.5
      default:
        guard node.visits > 0 else { return index }
        let visits = Double(node.visits)
        bound = Double(node.points) / (2 * visits) + (bits / (4 * visits)).squareRoot()
      }
      if bound > highest { (best, highest) = (index, bound) }
    }
    return best
  }

  /// Adds the moves of a position that are worth a look, with the ends that some are.
  /// - Returns: the first of them, and whether no other can be better.
  private mutating func addMoves(of seat: Seat, in position: R.Position) -> (Int, isComplete: Bool) {
    let first = nodes.count
    var moves: [R.Move] = []
    let isComplete = rules.forEachCandidate(of: seat, in: position) { moves.append($0) }
    rules.order(&moves)
    for move in moves {
      var after = position
      rules.play(move, in: &after)
      var node = Node(move: move, mover: seat)
      if let outcome = rules.turn(in: after).outcome { node.proven = Proof(outcome, for: seat) }
      nodes.append(node)
    }
    return (first, isComplete)
  }

  /// Plays to the end from where the tree ends, and tells all positions on the way.
  private mutating func count(_ leaf: R.Position) {
    var winner: Seat?
    if let last = path.last, let proof = nodes[last].proven {
      let mover = nodes[last].mover
      winner = proof == .drawn ? nil : proof == .won ? mover : mover.opponent
    } else {
      var position = leaf
      _ = rules.playOut(&position, by: &chance)
      winner = rules.turn(in: position).outcome?.winner
    }
    for index in path.reversed() {
      nodes[index].visits += 1
      nodes[index].points += winner == nil ? 1 : winner == nodes[index].mover ? 2 : 0
      if nodes[index].proven == nil { prove(index) }
    }
  }

  /// Takes over what the children of a position prove: one that wins is enough, else all have to be certain.
  private mutating func prove(_ index: Int) {
    let node = nodes[index]
    guard node.childCount > 0 else { return }
    let children = nodes[Int(node.firstChild)..<Int(node.firstChild + node.childCount)]
    // Children have one mover, who may be the one that moved here, where the other had to pass.
    guard let chooser = children.first?.mover else { return }
    var highest = Proof.lost
    var isCertain = node.isComplete
    for child in children {
      guard let proof = child.proven else {
        isCertain = false
        continue
      }
      if proof.rawValue > highest.rawValue { highest = proof }
    }
    guard highest == .won || isCertain else { return }
    nodes[index].proven = chooser == node.mover ? highest : Proof(rawValue: 0 - highest.rawValue)
  }
}

package import Rules

/// Counts of the tree of all games from a position, by ply: the measure that published move generators share.
package struct Perft: Hashable, Sendable {
  /// Sequences of moves of each length, from length 0.
  package var nodes: [UInt64]
  /// Of these, games won by each seat with their last move: by ply, then by seat.
  package var wins: [[UInt64]]
  /// Of these, games drawn with their last move.
  package var draws: [UInt64]

  /// Counts all sequences of moves up to a length, in a game whose seats move in turn.
  package init<R: Rules>(_ rules: R, from position: R.Position, depth: Int) {
    nodes = [UInt64](repeating: 0, count: depth + 1)
    wins = [[UInt64]](repeating: [UInt64](repeating: 0, count: rules.seats), count: depth + 1)
    draws = nodes
    visit(rules, position, ply: 0, depth: depth)
  }

  /// Games that end within the depth.
  package var games: UInt64 { wins.joined().reduce(0, +) + draws.reduce(0, +) }

  /// Games that a seat wins within the depth.
  package func wins(of seat: Seat) -> UInt64 { wins.reduce(0) { $0 + $1[seat.index] } }

  private mutating func visit<R: Rules>(_ rules: R, _ position: R.Position, ply: Int, depth: Int) {
    nodes[ply] += 1
    switch rules.turn(in: position) {
    case .over(let outcome):
      if let winner = outcome.winner { wins[ply][winner.index] += 1 } else { draws[ply] += 1 }
    case .seat(let seat):
      guard ply < depth else { return }
      for move in rules.legalMoves(of: seat, in: position) {
        var next = position
        rules.play(move, in: &next)
        visit(rules, next, ply: ply + 1, depth: depth)
      }
    case .round:
      preconditionFailure("\(R.name): perft counts games whose seats move in turn")
    }
  }
}

extension Perft {
  /// The different positions that can be reached, by ply, in a game whose seats move in turn.
  package static func positions<R: Rules>(_ rules: R, from start: R.Position, depth: Int) -> [Set<R.Position>]
  {
    var levels: [Set<R.Position>] = [[start]]
    for _ in 0..<depth {
      var next: Set<R.Position> = []
      for position in levels[levels.count - 1] {
        guard case .seat(let seat) = rules.turn(in: position) else { continue }
        for move in rules.legalMoves(of: seat, in: position) {
          var after = position
          rules.play(move, in: &after)
          next.insert(after)
        }
      }
      levels.append(next)
    }
    return levels
  }
}

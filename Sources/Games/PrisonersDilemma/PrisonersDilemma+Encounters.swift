import Rules

extension PrisonersDilemma {
  /// What players gained from each other and how often they cooperated, summed over their games: the payoff matrix.
  public struct Encounters: Hashable, Sendable {
    /// Sums of one player against one other.
    public struct Sums: Hashable, Sendable {
      /// Rounds that were played.
      public internal(set) var rounds = 0
      /// Rounds in which the player cooperated.
      public internal(set) var cooperations = 0
      /// The player's score.
      public internal(set) var score = 0

      /// The score of a round; `nil` without rounds.
      public var meanScore: Double? { rounds == 0 ? nil : Double(score) / Double(rounds) }
      /// The share of rounds with cooperation; `nil` without rounds.
      public var cooperationRate: Double? { rounds == 0 ? nil : Double(cooperations) / Double(rounds) }

      mutating func add(_ other: Sums) {
        rounds += other.rounds
        cooperations += other.cooperations
        score += other.score
      }
    }

    /// How many players there are.
    public let count: Int
    private var sums: [Sums]

    /// No games of so many players.
    public init(count: Int) {
      self.count = count
      sums = [Sums](repeating: Sums(), count: count * count)
    }

    /// A player's sums against another one.
    public subscript(player: Int, other: Int) -> Sums {
      precondition(
        (0..<count).contains(player) && (0..<count).contains(other), "\(player), \(other) of \(count)")
      return sums[player * count + other]
    }

    /// A player's sums against all.
    public func total(of player: Int) -> Sums {
      (0..<count).reduce(into: Sums()) { $0.add(self[player, $1]) }
    }

    /// Adds a game.
    /// - Parameters:
    ///   - position: where it ended.
    ///   - players: who had seat 0 and seat 1; both may be one player against itself.
    public mutating func add(_ position: Position, of players: (Int, Int)) {
      for (seat, player, other) in [(Seat(0), players.0, players.1), (Seat(1), players.1, players.0)] {
        precondition((0..<count).contains(player), "player \(player) of \(count)")
        let history = position.history(of: seat)
        let game = Sums(
          rounds: history.count, cooperations: history.count - history.defections,
          score: Int(position.scores[seat.index]))
        sums[player * count + other].add(game)
      }
    }
  }
}

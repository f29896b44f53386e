/// How long the games of a tournament take, as far as those that are over tell: for the time that is left.
///
/// A game takes what its two entrants take, each the same in all its games. What each takes is fitted to the means of
/// the pairs that have met; who has not played takes what all take on average. A mean of all games would be wrong where
/// slow bots come later: they meet in the last rounds, and their games end last of those that run together.
package struct GameCosts: Sendable {
  /// What a pair of entrants has played.
  private struct Meeting {
    var games: Int64 = 0
    var milliseconds: Int64 = 0
  }

  private let entrants: Int
  private var meetings: [Meeting]
  private var total = Meeting()

  /// No games yet.
  package init(entrants: Int) {
    self.entrants = entrants
    meetings = [Meeting](repeating: Meeting(), count: entrants * entrants)
  }

  /// Takes in time that two entrants have played.
  /// - Parameter games: how many games ended with it.
  package mutating func add(_ one: EntrantIndex, _ other: EntrantIndex, milliseconds: Int64, games: Int = 1) {
    let at = min(one, other).index * entrants + max(one, other).index
    meetings[at].games += Int64(games)
    meetings[at].milliseconds += max(0, milliseconds)
    total.games += Int64(games)
    total.milliseconds += max(0, milliseconds)
  }

  /// The milliseconds of all games.
  package var milliseconds: Int64 { total.milliseconds }

  /// What is to be played: pairs with their games, and games of whom nobody knows yet.
  package struct Ahead: Sendable {
    package var pairs: [(one: EntrantIndex, other: EntrantIndex, games: Int)]
    package var unknown: Int

    package init(pairs: [(one: EntrantIndex, other: EntrantIndex, games: Int)], unknown: Int) {
      self.pairs = pairs
      self.unknown = unknown
    }
  }

  /// How many milliseconds of playing are ahead; `nil` before a game is over.
  package func milliseconds(of ahead: Ahead) -> Int64? {
    guard total.games > 0 else { return nil }
    let mean = max(1, total.milliseconds / total.games)
    let shares = shares(mean)
    var sum = mean * Int64(ahead.unknown)
    for (one, other, games) in ahead.pairs {
      let met = meetings[min(one, other).index * entrants + max(one, other).index]
      let cost = met.games > 0 ? met.milliseconds / met.games : shares[one.index] + shares[other.index]
      sum += cost * Int64(games)
    }
    return sum
  }

  /// What each entrant takes of a game: the Gauss–Seidel steps of the least squares of all meetings.
  private func shares(_ mean: Int64) -> [Int64] {
    var shares = [Int64](repeating: mean / 2, count: entrants)
    for _ in 0..<Self.steps {
      for entrant in 0..<entrants {
        var (games, rest) = (Int64(0), Int64(0))
        for other in 0..<entrants where other != entrant {
          let met = meetings[min(entrant, other) * entrants + max(entrant, other)]
          games += met.games
          rest += met.milliseconds - met.games * shares[other]
        }
        if games > 0 { shares[entrant] = max(0, rest / games) }
      }
    }
    return shares
  }

  private static let steps = 8
}

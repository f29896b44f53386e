/// How long the games of a tournament take, as far as those that were played tell: for the time that is left.
///
/// A game takes what its entrants' choices take, and as many choices as their games have. Pairs that have met take what
/// they took. Of others each entrant's pace counts, measured where it thinks: a mean of all games would be far too low
/// in a knock-out, where bots that think for longer tend to win, and play longer games against each other.
package struct GameCosts: Sendable {
  /// What a pair of entrants has played.
  private struct Meeting {
    var games: Int64 = 0
    var milliseconds: Int64 = 0
    var choices: Int64 = 0
  }

  /// What an entrant has thought.
  private struct Thought {
    var choices: Int64 = 0
    var microseconds: Int64 = 0
  }

  private let entrants: Int
  private var meetings: [Meeting]
  private var thoughts: [Thought]
  private var total = Meeting()

  /// No games yet.
  package init(entrants: Int) {
    self.entrants = entrants
    meetings = [Meeting](repeating: Meeting(), count: entrants * entrants)
    thoughts = [Thought](repeating: Thought(), count: entrants)
  }

  /// Takes in a game that is over.
  /// - Parameter choices: how many moves both have made.
  package mutating func add(_ one: EntrantIndex, _ other: EntrantIndex, milliseconds: Int64, choices: Int) {
    let at = place(one, other)
    for change in [\Meeting.games: 1, \.milliseconds: max(0, milliseconds), \.choices: Int64(choices)] {
      meetings[at][keyPath: change.key] += change.value
      total[keyPath: change.key] += change.value
    }
  }

  /// Takes in all that an entrant has thought so far, also in games that are on.
  package mutating func note(_ entrant: EntrantIndex, choices: Int64, microseconds: Int64) {
    thoughts[entrant.index] = Thought(choices: choices, microseconds: max(0, microseconds))
  }

  private func place(_ one: EntrantIndex, _ other: EntrantIndex) -> Int {
    min(one, other).index * entrants + max(one, other).index
  }

  /// The milliseconds of all games that are over.
  package var milliseconds: Int64 { total.milliseconds }

  /// Who plays in games that are to come.
  package enum Side: Hashable, Sendable {
    /// This entrant.
    case entrant(EntrantIndex)
    /// Whoever wins the games at this place of all that are ahead.
    case winner(of: Int)
    /// Nobody knows.
    case unknown
  }

  /// Games of one pairing that are ahead.
  package struct Games: Hashable, Sendable {
    package var one: Side
    package var other: Side
    package var count: Int
    /// How long the game that is on has taken, in milliseconds.
    package var begun: Int64
    /// The round: games of one are played before those of the next, as many at once as there is room for.
    package var round: Int
    /// Whether those who play have won against others: they play longer games.
    package var isOfWinners: Bool

    package init(
      _ one: Side, _ other: Side, count: Int, begun: Int64 = 0, round: Int = 0, isOfWinners: Bool = false
    ) {
      (self.one, self.other, self.count, self.begun) = (one, other, count, begun)
      (self.round, self.isOfWinners) = (round, isOfWinners)
    }
  }

  /// How an entrant plays: what a choice takes, in microseconds, and how many choices its games have.
  private struct Pace {
    var microseconds: Int64
    var length: Int64

    /// Whoever wins of two: the slower one three times of four.
    static func winner(_ one: Pace, _ other: Pace) -> Pace {
      let (slow, quick) = one.microseconds < other.microseconds ? (other, one) : (one, other)
      return Pace(
        microseconds: (3 * slow.microseconds + quick.microseconds) / 4, length: max(one.length, other.length))
    }
  }

  /// How many milliseconds are left.
  /// - Parameters:
  ///   - ahead: what is to be played; a `winner` is of games before.
  ///   - elapsed: the milliseconds since the beginning, in which all of `add` and `begun` were played.
  /// - Returns: `nil` before a game is over.
  package func millisecondsLeft(of ahead: [Games], elapsed: Int64) -> Int64? {
    let begun = ahead.reduce(0) { $0 + $1.begun }
    let played = total.milliseconds + begun
    guard total.games > 0, played > 0 else { return nil }
    let (known, all) = paces()
    let others = overheadMicroseconds(played)
    var winners: [Pace] = []
    // Of each round all games one after the other, and the longest pairing alone.
    var rounds: [Int: (sum: Int64, longest: Int64)] = [:]
    for games in ahead {
      func pace(_ side: Side) -> Pace {
        switch side {
        case .entrant(let entrant): known[entrant.index]
        case .winner(let place): place < winners.count ? winners[place] : all
        case .unknown: all
        }
      }
      let (one, other) = (pace(games.one), pace(games.other))
      winners.append(.winner(one, other))
      let length = games.isOfWinners ? max(one.length, other.length) : (one.length + other.length) / 2
      var cost = length * ((one.microseconds + other.microseconds) / 2 + others) / 1_000
      if case .entrant(let one) = games.one, case .entrant(let other) = games.other {
        let met = meetings[place(one, other)]
        if met.games > 0 { cost = met.milliseconds / met.games }
      }
      // A game that has taken longer than was thought says that others of these do too.
      cost = max(cost, games.begun)
      let left = max(0, cost * Int64(games.count) - games.begun)
      let round = rounds[games.round] ?? (0, 0)
      rounds[games.round] = (round.sum + left, max(round.longest, left))
    }
    // tidy: order does not matter because it is a sum
    return rounds.values.reduce(0) { sum, round in
      sum + max(Int64(Double(round.sum) * Double(max(0, elapsed)) / Double(played)), round.longest)
    }
  }

  /// How each entrant plays, and how one does of whom nothing is known.
  private func paces() -> ([Pace], Pace) {
    let thinking = thoughts.filter { $0.choices > 0 }.map { $0.microseconds / $0.choices }
    let mean = thinking.isEmpty ? 0 : thinking.reduce(0, +) / Int64(thinking.count)
    let all = Pace(microseconds: mean, length: max(1, total.choices / max(1, total.games)))
    let paces = (0..<entrants).map { entrant in
      let thought = thoughts[entrant]
      let lengths = (0..<entrants).compactMap { other -> Int64? in
        let met = meetings[min(entrant, other) * entrants + max(entrant, other)]
        return met.games > 0 ? met.choices / met.games : nil
      }
      return Pace(
        microseconds: thought.choices > 0 ? thought.microseconds / thought.choices : mean,
        length: lengths.isEmpty ? all.length : max(1, lengths.reduce(0, +) / Int64(lengths.count)))
    }
    return (paces, all)
  }

  /// What a choice takes besides the thinking.
  private func overheadMicroseconds(_ played: Int64) -> Int64 {
    let thought = thoughts.reduce(into: Thought()) { sum, one in
      sum.choices += one.choices
      sum.microseconds += one.microseconds
    }
    return max(0, played * 1_000 - thought.microseconds) / max(1, max(thought.choices, total.choices))
  }
}

/// How long the games of a tournament take, as far as those that were played tell: for the time that is left.
///
/// A game takes what its entrants' choices take, and as many choices as their games have. Pairs that have met take what
/// they took. Of others each entrant's pace counts, measured where it thinks. Who plays in later rounds counts by how
/// likely it is: who wins games goes through, and of two who won as many the slower one, as bots that think for longer
/// tend to win.
package struct GameCosts: Sendable {
  /// What a pair of entrants has played.
  private struct Meeting {
    var games: Int64 = 0
    var milliseconds: Int64 = 0
    var choices: Int64 = 0

    /// The choices of a game.
    var length: Double { Double(choices) / Double(max(1, games)) }
  }

  /// Two entrants, in the order of their seeds.
  private struct Pair: Hashable {
    let lower: EntrantIndex
    let higher: EntrantIndex

    init(_ one: EntrantIndex, _ other: EntrantIndex) {
      (lower, higher) = one < other ? (one, other) : (other, one)
    }
  }

  /// What an entrant has thought.
  private struct Thought {
    var choices: Int64 = 0
    var microseconds: Int64 = 0
  }

  /// What an entrant has won, and against how many.
  private struct Success {
    var games = 0
    /// Games won less games lost.
    var lead = 0
    var opponents = 0
    /// The choices of a game against each of them, summed.
    var lengths = 0.0
  }

  private var meetings: [Pair: Meeting] = [:]
  private var thoughts: [Thought]
  private var successes: [Success]
  private var total = Meeting()

  /// No games yet.
  package init(entrants: Int) {
    thoughts = [Thought](repeating: Thought(), count: entrants)
    successes = [Success](repeating: Success(), count: entrants)
  }

  /// Takes in a game that is over.
  /// - Parameters:
  ///   - choices: how many moves both have made.
  ///   - winner: who won; `nil` for a draw.
  package mutating func add(
    _ one: EntrantIndex, _ other: EntrantIndex, milliseconds: Int64, choices: Int, winner: EntrantIndex?
  ) {
    let pair = Pair(one, other)
    let before = meetings[pair]
    for change in [\Meeting.games: 1, \.milliseconds: max(0, milliseconds), \.choices: Int64(choices)] {
      meetings[pair, default: Meeting()][keyPath: change.key] += change.value
      total[keyPath: change.key] += change.value
    }
    let longer = meeting(one, other).length - (before?.length ?? 0)
    for entrant in [one, other] {
      successes[entrant.index].opponents += before == nil ? 1 : 0
      successes[entrant.index].lengths += longer
      successes[entrant.index].games += 1
      if let winner { successes[entrant.index].lead += entrant == winner ? 1 : -1 }
    }
  }

  /// Takes in all that an entrant has thought so far, also in games that are on.
  package mutating func note(_ entrant: EntrantIndex, choices: Int64, microseconds: Int64) {
    thoughts[entrant.index] = Thought(choices: choices, microseconds: max(0, microseconds))
  }

  private func meeting(_ one: EntrantIndex, _ other: EntrantIndex) -> Meeting {
    meetings[Pair(one, other)] ?? Meeting()
  }

  /// The milliseconds of all games that are over.
  package var milliseconds: Int64 { total.milliseconds }

  /// Who plays in games that are to come.
  package enum Side: Hashable, Sendable {
    /// This entrant.
    case entrant(EntrantIndex)
    /// Whoever wins the games at this place of all that are ahead.
    case winner(of: Int)
    /// Whoever loses the games at this place of all that are ahead.
    case loser(of: Int)
    /// Any entrant, as likely as every other.
    case anyone
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
    /// Whether it is the same two again, who meet only where `one` lost the games before.
    package var isRematch: Bool {
      if case .loser(let lost) = one, case .winner(let won) = other { lost == won } else { false }
    }

    package init(_ one: Side, _ other: Side, count: Int, begun: Int64 = 0, round: Int = 0) {
      (self.one, self.other, self.count, self.begun, self.round) = (one, other, count, begun, round)
    }
  }

  /// How many milliseconds are left.
  /// - Parameters:
  ///   - ahead: what is to be played; a `winner` or `loser` is of games before.
  ///   - elapsed: the milliseconds since the beginning, in which all of `add` and `begun` were played.
  /// - Returns: `nil` before a game is over.
  package func millisecondsLeft(of ahead: [Games], elapsed: Int64) -> Int64? {
    let begun = ahead.reduce(0) { $0 + $1.begun }
    let played = total.milliseconds + begun
    guard total.games > 0, played > 0 else { return nil }
    var forecast = Forecast(self, overhead: overheadMicroseconds(played))
    var places: [Forecast.Place] = []
    // Of each round all games one after the other, and the longest pairing alone.
    var rounds: [Int: (sum: Int64, longest: Int64)] = [:]
    for games in ahead {
      let place = forecast.place(games, after: places)
      places.append(place)
      // A game that has taken longer than was thought says that others of these do too.
      let cost = max(Int64(place.milliseconds), games.begun)
      let left = max(0, cost * Int64(games.count) - games.begun)
      let round = rounds[games.round] ?? (0, 0)
      rounds[games.round] = (round.sum + left, max(round.longest, left))
    }
    // tidy: order does not matter because it is a sum
    return rounds.values.reduce(0) { sum, round in
      sum + max(Int64(Double(round.sum) * Double(max(0, elapsed)) / Double(played)), round.longest)
    }
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

extension GameCosts {
  /// Who is likely to play, and how long their games take.
  private struct Forecast {
    /// How an entrant plays: what a choice takes, in microseconds, how many choices its games have, and how well it
    /// does: from −1, who lost all, to 1.
    struct Pace {
      var microseconds: Double
      var length: Double
      var success: Double
    }

    /// Who sits at one side of a place, and how likely against each other.
    typealias Sitters = [(who: EntrantIndex, share: Double)]

    /// What comes of the games of a place.
    struct Place {
      /// What a game takes, times how likely it is that it is played.
      var milliseconds: Double
      var winners: Sitters
      var losers: Sitters
      /// How likely it is that the lower side wins.
      var upset: Double
    }

    /// Those who are likelier than the others are enough.
    private static let most = 8
    /// What games won count for against thinking longer, which counts as one.
    private static let weight = 6.0

    let costs: GameCosts
    let overhead: Double
    let paces: [Pace]
    /// What comes of games of anyone.
    private var amongAll: Place?

    init(_ costs: GameCosts, overhead: Int64) {
      self.costs = costs
      self.overhead = Double(overhead)
      let thinking = costs.thoughts.filter { $0.choices > 0 }
        .map { Double($0.microseconds) / Double($0.choices) }.sorted()
      // Of who has not played yet: between the mean, which one slow entrant makes, and the middle.
      let count = max(1, thinking.count)
      let mean = thinking.reduce(0, +) / Double(count)
      let middle = thinking.isEmpty ? 0 : (thinking[(count - 1) / 2] + thinking[count / 2]) / 2
      let unknown = (mean + middle) / 2
      let length = Double(max(1, costs.total.choices)) / Double(max(1, costs.total.games))
      paces = costs.thoughts.indices.map { entrant in
        let (thought, success) = (costs.thoughts[entrant], costs.successes[entrant])
        return Pace(
          microseconds: thought.choices > 0
            ? Double(thought.microseconds) / Double(thought.choices) : unknown,
          length: success.opponents == 0 ? length : max(1, success.lengths / Double(success.opponents)),
          // As if each had two draws besides, as one game says little.
          success: Double(success.lead) / Double(success.games + 2))
      }
    }

    /// How likely one wins against the other: three times of four the slower one where games say nothing.
    private func chance(_ one: EntrantIndex, _ other: EntrantIndex) -> Double {
      let (a, b) = (paces[one.index], paces[other.index])
      let slower = a.microseconds == b.microseconds ? 0 : a.microseconds > b.microseconds ? 1.0 : -1
      let odds = slower + Self.weight * (a.success - b.success)
      return 0.5 + odds / (1 + abs(odds)) / 2
    }

    /// What a game of these two takes, in milliseconds.
    private func cost(_ one: EntrantIndex, _ other: EntrantIndex) -> Double {
      let met = costs.meeting(one, other)
      if met.games > 0 { return Double(met.milliseconds) / Double(met.games) }
      let (a, b) = (paces[one.index], paces[other.index])
      return (a.length + b.length) / 2 * ((a.microseconds + b.microseconds) / 2 + overhead) / 1_000
    }

    private func sitters(_ side: Side, _ places: [Place]) -> Sitters {
      switch side {
      case .entrant(let entrant): [(entrant, 1)]
      case .winner(let place): places[place].winners
      case .loser(let place): places[place].losers
      case .anyone:
        // Some of many stand for all.
        stride(from: 0, to: paces.count, by: max(1, paces.count / 64)).map { (EntrantIndex(UInt16($0)), 1) }
      }
    }

    /// What comes of games.
    /// - Parameter places: what comes of those before.
    mutating func place(_ games: Games, after places: [Place]) -> Place {
      if case .winner(let before) = games.other, games.isRematch {
        var place = places[before]
        place.milliseconds *= place.upset
        return place
      }
      let areKnown = games.one != .anyone || games.other != .anyone
      if !areKnown, let amongAll { return amongAll }
      let place = meet(sitters(games.one, places), sitters(games.other, places))
      if !areKnown { amongAll = place }
      return place
    }

    private func meet(_ ones: Sitters, _ others: Sitters) -> Place {
      var (winners, losers, sum) = ([EntrantIndex: Double](), [EntrantIndex: Double](), 0.0)
      var (milliseconds, upset) = (0.0, 0.0)
      for (one, share) in ones {
        for (other, otherShare) in others where one != other {
          let both = share * otherShare
          let wins = both * chance(one, other)
          sum += both
          milliseconds += both * cost(one, other)
          upset += both - wins
          winners[one, default: 0] += wins
          losers[one, default: 0] += both - wins
          winners[other, default: 0] += both - wins
          losers[other, default: 0] += wins
        }
      }
      // Where both sides can only be one entrant, nobody plays.
      guard sum > 0 else { return Place(milliseconds: 0, winners: ones, losers: others, upset: 0) }
      return Place(
        milliseconds: milliseconds / sum, winners: Self.likeliest(winners), losers: Self.likeliest(losers),
        upset: upset / sum)
    }

    /// The likeliest of these, whose shares are one together.
    private static func likeliest(_ shares: [EntrantIndex: Double]) -> Sitters {
      // tidy: order does not matter because they are sorted
      let sorted: Sitters = shares.map { (who: $0.key, share: $0.value) }.sorted { a, b in
        a.share == b.share ? a.who < b.who : a.share > b.share
      }
      let chosen = sorted.prefix(most)
      let sum: Double = chosen.reduce(0) { $0 + $1.share }
      return chosen.map { (who: $0.who, share: $0.share / sum) }
    }
  }
}

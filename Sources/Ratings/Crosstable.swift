/// A finished game between two players.
package struct Duel<Player: Hashable & Comparable & Sendable>: Hashable, Sendable {
  /// Who moved first.
  package var first: Player
  /// Who moved second.
  package var second: Player
  /// How it ended for who moved first.
  package var result: Result

  /// How a game ended for one of its players.
  package enum Result: Hashable, Sendable {
    case won
    case drawn
    case lost
  }

  /// A game of these two.
  package init(first: Player, second: Player, result: Result) {
    self.first = first
    self.second = second
    self.result = result
  }

  /// The players in their order at the table.
  fileprivate var seats: (Player, Player) { (first, second) }
}

/// Who beat whom how often: whole numbers in one order, whatever the order of the games was.
///
/// All ratings are computed from it alone, so equal sets of games give ratings of equal bits. Games of a player against
/// itself say nothing of anybody's strength and are left out.
package struct Crosstable<Player: Hashable & Comparable & Sendable>: Hashable, Sendable {
  /// The players of games that count, ascending.
  package let players: [Player]
  /// The games of each two players in which one moved first, ascending by both.
  package let pairs: [Pair]

  /// The games of two players in which the same one moved first.
  package struct Pair: Hashable, Sendable {
    /// The places of the players among all.
    package let first: Int
    package let second: Int
    /// Games won, drawn and lost by who moved first.
    package fileprivate(set) var wins = 0
    package fileprivate(set) var draws = 0
    package fileprivate(set) var losses = 0

    /// How many games there are.
    var games: Double { Double(wins) + Double(draws) + Double(losses) }
    /// The points of who moved first.
    var points: Double { Double(wins) + Double(draws) / 2 }

    fileprivate init(first: Int, second: Int) {
      self.first = first
      self.second = second
    }
  }

  /// The table of these games, in any order.
  package init(_ duels: some Sequence<Duel<Player>>) {
    let games = duels.filter { $0.first != $0.second }.sorted { $0.seats < $1.seats }
    players = Self.distinct(games.map(\.first) + games.map(\.second))
    var places: [Player: Int] = [:]
    for (place, player) in players.enumerated() { places[player] = place }
    pairs = games.reduce(into: []) { pairs, game in
      guard let first = places[game.first], let second = places[game.second] else { return }
      if pairs.last?.first != first || pairs.last?.second != second {
        pairs.append(Pair(first: first, second: second))
      }
      switch game.result {
      case .won: pairs[pairs.count - 1].wins += 1
      case .drawn: pairs[pairs.count - 1].draws += 1
      case .lost: pairs[pairs.count - 1].losses += 1
      }
    }
  }

  private static func distinct(_ players: [Player]) -> [Player] {
    players.sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// What each player has done, by place.
  package var records: [PlayerRecord] {
    var records = players.map { _ in PlayerRecord() }
    for pair in pairs {
      records[pair.first].add(wins: pair.wins, draws: pair.draws, losses: pair.losses)
      records[pair.second].add(wins: pair.losses, draws: pair.draws, losses: pair.wins)
    }
    return records
  }
}

/// What a player has done in all games.
package struct PlayerRecord: Hashable, Sendable {
  package private(set) var wins = 0
  package private(set) var draws = 0
  package private(set) var losses = 0

  package var games: Int { wins + draws + losses }
  /// A point for each game won, half a point for each one drawn.
  package var points: Double { Double(wins) + Double(draws) / 2 }

  mutating func add(wins: Int, draws: Int, losses: Int) {
    self.wins += wins
    self.draws += draws
    self.losses += losses
  }
}

// MARK: - Who can be compared

extension Crosstable {
  /// The players by groups that no game connects with each other, as places, ascending.
  var groups: [[Int]] {
    var leader = Array(players.indices)
    func find(_ place: Int) -> Int {
      var place = place
      while leader[place] != place {
        leader[place] = leader[leader[place]]
        place = leader[place]
      }
      return place
    }
    for pair in pairs {
      let (one, other) = (find(pair.first), find(pair.second))
      leader[max(one, other)] = min(one, other)
    }
    var members = players.map { _ in [Int]() }
    for place in players.indices { members[find(place)].append(place) }
    return members.filter { !$0.isEmpty }
  }

  /// Whether each player of a group has taken points from each other one, directly or through others. Only then have
  /// ratings a most likely value that is finite (L. R. Ford 1957).
  func isBounded(_ group: [Int]) -> Bool {
    var tookFrom = players.map { _ in [Int]() }
    var gaveTo = tookFrom
    func add(_ winner: Int, _ loser: Int) {
      tookFrom[winner].append(loser)
      gaveTo[loser].append(winner)
    }
    for pair in pairs {
      if pair.wins > 0 || pair.draws > 0 { add(pair.first, pair.second) }
      if pair.losses > 0 || pair.draws > 0 { add(pair.second, pair.first) }
    }
    guard let start = group.first else { return true }
    return [tookFrom, gaveTo].allSatisfy { edges in
      var isReached = players.map { _ in false }
      isReached[start] = true
      var open = [start]
      var count = 1
      while let place = open.popLast() {
        for next in edges[place] where !isReached[next] {
          isReached[next] = true
          count += 1
          open.append(next)
        }
      }
      return count == group.count
    }
  }
}

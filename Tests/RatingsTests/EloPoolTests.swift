import Foundation
import Ratings
import TestKit
import Testing

/// Ratings of many players.
@Suite struct EloPoolTests {
  private static let has = ReferenceData.has("ratings")

  /// Ordo's ratings; its scale has 202 points where the expected score is 76 %.
  @Test(
    .enabled(if: has, "\(ReferenceData.absence)"),
    arguments: [("small4", false), ("gauntlet9", false), ("gauntlet9", true)])
  func ordo(_ name: String, advantage: Bool) throws {
    let pool = try #require(EloPool(Crosstable(try Duels.read(name)), advantage: advantage))
    try #require(pool.groups.count == 1)
    let theirs = try Self.ordo(name, advantage ? "ordo_-a0_-W_-D_csv" : "ordo_-a0_csv")
    let standings = pool.groups[0].standings
    #expect(!pool.groups[0].hasPrior)
    #expect(standings.count == theirs.count)
    let scale = 202 / Elo.points(ofScore: 0.76)
    for standing in standings {
      let rating = try #require(theirs[standing.player])
      #expect((standing.rating.points * scale - rating).magnitude < 0.0051, "\(standing.player)")
    }
    #expect(zip(standings, standings.dropFirst()).allSatisfy { $0.rating.points > $1.rating.points - 1e-6 })
  }

  private static func ordo(_ name: String, _ key: String) throws -> [String: Double] {
    let json = try JSONSerialization.jsonObject(
      with: Data(ReferenceData.lines("ratings/reference_ratings.json").joined(separator: "\n").utf8))
    let lines = ((json as? [String: Any])?[name] as? [String: Any])?[key] as? [String]
    var ratings: [String: Double] = [:]
    for line in try #require(lines).dropFirst() {
      let fields = line.replacing("\"", with: "").split(separator: ",").map(String.init)
      ratings[fields[1]] = Double(fields[2])
    }
    return ratings
  }

  /// Two players who know each other alone: their difference is that of the match, and so is its error, but for the
  /// curve between both ends of the interval.
  @Test func twoPlayers() throws {
    let pool = try #require(EloPool(Crosstable(Duels.between("a", "b", wins: 136, draws: 111, losses: 96))))
    let match = MatchStatistics(wins: 136, draws: 111, losses: 96)
    let standings = pool.groups[0].standings
    #expect(standings.map(\.player) == ["a", "b"])
    #expect((standings[0].rating.points - standings[1].rating.points - match.elo).magnitude < 1e-9)
    let error = try #require(standings[0].rating.error) + (try #require(standings[1].rating.error))
    #expect((error / (try #require(match.eloError)) - 1).magnitude < 0.005)
    #expect((try #require(standings[0].superiority) - match.superiority).magnitude < 0.001)
    #expect(standings[1].superiority == nil)
  }

  /// The sum of expected scores is that of the points, of each player: the condition of the largest likelihood.
  @Test func expectedPoints() throws {
    for seed in 0..<UInt64(Effort.size(200, quick: 30)) {
      var random = SeededGenerator(state: seed)
      let table = Crosstable(Duels.random(players: 8, games: 200, &random))
      let pool = try #require(EloPool(table))
      for group in pool.groups where !group.hasPrior { checkPoints(group, table) }
    }
  }

  private func checkPoints<Player>(_ group: EloPool<Player>.Group, _ table: Crosstable<Player>) {
    var surplus: [Player: Double] = [:]
    var ratings: [Player: Double] = [:]
    for standing in group.standings {
      ratings[standing.player] = standing.rating.points
      surplus[standing.player] = standing.record.points
    }
    for pair in table.pairs {
      let (first, second) = (table.players[pair.first], table.players[pair.second])
      guard let one = ratings[first], let other = ratings[second] else { continue }
      let games = Double(pair.wins + pair.draws + pair.losses)
      surplus[first, default: 0] -= games * Elo.expectedScore(of: one - other)
      surplus[second, default: 0] -= games * Elo.expectedScore(of: other - one)
    }
    #expect(surplus.values.allSatisfy { $0.magnitude < 1e-8 })
    #expect(ratings.values.reduce(0, +).magnitude < 1e-8)
  }

  /// More players than a matrix is factored for: the same condition, and errors close to those of the same games with
  /// fewer players.
  @Test func manyPlayers() throws {
    func circle(_ players: Int) -> [Duel<Int>] {
      (0..<players).flatMap { one in
        (1...8).flatMap { distance in
          let other = (one + distance * distance) % players
          let results: [Duel<Int>.Result] = [.won, (one + distance) % 3 == 0 ? .drawn : .lost]
          return results.map { Duel(first: one, second: other, result: $0) }
        }
      }
    }
    var errors: [Double] = []
    for players in [120, 480] {
      var games = circle(players)
      let table = Crosstable(games)
      let pool = try #require(EloPool(table))
      try #require(pool.groups.count == 1 && !pool.groups[0].hasPrior)
      checkPoints(pool.groups[0], table)
      errors.append(pool.groups[0].standings.compactMap(\.rating.error).reduce(0, +) / Double(players))
      var random = SeededGenerator(state: 1)
      games.shuffle(using: &random)
      #expect(EloPool(Crosstable(games)) == pool)
    }
    #expect((errors[0] / errors[1] - 1).magnitude < 0.05, "\(errors)")
  }

  @Test func movingFirst() throws {
    // Equal players, of whom who moves first wins two of three games.
    let games = ["ab", "ba", "bc", "cb", "ca", "ac"].flatMap { pair -> [Duel<String>] in
      let (one, other) = (String(pair.prefix(1)), String(pair.suffix(1)))
      return [.won, .won, .lost].map { Duel(first: one, second: other, result: $0) }
    }
    let group = try #require(EloPool(Crosstable(games), advantage: true)).groups[0]
    let advantage = try #require(group.advantage)
    #expect((advantage.points - Elo.points(ofScore: 2.0 / 3)).magnitude < 1e-9)
    #expect(try #require(advantage.error) > 0)
    #expect(group.standings.allSatisfy { $0.rating.points.magnitude < 1e-9 })
    // Where moving first always wins, its worth has no bound of its own.
    let always = ["ab", "ba"].flatMap { pair in
      [Duel(first: String(pair.prefix(1)), second: String(pair.suffix(1)), result: .won)]
    }
    let bounded = try #require(EloPool(Crosstable(always), advantage: true)).groups[0]
    #expect(bounded.hasPrior)
    #expect(try #require(bounded.advantage).points > 100)
  }

  @Test func groupsThatNobodyConnects() throws {
    let games =
      Duels.between("x", "y", wins: 1, losses: 1) + Duels.between("a", "b", wins: 2, losses: 1)
      + Duels.between("b", "c", wins: 2)
    let pool = try #require(EloPool(Crosstable(games)))
    #expect(pool.groups.map { $0.standings.map(\.player) } == [["a", "b", "c"], ["x", "y"]])
    #expect(pool.groups.map(\.hasPrior) == [true, false])
  }

  /// Who has won all has no most likely rating; the prior bounds it, and in that group alone.
  @Test func allGamesWon() throws {
    let group = try #require(EloPool(Crosstable(Duels.between("a", "b", wins: 10)))).groups[0]
    #expect(group.hasPrior)
    // ln(x) of each is where ten games of one's surplus and the pull of the drawn game are equal.
    let difference = group.standings[0].rating.points - group.standings[1].rating.points
    #expect(difference > 400 && difference < 800)
    let surplus = 10 * (1 - Elo.expectedScore(of: difference))
    #expect((surplus - (Elo.expectedScore(of: difference / 2) - 0.5)).magnitude < 1e-9)
    #expect(group.standings[0].rating.error ?? 0 > 100)
  }

  @Test func nothingVaried() throws {
    let drawn = try #require(EloPool(Crosstable(Duels.between("a", "b", draws: 10)))).groups[0]
    #expect(drawn.standings.map(\.rating.points) == [0, 0])
    #expect(drawn.standings.allSatisfy { $0.rating.error == nil })
    #expect(drawn.standings[0].superiority == 0.5)
    #expect(try #require(EloPool(Crosstable([Duel<String>]()))).groups.isEmpty)
    let alone = [Duel(first: "a", second: "a", result: .won)]
    #expect(try #require(EloPool(Crosstable(alone))).groups.isEmpty)
  }

  /// More players than are ever rated are refused; chains, stars and lopsided scores are not.
  @Test func hostileTables() throws {
    let chain = (0..<60).map { Duel(first: $0, second: $0 + 1, result: .won) }
    let group = try #require(EloPool(Crosstable(chain), advantage: true)).groups[0]
    #expect(group.standings.allSatisfy { $0.rating.points.isFinite && $0.rating.error?.isFinite != false })
    let star = (1...EloPool<Int>.limitPlayers).map { Duel(first: 0, second: $0, result: .won) }
    #expect(EloPool(Crosstable(star)) == nil)
    let lopsided =
      Array(repeating: Duel(first: 1, second: 0, result: .won), count: 100_000)
      + [Duel(first: 0, second: 1, result: .won)]
    let two = try #require(EloPool(Crosstable(lopsided))).groups[0]
    #expect(!two.hasPrior)
    let difference = two.standings[0].rating.points - two.standings[1].rating.points
    #expect((difference - 2000).magnitude < 0.01)
  }

  /// The same bits for the same games in whatever order.
  @Test func order() throws {
    for seed in 0..<UInt64(Effort.size(50, quick: 20)) {
      var random = SeededGenerator(state: seed)
      var games = Duels.random(players: 2 + Int(seed % 9), games: 60, &random)
      let table = Crosstable(games)
      let pools = [false, true].map { EloPool(table, advantage: $0) }
      var glicko = Glicko2<String>()
      glicko.take(table)
      for _ in 0..<4 {
        games.shuffle(using: &random)
        let shuffled = Crosstable(games)
        #expect(shuffled == table)
        #expect([false, true].map { EloPool(shuffled, advantage: $0) } == pools)
        var other = Glicko2<String>()
        other.take(shuffled)
        #expect(other == glicko)
      }
    }
  }
}

import Games
import Rules
import TestKit
import Testing

@Suite struct PrisonersDilemmaChanceTests {
  private func rules(_ settings: [(String, String)]) throws(RulesError) -> PrisonersDilemma {
    var parameters = Parameters()
    for (name, value) in settings { parameters[name] = value }
    return try PrisonersDilemma(parameters)
  }

  /// Rounds of the same two choices, each with a chance of its own, until the game is over.
  private func played(
    _ rules: PrisonersDilemma, _ codes: [UInt32], seed: UInt64
  ) -> (game: GameOf<PrisonersDilemma>, turned: [Int], rounds: Int) {
    var game = GameOf(rules: rules, position: rules.start(first: Seat(0)))
    var turned = [0, 0]
    var rounds = 0
    var seeds = Chance(seed: seed)
    while game.resolve(codes.map { MoveCode($0) }, by: Chance(seed: seeds.next())) {
      rounds += 1
      for seat in 0..<2 where game.position.wasTurned(Seat(UInt16(seat))) { turned[seat] += 1 }
    }
    return (game, turned, rounds)
  }

  /// The reference: SplitMix64 of the seed 1234567, as its authors' program prints it.
  @Test func chanceIsSplitMix64() {
    var chance = Chance(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in chance.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func withoutNoiseOrEndingChanceChangesNothing() throws {
    let rules = try rules([("rounds", "20")])
    #expect(!rules.usesChance)
    let games = (0..<10).map { played(rules, [0, 1], seed: $0).game }
    #expect(games.allSatisfy { $0 == games[0] } && games[0].position.scores == [-20, 60])
  }

  /// 20 games of 1,000 rounds: 20,000 choices of each seat, of which 10 in 100 are turned. The deviation of that count
  /// is 42, and a count more than 5 of them away would come once in a million seeds.
  @Test func noiseTurnsAsManyChoicesAsItSays() throws {
    let rules = try rules([("rounds", "1000"), ("noise", "100")])
    var turned = [0, 0]
    for seed in 0..<20 as Range<UInt64> {
      let game = played(rules, [0, 1], seed: seed)
      for seat in 0..<2 { turned[seat] += game.turned[seat] }
      let position = game.game.position
      #expect(position.history(of: Seat(0)).defections == game.turned[0])
      #expect(position.history(of: Seat(1)).defections == 1000 - game.turned[1])
      let total = position.scores.map { Int($0) }.reduce(0, +)
      // Of both seats together: 4 for two who cooperate, 2 for one, 0 for none.
      let cooperations = 2000 - [Seat(0), Seat(1)].map { position.history(of: $0).defections }.reduce(0, +)
      #expect(total == 2 * cooperations)
    }
    for seat in 0..<2 { #expect(abs(turned[seat] - 2000) < 210, "\(turned)") }
  }

  /// The number of rounds is geometric with mean 20; of 2,000 games the mean's deviation is 0.44.
  @Test func endingEndsAsOftenAsItSays() throws {
    let rules = try rules([("rounds", "1000"), ("ending", "50")])
    let lengths = (0..<2000).map { played(rules, [0, 0], seed: UInt64($0)).rounds }
    #expect(abs(lengths.reduce(0, +) - 40_000) < 4_400, "\(lengths.reduce(0, +))")
    #expect(lengths.min() == 1 && lengths.count { $0 == 1 } > 50)
    let sure = try self.rules([("ending", "1000")])
    #expect(played(sure, [0, 0], seed: 1).rounds == 1)
  }

  @Test func aGameThatChanceMayEndStillHasAMost() throws {
    let rules = try rules([("rounds", "3"), ("ending", "1")])
    #expect((0..<50).map { played(rules, [1, 1], seed: UInt64($0)).rounds }.max() == 3)
  }

  @Test func aForfeitCountsTheRoundsThatAreToBeExpected() throws {
    func loss(_ settings: [(String, String)]) throws -> [Int32] {
      let rules = try rules(settings)
      return rules.forfeit(by: Seat(0), in: rules.start(first: Seat(0))).scores
    }
    #expect(try loss([("rounds", "100")]) == [-100, 300])
    #expect(try loss([("rounds", "100"), ("ending", "300")]) == [-4, 12])
    #expect(try loss([("rounds", "2"), ("ending", "300")]) == [-2, 6])
  }

  @Test func whatChanceDidIsInTheBytesAndInThePicture() throws {
    let rules = try rules([("noise", "500"), ("ending", "500")])
    var seen: Set<UInt8> = []
    for seed in 0..<200 as Range<UInt64> {
      var game = GameOf(rules: rules, position: rules.start(first: Seat(0)))
      let isPlayed = game.resolve([MoveCode(0), MoveCode(0)], by: Chance(seed: seed))
      #expect(isPlayed)
      let bits = game.encoded[game.encoded.count - 1]
      seen.insert(bits)
      let words = game.diagram.lines.map { $0.text() }
      #expect(words[0].contains("chance ended the game") == (bits & 4 != 0))
      #expect(words[2].contains("seat 1 defected by noise") == (bits & 1 != 0))
      #expect(words[2].contains("seat 2 cooperated") == (bits & 2 == 0))
    }
    #expect(seen == Set(0...7))
  }
}

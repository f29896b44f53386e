import BotKit
import Foundation
import Games
import MemoryMatchBots
import Rules
import TestKit
import Testing

/// The bot that remembers: its strategy beside published values, and that memory is worth something.
@Suite struct MemoryBotTests {
  private struct Published: Decodable {
    let value: Double
    let move: String?
  }

  @Test(.enabled(if: ReferenceData.has("perft/memory_match_optimal.json"), "\(ReferenceData.absence)"))
  func strategyIsOptimal() throws {
    let text = try ReferenceData.lines("perft/memory_match_optimal.json").joined(separator: "\n")
    let published = try JSONDecoder().decode([String: Published].self, from: Data(text.utf8))
    #expect(published.count > 100)
    for (state, value) in published {
      let numbers = state.split(separator: ",").compactMap { Int($0) }
      try #require(numbers.count == 2)
      let best = MemoryStrategy.best(pairs: numbers[0], known: numbers[1])
      #expect(abs(best.value - value.value) < 1e-9, "state \(state)")
      if let move = value.move { #expect("\(best.newCards)" == move, "state \(state)") }
    }
  }

  /// Two pairs by hand: none known, the second card is new too, and it is two thirds of a pair to the worse.
  @Test func strategyOfTwoPairs() {
    #expect(abs(MemoryStrategy.best(pairs: 2, known: 0).value + 2.0 / 3) < 1e-15)
    #expect(MemoryStrategy.best(pairs: 2, known: 1).newCards == 2)
    #expect(MemoryStrategy.best(pairs: 2, known: 2).value == 2)
  }

  private func score(_ a: String, _ b: String, games: Int) throws -> (Int, Int) {
    let rules = try MemoryMatch(sixteen)
    let bots = try [a, b].map { try BotCatalog(MemoryMatchBots.families).bot($0, for: erased(rules)) }
    var scores = (0, 0)
    for number in 0..<games {
      var game = GameOf(rules: rules, position: rules.start(first: Seat(UInt16(number % 2))))
      var chance = RandomStream(seed: UInt64(number))
      var ply: UInt32 = 0
      while game.turn.outcome == nil {
        if case .seat(let seat) = game.turn {
          let source = RandomSource(seed: UInt64(number), seat: seat, ply: ply)
          let choice = try bots[seat.index].choose(BotTurn(game: game, seat: seat, randomness: source))
          let isPlayed = game.play(choice.code)
          #expect(isPlayed)
        } else {
          let isDrawn = game.resolve([.none, .none], by: Chance(seed: chance.next()))
          #expect(isDrawn)
        }
        ply += 1
      }
      let outcome = try #require(game.turn.outcome)
      scores.0 += Int(outcome.scores[0])
      scores.1 += Int(outcome.scores[1])
    }
    return scores
  }

  private func erased(_ rules: MemoryMatch) throws -> any GameRules {
    try GameDefinition(MemoryMatch.self).rules(rules.parameters)
  }

  private var sixteen: Parameters {
    var parameters = Parameters()
    parameters["cards"] = "16"
    return parameters
  }

  @Test func moreMemoryWins() throws {
    let games = 200
    let (all, some) = try score("memory", "memory:4", games: games)
    #expect(all > some)
    let (four, none) = try score("memory:4", "memory:0", games: games)
    #expect(four > none)
  }

  @Test func higherLevelsRememberMore() throws {
    for (high, low) in [(4, 1), (7, 4), (10, 7)] {
      let (more, less) = try score("level:\(high)", "level:\(low)", games: 200)
      #expect(more > less, "level \(high) beside \(low)")
    }
  }

  /// A pair that was just seen is taken by who forgets nothing, and by a level mostly; a turn asked again is the same.
  @Test func aLevelIsNotSureOfItsCards() throws {
    let rules = try MemoryMatch(sixteen)
    var game = GameOf(rules: rules, position: rules.start(first: Seat(0)))
    var chance = RandomStream(seed: 1)
    var pair: [MoveCode] = []
    while pair.isEmpty {
      guard case .seat(let seat) = game.turn else {
        let isDrawn = game.resolve([.none, .none], by: Chance(seed: chance.next()))
        #expect(isDrawn)
        continue
      }
      let last = game.position.cardsSeen.suffix(4)
      let partners = last.filter { card in
        last.contains { $0 != card && game.position.face(of: $0) == game.position.face(of: card) }
      }
      if partners.count == 2, game.position.firstUp == nil {
        pair = partners.map { rules.code(of: $0) }
      } else {
        let moves = game.legalMoves(of: seat)
        let isPlayed = game.play(moves[Int(chance.below(UInt64(moves.count)))])
        #expect(isPlayed)
      }
    }
    let taken = try ["memory", "level:5"].map { name in
      let bot = try BotCatalog(MemoryMatchBots.families).bot(name, for: try erased(rules))
      return try (0..<UInt64(100)).count { seed in
        let source = RandomSource(seed: seed, seat: game.position.mover, ply: 0)
        let turn = BotTurn(game: game, seat: game.position.mover, randomness: source)
        let choice = try bot.choose(turn)
        #expect(try bot.choose(turn) == choice)
        return pair.contains(choice.code)
      }
    }
    #expect(taken[0] == 100 && (40..<95).contains(taken[1]), "\(taken)")
  }

  @Test(
    arguments: ["memory:", "memory:101", "memory:-1", "memory:04", "memory:x"]
      + ["level", "level:", "level:0", "level:11", "level:03", "level:x"])
  func refusesBadMemories(_ specification: String) throws {
    #expect(throws: BotError.self) {
      try BotCatalog(MemoryMatchBots.families).bot(specification, for: try erased(MemoryMatch(Parameters())))
    }
  }
}

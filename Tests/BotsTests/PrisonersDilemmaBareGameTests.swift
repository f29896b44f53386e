import BotKit
import Games
import PrisonersDilemmaBots
import Rules
import Testing

/// Games that are played without a log.
@Suite struct PrisonersDilemmaBareGameTests {
  private func game(_ settings: KeyValuePairs<String, String>) throws -> PrisonersDilemma {
    var parameters = Parameters()
    for (name, value) in settings { parameters[name] = value }
    return try PrisonersDilemma(parameters)
  }

  /// Without noise each strategy plays move for move as its bot does at the same place.
  @Test(arguments: ["random", "prober", "grudger", "remorseful-prober", "alternator", "bully"])
  func asTheBotsPlay(other name: String) throws {
    let game = try game(["rounds": "60", "payoffs": "axelrod"])
    let other = try #require(Strategy.all.first { $0.name == name })
    for strategy in Strategy.all {
      let place = RandomSource(seed: 7, game: 3, seat: Seat(0), ply: 0)
      let position = BarePlayer(strategy, in: game).play(BarePlayer(other, in: game), at: place)
      let match = try PrisonersDilemmaMatch(.bot(strategy.name), .bot(name), rounds: 60, seed: 7, number: 3)
      let letters = [Seat(0), Seat(1)].map { seat in
        (0..<60).map { position.history(of: seat)[$0] == .cooperate ? "C" : "D" }.joined()
      }
      #expect(letters == match.letters, "\(strategy.name)")
      #expect(position.scores == match.scores)
    }
  }

  /// Noise turns as many choices as it should, the end comes by chance, and both follow from the place.
  @Test func noiseAndTheEndFollowFromThePlace() throws {
    let game = try game(["rounds": "1000", "noise": "100"])
    let strategy = try #require(Strategy.all.first { $0.name == "cooperator" })
    let cooperator = BarePlayer(strategy, in: game)
    let place = RandomSource(seed: 7, game: 3, seat: Seat(0), ply: 0)
    let position = cooperator.play(cooperator, at: place)
    for seat in [Seat(0), Seat(1)] {
      // Five standard deviations of 100.
      #expect((52...148).contains(position.history(of: seat).defections))
    }
    #expect(position == cooperator.play(cooperator, at: place))
    var other = place
    other.game = 4
    #expect(position != cooperator.play(cooperator, at: other))
    let short = try self.game(["rounds": "1000", "ending": "100"])
    let player = BarePlayer(strategy, in: short)
    let lengths = (0..<100 as Range<UInt32>).map { number in
      let place = RandomSource(seed: 7, game: number, seat: Seat(0), ply: 0)
      return player.play(player, at: place).roundsPlayed
    }
    #expect((500...1_500).contains(lengths.reduce(0, +)) && Set(lengths).count > 10)
  }
}

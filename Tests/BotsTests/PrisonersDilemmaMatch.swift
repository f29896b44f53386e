import BotKit
import Games
import PrisonersDilemmaBots
import Rules

/// A game of the prisoner's dilemma between two players, written out.
struct PrisonersDilemmaMatch {
  /// Who chooses for a seat.
  enum Player {
    /// The bot of this specification.
    case bot(String)
    /// These choices, one letter a round.
    case letters(String)
  }

  /// Each seat's choices as letters.
  private(set) var letters = ["", ""]
  /// Each seat's score.
  private(set) var scores: [Int32] = [0, 0]

  /// How many times a seat cooperated.
  func cooperations(of seat: Int) -> Int { letters[seat].utf8.count { $0 == 0x43 } }

  /// Plays a game.
  init(
    _ first: Player, _ second: Player, rounds: Int = 200, payoffs: String = "axelrod", seed: UInt64 = 1,
    number: UInt32 = 0
  ) throws {
    let rules = try Self.rules(rounds: rounds, payoffs: payoffs)
    let deciders = try [first, second].map { try Self.decider($0, rules) }
    var game = rules.start(first: Seat(0))
    for ply in 0..<UInt32(rounds) {
      let codes = try [Seat(0), Seat(1)].map { seat in
        let randomness = RandomSource(seed: seed, game: number, seat: seat, ply: ply)
        return try deciders[seat.index](BotTurn(game: game, seat: seat, randomness: randomness))
      }
      guard game.resolve(codes, by: .none) else { throw RulesError.unknownGame("round \(ply) was refused") }
      for (seat, code) in codes.enumerated() { letters[seat] += game.text(of: code) }
    }
    scores = game.turn.outcome?.scores ?? []
  }

  /// The rules with these settings.
  static func rules(rounds: Int, payoffs: String = "axelrod") throws -> any GameRules {
    var parameters = Parameters()
    parameters["rounds"] = "\(rounds)"
    parameters["payoffs"] = payoffs
    return try GameDefinition(PrisonersDilemma.self).rules(parameters)
  }

  private static func decider(
    _ player: Player, _ rules: any GameRules
  ) throws -> (BotTurn) throws -> MoveCode {
    switch player {
    case .bot(let specification):
      let bot = try BotCatalog(PrisonersDilemmaBots.families).bot(specification, for: rules)
      return { try bot.choose($0).code }
    case .letters(let text):
      let letters = Array(text.utf8)
      return { MoveCode(letters[Int($0.randomness.ply)] == 0x43 ? 0 : 1) }
    }
  }
}

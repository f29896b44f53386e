package import BotKit
package import Games
import Rules

extension Strategy {
  /// The strategy that a bot follows; `nil` for bots that follow none of these.
  package init?(of bot: any Bot) {
    guard let bot = bot as? StrategyBot else { return nil }
    self = bot.strategy
  }
}

/// A strategy that plays whole games of these settings without a log: nothing is signed or stored.
package struct BarePlayer: Sendable {
  /// The strategy.
  package let strategy: Strategy
  private let game: PrisonersDilemma
  /// What it chooses first, and then after each outcome of the last round, where that is all that it goes by.
  private let answers: [Strategy.Choice]?

  /// - Parameter game: what all its games are.
  package init(_ strategy: Strategy, in game: PrisonersDilemma) {
    self.strategy = strategy
    self.game = game
    answers = Self.answers(of: strategy, in: game)
  }

  /// Plays a game against another strategy.
  ///
  /// What strategies draw is what bots draw at the same place. Noise and the end, which seats of a logged game draw
  /// together, follow from the place alone.
  /// - Parameters:
  ///   - other: a player of the same settings.
  ///   - place: the game's place; its seat and ply do not matter.
  package func play(_ other: BarePlayer, at place: RandomSource) -> PrisonersDilemma.Position {
    precondition(game == other.game, "players of \(game) and \(other.game)")
    var source = place
    (source.seat, source.ply) = (Seat(2), 0)
    var numbers = source.generator()
    var chance = Chance(seed: numbers.next())
    var position = game.start(first: Seat(0))
    if let one = answers, let two = other.answers {
      var (choice0, choice1) = (one[0], two[0])
      while !game.isOver(position) {
        game.play(choice0, choice1, by: &chance, in: &position)
        let outcome = (own: Int(choice0.rawValue), other: Int(choice1.rawValue))
        (choice0, choice1) = (
          one[1 + 2 * outcome.own + outcome.other], two[1 + 2 * outcome.other + outcome.own]
        )
      }
      return position
    }
    var (one, two) = (Chooser(strategy, Seat(0), place), Chooser(other.strategy, Seat(1), place))
    while !game.isOver(position) {
      let (history0, history1) = (position.history(of: Seat(0)), position.history(of: Seat(1)))
      let round = history0.count
      let choice0 = one.choose(Past(own: history0, other: history1, before: round, in: game))
      let choice1 = two.choose(Past(own: history1, other: history0, before: round, in: game))
      game.play(choice0, choice1, by: &chance, in: &position)
    }
    return position
  }

  /// Asks a strategy that looks back one round at the most and draws nothing.
  ///
  /// With noise what counted may be what it never chooses itself, and one that goes by the number of the round answers
  /// otherwise a round later: those are asked in each round.
  private static func answers(of strategy: Strategy, in game: PrisonersDilemma) -> [Strategy.Choice]? {
    guard let memory = strategy.memory, memory <= 1, !strategy.isStochastic, game.noise == 0,
      case .direct(let choose) = strategy.decision
    else { return nil }
    func answer(_ outcomes: [(Strategy.Choice, Strategy.Choice)]) -> Strategy.Choice {
      var position = game.start(first: Seat(0))
      var (chance, random) = (Chance.none, RandomStream(seed: 0))
      for (own, other) in outcomes { game.play(own, other, by: &chance, in: &position) }
      let (own, other) = (position.history(of: Seat(0)), position.history(of: Seat(1)))
      return choose(Past(own: own, other: other, before: own.count, in: game), &random)
    }
    let outcomes = Strategy.Choice.allCases.flatMap { own in Strategy.Choice.allCases.map { (own, $0) } }
    let answers = outcomes.map { answer([$0]) }
    guard answers == outcomes.map({ answer([(.cooperate, .cooperate), $0]) }) else { return nil }
    return [answer([])] + answers
  }

  /// One seat of a game that is played from its first round to its last.
  private struct Chooser {
    private let strategy: Strategy
    private var player: (any Player)?
    private var source: RandomSource

    init(_ strategy: Strategy, _ seat: Seat, _ place: RandomSource) {
      self.strategy = strategy
      if case .carried(let start) = strategy.decision { player = start() }
      source = place
      source.seat = seat
    }

    mutating func choose(_ past: Past) -> Strategy.Choice {
      source.ply = UInt32(past.rounds)
      var random = strategy.isStochastic ? source.generator() : RandomStream(seed: 0)
      switch strategy.decision {
      case .direct(let choose): return choose(past, &random)
      case .carried(let start):
        var player = player ?? start()
        defer { self.player = player }
        return player.choose(past, &random)
      }
    }
  }
}

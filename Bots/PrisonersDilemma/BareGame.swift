package import BotKit
package import Games
import Rules

extension Strategy {
  /// The strategy that a bot follows; `nil` for bots that follow none of these.
  package init?(of bot: any Bot) {
    guard let bot = bot as? StrategyBot else { return nil }
    self = bot.strategy
  }

  /// Plays a whole game against another strategy without a log: nothing is signed or stored.
  ///
  /// What strategies draw is what bots draw at the same place. Noise and the end, which seats of a logged game draw
  /// together, follow from the place alone.
  /// - Parameter place: the game's place; its seat and ply do not matter.
  package func play(
    _ other: Strategy, in game: PrisonersDilemma, at place: RandomSource
  ) -> PrisonersDilemma.Position {
    var position = game.start(first: Seat(0))
    var (one, two) = (Chooser(self, Seat(0), place), Chooser(other, Seat(1), place))
    var source = place
    (source.seat, source.ply) = (Seat(2), 0)
    var numbers = source.generator()
    var chance = Chance(seed: numbers.next())
    while !game.isOver(position) {
      let (history0, history1) = (position.history(of: Seat(0)), position.history(of: Seat(1)))
      let round = history0.count
      let choice0 = one.choose(Past(own: history0, other: history1, before: round, in: game))
      let choice1 = two.choose(Past(own: history1, other: history0, before: round, in: game))
      game.play(choice0, choice1, by: &chance, in: &position)
    }
    return position
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

    mutating func choose(_ past: Past) -> Choice {
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

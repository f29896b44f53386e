import BotKit
import Games
import Rules
import Synchronization

/// A bot that follows one strategy of the iterated prisoner's dilemma.
struct StrategyBot: Bot {
  let strategy: Strategy
  /// Where the strategy stands in the game that it last chose in. It saves work, and changes no choice.
  private let progress = Progress()

  init(strategy: Strategy) { self.strategy = strategy }

  var declaration: BotDeclaration {
    BotDeclaration(specification: strategy.name, version: 1, nodeBudget: 0)
  }

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
    guard !turn.isCancelled() else { throw .cancelled }
    guard let game = turn.game as? ViewOf<PrisonersDilemma>, turn.seat.index < game.seats else {
      throw .wrongGame(bot: strategy.name, game: "this game", players: [])
    }
    let own = game.view.history(of: turn.seat)
    let other = game.view.history(of: turn.seat.opponent)
    let past = Past(own: own, other: other, before: own.count, in: game.rules)
    switch strategy.decision {
    case .direct(let choose):
      // Most draw nothing, and a generator costs more than most choices.
      var random = strategy.isStochastic ? turn.randomness.generator() : RandomStream(seed: 0)
      return BotChoice(game.rules.code(of: choose(past, &random)))
    case .carried(let start):
      let moment = Moment(own: own, other: other, game: game.rules, randomness: turn.randomness)
      return BotChoice(game.rules.code(of: progress.choice(at: moment, from: start)))
    }
  }
}

/// What a choice follows from.
private struct Moment {
  let own: PrisonersDilemma.History
  let other: PrisonersDilemma.History
  let game: PrisonersDilemma
  let randomness: RandomSource

  /// What the strategy saw and drew in a round.
  func past(before round: Int) -> Past { Past(own: own, other: other, before: round, in: game) }
  func numbers(of round: Int) -> RandomStream {
    var source = randomness
    source.ply = UInt32(round)
    return source.generator()
  }

  /// Whether the same game came by an earlier moment.
  func follows(_ earlier: Moment) -> Bool {
    var source = earlier.randomness
    source.ply = randomness.ply
    return source == randomness && game == earlier.game && own.starts(with: earlier.own)
      && other.starts(with: earlier.other)
  }
}

/// A player and the moment that it is about to choose at: from there on it need not go through the rounds again.
private final class Progress: Sendable {
  private let reached = Mutex<(player: any Player, at: Moment)?>(nil)

  /// Lets a player choose in all rounds up to this one, and gives its last choice.
  func choice(at moment: Moment, from start: @Sendable () -> any Player) -> Strategy.Choice {
    var player = start()
    var round = 0
    if let known = reached.withLock({ $0 }), moment.follows(known.at) {
      player = known.player
      round = known.at.own.count
    }
    while round < moment.own.count {
      var random = moment.numbers(of: round)
      _ = player.choose(moment.past(before: round), &random)
      round += 1
    }
    reached.withLock { [player] in $0 = (player, moment) }
    var random = moment.numbers(of: round)
    return player.choose(moment.past(before: round), &random)
  }
}

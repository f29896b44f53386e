import BotKit
import Events
import Games
import Peer
import Rules

/// Finds what the strongest bot would play that answers within a second.
struct Adviser: Sendable {
  /// What a bot would play.
  struct Advice: Sendable {
    let bot: String
    let code: MoveCode
  }

  private static let limit = Duration.seconds(1)
  /// Games in which random games tell more than a search: of twenty against a search of six plies this bot won
  /// seventeen and lost none. At Othello, gomoku and k-in-a-row the searches beat it.
  private static let sampled = [UltimateTicTacToe.name: "monte-carlo:20000"]
  /// Bots that search, the weaker ones first.
  private static let searches = (1...10).map { "lookahead:\(2 * $0)" }
  /// Bots for games that are not searched.
  private static let others = ["memory", "tit-for-tat"]

  let household: Household
  let rules: any GameRules

  /// What a turn's seat could play.
  ///
  /// Whoever proves its moves, or knows the game best, has half of the time; then one search follows another, each
  /// deeper, and the last that ends in time is heard. The first of them has as long as it takes.
  /// - Returns: `nil` when it was asked to stop.
  /// - Throws: `PeerError.notAllowed` where no such bot plays the game.
  func advice(_ turn: BotTurn, isCancelled: @escaping @Sendable () -> Bool) throws -> Advice? {
    let start = ContinuousClock.now
    func ask(_ name: String, within limit: Duration?) throws -> BotChoice? {
      let bot: any Bot
      do throws(BotError) { bot = try household.bots.bot(name, for: rules) } catch { return nil }
      var turn = turn
      turn.isCancelled = { isCancelled() || limit.map { start.duration(to: .now) > $0 } ?? false }
      guard case .choice(let choice) = try household.think(bot, turn) else { return nil }
      return choice
    }
    let (first, mustProve) = Self.sampled[rules.definition.name].map { ($0, false) } ?? ("solver", true)
    if let choice = try ask(first, within: Self.limit / 2), !mustProve || choice.note?.isProven == true {
      return Advice(bot: first, code: choice.code)
    }
    var best: Advice?
    for name in Self.searches + Self.others {
      guard let choice = try ask(name, within: best == nil ? nil : Self.limit) else {
        if best == nil, !isCancelled() { continue }
        break
      }
      best = Advice(bot: name, code: choice.code)
      if choice.note?.isProven == true { break }
    }
    guard best != nil || isCancelled() else {
      throw PeerError.notAllowed("no bot that could give a hint plays this game")
    }
    return isCancelled() ? nil : best
  }
}

import BotKit
import EventLog
import Events
import Games
import MemoryMatchBots
import Peer
import PrisonersDilemmaBots
import Projection
import Rules
import SearchBots
import Tournaments

/// A bot that says it is another one.
struct Smuggler: Bot {
  let declaration: BotDeclaration
  let chooses: @Sendable (BotTurn) throws(BotError) -> BotChoice

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice { try chooses(turn) }
}

enum Audits {
  /// The bots of the program.
  static let bots = BotCatalog(SearchBots.families + PrisonersDilemmaBots.families + MemoryMatchBots.families)

  /// A family of the name `smuggler`.
  static func family(_ build: @escaping @Sendable (any GameRules) throws(BotError) -> Smuggler) -> BotFamily {
    BotFamily(name: "smuggler", summary: "says that it is another bot", plays: { _ in true }) {
      (rules, _) throws(BotError) in try build(rules)
    }
  }

  /// A family whose bot is greedy and declares this.
  static func greedy(declaring declaration: BotDeclaration) -> BotFamily {
    family { (rules) throws(BotError) in
      let greedy = try bots.bot("greedy", for: rules)
      return Smuggler(declaration: declaration) { (turn) throws(BotError) in try greedy.choose(turn) }
    }
  }
}

extension Household {
  /// Audits a stored room by the program's bots.
  /// - Parameter knowsTournaments: whether tournaments are looked for in the log.
  func audit(
    _ room: RoomID, by bots: BotCatalog = Audits.bots, knowsTournaments: Bool = true,
    patience: BotAudit.Patience = .init(limitMilliseconds: 1, elapsed: { 0 }), onMove: () -> Void = {}
  ) throws -> BotAudit? {
    let log = try log.load(room, verify: true)
    var projection = try log.projection(games)
    let state = projection.state
    let occasion = try Session.Occasion.read(log, state) { (id) throws(LogError) in
      knowsTournaments ? try self.log.tournament(byWords: id, games) : nil
    }
    return BotAudit(
      log.events, state, rules: state.phase.isKnown ? try rules(of: state.create) : nil, bots: bots,
      occasion: occasion, patience: patience, onMove: onMove)
  }
}

internal import Events
internal import Peer
internal import Projection
internal import Rules
internal import Service

/// What is known of a game that a client opens before anything is written.
struct TableStart {
  let rules: any GameRules
  /// The position from which it goes on.
  let point: BranchPoint?
  let order: TableRequest.Order
  /// Who may see it, where the client does not say so.
  let scope: Scope

  /// A game by its name and settings.
  init(_ new: TableRequest.NewTable, _ games: GameCatalog) throws(ServiceError) {
    guard let definition = games.newest(new.game) else {
      throw .refused(RulesError.unknownGame(new.game).description)
    }
    var parameters = Parameters()
    for setting in new.settings { parameters[setting.name] = setting.value }
    do throws(RulesError) { rules = try definition.rules(parameters) } catch {
      throw .refused(error.description)
    }
    (point, order, scope) = (nil, new.order ?? .random, .local)
  }

  /// A game from a position of one that the client may see, over or not. What came from a game for those who are
  /// invited is for nobody else, unless the client says so.
  init(
    at position: TableRequest.Position, in state: RoomState, _ order: TableRequest.Order?,
    _ games: GameCatalog
  ) throws(ServiceError) {
    let game = try state.game(numbered: position.number)
    guard let rules = games.rules(of: state.create) else {
      throw .refused("the rules of that game are not known here")
    }
    let point: BranchPoint
    do throws(BranchFault) {
      point = try BranchPoint(after: position.ply, of: game, in: state.room, rules)
    } catch { throw .refused(error.description) }
    (self.rules, self.point) = (rules, point)
    self.order = order ?? (point.mover == Seat(0) ? .first : .second)
    scope = state.create.scope == .invited ? .invited : .local
  }
}

extension GameDefinition {
  /// Whether games of it may go on from positions, where their settings allow it.
  var mayBeBranched: Bool {
    do throws(RulesError) { return try rules(Parameters()).mayOpen(with: []) } catch { return false }
  }
}

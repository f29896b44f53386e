internal import Events
internal import Peer
internal import Projection
internal import Rules
internal import Service

// What a game is that a client opens: one of its own, or one from a position of another.

extension TableSockets {
  /// What is known of a game before anything is written.
  struct Start {
    let rules: any GameRules
    /// The position from which it goes on.
    let point: BranchPoint?
    let order: TableRequest.Order
    /// Who may see it, where the client does not say so.
    let scope: Scope
  }

  /// Whether games of some rules may go on from positions, where their settings allow it.
  static func mayBeBranched(_ game: GameDefinition) -> Bool {
    do throws(RulesError) { return try game.rules(Parameters()).mayOpen(with: []) } catch { return false }
  }

  func start(of new: TableRequest.NewTable, _ client: Client) async throws(ServiceError) -> Start {
    if let position = new.position { return try await start(at: position, new.order, client) }
    guard let definition = games.newest(new.game) else {
      throw .refused(RulesError.unknownGame(new.game).description)
    }
    var parameters = Parameters()
    for setting in new.settings { parameters[setting.name] = setting.value }
    do throws(RulesError) {
      return Start(
        rules: try definition.rules(parameters), point: nil, order: new.order ?? .random, scope: .local)
    } catch { throw .refused(error.description) }
  }

  /// A game from a position of one that the client may see, over or not. What came from a game for those who are
  /// invited is for nobody else, unless the client says so.
  private func start(
    at position: TableRequest.Position, _ order: TableRequest.Order?, _ client: Client
  ) async throws(ServiceError) -> Start {
    let state = try await room(position.room, client)
    let game = try game(position.number, of: state)
    guard let rules = games.rules(of: state.create) else {
      throw .refused("the rules of that game are not known here")
    }
    let point: BranchPoint
    do throws(BranchFault) {
      point = try BranchPoint(after: position.ply, of: game, in: state.room, rules)
    } catch { throw .refused(error.description) }
    return Start(
      rules: rules, point: point, order: order ?? (point.mover == Seat(0) ? .first : .second),
      scope: state.create.scope == .invited ? .invited : .local)
  }
}

import Events
import Games
import Rules
import Tournaments

/// What is written when a planned room is created, and who is meant to have it.
extension RoomPlan {
  /// How long a seat may take for a move where there is a referee.
  private static let moveLimitMilliseconds: UInt32 = 4_000

  /// The `create` of this room.
  func create(nonce: [UInt8], referee: PeerID, peer: Int) -> Create {
    let profile = Profile(name: "peer \(peer)")
    var create: Create
    switch game {
    case .ticTacToe, .pairing:
      create = Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, nonce: nonce, profile: profile)
    case .dilemma(let rounds):
      create = Create(
        rules: "prisoners-dilemma", rulesVersion: 1, parameters: Self.dilemma(rounds: rounds), seats: 2,
        nonce: nonce,
        profile: profile)
    case .memoryMatch(let seats):
      create = Create(
        rules: "memory-match", rulesVersion: 1, parameters: Self.memoryMatch(seats: seats),
        seats: UInt16(seats), nonce: nonce, profile: profile)
    case .quiz(let players): create = hosted("quiz", [("grace", "400")], players, entries: 1, nonce, profile)
    case .tapRace(let players):
      create = hosted("tap-race", [("taps", "8")], players, entries: 4, nonce, profile)
    case .drawing(let players):
      create = hosted("drawing", [("grace", "400")], players, entries: 5, nonce, profile)
    case .tournament:
      create = Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: UInt16(joiners.count), nonce: nonce,
        profile: profile,
        purpose: .tournament(format: TournamentFormat.roundRobin.rawValue, options: 0, seed: 1, title: "cup")
      )
    }
    if case .pairing(let tournament, let pairing, let attempt, _, _) = game {
      create.purpose = .games(tournament: tournament, pairing: pairing, attempt: attempt)
    }
    create.games = UInt16(games)
    create.scope = scope
    create.referee = referee
    if referee.isSome { create.moveLimitMilliseconds = Self.moveLimitMilliseconds }
    create.creatorSeat = creatorPlays ? 0 : Create.noSeat
    if case .ticTacToe = game { create.allowsUndo = allowsUndo }
    if case .tournament = game { return create }
    if isHosted { return create }
    create.starter = drawsStarter ? .jointDraw : .firstSeat
    return create
  }

  private static func dilemma(rounds: Int) -> [UInt8] {
    var parameters = Parameters()
    parameters["rounds"] = "\(rounds)"
    if rounds > 2 { (parameters["noise"], parameters["ending"]) = ("250", "150") }
    guard let definition = Games.catalog.newest("prisoners-dilemma") else {
      preconditionFailure("the catalog has no prisoner's dilemma")
    }
    do throws(RulesError) { return try definition.rules(parameters).parameters.encoded } catch {
      preconditionFailure("the prisoner's dilemma does not take \(rounds) rounds: \(error)")
    }
  }

  private static func memoryMatch(seats: Int) -> [UInt8] {
    guard let definition = Games.catalog.newest("memory-match") else {
      preconditionFailure("the catalog has no memory match")
    }
    var parameters = Parameters()
    (parameters["players"], parameters["cards"]) = ("\(seats)", "8")
    do throws(RulesError) { return try definition.rules(parameters).parameters.encoded } catch {
      preconditionFailure("memory match does not take \(seats) seats: \(error)")
    }
  }

  /// The `create` of a room of hosted rounds.
  private func hosted(
    _ rules: String, _ chosen: [(name: String, value: String)], _ players: Int, entries: UInt16,
    _ nonce: [UInt8],
    _ profile: Profile
  ) -> Create {
    guard let definition = Games.catalog.hosted(rules, version: 1) else {
      preconditionFailure("the catalog has no \(rules)")
    }
    var parameters = Parameters()
    for (name, value) in chosen { parameters[name] = value }
    do throws(RulesError) {
      return Create(
        rules: rules, rulesVersion: 1, parameters: try definition.rules(parameters).parameters.encoded,
        seats: UInt16(players), nonce: nonce, profile: profile,
        purpose: .hosted(entries: entries, needsCode: false, title: rules))
    } catch { preconditionFailure("\(rules) does not take \(chosen): \(error)") }
  }

  /// Whether it is the room of this attempt.
  func isAttempt(_ wanted: UInt8, at number: UInt32, of room: RoomID) -> Bool {
    guard case .pairing(room, number, wanted, _, _) = game else { return false }
    return true
  }

  /// Whether a peer may ask for a seat: in the room of a pairing only those who are paired.
  func mayJoin(_ peer: PeerID) -> Bool {
    guard case .pairing(_, _, _, _, let seats) = game else { return true }
    return seats.contains(peer)
  }
}

import BotKit
import Events
import Games
import Peer
import Projection
import Rules
import Testing

/// Who leaves, and what then becomes of the game (D10).
@Suite struct LeavingTests {
  private func game() async throws -> Session {
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    return try await household().startPlay(
      .init(rules: rules, bots: ["greedy"], order: .first, profile: Profile(name: "Ada"), seed: 1))
  }

  @Test func aGameLeftBeforeItsFirstMoveNeverWas() async throws {
    var session = try await game()
    try session.perform(.leave, by: 0)
    #expect(session.state.phase == .closed(session.players[0].signer.peer))
    #expect(session.state.games.first?.ending?.outcome == nil)
  }

  @Test func aGameLeftInTheMiddleIsAbandonedAndLost() async throws {
    var session = try await game()
    try session.play(BotChoice(MoveCode(4)), by: 0)
    try session.perform(.leave, by: 0)
    #expect(session.state.phase == .abandoned(Seat(0)))
    #expect(session.state.games.first?.ending?.outcome?.winner == Seat(1))
    guard case .over = session.wait() else {
      Issue.record("an abandoned game still waits for somebody")
      return
    }
  }
}

import Games
import TestKit
import Testing

/// Every game passes the shared suite.
@Suite struct RulesSuiteTests {
  @Test func ticTacToe() {
    RulesSuite.check(TicTacToe.self, codes: 0...20)
  }

  @Test func prisonersDilemma() {
    RulesSuite.check(
      PrisonersDilemma.self, codes: 0...5,
      settings: [
        [], ["rounds=1"], ["rounds=65", "payoffs=axelrod"], ["rounds=200", "payoffs=100,1,0,-100"],
      ], games: 20)
  }
}

import Games
import Rules
import TestKit
import Testing

/// Every game passes the shared suite.
@Suite struct RulesSuiteTests {
  @Test func catalogFindsEachGame() throws {
    let definitions = Games.catalog.definitions
    #expect(Set(definitions.map { "\($0.name) \($0.version)" }).count == definitions.count)
    for game in definitions {
      #expect(Games.catalog.definition(game.name, version: game.version)?.title == game.title)
      #expect(try game.rules().definition.name == game.name)
    }
    #expect(Games.catalog.newest("tic-tac-toe") != nil && Games.catalog.newest("prisoners-dilemma") != nil)
    #expect(
      Games.catalog.newest("Tic-Tac-Toe") == nil && Games.catalog.definition("tic-tac-toe", version: 2) == nil
    )
  }

  @Test func ticTacToe() {
    RulesSuite.check(TicTacToe.self, codes: 0...20)
  }

  @Test func connectFour() {
    RulesSuite.check(ConnectFour.self, codes: 0...12)
  }

  @Test func connectFourPlaythroughs() throws {
    try Playthrough.check(ConnectFour.self, settings: [[], []])
  }

  @Test func prisonersDilemma() {
    RulesSuite.check(
      PrisonersDilemma.self, codes: 0...5,
      settings: [
        [], ["rounds=1"], ["rounds=65", "payoffs=axelrod"], ["rounds=200", "payoffs=100,1,0,-100"],
        ["rounds=30", "noise=300"], ["rounds=30", "ending=100"], ["rounds=65", "noise=500", "ending=20"],
      ], games: 20)
  }
}

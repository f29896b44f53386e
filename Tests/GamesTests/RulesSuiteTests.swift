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

  @Test func quiz() throws {
    let questions = [("Two?", ["one", "two"]), ("Which?", ["a", "b", "c", "d"])]
    RulesSuite.checkHosted(
      Quiz.self, settings: [[], ["curve=classic"], ["grace=0"], ["curve=linear", "grace=10000"]],
      contents: try questions.map { try #require(QuizQuestion(text: $0.0, choices: $0.1)).content },
      solutions: [[1], [3]], typed: ["1", "2", "3", "4", "5", "a", "D", "12", "é"])
  }

  @Test func tapRace() {
    RulesSuite.checkHosted(
      TapRace.self, settings: [["taps=50"], ["taps=1"], ["seconds=3"], ["seconds=60"]],
      contents: [[]], solutions: [[]], typed: ["0", "1", "7", "20", "1000", "1001", "-1", "1.5"])
  }

  @Test func drawing() throws {
    let box = [UInt8](repeating: 7, count: 90)
    let contents = try ["tree", "ice cream"].map { word in
      try #require(DrawingGame().content(telling: .init(player: 0, box: box), Array(word.utf8)))
    }
    RulesSuite.checkHosted(
      DrawingGame.self, settings: [[], ["curve=classic"], ["grace=0"]], contents: contents,
      solutions: ["tree", "ice cream"].map { Array($0.utf8) },
      typed: ["tree", " Ice  CREAM ", "ice cream", "é", "clear", "line 1 1"], isFreeText: true)
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

import Games
import Rules
import Testing

@testable import SearchBots

@Suite("Solving positions from text")
struct SearchSolveTests {
  private func solve(_ text: String, limit: UInt64? = nil) throws -> PositionSolution {
    try SearchBots.solve(GameDefinition(ConnectFour.self).rules(), position: text, nodeLimit: limit)
  }

  @Test("value, best moves and proof of a position")
  func connectFour() throws {
    let empty = try solve("")
    #expect(empty.value == 1 && empty.best == ["4"] && empty.isProven)
    let win = try solve("121212")
    #expect(win.value == 18 && win.best == ["1"] && win.isProven && win.nodes == 1)
    let two = try solve("22334")
    #expect(two.value == -18 && two.best == ["1", "2", "3", "4", "5", "6", "7"])
    let unproven = try solve("4444", limit: 10)
    #expect(unproven.value == nil && !unproven.isProven && unproven.best == [] && unproven.nodes <= 10)
    #expect(unproven.lower < unproven.upper)
  }

  @Test("texts that are no position are refused with the place")
  func refuses() throws {
    for (text, words) in [("48", "character 2"), ("4444444", "full"), ("12121212", "end of the game")] {
      let error = #expect(throws: SolveError.self) { try solve(text) }
      #expect(error?.description.contains(words) == true)
    }
  }

  @Test("games without a solver are refused, naming those that have one")
  func wrongGame() throws {
    let rules = try GameDefinition(Nim.self).rules()
    let error = #expect(throws: SolveError.self) { try SearchBots.solve(rules, position: "") }
    #expect(error == .wrongGame("nim", known: SearchBots.solvedGames))
  }

  /// The memory of the table takes longer to fill than most positions to solve.
  @Test("a solver that is prepared has its table before the first position")
  func prepared() {
    let search = ConnectFourExact()
    #expect(!search.isPrepared)
    SolvedRules(search).prepare()
    #expect(search.isPrepared)
  }
}

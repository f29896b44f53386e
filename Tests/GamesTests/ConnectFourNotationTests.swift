import Games
import Testing

@Suite("Connect Four: games as text")
struct ConnectFourNotationTests {
  let rules = ConnectFour()

  @Test("legal games are read move by move")
  func reads() throws {
    let position = try rules.position(moves: "4453")
    #expect(position.ply == 4)
    #expect(
      position.moverStones == ConnectFourBits.cell(column: 3, row: 0)
        | ConnectFourBits.cell(column: 4, row: 0))
    #expect(try rules.position(moves: "") == rules.start(first: position.first))
  }

  @Test(
    "the error names the character and the reason",
    arguments: [
      ("8", 1, ConnectFour.NotationError.Reason.notAColumn), ("440", 3, .notAColumn), ("4 4", 2, .notAColumn),
      ("12é", 3, .notAColumn), ("12\u{1B}[2J", 3, .notAColumn), ("１", 1, .notAColumn),
      ("4444444", 7, .columnFull), ("12121212", 8, .gameOver), ("1212121x", 8, .notAColumn),
    ])
  func refuses(moves: String, place: Int, reason: ConnectFour.NotationError.Reason) {
    let error = #expect(throws: ConnectFour.NotationError.self) { try rules.position(moves: moves) }
    #expect(error?.place == place)
    #expect(error?.reason == reason)
    #expect(error?.description.utf8.allSatisfy { (0x20...0x7E).contains($0) } == true)
  }

  @Test("a move after a full board is refused")
  func afterDraw() {
    let moves = "547125662261271266215743771576315353334444"
    let error = #expect(throws: ConnectFour.NotationError.self) { try rules.position(moves: moves + "1") }
    #expect(error?.place == 43 && error?.reason == .gameOver)
  }
}

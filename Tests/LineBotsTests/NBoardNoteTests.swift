import BotKit
import Games
import Rules
import Testing

@testable import LineBots

/// What engines that speak NBoard's protocol say of their moves.
@Suite struct NBoardNoteTests {
  private func note(_ answer: String, after words: [String] = []) throws -> MoveNote? {
    let rules = try #require(Games.catalog.newest("othello")).rules()
    let game = rules.start(first: Seat(0))
    let turn = BotTurn(game: game, seat: Seat(0), randomness: RandomSource(seed: 1, seat: Seat(0), ply: 0))
    var dialect = NBoardDialect(depth: nil)
    _ = dialect.greeting()
    _ = try dialect.greeted(by: Array("pong 1".utf8))
    _ = dialect.question(turn, rules, LineHello(), isNew: true, milliseconds: 1000)
    for line in ["pong 2"] + words { _ = try dialect.answered(by: Array(line.utf8), turn) }
    guard case .answer(let choice) = try dialect.answered(by: Array(answer.utf8), turn) else { return nil }
    return choice.note
  }

  @Test func anEvaluationIsTheNote() throws {
    let nodes = ["nodestats 35805 0.00"]
    #expect(try note("=== d3 -1.00 0.0", after: nodes) == MoveNote(value: -1, isProven: false, nodes: 35_805))
    #expect(try note("=== D3/2.5/0.1") == MoveNote(value: 3, isProven: false, nodes: 0))
    #expect(try note("=== d3 / 2.4 / 0.1")?.value == 2)
    #expect(try note("=== d3//0.1") == nil)
    #expect(try note("=== d3") == nil)
  }

  /// What is no evaluation of a board is none, and harms nothing.
  @Test(arguments: ["nan", "inf", "-inf", "1e300", "-65", "64.5", "x", "0x1p9", "٣", "99999999999999999999"])
  func whatIsNoEvaluationIsNoNote(_ text: String) throws {
    #expect(try note("=== d3/\(text)/1", after: ["nodestats \(text)", "nodestats"]) == nil)
  }
}

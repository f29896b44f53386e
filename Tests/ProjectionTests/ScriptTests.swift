import Events
import Projection
import Rules
import Testing

@Suite("A plain room")
struct ScriptTests {
  @Test("Tic-tac-toe from the first request to the agreed result")
  func ticTacToe() throws {
    var (script, start) = try RoomScript.started()
    #expect(script.state.phase == .playing)
    let end = try script.play([0, 3, 1, 4, 2], from: start)
    #expect(script.state.phase == .finished)
    #expect(script.state.games[0].ending?.outcome?.scores == [1, 0])
    #expect(!script.state.games[0].isAgreed)
    try script.agree(game: 0, end.node, [1, 0])
    #expect(script.state.games[0].isAgreed)
    var projection = script.projection()
    let verdicts = projection.verdicts().filter { $0.verdict != .effective }
    #expect(verdicts.isEmpty)
  }

  @Test("Prisoner's dilemma, ten rounds")
  func dilemma() throws {
    var (script, place) = try RoomScript.started(.dilemma(rounds: 10))
    for round in 0..<10 {
      place = try script.round((round % 2 == 0 ? 0 : 1, 0), at: place)
    }
    #expect(script.state.phase == .finished)
    #expect(script.state.games[0].ending?.outcome?.scores == [25, 5])
    var projection = script.projection()
    #expect(projection.verdicts().allSatisfy { $0.verdict == .effective })
  }
}

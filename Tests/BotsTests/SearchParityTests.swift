import BotKit
import Games
import SearchBots
import Testing

#if DEBUG
  private let samples = [
    (plies: 36, closed: 0, positions: 200), (plies: 32, closed: 0, positions: 60),
    (plies: 29, closed: 1, positions: 20), (plies: 28, closed: 2, positions: 20),
  ]
#else
  private let samples = [
    (plies: 36, closed: 0, positions: 8000), (plies: 32, closed: 0, positions: 3000),
    (plies: 28, closed: 1, positions: 400), (plies: 28, closed: 2, positions: 400),
    (plies: 26, closed: 0, positions: 50),
  ]
#endif

@Suite("Connect Four: bounds from who gets which rows")
struct SearchParityTests {
  @Test("they hold in every position of whole end games, and answer many", arguments: samples)
  func hold(plies: Int, closed: Int, positions: Int) {
    var random = RandomStream(seed: UInt64(plies) + 100 * UInt64(closed))
    var answers = 0
    for _ in 0..<positions {
      var scores: [ConnectFour.Position: Int32] = [:]
      _ = SearchReference.score(
        SearchReference.randomPosition(plies: plies, closed: closed, &random), &scores)
      for (position, score) in scores {
        let node = ConnectFourNode(ConnectFourBoard(position))
        for target: Int32 in -3...4 {
          guard let bound = ConnectFourParity.bound(node, target: target) else { continue }
          answers += 1
          let holds = bound >= target ? score >= bound : score <= bound
          #expect(holds, "\(position): score \(score), target \(target), bound \(bound)")
        }
      }
    }
    #expect(answers > 10 * positions)
  }
}

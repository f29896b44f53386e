import BotKit
import Events
import Projection
import TestKit
import Testing

/// Of chat a state has the last lines (`RoomState.chat`), and of a forked feed those before the fork.
@Suite struct ChatTests {
  private static let limit = RoomState.limitChatLines

  @Test(arguments: 0..<Effort.size(12, quick: 3)) func theLastLinesBeforeAForkStayInAnyOrder(seed: Int) throws
  {
    var (script, _) = try RoomScript.started()
    var lines: [Event] = []
    for number in 0..<3 * Self.limit {
      lines.append(try script.write(.alice, .chat("\(number)")))
      if number % 7 == 0 { try script.write(.bob, .chat("yes \(number)")) }
    }
    func said(_ events: some Sequence<Event>) -> [EventID] { events.map(\.id) }
    func shown(_ state: RoomState) -> [EventID] {
      state.chat.filter { $0.author == TestPeer.alice.id }.map(\.event)
    }
    #expect(shown(script.state) == said(lines.suffix(Self.limit)))
    #expect(script.state.chat.count { $0.author == TestPeer.bob.id } == 3 * Self.limit / 7 + 1)
    // Branches, each from an earlier line than the one before.
    for fork in [2 * Self.limit, Self.limit + 20, 40] {
      try script.write(.alice, .chat("branch"), seeing: .nothing, after: lines[fork - 1])
      #expect(shown(script.state) == said(lines[..<fork].suffix(Self.limit)))
    }
    var random = RandomStream(seed: UInt64(seed))
    let deliveries = Deliveries(script.events)
    let expected = script.state.encoded
    for _ in 0..<3 {
      var projection = try #require(RoomProjection(create: script.create, catalog: OddOneOut.catalog))
      for event in deliveries.order(&random) {
        projection.apply(event)
        if random.below(16) == 0 { _ = projection.state }
      }
      #expect(projection.state.encoded == expected && shown(projection.state) == said(lines[..<40]))
    }
  }
}

import BotKit
import Events
import Projection
import Rules
import TestKit
import Testing

/// Whoever says the same again and again is heard so often, and then no more (Docs/PROTOCOL.md §1.1).
@Suite struct SurplusTests {
  private static let limit = 64
  private let room = RoomScript.Room(games: 2, allowsUndo: true, referee: TestPeer.rita.id)

  @Test func aTakeBackIsAskedForSoOften() throws {
    var (script, start) = try RoomScript.started(room)
    let place = try script.play([0, 4, 8], from: start)
    let asked = try (0...Self.limit).map { _ in
      try script.write(.bob, .undoRequest(node: place.node, ply: 1))
    }
    #expect(asked.dropLast().allSatisfy { script.verdict($0) == .unanswered })
    #expect(script.verdict(asked[Self.limit]) == .surplus)
    #expect(script.state.undoRequest?.id == asked[Self.limit - 1].id)
    let late = try script.write(.alice, .undoAccept(request: asked[Self.limit].id))
    #expect(script.verdict(late) == .offLine)
    #expect(script.state.games[0].plies.count == 3)
    // Others, and other wishes, have places of their own.
    let offer = try script.write(.bob, .drawOffer(node: place.node))
    #expect(script.verdict(offer) != .surplus)
    let other = try script.write(.alice, .undoRequest(node: place.node, ply: 0))
    #expect(script.verdict(other) == .unanswered)
    let inTime = try script.write(.alice, .undoAccept(request: asked[Self.limit - 1].id))
    #expect(script.verdict(inTime) == .effective)
    #expect(script.state.games[0].plies.count == 1)
  }

  @Test func aGrantOfARequestTooManySeatsNobody() throws {
    var script = try RoomScript(room)
    let asked = try (0...Self.limit).map { _ in
      try script.write(.bob, .request(seat: 1, TestPeer.bob.profile), seeing: .nothing)
    }
    #expect(script.verdict(asked[Self.limit]) == .surplus)
    try script.write(.alice, .grant(request: asked[Self.limit].id, seat: 1))
    #expect(script.state.seats[1] == nil)
    try script.write(.alice, .grant(request: asked[Self.limit - 1].id, seat: 1))
    #expect(script.state.seats[1]?.peer == TestPeer.bob.id)
  }

  /// On two branches of a feed each event goes by what is in its own past, whichever branch came first.
  @Test(arguments: 0..<Effort.size(10, quick: 4)) func inAnyOrderItIsTheSame(seed: Int) throws {
    var (script, start) = try RoomScript.started(room)
    let place = try script.play([0], from: start)
    var random = RandomStream(seed: UInt64(seed))
    let common = try (0..<Int(random.below(70))).map { _ in
      try script.write(.bob, .drawOffer(node: place.node))
    }
    let root = try #require(common.last ?? script.head(of: .bob))
    for _ in 0..<70 { try script.write(.bob, .drawOffer(node: place.node)) }
    if seed % 2 == 0 {
      // Somebody else names both branches, so that all of them counts.
      try script.write(.alice, .chat("so many"))
      try script.write(.bob, .drawOffer(node: place.node), seeing: .nothing, after: root)
      for _ in 0..<70 { try script.write(.bob, .drawOffer(node: place.node), seeing: .nothing) }
      try script.write(.alice, .chat("and others"))
    }
    let deliveries = Deliveries(script.events)
    var states: Set<[UInt8]> = []
    var verdicts: Set<[String]> = []
    for _ in 0..<6 {
      var projection = try #require(RoomProjection(create: script.create, catalog: OddOneOut.catalog))
      for event in deliveries.order(&random) {
        projection.apply(event)
        if random.below(4) == 0 { _ = projection.state }
      }
      states.insert(projection.state.encoded)
      verdicts.insert(projection.verdicts().map { "\($0.event) \($0.verdict)" }.sorted())
    }
    #expect(states.count == 1 && verdicts.count == 1)
    #expect(verdicts.first?.contains { $0.hasSuffix("surplus") } == true)
  }
}

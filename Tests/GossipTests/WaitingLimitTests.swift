import EventLog
import Events
import Testing

@testable import Gossip

/// What waits for what it names, in all rooms together.
@Suite struct WaitingLimitTests {
  private static let key = SigningKey(seed: [UInt8](repeating: 1, count: 32))
  private static let hasher = EventHasher(network: .standard)

  /// A room, and a run of it that names what never comes.
  private func room(_ number: UInt8, text: Int) throws -> [RunsMessage] {
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: number, count: 16), profile: Profile(name: "a"))
    let first = try Event.author(
      .create(create), room: .none, author: Self.key.peer, sequence: 1, previous: .none, parents: [],
      wallTime: 0, hasher: Self.hasher)
    let early = try Event.author(
      .chat(String(repeating: "x", count: text)), room: first.id, author: Self.key.peer, sequence: 2,
      previous: first.id, parents: [EventID(Bytes32([UInt8](repeating: 9, count: 32), at: 0))], wallTime: 0,
      hasher: Self.hasher)
    return [first, early].map {
      RunsMessage(room: first.id, runs: [Run(events: [$0], signature: Self.key.sign($0.id))])
    }
  }

  /// However many rooms somebody opens, what it has wait in them is bounded; others lose nothing by it.
  @Test func itIsBoundedInAllRoomsTogether() throws {
    var settings = GossipSettings.standard
    settings.budget.waitingBytes = 20_000
    var core = GossipCore(scheme: Ed25519(), hasher: Self.hasher, settings: settings)
    let now = Tick(milliseconds: 1)
    for number in 1...2 as ClosedRange<UInt32> {
      let peer = SigningKey(seed: [UInt8](repeating: UInt8(number), count: 32)).peer
      _ = core.connect(Neighbour(number), as: peer, isNearby: true, begins: false, at: now)
    }
    func waiting() -> Int { core.rooms.open.reduce(0) { $0 + $1.log.waitingRoom.mostBytes } }
    let honest = try room(200, text: 1_000)
    for message in honest { _ = core.receive(.runs(message), from: Neighbour(2), at: now) }
    var most = 0
    for number in 0..<100 as Range<UInt8> {
      for message in try room(number, text: 1_000) {
        _ = core.receive(.runs(message), from: Neighbour(1), at: now)
      }
      most = max(most, waiting())
    }
    #expect(core.rooms.open.count == 101)
    #expect(most > 10_000 && most < 20_000 + 20_000 / 4, "\(most) bytes waited")
    let kept = core.rooms.open.first { $0.id == honest[0].room }
    #expect(kept?.log.waitingRoom.count == 1)
  }
}

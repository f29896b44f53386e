import Channel
import Events
import Peer
import TestKit
import Testing

@testable import Network

/// Peers that meet through a relay: who is found, what crosses, and what a relay that lies can do.
@Suite(.serialized) struct RelayTests {
  private let relay: TestRelay
  private let desk: RelayDesk

  init() throws {
    relay = TestRelay(try EventLoop())
    desk = RelayDesk(relay)
  }

  /// A peer that waits at the relay and connects to whoever it hears of.
  private func peer(_ number: UInt8, also other: (any Transport)? = nil) async throws -> (
    TestPeer, RelayTransport
  ) {
    let end = relay.end()
    let credentials = TestPeer.credentials(number)
    let ways = [other, end].compactMap(\.self).map { ChannelTransport($0, credentials) }
    let peer = TestPeer(number, ways)
    let networkPeer = peer.networkPeer
    await desk.run { _ in end.hear { address in networkPeer.assumeIsolated { $0.hear(of: address) } } }
    _ = try await networkPeer.listen(on: end.address)
    return (peer, end)
  }

  private func eventuallyConnected(_ one: TestPeer, _ two: TestPeer) async throws {
    try await eventually("a connection") { await one.isConnected(to: two) }
    try await eventually("a connection") { await two.isConnected(to: one) }
  }

  private func room(_ scope: Scope, of peer: TestPeer, _ nonce: UInt8, invited: PeerID? = nil) async throws
    -> RoomID
  {
    var create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: nonce, count: 16), profile: Profile(name: "host"))
    create.scope = scope
    let fixed = create
    return try await peer.networkPeer.write { core throws(PeerError) in
      let room = try core.create(fixed)
      if let invited { _ = try core.write(.invite(invited), in: room) }
      return room
    }
  }

  /// Only public rooms cross, and rooms of those who are invited; by another way rooms of the machine follow.
  @Test func onlyRoomsThatMayCrossDo() async throws {
    let local = LocalTransport(relay.loop)
    let (one, _) = try await peer(1, also: local)
    let (two, _) = try await peer(2, also: local)
    try await eventuallyConnected(one, two)
    let here = try await room(.local, of: one, 1)
    let forOthers = try await room(.invited, of: one, 2, invited: TestPeer.credentials(3).signer.peer)
    let forTwo = try await room(.invited, of: one, 3, invited: two.id)
    let open = try await room(.open, of: one, 4)
    try await eventually("what may cross") { two.stored(open) == 1 && two.stored(forTwo) == 2 }
    // All that both may share is there.
    try await eventually("one state") {
      await one.networkPeer.isHandedOver()
    }
    #expect(two.stored(here) == 0 && two.stored(forOthers) == 0)
    // A way without a relay takes the relay's place, at both ends.
    await two.networkPeer.connect(to: try await one.networkPeer.listen(on: Way.inProcess.anyPort))
    try await eventually("the room of the machine") { two.stored(here) == 1 }
    #expect(two.stored(forOthers) == 0)
    for (peer, other) in [(one, two), (two, one)] {
      #expect(await peer.isConnected(to: other))
      #expect(await peer.networkPeer.peers.allSatisfy { !$0.remote.isRelayed })
    }
    for peer in [one, two] { await peer.networkPeer.stop() }
  }

  /// Ports and addresses of a machine say nothing at the other side of a relay.
  @Test func nobodyIsToldOfAPlaceThatARelayHides() async throws {
    let tcp = TCPTransport(relay.loop)
    let (one, _) = try await peer(1, also: tcp)
    let place = try await one.networkPeer.listen(on: Way.ipv4.anyPort)
    let (three, _) = try await peer(3, also: tcp)
    await three.networkPeer.connect(to: place)
    try await eventually("a connection without the relay") {
      await three.networkPeer.peers.contains { !$0.remote.isRelayed }
    }
    let (two, _) = try await peer(2, also: tcp)
    try await eventually("both") { await two.networkPeer.peers.count == 2 }
    let room = try await room(.open, of: one, 1)
    try await eventually("a room") { two.stored(room) == 1 }
    #expect(await two.networkPeer.addresses.allSatisfy { $0.address.isRelayed })
    for peer in [one, two, three] { await peer.networkPeer.stop() }
  }

  /// A relay that goes away ends its streams; when it is back the peers meet again.
  @Test func peersMeetAgainWhenTheRelayIsBack() async throws {
    let (one, first) = try await peer(1)
    let (two, second) = try await peer(2)
    try await eventuallyConnected(one, two)
    await desk.run { relay in
      relay.setChange { _, _ in [] }
      for end in [first, second] { end.lose() }
    }
    for peer in [one, two] { try await eventually("no connection") { await peer.isConnected() } }
    let room = try await room(.open, of: one, 1)
    await desk.run { relay in
      relay.setChange { [$1] }
      for end in [first, second] { end.regain() }
    }
    try await eventually("the room") { two.stored(room) == 1 }
    for peer in [one, two] { await peer.networkPeer.stop() }
  }

  /// Whatever a relay does to messages, logs stay whole, and when it is honest again all arrives.
  @Test(arguments: 0..<UInt64(Effort.size(40, quick: 4))) func aLyingRelayDoesNoHarm(_ seed: UInt64)
    async throws
  {
    let (one, _) = try await peer(1)
    let (two, _) = try await peer(2)
    try await eventuallyConnected(one, two)
    await desk.run { relay in
      var random = SeededGenerator(state: seed)
      var old: [(RelayTransport.Place, [UInt8])] = []
      relay.setChange { [weak relay] place, bytes in
        old.append((place, bytes))
        switch Int.random(in: 0..<30, using: &random) {
        case 0: return []
        case 1: return [bytes, bytes]
        case 2:
          if let again = old.randomElement(using: &random) { relay?.bring(again.0, again.1) }
          return [bytes]
        case 3:
          var changed = bytes
          changed[Int.random(in: 0..<changed.count, using: &random)] ^=
            1 << UInt8.random(in: 0..<8, using: &random)
          return [changed]
        case 4: return [[UInt8](repeating: .random(in: 0...8, using: &random), count: 26), bytes]
        default: return [bytes]
        }
      }
    }
    let room = try await room(.open, of: one, 1)
    for number in 0..<40 { try await one.chat("word \(number)", in: room) }
    await desk.run { $0.setChange { [$1] } }
    try await eventually("all events") { two.stored(room) == 41 }
    for peer in [one, two] { await peer.networkPeer.stop() }
  }

  /// Of more announcements than are heeded the rest is passed over, and no more streams are made than may be.
  @Test func announcementsAndStreamsHaveLimits() async throws {
    let end = relay.end()
    let (found, accepted) = try await desk.run { relay in
      var (found, streams): (Set<Address>, [any ByteStream]) = ([], [])
      end.hear { found.insert($0) }
      let listener = try end.listen(on: end.address) { streams.append($0) }
      for number in 0..<2_000 {
        let id = RelayID(random: SigningKey.randomSeed())
        end.take(RelayMessage.here(id).encoded)
        if number < 1_000 { end.take(RelayMessage.part(.open(from: id), of: id).encoded) }
      }
      // Announcements of this end itself, and what nobody understands, count for nothing.
      end.take(RelayMessage.here(end.inbox).encoded)
      end.take([])
      listener.close()
      return (found.count, streams.count)
    }
    #expect(accepted == RelayTable.limitStreams)
    #expect((200..<1_000).contains(found))
    let cuts = await desk.run {
      $0.takeMessages().count { if case .part(.cut, _) = $0 { true } else { false } }
    }
    #expect(cuts == 1_000 - RelayTable.limitStreams)
  }
}

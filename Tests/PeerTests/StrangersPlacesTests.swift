import EventLog
import Events
import Games
import Gossip
import Peer
import Projection
import Testing

/// Keys are free: whoever makes them without end fills no disk, and keeps nobody out who is wanted.
@Suite struct StrangersPlacesTests {
  private static let limit = 20_000

  /// A peer that takes so much of strangers in a room.
  private func limited(_ net: ReplicationTests.Net, _ peer: Int) -> PeerCore {
    var settings = GossipSettings.standard
    settings.budget.strangersBytes = Self.limit
    return PeerCore(
      signer: net.peers[peer].keys.signers[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(),
      settings: settings, seed: 5, now: { 0 })
  }

  private func create(_ net: inout ReplicationTests.Net) throws -> RoomID {
    let room = try net.peers[0].create(
      Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
        nonce: [UInt8](repeating: 1, count: 16), profile: Profile(name: "host"), creatorSeat: 0, scope: .open)
    )
    net.commit(0, room)
    return room
  }

  /// A peer writes a word with each of two hundred keys.
  private func flood(_ net: inout ReplicationTests.Net, _ peer: Int, _ room: RoomID) throws {
    for number in 0..<200 as Range<UInt8> {
      let key = SigningKey(seed: [UInt8](repeating: number, count: 31) + [7])
      let member = net.peers[peer].admit(key)
      _ = try net.peers[peer].write(.chat("buy"), in: room, by: member)
    }
    net.commit(peer, room)
    net.settle(seconds: 60)
    #expect(net.peers[peer].log(of: room).map { $0.strangersBytes > 2 * Self.limit } == true)
  }

  /// Everybody does what it owes; one peer asks for a seat.
  private func goOn(_ net: inout ReplicationTests.Net, asking: Int, _ room: RoomID) throws {
    for _ in 0..<8 {
      for peer in [asking, 0] where net.peers[peer].log(of: room) != nil {
        let conduct = PeerCore.Conduct(
          profile: Profile(name: "\(peer)"), wantedSeat: peer == asking ? Create.noSeat : nil)
        while try net.peers[peer].doDuties(in: room, conduct) {}
        net.commit(peer, room)
      }
      net.settle(seconds: 20)
    }
  }

  private func strangersBytes(_ net: ReplicationTests.Net, _ peer: Int, _ room: RoomID) -> Int? {
    net.peers[peer].log(of: room)?.strangersBytes
  }

  private func seated(_ net: inout ReplicationTests.Net, _ peer: Int, _ room: RoomID) -> [PeerID?]? {
    net.peers[peer].state(of: room)?.seats.map { $0?.peer }
  }

  @Test func whoIsInvitedHasAPlaceInAFullRoom() throws {
    var net = ReplicationTests.Net(count: 3, seed: 3)
    net.peers[0] = limited(net, 0)
    let room = try create(&net)
    net.connect(0, 1)
    net.settle()
    try flood(&net, 1, room)
    let full = strangersBytes(net, 0, room)
    #expect(full.map { (Self.limit / 2...Self.limit).contains($0) } == true, "\(full ?? -1) bytes")
    net.connect(0, 2)
    net.settle()
    try goOn(&net, asking: 2, room)
    #expect(seated(&net, 0, room) == [net.peers[0].id, nil], "its request had no place")
    #expect(net.peers[0].log(of: room)?.feed(net.peers[2].id) == nil)
    _ = try net.peers[0].write(.invite(net.peers[2].id), in: room)
    net.commit(0, room)
    net.settle()
    try goOn(&net, asking: 2, room)
    #expect(seated(&net, 0, room) == [net.peers[0].id, net.peers[2].id])
    #expect(strangersBytes(net, 0, room).map { $0 < Self.limit + 2_000 } == true)
    #expect(net.refused.isEmpty)
  }

  @Test func whomTheCreatorHasSeatedHasAPlaceInARoomThatIsFullElsewhere() throws {
    var net = ReplicationTests.Net(count: 4, seed: 4)
    net.peers[2] = limited(net, 2)
    let room = try create(&net)
    net.connect(0, 1)
    net.connect(0, 2)
    net.settle()
    net.part(0, 1)
    net.part(0, 2)
    net.connect(1, 2)
    try flood(&net, 1, room)
    #expect(strangersBytes(net, 2, room).map { (Self.limit / 2...Self.limit).contains($0) } == true)
    net.connect(0, 3)
    net.settle()
    try goOn(&net, asking: 3, room)
    #expect(seated(&net, 0, room) == [net.peers[0].id, net.peers[3].id])
    net.connect(0, 2)
    net.settle(seconds: 60)
    #expect(seated(&net, 2, room) == [net.peers[0].id, net.peers[3].id])
    #expect(strangersBytes(net, 2, room).map { $0 < Self.limit + 2_000 } == true)
    #expect(net.refused.isEmpty)
  }
}

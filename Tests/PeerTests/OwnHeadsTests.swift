import EventLog
import Events
import Games
import Gossip
import Peer
import Projection
import Testing

/// Into which rooms a peer may write whose store may be old, or is used by another process too.
@Suite struct OwnHeadsTests {
  typealias Net = ReplicationTests.Net

  /// A game of the first peer with another one, begun.
  private func game(_ net: inout Net, with guest: Int, number: UInt8) throws -> RoomID {
    let room = try net.peers[0].create(
      Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
        nonce: [UInt8](repeating: number, count: 16), profile: Profile(name: "host"), creatorSeat: 0,
        starter: .firstSeat, scope: .open))
    net.commit(0, room)
    net.settle()
    for _ in 0..<6 {
      for peer in [guest, 0] {
        let conduct = PeerCore.Conduct(profile: Profile(name: "\(peer)"), wantedSeat: Create.noSeat)
        while try net.peers[peer].doDuties(in: room, conduct) {}
        net.commit(peer, room)
        net.settle(seconds: 1)
      }
    }
    #expect(net.peers[0].state(of: room)?.phase == .playing)
    return room
  }

  /// Starts a peer again with these rooms, connected with nobody.
  private func restart(_ peer: Int, _ net: inout Net, with logs: [RoomLog]) {
    for other in net.peers.indices where other != peer { net.part(peer, other) }
    net.peers[peer] = PeerCore(
      signer: net.peers[peer].keys.signers[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(),
      seed: 99 + net.now.milliseconds, now: { 0 })
    for log in logs { net.peers[peer].open(log, isDurable: true, at: net.now) }
  }

  private func say(_ words: String, _ net: inout Net, _ room: RoomID) throws {
    _ = try net.peers[0].write(.chat(words), in: room)
    net.commit(0, room)
  }

  private func refusal(_ net: Net, _ room: RoomID) -> PeerError? {
    var core = net.peers[0]
    return core.writingRefusal(in: room)
  }

  private func hasNewDoubt(_ net: inout Net) -> Bool { net.peers[0].ownHeads.takeNewDoubt() }

  private func expectNoForks(_ net: Net, _ room: RoomID) {
    for peer in net.peers { #expect(peer.log(of: room)?.forkProofs.isEmpty != false) }
  }

  private func connected(_ count: Int, seed: UInt64) -> Net {
    var net = Net(count: count, seed: seed)
    for peer in 1..<count { net.connect(0, peer) }
    return net
  }

  /// The other seat's peer, born anew, knows nothing: what it was given it does not show. A stranger who has all of
  /// it is not asked.
  @Test func whoHadNothingReleasesNothing() throws {
    var net = connected(3, seed: 31)
    let room = try game(&net, with: 1, number: 1)
    let (log, guest) = try (#require(net.peers[0].log(of: room)), net.peers[1].id)
    restart(0, &net, with: [log])
    restart(1, &net, with: [])
    net.peers[0].beginDoubt(at: net.now)
    for other in [1, 2] { net.connect(0, other) }
    net.settle()
    #expect(net.peers[1].log(of: room)?.entries.count == log.events.count, "it was given all of it")
    #expect(refusal(net, room) == .unconfirmed(room, [guest]))
    #expect(throws: PeerError.unconfirmed(room, [guest])) { try say("early", &net, room) }
    // When it comes again it has something of its own to show.
    net.part(0, 1)
    net.connect(0, 1)
    net.settle()
    try say("late", &net, room)
    let allowed = net.peers[0].ownHeads.takeAllowed()
    #expect(allowed == [room])
    expectNoForks(net, room)
  }

  /// What a seat's peer has shown counts when it is gone.
  @Test func whoHasShownMayGo() throws {
    var net = connected(2, seed: 32)
    let room = try game(&net, with: 1, number: 1)
    let log = try #require(net.peers[0].log(of: room))
    restart(0, &net, with: [log])
    net.peers[0].beginDoubt(at: net.now)
    #expect(throws: PeerError.recovering) { try say("at once", &net, room) }
    net.connect(0, 1)
    net.settle()
    net.part(0, 1)
    let allowed = net.peers[0].ownHeads.takeAllowed()
    #expect(allowed == [room])
    try say("alone", &net, room)
  }

  /// A store as it was left, of which a copy was used since: the other seat's peer is heard before anything is
  /// written, and what it shows puts the store in doubt.
  @Test func theOriginalIsUsedAfterItsCopy() throws {
    var net = connected(3, seed: 33)
    let (room, other) = (try game(&net, with: 1, number: 1), try game(&net, with: 2, number: 2))
    let logs = try [room, other].map { try #require(net.peers[0].log(of: $0)) }
    try say("from the copy", &net, room)
    net.settle()
    restart(0, &net, with: logs)
    net.peers[0].watchOwnHeads()
    #expect(refusal(net, room) == nil, "nobody is there to be heard")
    net.connect(0, 1)
    #expect(throws: PeerError.recovering) { try say("at once", &net, room) }
    #expect(refusal(net, other) == nil, "it has no seat there")
    net.settle()
    let isDoubted = hasNewDoubt(&net)
    #expect(isDoubted)
    #expect(net.peers[0].ownHeads.certainty == .doubtful)
    #expect(refusal(net, other) == .unconfirmed(other, [net.peers[2].id]))
    try say("behind it", &net, room)
    net.settle()
    #expect(net.peers[1].log(of: room)?.entries.count == logs[0].entries.count + 2)
    expectNoForks(net, room)
  }

  /// Where nothing was forgotten a store as it was left is written to as soon as who is connected was heard, and
  /// after ten seconds in any case.
  @Test func aStoreAsItWasLeftIsWrittenTo() throws {
    for isSilent in [false, true] {
      var net = connected(2, seed: 34)
      let room = try game(&net, with: 1, number: 1)
      restart(0, &net, with: [try #require(net.peers[0].log(of: room))])
      net.peers[0].watchOwnHeads()
      if isSilent {
        net.peers[0].connect(Neighbour(1), as: net.peers[1].id, isNearby: true, at: net.now)
        #expect(throws: PeerError.recovering) { try say("at once", &net, room) }
        net.peers[0].advance(to: net.now + 10_000)
      } else {
        net.connect(0, 1)
        net.settle(seconds: 1)
      }
      try say("now", &net, room)
      let isNew1 = hasNewDoubt(&net)
      #expect(!isNew1)
    }
  }

  /// Who says that there is another process with this key closes the rooms in which it has a seat, and no others.
  @Test func aLiarClosesItsOwnRoomsAlone() throws {
    var net = connected(3, seed: 35)
    let (room, other) = (try game(&net, with: 1, number: 1), try game(&net, with: 2, number: 2))
    restart(0, &net, with: try [room, other].map { try #require(net.peers[0].log(of: $0)) })
    net.peers[0].watchOwnHeads()
    for peer in [1, 2] { net.connect(0, peer) }
    net.settle()
    net.peers[0].noteTwin(by: net.peers[1].id, at: net.now)
    net.settle()
    let isBelieved = hasNewDoubt(&net)
    #expect(isBelieved)
    #expect(throws: PeerError.doubled) { try say("in its room", &net, room) }
    try say("in another one", &net, other)
    net.peers[0].noteTwin(by: net.peers[1].id, at: net.now)
    let isBelievedAgain = hasNewDoubt(&net)
    #expect(!isBelievedAgain)
    // Nor does another teller have all begin anew.
    net.peers[0].noteTwin(by: PeerID(Blake2b(domain: "a stranger").digest()), at: net.now)
    #expect(refusal(net, other) == nil)
    // What this process has met itself closes all that others may have.
    net.peers[0].noteTwin(by: net.peers[0].id, at: net.now)
    restart(1, &net, with: [])
    #expect(throws: PeerError.doubled) { try say("in another one", &net, other) }
  }
}

import EventLog
import Events
import Games
import Gossip
import Peer
import TestKit
import Testing

/// Rooms that a peer was told to forget, and peers that are blocked.
@Suite struct ForgettingTests {
  typealias Net = ReplicationTests.Net

  private func create(_ nonce: UInt8, by peer: Int, _ net: inout Net, _ scope: Scope = .open) throws -> RoomID
  {
    let room = try net.peers[peer].create(
      Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
        nonce: [UInt8](repeating: nonce, count: 16), profile: Profile(name: "host"), creatorSeat: 0,
        starter: .firstSeat, scope: scope))
    net.commit(peer, room)
    return room
  }

  private func say(_ words: String, by peer: Int, _ net: inout Net, _ room: RoomID) throws {
    _ = try net.peers[peer].write(.chat(words), in: room)
    net.commit(peer, room)
  }

  private func forget(_ room: RoomID, _ peer: Int, _ net: inout Net) throws {
    let found = net.peers[peer].forgotten(room)
    let forgotten = try #require(found)
    net.peers[peer].forget([forgotten], at: net.now)
  }

  private func isEqual(_ peer: Int, with other: Int, _ net: inout Net) -> Bool {
    net.peers[peer].isEqual(with: Neighbour(UInt32(other)))
  }

  /// What is forgotten does not come again, also when it goes on, and everything else does.
  @Test func whatIsForgottenStaysAway() throws {
    for seed in 0..<Effort.size(40, quick: 6) {
      var net = Net(count: 3, seed: UInt64(seed))
      let rooms = try (0..<8).map { try create(UInt8($0), by: 1, &net, $0 % 2 == 0 ? .open : .local) }
      for (a, b) in [(0, 1), (1, 2), (0, 2)] { net.connect(a, b) }
      net.settle()
      for room in rooms[2..<5] { try forget(room, 0, &net) }
      net.settle()
      let held = { (peer: Int, net: Net) in rooms.map { net.peers[peer].log(of: $0)?.entries.count ?? 0 } }
      #expect(held(0, net) == [1, 1, 0, 0, 0, 1, 1, 1])
      for room in rooms { try say("more", by: 1, &net, room) }
      let late = try create(99, by: 2, &net)
      net.settle()
      #expect(held(0, net) == [2, 2, 0, 0, 0, 2, 2, 2])
      #expect(held(2, net) == [Int](repeating: 2, count: 8))
      #expect(net.peers[0].log(of: late) != nil)
      #expect(net.refused.isEmpty)
      // Nothing goes to and fro because of it.
      let asked = net.sent[5] ?? 0
      net.settle()
      #expect(net.sent[5] ?? 0 == asked)
      #expect(isEqual(0, with: 1, &net) && isEqual(0, with: 2, &net))
      // What somebody asks for comes back whole, and the rest does not.
      net.peers[0].ask(for: try #require(RoomPrefix(rooms[3].description)), at: net.now)
      net.settle()
      #expect(held(0, net) == [2, 2, 0, 2, 0, 2, 2, 2])
      #expect(!net.peers[0].gossip.isForgotten(rooms[3]) && net.peers[0].gossip.isForgotten(rooms[4]))
    }
  }

  /// Whoever takes part in a tournament keeps the rooms that others who do have made for it, and what strangers call so
  /// counts for them as everything of strangers.
  @Test func roomsOfTheOwnTournamentAreNotOfStrangers() throws {
    var net = Net(count: 4, seed: 10)
    for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] { net.connect(a, b) }
    func create(_ purpose: Create.Purpose, by peer: Int) throws -> RoomID {
      let room = try net.peers[peer].create(
        Create(
          rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
          nonce: [UInt8](repeating: UInt8(peer), count: 16), profile: Profile(name: "host"), purpose: purpose)
      )
      net.commit(peer, room)
      return room
    }
    let cup = try create(.tournament(format: 1, options: 0, seed: 1, title: "cup"), by: 0)
    net.settle()
    let request = try net.peers[1].write(
      .request(seat: Create.noSeat, Profile(name: "entrant")), in: cup, citing: [cup])
    net.commit(1, cup)
    net.settle()
    _ = try net.peers[0].write(.grant(request: request.id, seat: 0), in: cup, citing: [request.id])
    net.commit(0, cup)
    net.settle()
    let games = Create.Purpose.games(tournament: cup, pairing: 0, attempt: 0)
    let (entrants, strangers) = (try create(games, by: 1), try create(games, by: 2))
    net.settle()
    let kept = net.peers.indices.map { peer in
      [entrants, strangers].map { !net.peers[peer].isOfStrangers($0) }
    }
    #expect(kept == [[true, false], [true, false], [false, true], [false, false]])
  }

  /// A directory out of which rooms were taken is the one of a peer that never had them.
  @Test func whatIsLeftIsOfferedAsByAPeerThatNeverHadMore() throws {
    var net = Net(count: 2, seed: 5)
    let rooms = try (0..<60).map { try create(UInt8($0), by: 0, &net, $0 % 3 == 0 ? .local : .open) }
    let logs = rooms.compactMap { net.peers[0].log(of: $0) }
    for (number, log) in logs.enumerated() where number % 4 != 1 {
      net.peers[1].open(log, isDurable: true, at: net.now)
    }
    for (number, room) in rooms.enumerated() where number % 4 == 1 { try forget(room, 0, &net) }
    net.connect(0, 1)
    net.settle()
    #expect(isEqual(0, with: 1, &net) && isEqual(1, with: 0, &net))
    #expect(net.sent[2] == nil, "no part was asked for: both roots are equal at once")
  }

  /// A room of one's own that was forgotten and comes back in part is not written to; no peer forks by forgetting.
  @Test func whoForgetsItsOwnRoomForksNothing() throws {
    var net = Net(count: 3, seed: 8)
    let room = try create(1, by: 0, &net)
    net.connect(0, 1)
    net.settle()
    let early = try #require(net.peers[1].log(of: room))
    for words in ["one", "two", "three"] { try say(words, by: 0, &net, room) }
    net.settle()
    try forget(room, 0, &net)
    net.part(0, 1)
    net.peers[0].ask(for: try #require(RoomPrefix(room.description)), at: net.now)
    // Somebody who has only the beginning.
    net.peers[2].open(early, isDurable: true, at: net.now)
    net.connect(0, 2)
    net.settle()
    #expect(net.peers[0].log(of: room)?.entries.count == 1)
    #expect(throws: PeerError.notWhole(room, 4)) { try say("four", by: 0, &net, room) }
    // And somebody who has all.
    net.connect(0, 1)
    net.settle()
    try say("four", by: 0, &net, room)
    net.settle()
    for peer in net.peers {
      #expect(peer.log(of: room)?.entries.count == 5)
      #expect(peer.log(of: room)?.forkProofs.isEmpty == true)
    }
  }

  /// The same where the process was started again in between, and knows of it from its store.
  @Test func aStartForgetsNoHeads() throws {
    var net = Net(count: 2, seed: 9)
    let room = try create(1, by: 0, &net)
    let early = try #require(net.peers[0].log(of: room))
    try say("one", by: 0, &net, room)
    let found = net.peers[0].forgotten(room)
    let forgotten = try #require(found)
    #expect(!forgotten.isOfStrangers)
    net.peers[0] = PeerCore(
      signer: net.peers[0].keys.signers[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(),
      seed: 3,
      now: { 0 })
    net.peers[0].remember(forgotten, isHere: true)
    net.peers[0].open(early, isDurable: true, at: net.now)
    #expect(throws: PeerError.notWhole(room, 2)) { try say("two", by: 0, &net, room) }
  }

  // MARK: - Blocked peers

  @Test func roomsOfABlockedPeerAreNotTakenInFromAnybody() throws {
    var net = Net(count: 3, seed: 11)
    let (before, other) = (try create(1, by: 2, &net), try create(2, by: 1, &net))
    net.connect(0, 1)
    net.connect(1, 2)
    net.settle()
    net.peers[0].block([net.peers[2].id], at: net.now)
    let after = try create(3, by: 2, &net)
    // What it writes where others are counts as ever.
    for room in [before, other] { try say("words", by: 2, &net, room) }
    net.settle()
    #expect(net.peers[1].log(of: after) != nil && net.peers[0].log(of: after) == nil)
    for room in [before, other] {
      let clocks = [0, 1].map { net.peers[$0].log(of: room)?.clock }
      #expect(clocks[0] == clocks[1] && clocks[0]?.entries.count == 2 - (room == before ? 1 : 0))
    }
    #expect(net.refused.isEmpty)
    net.peers[0].block([], at: net.now)
    net.settle()
    #expect(net.peers[0].log(of: after) != nil)
  }

  @Test func aBlockedPeerGetsNoSeat() throws {
    var net = Net(count: 2, seed: 12)
    let room = try create(1, by: 0, &net)
    net.connect(0, 1)
    net.settle()
    net.peers[0].block([net.peers[1].id], at: net.now)
    let conduct = PeerCore.Conduct(profile: Profile(name: "guest"), wantedSeat: Create.noSeat)
    while try net.peers[1].doDuties(in: room, conduct) {}
    net.commit(1, room)
    net.settle()
    let host = PeerCore.Conduct(profile: Profile(name: "host"))
    #expect(net.peers[0].log(of: room)?.entries.count == 2)
    #expect(try !net.peers[0].doDuties(in: room, host))
    net.peers[0].block([], at: net.now)
    #expect(try net.peers[0].doDuties(in: room, host))
  }
}

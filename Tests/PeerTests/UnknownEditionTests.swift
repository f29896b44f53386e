import EventLog
import Events
import Games
import Peer
import TestKit
import Testing

@testable import Gossip

/// Rooms of an edition that a program does not know: it takes in those that were asked for by id, or all where it keeps
/// an archive (Docs/PROTOCOL.md §3).
@Suite struct UnknownEditionTests {
  private static let limitSeeds = Effort.size(200, quick: 8)

  private static func create(_ nonce: UInt8, _ scope: Scope = .local) -> Create {
    Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: nonce, count: 16), profile: Profile(name: "host"), scope: scope)
  }

  private static func later(_ nonce: UInt8, _ scope: Scope = .local) -> Create {
    create(nonce, scope).reading(edition: 2, content: [1, 2, 3])
  }

  /// Peers of which the first holds a room of this edition and two of a later one.
  private struct World {
    var net: ReplicationTests.Net
    let known: RoomID
    var later: [RoomID] = []

    init(_ count: Int, seed: UInt64) throws {
      net = ReplicationTests.Net(count: count, seed: seed)
      known = try net.peers[0].create(create(1))
      net.commit(0, known)
      for (number, scope) in [Scope.local, .open].enumerated() {
        let room = try net.peers[0].create(UnknownEditionTests.later(UInt8(2 + number), scope))
        net.commit(0, room)
        later.append(room)
      }
    }

    /// Starts a peer again with other settings.
    mutating func restart(_ peer: Int, keepsArchive: Bool) {
      var settings = GossipSettings.standard
      settings.keepsArchive = keepsArchive
      net.peers[peer] = PeerCore(
        signer: net.peers[peer].keys.signers[0], network: .standard, catalog: Games.catalog,
        scheme: Ed25519(),
        settings: settings, seed: 77, now: { 0 })
    }

    func holds(_ peer: Int) -> [Bool] { ([known] + later).map { net.peers[peer].log(of: $0) != nil } }

    mutating func isEqual(_ peer: Int, with other: UInt32) -> Bool {
      net.peers[peer].isEqual(with: Neighbour(other))
    }

    mutating func write(_ words: String, in room: RoomID) throws {
      _ = try net.peers[0].write(.chat(words), in: room)
      net.commit(0, room)
    }
  }

  /// Lets five minutes go by, in which they are compared again and again.
  /// - Returns: whether they send each other digests and nothing else, one or two with each comparison.
  private func isAtRest(_ world: inout World) -> Bool {
    world.net.sent = [:]
    world.net.settle(seconds: 300)
    let comparisons = world.net.peers.count * 300 / 5
    return world.net.sent.keys.allSatisfy { $0 == 1 } && world.net.sent[1] ?? 0 <= 2 * (comparisons + 3)
  }

  private func prefix(_ room: RoomID, _ digits: Int = 6) throws -> RoomPrefix {
    try #require(RoomPrefix(String(room.description.prefix(digits))))
  }

  @Test(arguments: 0..<limitSeeds)
  func theyAreNotTakenUnaskedAndBothComeToRest(_ seed: Int) throws {
    var world = try World(3, seed: UInt64(seed))
    world.net.connect(0, 1)
    world.net.connect(1, 2)
    world.net.settle()
    #expect(world.holds(1) == [true, false, false] && world.holds(2) == [true, false, false])
    let found = world.net.peers[1].effects.notTaken
    #expect(Set(found.map(\.room)) == Set(world.later) && found.allSatisfy { $0.edition == 2 })
    #expect(world.net.peers[2].effects.notTaken.isEmpty)
    #expect(world.isEqual(1, with: 0) && world.isEqual(1, with: 2) && !world.isEqual(0, with: 1))
    #expect(isAtRest(&world))
    // What goes on there is not taken either, and what goes on elsewhere is.
    for room in [world.known] + world.later { try world.write("news", in: room) }
    world.net.settle()
    #expect(isAtRest(&world))
    #expect(world.net.peers[2].log(of: world.known)?.entries.count == 2)
    #expect(world.holds(1) == [true, false, false])
    #expect(world.net.peers[1].effects.notTaken == found && world.net.refused.isEmpty)
    #expect(
      world.net.peers[1].gossip.load.roomsWithoutCreate == 0 && world.net.peers[1].gossip.load.requests == 0)
  }

  @Test(arguments: [true, false]) func whoAsksByIdGetsTheRoom(isBefore: Bool) throws {
    var world = try World(2, seed: 3)
    try world.write("old", in: world.later[0])
    let prefix = try prefix(world.later[0])
    if isBefore { world.net.peers[1].ask(for: prefix, at: world.net.now) }
    world.net.connect(0, 1)
    world.net.settle()
    #expect(world.holds(1) == [true, isBefore, false])
    world.net.peers[1].ask(for: prefix, at: world.net.now)
    world.net.settle(seconds: 5)
    #expect(world.holds(1) == [true, true, false])
    try world.write("new", in: world.later[0])
    world.net.settle()
    #expect(world.net.peers[1].log(of: world.later[0])?.entries.count == 3)
  }

  @Test func aNamedInterestAsksById() throws {
    var world = try World(2, seed: 4)
    world.net.connect(0, 1)
    world.net.settle()
    world.net.peers[1].subscribe(to: Interest(in: [world.known, world.later[1]]), at: world.net.now)
    world.net.settle()
    #expect(world.holds(1) == [true, false, true])
  }

  @Test func anArchiveTakesEverything() throws {
    var world = try World(3, seed: 5)
    world.restart(1, keepsArchive: true)
    world.restart(2, keepsArchive: true)
    world.net.connect(0, 1)
    world.net.connect(1, 2)
    world.net.settle()
    #expect(world.holds(2) == [true, true, true])
    #expect(world.net.peers[1].effects.notTaken.isEmpty && world.isEqual(1, with: 0))
  }

  /// A forked feed, whose entry says nothing of its head, is not asked for again and again either.
  @Test func aForkedFeedIsNotAskedForAgain() throws {
    var world = try World(2, seed: 8)
    let (key, hasher) = (SigningKey(seed: [UInt8](repeating: 9, count: 32)), EventHasher(network: .standard))
    var log = try #require(world.net.peers[0].log(of: world.later[0]))
    for (sequence, words) in [(1, "a"), (1, "b"), (2, "c")] as [(UInt64, String)] {
      let event = try Event.author(
        .chat(words), room: log.room, author: key.peer, sequence: sequence,
        previous: log.head(of: key.peer).event.map { sequence > 1 ? $0.id : .none } ?? .none, parents: [],
        wallTime: 0, hasher: hasher)
      _ = try log.receive(Run(events: [event], signature: key.sign(event.id)), scheme: Ed25519(), isOwn: true)
    }
    #expect(log.feed(key.peer)?.forkSequence == 1)
    world.net.peers[0].open(log, isDurable: true, at: world.net.now)
    world.net.connect(0, 1)
    world.net.settle()
    #expect(isAtRest(&world))
    #expect(world.holds(1) == [true, false, false])
  }

  /// Who looks for a room with the key of another one's feed keeps nobody from getting that.
  @Test func whatHasTheSameKeyIsAskedFor() throws {
    var seen = RoomsNotTaken()
    var feed = Feed(key: 7, room: 0)
    feed.set(.init(author: SigningKey(seed: [UInt8](repeating: 9, count: 32)).peer, sequence: 3, head: .none))
    seen.note(feed, limit: 9)
    var other = Feed(key: 7, room: 0)
    other.set(
      .init(author: SigningKey(seed: [UInt8](repeating: 8, count: 32)).peer, sequence: 3, head: .none))
    for salt in 0..<100 as Range<UInt64> {
      #expect(seen.hasSeen(feed.entry(salt: salt), salt: salt))
      #expect(!seen.hasSeen(other.entry(salt: salt), salt: salt))
    }
    #expect(seen.sequence(before: other.entry(salt: 1)) == 0)
    other.set(.init(author: .none, sequence: 4, head: .none))
    #expect(seen.sequence(before: other.entry(salt: 1)) == 3)
  }

  /// What is remembered has a limit, and what is wanted is forgotten.
  @Test func littleIsRemembered() {
    var seen = RoomsNotTaken()
    let rooms = (1...5 as ClosedRange<UInt8>).map {
      RoomID(Bytes32([UInt8](repeating: $0, count: 32), at: 0))
    }
    for room in rooms.prefix(4) {
      let isNew = [seen.note(room, limit: 8), seen.note(room, limit: 8)]
      #expect(isNew == [true, false])
      seen.note(Feed(key: Feed.key(room: room, author: .none), room: 0), limit: 8)
    }
    #expect(seen.count == 8)
    let were = [seen.forget { $0 == rooms[1] }, seen.forget { $0 == rooms[1] }]
    #expect(were == [true, false] && seen.count == 6 && !seen.contains(rooms[1]))
    _ = seen.note(rooms[1], limit: 6)
    #expect(seen.count == 1 && seen.contains(rooms[1]) && !seen.contains(rooms[0]))
  }

  /// What is in the store already stays, and goes on.
  @Test func aStoredRoomStays() throws {
    var world = try World(2, seed: 6)
    let stored = try #require(world.net.peers[0].log(of: world.later[0]))
    world.net.peers[1].open(stored, isDurable: true, at: world.net.now)
    try world.write("news", in: world.later[0])
    world.net.connect(0, 1)
    world.net.settle()
    #expect(world.net.peers[1].log(of: world.later[0])?.entries.count == 2)
    #expect(world.holds(1) == [true, true, false])
  }

  /// A room is opened for events that come before its creation, which says the edition.
  @Test func whatCameBeforeTheCreationIsLetGo() throws {
    var world = try World(2, seed: 7)
    let room = world.later[0]
    try world.write("news", in: room)
    let entry = try #require(world.net.peers[0].log(of: room)?.entries.last)
    world.net.connect(0, 1)
    let run = Run(events: [entry.event], signature: try #require(entry.signature))
    world.net.peers[1].receive(
      Message.runs(RunsMessage(room: room, runs: [run])).encoded(), from: Neighbour(0), at: world.net.now)
    world.net.settle()
    #expect(world.holds(1) == [true, false, false])
    #expect(
      world.net.peers[1].gossip.load.waiting == 0 && world.net.peers[1].gossip.load.roomsWithoutCreate == 0)
    #expect(isAtRest(&world))
  }
}

import BotKit
import EventLog
import Events
import Games
import Gossip
import Peer
import TestKit
import Testing

/// What peers want, class by class: whoever has it evaluates that, and whoever wants it takes nothing else.
@Suite struct InterestTests {
  private typealias Net = ReplicationTests.Net

  /// Creates a room; one that is over is no game that can be joined.
  private func room(
    _ net: inout Net, by peer: Int = 0, _ number: UInt8, scope: Scope = .open, isOver: Bool = false,
    purpose: Create.Purpose = .games(tournament: .none, pairing: 0, attempt: 0)
  ) throws -> RoomID {
    let room = try net.peers[peer].create(
      Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
        nonce: [UInt8](repeating: number, count: 16), profile: Profile(name: "host"), scope: scope,
        purpose: purpose))
    if isOver { _ = try net.peers[peer].write(.leave(node: .none), in: room) }
    net.commit(peer, room)
    return room
  }

  /// Peers that want what players want, in a row.
  private func row(_ count: Int, openGames: UInt8 = 0, seed: UInt64) -> Net {
    var net = Net(count: count, seed: seed)
    for peer in net.peers.indices {
      net.peers[peer].subscribe(to: Interest(openGames: openGames), at: net.now)
    }
    for peer in 1..<count { net.connect(peer - 1, peer) }
    net.settle()
    return net
  }

  private func holds(_ net: Net, _ peer: Int, _ rooms: [RoomID]) -> [Bool] {
    rooms.map { (net.peers[peer].log(of: $0)?.entries.count ?? 0) > 0 }
  }

  private func ask(_ net: inout Net, _ peer: Int, for room: RoomID, digits: Int = 64) throws {
    let prefix = try #require(RoomPrefix(String(room.description.prefix(digits))))
    net.peers[peer].ask(for: prefix, at: net.now)
  }

  /// The first wants everything and so is sent nothing that it did not want; the other one takes by class, whether the
  /// rooms were there before they met or come later.
  @Test(arguments: [false, true]) func classes(_ isBefore: Bool) throws {
    var net = Net(count: 2, seed: 31)
    net.peers[1].subscribe(to: Interest(openGames: 2), at: net.now)
    if !isBefore {
      net.connect(0, 1)
      net.settle()
    }
    let others = try room(&net, 1, isOver: true)
    let mine = try room(&net, 2, isOver: true)
    _ = try net.peers[0].write(.invite(net.peers[1].id), in: mine)
    net.commit(0, mine)
    let tournament = try room(
      &net, 3, isOver: true, purpose: .tournament(format: 1, options: 0, seed: 1, title: "cup"))
    let game = try room(&net, 4, purpose: .games(tournament: tournament, pairing: 0, attempt: 0))
    let open = try (5...7 as ClosedRange<UInt8>).map { try room(&net, $0) }
    if isBefore { net.connect(0, 1) }
    net.settle()
    #expect(holds(net, 1, [others, mine, tournament, game]) == [false, true, false, false])
    #expect(holds(net, 1, open) == [true, true, false])
    try ask(&net, 1, for: tournament, digits: 6)
    net.settle()
    #expect(holds(net, 1, [others, mine, tournament, game]) == [false, true, true, true])
    let later = try room(&net, 8, purpose: .games(tournament: tournament, pairing: 1, attempt: 0))
    net.settle()
    #expect(holds(net, 1, [later, others]) == [true, false])
    // Nothing else was sent, and nothing twice.
    let taken = [mine, tournament, game, later] + open.prefix(2)
    let events = taken.reduce(0) { $0 + (net.peers[0].log(of: $1)?.entries.count ?? 0) }
    #expect(net.peers[0].effects.sentEvents == events)
    #expect(net.refused.isEmpty)
  }

  /// Whoever pushes what was not asked for, because it never heard what is wanted or does not care, is not believed.
  @Test func whatNobodyWantsIsNotTaken() throws {
    var net = Net(count: 2, seed: 32)
    net.peers[1].subscribe(to: Interest(openGames: 3), at: net.now)
    net.connect(0, 1)
    _ = net.peers[1].takeOutbox(at: net.now)
    // All of them are pushed.
    let rooms = try (1...20 as ClosedRange<UInt8>).map { try room(&net, $0, isOver: $0 > 10) }
    for _ in 0..<40 where net.step(until: net.now + 400) {}
    let held = holds(net, 1, rooms)
    #expect(held.prefix(10).count(where: \.self) <= 3 && !held.suffix(10).contains(true))
    net.settle()
    #expect(holds(net, 1, rooms).prefix(10).count(where: \.self) == 3)
    // What was refused is taken once it is wanted.
    try ask(&net, 1, for: rooms[15])
    net.settle()
    #expect(holds(net, 1, rooms).suffix(10).count(where: \.self) == 1 && holds(net, 1, [rooms[15]]) == [true])
  }

  /// A game that is held only because it can be joined may not fill the disk; once one takes part, all of it comes.
  @Test func anOpenGameHasALimitUntilOneTakesPart() throws {
    var net = row(2, openGames: 8, seed: 33)
    let room = try room(&net, 1)
    net.settle()
    for _ in 0..<700 { _ = try net.peers[0].write(.chat(String(repeating: "x", count: 500)), in: room) }
    net.commit(0, room)
    net.settle(seconds: 60)
    let held = try #require(net.peers[1].log(of: room)?.entries.count)
    #expect(held > 1 && held < 600, "\(held) of 701 events")
    _ = try net.peers[1].write(.request(seat: 1, Profile(name: "guest")), in: room)
    net.commit(1, room)
    net.settle(seconds: 60)
    #expect(net.peers[1].log(of: room)?.entries.count == 702)
    #expect(net.peers[0].log(of: room)?.entries.count == 702)
  }

  /// Two that are not connected meet over others, which carry what two of their neighbours want, and only that; over
  /// too many they do not.
  @Test(arguments: 1...6) func wantsArePassedOn(_ carriers: Int) throws {
    var net = row(carriers + 2, seed: 34)
    let last = carriers + 1
    let alone = try room(&net, 1, isOver: true)
    let shared = try room(&net, 2, isOver: true)
    _ = try net.peers[0].write(.invite(net.peers[last].id), in: shared)
    net.commit(0, shared)
    net.settle(seconds: 60)
    let isNear = carriers <= 4
    #expect(holds(net, last, [alone, shared]) == [false, isNear])
    for carrier in 1..<last { #expect(holds(net, carrier, [alone]) == [false]) }
    if isNear {
      _ = try net.peers[last].write(.chat("hello"), in: shared)
      net.commit(last, shared)
      net.settle(seconds: 60)
    }
    #expect(net.peers[0].log(of: shared)?.entries.count == (isNear ? 4 : 3))
    // A question for an id goes the same way.
    try ask(&net, last, for: alone, digits: 8)
    net.settle(seconds: 60)
    #expect(holds(net, last, [alone]) == [isNear])
  }

  /// A game that was seen when it could be joined is no more told of by a carrier, once it is on and its players are
  /// gone: whoever looks on asks for it.
  @Test func whatWasSeenOpenIsAskedForLater() throws {
    var net = row(3, openGames: 8, seed: 37)
    let room = try room(&net, 1)
    net.settle()
    #expect(holds(net, 2, [room]) == [true])
    for action in [Action.leave(node: .none), .chat("so long")] {
      _ = try net.peers[0].write(action, in: room)
      net.commit(0, room)
      net.settle()
      if case .leave = action { net.part(1, 2) }
    }
    net.part(0, 1)
    net.connect(1, 2)
    net.settle(seconds: 60)
    #expect([1, 2].map { net.peers[$0].log(of: room)?.entries.count } == [3, 2])
    try ask(&net, 2, for: room)
    net.settle()
    #expect(net.peers[2].log(of: room)?.entries.count == 3)
  }

  /// Of a neighbour that has more than is found in one turn nobody believes that it has shown all: whoever looks for
  /// its own events gets every one.
  @Test(arguments: [false, true]) func manyRoomsAreFoundInTurns(_ isLost: Bool) throws {
    var net = Net(count: 2, seed: 38)
    var settings = GossipSettings.standard
    settings.budget.sharedRooms = 16
    net.peers[0] = PeerCore(
      signer: net.peers[0].keys.signers[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(),
      settings: settings, seed: 11, now: { 0 })
    let count = 100
    let author = net.peers[1].id
    for number in 0..<count {
      var bytes = Bytes32.zero.bytes
      (bytes[0], bytes[1], bytes[2]) = (UInt8(number >> 8), UInt8(number & 0xFF), 1)
      let clock = VectorClock([
        .init(author: author, sequence: 1, head: EventID(Bytes32(bytes, at: 0)), isForked: false)
      ])
      net.peers[0].know(
        try #require(
          StoredClock(
            room: RoomID(Bytes32(bytes, at: 0)), events: 1, rule: 1, scope: .open, members: [], clock: clock))
      )
    }
    let room = try room(&net, by: 1, 1, isOver: true)
    let old = try #require(net.peers[1].log(of: room))
    net.connect(0, 1)
    _ = try net.peers[1].write(.chat("forgotten"), in: room)
    net.commit(1, room)
    net.settle()
    net.peers[0].disconnect(Neighbour(1), at: net.now)
    net.peers[1] = PeerCore(
      signer: net.peers[1].keys.signers[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(),
      seed: 12,
      now: { 0 })
    net.peers[1].open(old, isDurable: true, at: net.now)
    for peer in 0...1 { net.peers[peer].subscribe(to: Interest(), at: net.now) }
    net.peers[1].beginDoubt(at: net.now)
    net.connect(0, 1)
    if isLost { _ = net.peers[1].takeOutbox(at: net.now) }
    // Until all was shown nothing may be written there.
    while net.peers[1].log(of: room)?.entries.count == 2 {
      #expect(throws: PeerError.self) { try net.peers[1].write(.chat("other"), in: room) }
      guard net.step(until: net.now + 60_000) else { break }
    }
    #expect(net.peers[1].log(of: room)?.entries.count == 3)
  }

  /// Whoever says again and again what it wants is heard, and costs others little.
  @Test func whatIsSaidTooOftenIsHeardLater() throws {
    var net = row(3, seed: 39)
    let rooms = try (0..<60 as Range<UInt8>).map { try room(&net, $0, isOver: true) }
    net.settle()
    let before = net.sent[9] ?? 0
    for room in rooms { try ask(&net, 2, for: room) }
    net.settle(seconds: 60)
    #expect(!holds(net, 2, rooms).contains(false))
    // Sixty times said by the one that asked, a few times passed on, and again where both found that they differ.
    #expect((net.sent[9] ?? 0) - before < 120)
    #expect(net.refused.isEmpty)
  }

  /// A neighbour that names thousands does not keep two others from meeting.
  @Test func whoNamesThousandsCrowdsOutNobody() throws {
    var net = row(3, seed: 40)
    let crowd = SigningKey(seed: [UInt8](repeating: 77, count: 32))
    net.peers[1].connect(Neighbour(9), as: crowd.peer, isNearby: true, at: net.now)
    let many = Interest(
      peers: (0..<UInt64(Interest.limitPeers)).map { .init($0) },
      rooms: (0..<Interest.limitRooms).map { number in
        .init(
          RoomPrefix(
            RoomID(
              Bytes32(
                [0, 0, UInt8(number >> 8), UInt8(number & 0xFF)] + [UInt8](repeating: 0, count: 28), at: 0))))
      })
    net.peers[1].receive(Message.interest(many).encoded(), from: Neighbour(9), at: net.now)
    net.links[1].append(contentsOf: [[[UInt8]]](repeating: [], count: 7))
    net.settle()
    let (shared, asked) = (try room(&net, 1, isOver: true), try room(&net, 2, isOver: true))
    _ = try net.peers[0].write(.invite(net.peers[2].id), in: shared)
    net.commit(0, shared)
    try ask(&net, 2, for: asked)
    net.settle(seconds: 60)
    #expect(holds(net, 2, [shared, asked]) == [true, true])
  }

  /// Who is gone is not wanted for any more, also where neighbours stand in a ring and tell each other of it.
  @Test func whatWasPassedOnIsForgotten() throws {
    var net = row(4, seed: 35)
    net.connect(1, 3)
    net.settle()
    // The first one goes; the ring of the others has heard of it.
    net.part(0, 1)
    net.settle(seconds: 60)
    let room = try room(&net, by: 3, 1, isOver: true)
    _ = try net.peers[3].write(.invite(net.peers[0].id), in: room)
    net.commit(3, room)
    net.settle(seconds: 60)
    #expect(holds(net, 1, [room]) == [false] && holds(net, 2, [room]) == [false])
  }

  /// Peers that hold the same of what both want, or show each other, find that with one hash.
  @Test(arguments: 0..<Effort.size(60, quick: 15)) func peersThatLimitThemselvesBecomeEqual(_ seed: Int)
    throws
  {
    var net = row(3, openGames: 2, seed: UInt64(100 + seed))
    var rooms: [RoomID] = []
    for number in 0..<24 as Range<UInt8> {
      let peer = Int(net.random.below(3))
      let room = try room(&net, by: peer, number, isOver: net.random.below(2) == 0)
      rooms.append(room)
      if net.random.below(2) == 0 {
        _ = try net.peers[peer].write(.invite(net.peers[Int(net.random.below(3))].id), in: room)
        net.commit(peer, room)
      }
      if net.random.below(3) == 0, !rooms.isEmpty {
        let known = rooms[Int(net.random.below(UInt64(rooms.count)))]
        let writer = Int(net.random.below(3))
        if holds(net, writer, [known]) == [true] {
          _ = try net.peers[writer].write(.chat("\(number)"), in: known)
          net.commit(writer, known)
        }
      }
      if net.random.below(6) == 0 {
        net.part(1, 2)
        net.connect(1, 2)
      }
      if net.random.below(5) == 0 {
        try ask(&net, Int(net.random.below(3)), for: rooms[Int(net.random.below(UInt64(rooms.count)))])
      }
      for _ in 0..<net.random.below(20) { _ = net.step(until: net.now + 100) }
    }
    net.settle(seconds: 120)
    #expect(net.refused.isEmpty)
    for room in rooms { #expect(net.digests(of: room).count <= 1, "room \(room.short)") }
    func expectEqual(_ pairs: [(Int, Int)]) {
      for (peer, neighbour) in pairs {
        let isEqual = net.peers[peer].isEqual(with: Neighbour(UInt32(neighbour)))
        // Of games that can be joined one may show others than the other one takes.
        let hasRefused = net.peers[neighbour].gossip.load.notTaken > 0
        #expect(isEqual || hasRefused, "\(peer) with \(neighbour)")
      }
    }
    expectEqual([(0, 1), (1, 0), (1, 2), (2, 1)])
    // What was carried for one that is gone is wanted on one side alone, and shown.
    net.part(1, 2)
    net.part(0, 1)
    net.connect(0, 1)
    net.settle(seconds: 120)
    expectEqual([(0, 1), (1, 0)])
  }

  /// What was read by what is stored of it alone is found for those whom it names, and by its tournament.
  @Test func whatIsClosedIsFoundToo() throws {
    var net = Net(count: 2, seed: 36)
    let tournament = RoomID(Bytes32([UInt8](repeating: 7, count: 32), at: 0))
    let purpose = Create.Purpose.games(tournament: tournament, pairing: 0, attempt: 0)
    let rooms = [try room(&net, 1, isOver: true), try room(&net, 2, purpose: purpose)]
    let logs = try rooms.map { try #require(net.peers[0].log(of: $0)) }
    net.peers[0] = PeerCore(
      signer: net.peers[0].keys.signers[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(),
      seed: 9,
      now: { 0 })
    for (log, tournament) in zip(logs, [.none, tournament]) {
      net.peers[0].know(
        try #require(
          StoredClock(
            room: log.room, events: log.entries.count, rule: 1, scope: .open, tournament: tournament,
            members: [],
            clock: log.clock)))
    }
    net.peers[1].subscribe(
      to: Interest(peers: [.init(net.peers[0].id.bytes.prefix64)]), at: net.now)
    net.connect(0, 1)
    func settle() {
      let end = net.now + 30_000
      while net.step(until: end) {
        for room in net.peers[0].effects.takeNeeded() {
          if let log = logs.first(where: { $0.room == room }) {
            net.peers[0].open(log, isDurable: true, at: net.now)
          }
        }
      }
    }
    settle()
    #expect(holds(net, 1, rooms) == [true, true])
    net.peers[1] = PeerCore(
      signer: net.peers[1].keys.signers[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(),
      seed: 10,
      now: { 0 })
    net.peers[1].subscribe(to: Interest(in: [tournament]), at: net.now)
    net.peers[0].disconnect(Neighbour(1), at: net.now)
    net.connect(0, 1)
    settle()
    #expect(holds(net, 1, rooms) == [false, true])
  }
}

import BotKit
import EventLog
import Events
import Games
import Gossip
import Peer
import Projection
import TestKit
import Testing

/// Peers in different processes: everything travels signed, is checked, and ends alike everywhere.
@Suite struct ReplicationTests {
  /// Peers with links between them that deliver in order, each at its own pace; every step takes a millisecond.
  struct Net {
    var peers: [PeerCore]
    var links: [[[[UInt8]]]]
    var random: RandomStream
    var now = Tick(milliseconds: 1)
    /// Who was refused by whom, and why.
    var refused: [(by: Int, reason: Refusal)] = []
    /// How many messages were sent, by their first bytes, which say what they are.
    var sent: [UInt8: Int] = [:]

    init(count: Int, seed: UInt64) {
      peers = (0..<count).map { number in
        let key = SigningKey(seed: [UInt8](repeating: UInt8(number + 1), count: 32))
        return PeerCore(
          signer: key, network: .standard, catalog: Games.catalog, scheme: Ed25519(),
          seed: seed &+ UInt64(number),
          now: { 0 })
      }
      links = Array(repeating: Array(repeating: [], count: count), count: count)
      random = RandomStream(seed: seed)
    }

    mutating func connect(_ a: Int, _ b: Int) {
      peers[a].connect(Neighbour(UInt32(b)), as: peers[b].id, isNearby: true, at: now)
      peers[b].connect(Neighbour(UInt32(a)), as: peers[a].id, isNearby: true, at: now)
    }

    mutating func part(_ a: Int, _ b: Int) {
      peers[a].disconnect(Neighbour(UInt32(b)), at: now)
      peers[b].disconnect(Neighbour(UInt32(a)), at: now)
    }

    /// Starts a peer again from an old copy of its only room; its one neighbour has lost it.
    mutating func goBack(_ peer: Int, to old: RoomLog, from neighbour: Int) {
      let key = peers[peer].keys.signers[0]
      peers[neighbour].disconnect(Neighbour(UInt32(peer)), at: now)
      peers[peer] = PeerCore(
        signer: key, network: .standard, catalog: Games.catalog, scheme: Ed25519(), seed: 99, now: { 0 })
      peers[peer].open(old, isDurable: true, at: now)
      peers[peer].beginDoubt(at: now)
    }

    /// Makes what came durable, and moves outboxes onto the links.
    mutating func collect() {
      for index in peers.indices {
        for room in peers[index].effects.takeChanged() { commit(index, room) }
        for message in peers[index].takeOutbox(at: now) {
          links[index][Int(message.to.number)].append(message.bytes)
          sent[message.bytes[0], default: 0] += 1
        }
        for (neighbour, reason) in peers[index].effects.takeRefused() {
          refused.append((index, reason))
          peers[index].disconnect(neighbour, at: now)
        }
      }
    }

    mutating func commit(_ peer: Int, _ room: RoomID) {
      do throws(PeerError) {
        if let change = try peers[peer].prepareCommit(room) { peers[peer].markDurable(change, at: now) }
      } catch { Issue.record("\(error)") }
    }

    /// Delivers one message of a random link, or lets time pass to the next timer before `end`; `false` when
    /// nothing is left to happen.
    mutating func step(until end: Tick) -> Bool {
      collect()
      let busy = peers.indices.flatMap { from in peers.indices.map { (from, $0) } }
        .filter { !links[$0.0][$0.1].isEmpty }
      guard !busy.isEmpty else {
        guard let next = peers.compactMap(\.deadline).min(), next <= end else { return false }
        now = max(now, next)
        for index in peers.indices { peers[index].advance(to: now) }
        return true
      }
      now = now + 1
      let (from, to) = busy[Int(random.below(UInt64(busy.count)))]
      peers[to].receive(links[from][to].removeFirst(), from: Neighbour(UInt32(from)), at: now)
      return true
    }

    /// A step in which everything arrives but the events that one peer sends, of one room or of all.
    mutating func stepWithoutRuns(from silent: Int, of room: RoomID? = nil, until end: Tick) -> Bool {
      collect()
      let hasher = EventHasher(network: .standard)
      for to in links[silent].indices {
        links[silent][to].removeAll { bytes in
          do {
            switch try Message(decoding: bytes, hasher: hasher) {
            case .runs(let message): return message.room == room ?? message.room
            // The first half of a feed's key is the room's.
            case .next(let next): return room.map { next.key >> 32 == $0.bytes.prefix64 >> 32 } ?? true
            default: return false
            }
          } catch {
            Issue.record("\(error)")
            return false
          }
        }
      }
      return step(until: end)
    }

    /// Lets everything happen that happens in so many seconds.
    mutating func settle(seconds: UInt64 = 30) {
      let end = now + seconds * 1_000
      while step(until: end) {}
      now = max(now, end)
    }

    func digests(of room: RoomID) -> Set<Digest> {
      Set(peers.indices.compactMap { peers[$0].log(of: room)?.clock.digest(room: room) })
    }
  }

  private func create(_ scope: Scope = .local) -> Create {
    Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: 7, count: 16), profile: Profile(name: "host"), scope: scope)
  }

  /// Two that were alike in the rooms that one of them wanted are not taken to be alike in all, even where they never
  /// become so, because one of them takes no more of somebody's events.
  @Test func whoWantsEverythingAgainGetsEverything() throws {
    var (net, room) = try row(2, seed: 8)
    var settings = GossipSettings.standard
    settings.budget.authorBytes = 1_500
    net.peers[1] = PeerCore(
      signer: net.peers[1].keys.signers[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(),
      settings: settings, seed: 5, now: { 0 })
    let talker = net.peers[0].admit(SigningKey(seed: [UInt8](repeating: 9, count: 32)))
    let rooms = try (1...3 as ClosedRange<UInt8>).map { number in
      var other = create()
      other.nonce = [UInt8](repeating: number, count: 16)
      let room = try net.peers[0].create(other, by: number == 1 ? talker : 0)
      net.commit(0, room)
      return room
    }
    net.part(0, 1)
    net.peers[1].subscribe(to: Interest(in: [room]), at: net.now)
    net.connect(0, 1)
    net.settle()
    #expect(rooms.allSatisfy { net.peers[1].log(of: $0) == nil })
    net.part(0, 1)
    for _ in 0..<20 {
      _ = try net.peers[0].write(.chat(String(repeating: "x", count: 200)), in: rooms[0], by: talker)
    }
    net.commit(0, rooms[0])
    net.peers[1].subscribe(to: nil, at: net.now)
    net.connect(0, 1)
    net.settle(seconds: 120)
    #expect(rooms.dropFirst().map { net.peers[1].log(of: $0)?.entries.count } == [1, 1])
    #expect(net.peers[1].log(of: room) != nil)
  }

  /// A room of the first peer, and peers in a row.
  private func row(_ count: Int, seed: UInt64, isClosed: Bool = false) throws -> (Net, RoomID) {
    var net = Net(count: count, seed: seed)
    let room = try net.peers[0].create(create())
    net.commit(0, room)
    for peer in 1..<count { net.connect(peer - 1, peer) }
    if isClosed { net.connect(count - 1, 0) }
    net.settle()
    #expect(net.peers.allSatisfy { $0.log(of: room)?.entries.count == 1 })
    return (net, room)
  }

  private func chat(_ words: String, _ peer: Int, _ net: inout Net, _ room: RoomID) throws -> Event {
    let event = try net.peers[peer].write(.chat(words), in: room)
    net.commit(peer, room)
    return event
  }

  /// Everybody writes while messages are under way; peers stand in a row or a ring, so most news arrives second
  /// hand.
  @Test(arguments: 0..<Effort.size(40, quick: 10)) func peersConverge(_ seed: Int) throws {
    var (net, room) = try row(4, seed: UInt64(seed), isClosed: seed % 2 == 0)
    for number in 0..<60 {
      let peer = Int(net.random.below(4))
      _ = try net.peers[peer].write(.chat("\(number)"), in: room)
      if net.random.below(3) == 0 { net.commit(peer, room) }
      for _ in 0..<net.random.below(6) { _ = net.step(until: net.now) }
    }
    for peer in net.peers.indices { net.commit(peer, room) }
    net.settle()
    #expect(net.digests(of: room).count == 1)
    #expect(net.peers.allSatisfy { $0.log(of: room)?.entries.count == 61 })
    #expect(net.refused.isEmpty)
    #expect(Set(net.peers.indices.compactMap { net.peers[$0].digest(of: room) }).count == 1)
  }

  /// A room for invited peers reaches only them, and only they ask for its seat, once.
  @Test func onlyTheInvitedHearOfTheRoom() throws {
    var net = Net(count: 3, seed: 8)
    for peer in 1..<3 { net.connect(0, peer) }
    net.connect(1, 2)
    let room = try net.peers[0].create(create(.invited))
    net.commit(0, room)
    func goOn(_ net: inout Net) throws {
      var isBusy = true
      while isBusy {
        isBusy = false
        for peer in net.peers.indices { net.commit(peer, room) }
        net.settle()
        for peer in net.peers.indices {
          let conduct = PeerCore.Conduct(
            profile: Profile(name: "\(peer)"), wantedSeat: peer == 0 ? nil : Create.noSeat)
          if try net.peers[peer].doDuties(in: room, conduct) { isBusy = true }
        }
      }
    }
    try goOn(&net)
    #expect(net.peers.map { $0.log(of: room)?.entries.count } == [1, nil, nil])
    for _ in 0..<2 { _ = try net.peers[0].write(.invite(net.peers[2].id), in: room) }
    try goOn(&net)
    #expect(net.peers[1].log(of: room) == nil)
    let read = net.peers[2].state(of: room)
    let state = try #require(read)
    #expect(state.invited == [net.peers[2].id])
    #expect(state.seats.compactMap { $0?.peer } == [net.peers[2].id])
    let kinds = net.peers[0].log(of: room)?.entries.map(\.event.kind)
    #expect(kinds == [.create, .invite, .invite, .request, .grant])
  }

  /// What is not signed and durable does not leave the process.
  @Test func onlyWhatIsDurableLeaves() throws {
    var (net, room) = try row(2, seed: 1)
    _ = try net.peers[0].write(.chat("not yet"), in: room)
    net.settle()
    #expect(net.peers[1].log(of: room)?.entries.count == 1)
    try net.peers[0].sign(room)
    net.settle()
    #expect(net.peers[1].log(of: room)?.entries.count == 1)
    net.commit(0, room)
    net.settle()
    #expect(net.peers[1].log(of: room)?.entries.count == 2)
    // What is written while a commit is under way is neither sent nor offered by the end of that one.
    _ = try net.peers[0].write(.chat("durable"), in: room)
    let change = try #require(try net.peers[0].prepareCommit(room))
    _ = try net.peers[0].write(.chat("not yet"), in: room)
    try net.peers[0].sign(room)
    net.peers[0].markDurable(change, at: net.now)
    net.settle()
    #expect(net.peers[1].log(of: room)?.entries.count == 3)
    #expect(net.peers[1].gossip.replica.missingFeeds == 0)
  }

  /// The first bad signature ends the connection; nothing is taken, and what follows is not heard.
  @Test func whoSendsAForgeryIsRefused() throws {
    var (net, room) = try row(2, seed: 1)
    let before = net.digests(of: room)
    let event = try net.peers[0].write(.chat("forged"), in: room)
    let forgery = try #require(Signature([UInt8](repeating: 9, count: 64)))
    let message = Message.runs(.init(room: room, runs: [Run(events: [event], signature: forgery)]))
    net.peers[1].receive(message.encoded(), from: Neighbour(0), at: net.now)
    #expect(net.peers[1].effects.takeRefused().map(\.reason) == [.broken(room, .badSignature(event.id))])
    #expect(Set([net.peers[1].log(of: room)?.clock.digest(room: room)].compactMap { $0 }) == before)
    // Somebody who is heard would get an answer.
    let question = Message.digest(.init(root: .zero, asksForAnswer: true)).encoded()
    net.peers[1].receive(question, from: Neighbour(0), at: net.now)
    #expect(net.peers[1].takeOutbox(at: net.now).isEmpty)
    var (other, _) = try row(2, seed: 1)
    other.peers[1].receive(question, from: Neighbour(0), at: other.now)
    #expect(!other.peers[1].takeOutbox(at: other.now).isEmpty)
    net.peers[0].receive([0xFF], from: Neighbour(1), at: net.now)
    #expect(net.peers[0].effects.takeRefused().count == 1)
  }

  /// Two branches of one feed, each signed, reach everybody as the proof of a fork.
  @Test func aForkIsPassedOnAndFreezesItsFeed() throws {
    var (net, room) = try row(3, seed: 3)
    // The same key writes twice from the same place: to its neighbour, and to somebody else.
    var twin = net.peers[2]
    _ = try chat("one", 2, &net, room)
    net.settle()
    let other = try twin.write(.chat("other"), in: room)
    try twin.sign(room)
    let run = Run(events: [other], signature: twin.keys.signers[0].sign(other.id))
    net.peers[1].receive(
      Message.runs(.init(room: room, runs: [run])).encoded(), from: Neighbour(2), at: net.now)
    // The proof is sent at once, and not found when somebody compares.
    net.settle(seconds: 1)
    for peer in 0..<2 {
      let forked = net.peers[peer].state(of: room)?.forked
      #expect(forked == [net.peers[2].id])
      #expect(net.peers[peer].log(of: room)?.forkProofs.count == 1)
    }
    net.settle()
    #expect(net.digests(of: room).count == 1)
    #expect(net.refused.isEmpty)
  }

  /// Two who hold different branches of equal length find the fork when they compare, and part as friends.
  @Test(arguments: [1, 2, 5]) func comparingShowsAForkOfEqualLength(_ length: Int) throws {
    var (net, room) = try row(4, seed: 6)
    var twin = net.peers[3]
    for number in 0..<length {
      _ = try net.peers[3].write(.chat("one \(number)"), in: room)
      _ = try twin.write(.chat("other \(number)"), in: room)
    }
    for (number, branch) in [(0, net.peers[3]), (1, twin)] {
      let events = try #require(branch.log(of: room)).entries.dropFirst().map(\.event)
      let run = Run(events: events, signature: twin.keys.signers[0].sign(try #require(events.last).id))
      var lone = Net(count: 1, seed: 1)
      lone.peers = [net.peers[number]]
      lone.peers[0].receive(
        Message.runs(.init(room: room, runs: [run])).encoded(), from: Neighbour(number == 0 ? 1 : 0),
        at: net.now)
      lone.commit(0, room)
      _ = lone.peers[0].effects.takeChanged()
      _ = lone.peers[0].takeOutbox(at: net.now)
      for neighbour in 0..<4 { lone.peers[0].disconnect(Neighbour(UInt32(neighbour)), at: net.now) }
      net.peers[number] = lone.peers[0]
    }
    var pair = Net(count: 2, seed: 7)
    pair.peers = Array(net.peers.prefix(2))
    pair.now = net.now
    pair.connect(0, 1)
    pair.settle()
    for index in 0..<2 { #expect(pair.peers[index].state(of: room)?.forked == [twin.id]) }
    #expect(pair.refused.isEmpty)
    #expect(pair.digests(of: room).count == 1)
  }

  /// Who wants one room gets that one, old and new events; who lifts the limit gets the rest.
  @Test func whoWantsOneRoomGetsOne() throws {
    var net = Net(count: 2, seed: 11)
    var settings = GossipSettings.standard
    settings.pushLinks = 0
    net.peers[0] = PeerCore(
      signer: net.peers[0].keys.signers[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(),
      settings: settings, now: { 0 })
    let rooms = try (0..<3).map { number in
      var create = create()
      create.nonce[0] = UInt8(number)
      let room = try net.peers[0].create(create)
      net.commit(0, room)
      return room
    }
    net.peers[1].subscribe(to: Interest(in: [rooms[1]]), at: net.now)
    net.connect(0, 1)
    net.settle()
    // To who wants no pushes news is announced, but none of rooms that it does not want.
    net.peers[0].receive(Message.push(false).encoded(), from: Neighbour(1), at: net.now)
    for (room, announcements) in [(rooms[0], 0), (rooms[1], 1)] {
      _ = try chat("later", 0, &net, room)
      net.now = net.now + 300
      net.peers[0].advance(to: net.now)
      net.collect()
      let hasher = EventHasher(network: .standard)
      let told = try net.links[0][1].map { try Message(decoding: $0, hasher: hasher) }
      #expect(told.count { if case .have = $0 { true } else { false } } == announcements)
    }
    net.settle()
    #expect(rooms.map { net.peers[1].log(of: $0)?.entries.count } == [nil, 2, nil])
    net.peers[1].subscribe(to: nil, at: net.now)
    net.settle()
    #expect(rooms.map { net.peers[1].log(of: $0)?.entries.count } == [2, 2, 1])
    #expect(net.refused.isEmpty)
  }

  /// A room of local scope stays among peers nearby, an open one does not.
  @Test(arguments: [Scope.local, .open]) func scopesAreKept(_ scope: Scope) throws {
    var net = Net(count: 2, seed: 12)
    let room = try net.peers[0].create(create(scope))
    net.commit(0, room)
    for (one, other) in [(0, 1), (1, 0)] {
      net.peers[one].connect(
        Neighbour(UInt32(other)), as: net.peers[other].id, isNearby: false, at: net.now)
    }
    net.settle()
    // Asked for by its key, and by its event's id, it is not sent either.
    let probe = [
      Message.want([Want(key: room.bytes.prefix64, after: 0)]), .fetch(room, [room]),
      .ask(salt: 1, [PartName(trie: 1, bits: 0, depth: 0)]),
    ]
    for message in probe { net.peers[0].receive(message.encoded(), from: Neighbour(1), at: net.now) }
    net.settle()
    #expect((net.peers[1].log(of: room) != nil) == (scope == .open))
  }

  /// A peer that was put back to an old copy writes nothing into its rooms before it has learned its own heads; a
  /// new room it may have at once.
  @Test func anOldCopyContradictsNothing() throws {
    var (net, room) = try row(2, seed: 13)
    let old = try #require(net.peers[0].log(of: room))
    for words in ["one", "two"] { _ = try chat(words, 0, &net, room) }
    net.settle()
    net.goBack(0, to: old, from: 1)
    #expect(throws: PeerError.recovering) { try net.peers[0].write(.chat("forgetful"), in: room) }
    let newKey = SigningKey(seed: [UInt8](repeating: 78, count: 32))
    #expect(throws: PeerError.self) { try net.peers[0].goOn(with: newKey) }
    var other = create()
    other.nonce[0] = 1
    let fresh = try net.peers[0].create(other)
    _ = try net.peers[0].write(.chat("fresh"), in: fresh)
    net.settle()
    guard case .alone = net.peers[0].recovery else {
      Issue.record("nobody was there to be asked, and the peer is \(net.peers[0].recovery)")
      return
    }
    #expect(throws: PeerError.alone) { try net.peers[0].write(.chat("forgetful"), in: room) }
    // A new key has nothing to forget.
    let member = try net.peers[0].goOn(with: SigningKey(seed: [UInt8](repeating: 77, count: 32)))
    _ = try net.peers[0].write(.chat("new"), in: room, by: member)
    #expect(throws: PeerError.alone) { try net.peers[0].write(.chat("forgetful"), in: room) }
    net.connect(0, 1)
    net.settle()
    #expect(net.peers[0].recovery == .none)
    _ = try chat("remembering", 0, &net, room)
    net.settle()
    #expect(net.peers[1].log(of: room)?.entries.count == 5)
    #expect(net.peers[1].log(of: room)?.forkProofs.isEmpty == true)
  }

  /// Whoever said that it has something is waited for, however often its answers get lost.
  @Test func recoveryWaitsForWhatIsOwed() throws {
    var (net, room) = try row(2, seed: 17)
    let old = try #require(net.peers[0].log(of: room))
    for words in ["one", "two"] { _ = try chat(words, 0, &net, room) }
    net.settle()
    net.goBack(0, to: old, from: 1)
    net.connect(0, 1)
    let end = net.now + 40_000
    repeat { #expect(net.peers[0].recovery != .none) } while net.stepWithoutRuns(from: 1, until: end)
    net.settle()
    #expect(net.peers[0].recovery == .none)
    #expect(net.peers[0].log(of: room)?.entries.count == 3)
  }

  /// Whoever answers every question and never gives what it says that it has is given up after a while.
  @Test func recoveryDoesNotWaitForEver() throws {
    var (net, room) = try row(2, seed: 17)
    let old = try #require(net.peers[0].log(of: room))
    for words in ["one", "two"] { _ = try chat(words, 0, &net, room) }
    net.settle()
    net.goBack(0, to: old, from: 1)
    net.connect(0, 1)
    let end = net.now + 200_000
    while net.stepWithoutRuns(from: 1, until: end) {}
    guard case .alone = net.peers[0].recovery else {
      Issue.record("nobody gives anything, and the peer is \(net.peers[0].recovery)")
      return
    }
    net.settle()
    #expect(net.peers[0].recovery == .none)
  }
  /// Whoever withholds one thing and goes on to give others is given up as well, only later.
  @Test func recoveryDoesNotWaitForWhoGoesOnGiving() throws {
    var (net, room) = try row(2, seed: 19)
    let old = try #require(net.peers[0].log(of: room))
    _ = try chat("forgotten", 0, &net, room)
    net.settle()
    net.goBack(0, to: old, from: 1)
    let other = try net.peers[1].create(create())
    net.connect(0, 1)
    var waited: UInt64 = 0
    while waited < 2 * GossipSettings.standard.withholdingMilliseconds {
      guard case .asking = net.peers[0].recovery else { break }
      waited += 20_000
      _ = try chat("more", 1, &net, other)
      let end = net.now + 20_000
      while net.stepWithoutRuns(from: 1, of: room, until: end) {}
      net.now = max(net.now, end)
    }
    guard case .alone = net.peers[0].recovery else {
      Issue.record("one thing is withheld, and the peer is \(net.peers[0].recovery)")
      return
    }
    #expect(waited >= GossipSettings.standard.withholdingMilliseconds)
    #expect(net.peers[0].log(of: other)?.entries.count ?? 0 > 10)
    net.settle()
    #expect(net.peers[0].recovery == .none)
  }
}

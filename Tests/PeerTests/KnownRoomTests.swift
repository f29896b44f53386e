import BotKit
import EventLog
import Events
import Games
import Projection
import TestKit
import Testing

@testable import Gossip
@testable import Peer

/// A room in which peers write what they like, some of it with an effect: they invite, ask and grant, leave and come,
/// and fork their feeds.
private struct WildRoom {
  static let keys = (1...5).map { SigningKey(seed: [UInt8](repeating: $0, count: 32)) }
  private static let hasher = EventHasher(network: .standard)

  private(set) var log: RoomLog
  private var random: RandomStream

  init(seed: UInt64) throws {
    var random = RandomStream(seed: seed)
    var nonce = [UInt8](repeating: 0, count: 16)
    for at in nonce.indices { nonce[at] = UInt8(random.below(256)) }
    let scopes: [Scope] = [.local, .open, .invited, .invited]
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: random.below(12) == 0 ? 9 : 1, parameters: [], seats: 2,
      nonce: nonce, profile: Profile(name: "host"), scope: scopes[Int(random.below(4))],
      referee: random.below(3) == 0 ? Self.keys[4].peer : .none)
    let event = try Event.author(
      .create(create), room: .none, author: Self.keys[0].peer, sequence: 1, previous: .none, parents: [],
      wallTime: seed, hasher: Self.hasher)
    log = RoomLog(room: event.id)
    self.random = random
    try add(event, by: 0)
    for _ in 0..<self.random.below(40) { try write() }
  }

  private mutating func below(_ count: Int) -> Int { Int(random.below(UInt64(count))) }

  private mutating func add(_ event: Event, by author: Int) throws {
    try log.adopt(.init(event: event, signature: Self.keys[author].sign(event.id)))
  }

  private mutating func write() throws {
    let author = below(3) == 0 ? below(5) : below(3)
    let key = Self.keys[author].peer
    let own = log.events.filter { $0.author == key }
    // Mostly its last event; sometimes an older one, which is a fork.
    let before = own.isEmpty ? nil : own[below(9) == 0 ? below(own.count) : own.count - 1]
    let others = log.entries.indices.filter { log.isMembers(at: $0) }.map { log.events[$0] }
      .filter { $0.author != key }.suffix(5).map(\.id)
    var seen: Set<EventID> = []
    for _ in 0..<3 where !others.isEmpty { seen.insert(others[below(others.count)]) }
    let action = action(by: author)
    if case .grant(let request, _) = action, author == 0 { seen.insert(request) }
    let event = try Event.author(
      action, room: log.room, author: key, sequence: (before?.sequence ?? 0) + 1,
      previous: before?.id ?? .none, parents: seen.sorted(), wallTime: UInt64(log.events.count),
      hasher: Self.hasher)
    guard !log.contains(event.id) else { return }
    // Some would name what they may not.
    do { try add(event, by: author) } catch LogError.misnamed {}
  }

  private mutating func action(by author: Int) -> Action {
    // Mostly what leads to seats, some of it by who may not.
    let requests = log.events.filter { $0.kind == .request }
    switch below(9) {
    case 0..<4:
      guard author == 0 else { return .request(seat: Create.noSeat, Profile(name: "guest \(author)")) }
      return .invite(Self.keys[1 + below(3)].peer)
    case 4..<7:
      guard let request = requests.last else { return .chat("nobody asks") }
      return .grant(request: request.id, seat: UInt16(below(2)))
    case 7 where below(3) == 0: return .leave(node: .none)
    default: return .chat("\(below(9))")
    }
  }
}

/// Rooms that are offered by what is stored of them are offered as those that were read and closed.
@Suite struct KnownRoomTests {
  private static let seeds: UInt64 = 250

  private func core() -> PeerCore {
    PeerCore(
      signer: WildRoom.keys[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(), seed: 1,
      now: { 0 })
  }

  /// What is stored of a room, as it comes back from the store; `nil` when nothing is.
  private func stored(_ log: RoomLog) -> StoredClock? {
    var core = core()
    core.open(log, isDurable: true)
    guard let clock = core.storedClock(of: log.room, rule: 1) else { return nil }
    let read = StoredClock.decode(clock.value, of: log.room)
    #expect(read == clock)
    return read
  }

  /// All that a core offers: the roots that it would compare with each peer, near and far.
  private func roots(_ core: PeerCore) -> [ShortHash] {
    var directory = core.gossip.directory
    let peers = WildRoom.keys.map(\.peer) + [SigningKey(seed: [UInt8](repeating: 99, count: 32)).peer]
    var roots: [ShortHash] = []
    for peer in peers {
      for isNearby in [false, true] {
        roots.append(directory.root(.init(peer: peer, isNearby: isNearby)))
      }
    }
    return roots
  }

  @Test func whatIsStoredOffersWhatReadingOffers() throws {
    var counts = (forked: 0, invited: 0, seated: 0, unknown: 0)
    for seed in 0..<Self.seeds {
      let log = try WildRoom(seed: seed).log
      let room = log.room
      var read = core()
      read.open(log, isDurable: true)
      let found = read.state(of: room)
      let state = try #require(found)
      read.close(room)
      guard let clock = stored(log) else {
        #expect(state.phase == .unknownRules, "seed \(seed)")
        counts.unknown += 1
        continue
      }
      #expect(state.phase != .unknownRules)
      counts.forked += log.forkProofs.isEmpty ? 0 : 1
      counts.invited += clock.members.count > 1 ? 1 : 0
      counts.seated += state.create.scope == .invited && state.seats.contains { $0 != nil } ? 1 : 0
      var known = core()
      known.know(clock)
      let expected = roots(read)
      #expect(roots(known) == expected, "seed \(seed)")
      #expect(access(known, room) == access(read, room), "seed \(seed)")
      // Opening adds nothing, and takes nothing away.
      known.open(log, isDurable: true)
      #expect(roots(known) == expected, "seed \(seed), opened")
      #expect(known.gossip.directory.feeds(of: room).count == log.feeds.count, "seed \(seed)")
      // Nor does what is stored count for a room that is open.
      known.know(clock)
      #expect(roots(known) == expected, "seed \(seed), open")
    }
    #expect(counts.forked > 20 && counts.invited > 20 && counts.seated > 3 && counts.unknown > 3, "\(counts)")
  }

  private func access(_ core: PeerCore, _ room: RoomID) -> Access? {
    core.gossip.directory.number(of: room).flatMap { core.gossip.directory.access($0) }
  }

  /// A store that is a few events behind what is opened later: as if those had come while the room was closed.
  @Test func whatComesLaterIsOfferedAsIfAllHadBeenRead() throws {
    for seed in 0..<Self.seeds {
      let log = try WildRoom(seed: seed).log
      var part = RoomLog(room: log.room)
      for entry in log.entries.prefix(1 + log.events.count / 2) {
        part.restore(entry.event, signature: entry.signature)
      }
      guard let clock = stored(part) else { continue }
      var (read, known) = (core(), core())
      read.open(part, isDurable: true)
      read.close(log.room)
      read.open(log, isDurable: true)
      known.know(clock)
      known.open(log, isDurable: true)
      let expected = roots(read)
      #expect(roots(known) == expected, "seed \(seed)")
    }
  }

  /// Which of many rooms came first does not show in what is compared.
  @Test func theirOrderDoesNotMatter() throws {
    let logs = try (0..<60).map { try WildRoom(seed: 1_000 + $0).log }
    let clocks = logs.map { stored($0) }
    var cores = [core(), core(), core()]
    for log in logs {
      cores[0].open(log, isDurable: true)
      cores[0].close(log.room)
    }
    for at in logs.indices.reversed() {
      if let clock = clocks[at] {
        cores[1].know(clock)
      } else {
        cores[1].open(logs[at], isDurable: true)
        cores[1].close(logs[at].room)
      }
    }
    // Some are read, as after a start with a store in which not all is stored.
    for at in logs.indices {
      if at % 3 != 0, let clock = clocks[at] {
        cores[2].know(clock)
      } else {
        cores[2].open(logs[at], isDurable: true)
      }
    }
    let expected = roots(cores[0])
    for at in 1..<3 { #expect(roots(cores[at]) == expected) }
  }

  /// Who only knows its rooms is found equal with who has read them, and hands them on to who has nothing.
  @Test(arguments: 0..<3) func knownRoomsAreComparedAndHandedOn(_ seed: Int) throws {
    var logs: [RoomID: RoomLog] = [:]
    var net = ReplicationTests.Net(count: 3, seed: UInt64(seed))
    var expected: Set<RoomID> = []
    for number in 0..<25 {
      let log = try WildRoom(seed: UInt64(5_000 + 100 * seed + number)).log
      guard let clock = stored(log) else { continue }
      logs[log.room] = log
      net.peers[0].know(clock)
      let mayHold = (1...2).map { clock.scope != .invited || clock.members.contains(net.peers[$0].id) }
      if mayHold[0] {
        net.peers[1].open(log, isDurable: true)
        net.peers[1].close(log.room)
      }
      if mayHold[1] { expected.insert(log.room) }
    }
    net.connect(0, 1)
    settle(&net, logs)
    let isEqual = net.peers[0].isEqual(with: Neighbour(1))
    #expect(isEqual)
    #expect(net.peers[0].effects.sentEvents == 0 && net.peers[1].effects.sentEvents == 0)
    net.connect(0, 2)
    settle(&net, logs)
    #expect(net.refused.isEmpty)
    for (room, log) in logs {
      let clock = net.peers[2].log(of: room)?.clock
      #expect(clock == (expected.contains(room) ? log.clock : nil))
    }
    #expect(expected.count > 5)
  }

  /// Lets everything happen that happens in a minute; rooms that are wanted are opened.
  private func settle(_ net: inout ReplicationTests.Net, _ logs: [RoomID: RoomLog]) {
    let end = net.now + 60_000
    repeat {
      for peer in net.peers.indices {
        for room in net.peers[peer].effects.takeNeeded() {
          if let log = logs[room] { net.peers[peer].open(log, isDurable: true, at: net.now) }
        }
      }
    } while net.step(until: end)
  }

  /// Other things than a room's events give, as only a wrong program could store them.
  private func falsehoods(_ clock: StoredClock) -> [StoredClock] {
    let entries = clock.clock.entries
    let stranger = VectorClock.Entry(
      author: PeerID(Blake2b(domain: "stranger").digest()), sequence: 1, head: clock.room)
    var clocks = [VectorClock(entries + [stranger]), VectorClock(Array(entries.dropFirst()))]
    for at in entries.indices {
      for change in 0..<4 {
        var entries = entries
        switch change {
        case 0: entries[at].sequence = UInt64(clock.events)
        case 1: entries[at].sequence = 1
        case 2: entries[at].head = entries[at].isForked ? .none : EventID(Blake2b(domain: "head").digest())
        default:
          entries[at].isForked.toggle()
          entries[at].head = entries[at].isForked ? .none : clock.room
        }
        clocks.append(VectorClock(entries))
      }
    }
    return clocks.compactMap {
      StoredClock(
        room: clock.room, events: clock.events, rule: 1, scope: clock.scope, members: clock.members,
        clock: $0)
    }
  }

  /// Whatever is stored, nobody traps or is refused, and no event is lost or invented.
  @Test func whatIsStoredFalselyHarmsNobody() throws {
    var count = 0
    for seed in 0..<UInt64(Effort.isQuick ? 4 : 16) {
      let log = try WildRoom(seed: 9_000 + seed).log
      guard let clock = stored(log), clock.scope != .invited else { continue }
      for clock in falsehoods(clock) {
        count += 1
        var net = ReplicationTests.Net(count: 3, seed: seed)
        net.peers[0].know(clock)
        net.peers[1].open(log, isDurable: true)
        net.connect(0, 1)
        net.connect(0, 2)
        settle(&net, [log.room: log])
        // Whoever opens the room offers what there is.
        net.peers[0].open(log, isDurable: true, at: net.now)
        settle(&net, [log.room: log])
        #expect(net.refused.isEmpty, "seed \(seed)")
        for peer in 0..<2 { #expect(net.peers[peer].log(of: log.room)?.clock == log.clock, "seed \(seed)") }
        let held = net.peers[2].log(of: log.room)?.entries.map(\.event.id) ?? []
        #expect(Set(held).isSubset(of: log.entries.map(\.event.id)), "seed \(seed)")
        #expect(net.peers[2].log(of: log.room)?.clock == log.clock, "seed \(seed)")
        for entry in log.entries where !held.contains(entry.event.id) {
          // Only what is beyond the proof of a fork may be left out, where nothing needs it.
          let fork = log.feed(entry.event.author)?.forkSequence ?? .max
          #expect(entry.event.sequence > fork, "seed \(seed)")
        }
      }
    }
    #expect(count > 20)
  }
}

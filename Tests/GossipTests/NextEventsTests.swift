import BotKit
import EventLog
import Events
import Synchronization
import Testing

@testable import Gossip

/// New events travel short, and whole to whoever cannot make anything of them.
@Suite struct NextEventsTests {
  private static let hasher = EventHasher(network: .standard)
  private static let keys = (1...3).map { SigningKey(seed: [UInt8](repeating: $0, count: 32)) }

  /// Counts the checks of signatures.
  private final class Scheme: SignatureScheme {
    let checks = Atomic<Int>(0)

    func isValid(_ signature: Signature, of id: EventID, by author: PeerID) -> Bool {
      checks.add(1, ordering: .relaxed)
      return Ed25519().isValid(signature, of: id, by: author)
    }
  }

  /// A table of two at which play has begun, as far as its events are signed.
  private struct Table {
    var log: RoomLog
    private let time: UInt64 = 1_763_900_000_000

    init() throws {
      let create = Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
        nonce: [UInt8](repeating: 1, count: 16), profile: Profile(name: "host"), creatorSeat: 0,
        referee: keys[1].peer)
      let event = try Event.author(
        .create(create), room: .none, author: keys[0].peer, sequence: 1, previous: .none, parents: [],
        wallTime: time, hasher: hasher)
      log = RoomLog(room: event.id)
      try log.append(event, signature: keys[0].sign(event.id))
      _ = try write(.chat("hello"), by: 1)
    }

    /// Writes an event that names the last one.
    mutating func write(_ action: Action, by author: Int) throws -> Event {
      let own = log.head(of: keys[author].peer).event
      let last = try #require(log.events.last)
      let event = try Event.author(
        action, room: log.room, author: keys[author].peer, sequence: (own?.sequence ?? 0) + 1,
        previous: own?.id ?? .none, parents: last.author == keys[author].peer ? [] : [last.id],
        wallTime: time + UInt64(1_800 * log.events.count), hasher: hasher)
      try log.append(event, signature: keys[author].sign(event.id))
      return event
    }

    mutating func move(_ cell: UInt32, by author: Int) throws -> Event {
      let step = Action.Step(
        game: 0, ply: UInt16(cell), node: try #require(log.events.last).id)
      return try write(.move(step, code: cell, nil), by: author)
    }
  }

  /// Two connected cores that hold a room, and what goes between them.
  private struct Pair {
    let scheme = Scheme()
    var cores: [GossipCore]
    var now = Tick(milliseconds: 1)
    /// The numbers of bytes of the messages with events that the first one sent, by their first byte.
    var sent: [(type: UInt8, bytes: Int)] = []
    var refusals: [Refusal] = []
    /// How many of the next messages with events are lost.
    var losses = 0

    init(_ log: RoomLog) {
      let scheme = scheme
      cores = (0..<2).map { GossipCore(scheme: scheme, hasher: hasher, seed: $0) }
      for core in 0..<2 { _ = cores[core].open(log, durable: log.events.count, at: now) }
      var directives = (0..<2).map { core in
        cores[core].connect(
          Neighbour(1), as: keys[2 - core].peer, isNearby: true, begins: core == 0, at: now)
      }
      for core in 0..<2 { carryOut(directives[core], of: core) }
      now = now + 60_000
      directives = (0..<2).map { cores[$0].advance(to: now) }
      for core in 0..<2 { carryOut(directives[core], of: core) }
      sent = []
    }

    mutating func carryOut(_ directives: [Directive], of core: Int) {
      for directive in directives {
        switch directive {
        case .send(let message, _): deliver(message, from: core)
        case .refuse(_, let refusal): refusals.append(refusal)
        case .taken(let room, _):
          let count = cores[core].rooms.log(of: room)?.events.count ?? 0
          carryOut(cores[core].markDurable(room, count: count, at: now), of: core)
        case .load, .notTaken: break
        }
      }
      while let message = cores[core].offers.nextServed(to: Neighbour(1), at: now) {
        deliver(message, from: core)
      }
    }

    private mutating func deliver(_ message: Message, from core: Int) {
      let bytes = message.encoded()
      if core == 0, message.events > 0 { sent.append((bytes[0], bytes.count)) }
      if message.events > 0, losses > 0 {
        losses -= 1
        return
      }
      do throws(FormatError) {
        let read = try Message(decoding: bytes, hasher: hasher)
        carryOut(cores[1 - core].receive(read, from: Neighbour(1), at: now), of: 1 - core)
      } catch { Issue.record("\(error)") }
    }

    /// Writes what is new in a log into the first core's, and tells the second.
    mutating func tell(_ log: RoomLog) throws {
      for entry in log.entries.dropFirst(cores[0].rooms.log(of: log.room)?.events.count ?? 0) {
        try cores[0].append(entry.event, signature: entry.signature)
      }
      carryOut(cores[0].markDurable(log.room, count: log.events.count, at: now), of: 0)
      for _ in 0..<3 {
        now = now + 1_000
        for core in 0..<2 { carryOut(cores[core].advance(to: now), of: core) }
      }
    }

    func holds(_ log: RoomLog) -> Bool { cores[1].rooms.log(of: log.room)?.clock == log.clock }
  }

  @Test func aMoveTakes103BytesAndOneCheck() throws {
    var table = try Table()
    var pair = Pair(table.log)
    for cell in 0..<UInt32(8) {
      _ = try table.move(cell, by: Int(cell) % 2)
      let checks = pair.scheme.checks.load(ordering: .relaxed)
      try pair.tell(table.log)
      #expect(pair.holds(table.log))
      #expect(pair.scheme.checks.load(ordering: .relaxed) == checks + 1)
    }
    #expect(pair.sent.map(\.bytes) == [Int](repeating: 103, count: 8))
    // The first byte of `next`.
    #expect(pair.sent.map(\.type) == [UInt8](repeating: 10, count: 8))
  }

  @Test func whatNamesSomethingThatIsNotHereIsSentInWhole() throws {
    var table = try Table()
    var pair = Pair(table.log)
    _ = try table.move(0, by: 0)
    pair.losses = 1
    try pair.tell(table.log)
    #expect(!pair.holds(table.log))
    _ = try table.move(1, by: 1)
    try pair.tell(table.log)
    _ = try table.move(2, by: 0)
    try pair.tell(table.log)
    #expect(pair.holds(table.log) && pair.refusals == [])
    // The first was lost and the second names it; from then on all is short again, or was asked for in whole.
    #expect(pair.sent.first?.type == 10 && pair.sent.contains { $0.type == 6 })
    _ = try table.move(3, by: 1)
    try pair.tell(table.log)
    #expect(pair.holds(table.log) && pair.sent.last?.type == 10)
  }

  @Test func whatWasAskedForIsSentInWhole() throws {
    var table = try Table()
    var pair = Pair(table.log)
    let move = try table.move(0, by: 0)
    try pair.tell(table.log)
    #expect(pair.sent.map(\.type) == [10])
    let want = Want(key: Feed.key(room: table.log.room, author: move.author), after: move.sequence - 1)
    pair.carryOut(pair.cores[0].receive(.want([want]), from: Neighbour(1), at: pair.now), of: 0)
    #expect(pair.sent.map(\.type) == [10, 6])
  }

  @Test func aBranchIsShownBySoShortAMessage() throws {
    var table = try Table()
    var other = table
    var pair = Pair(table.log)
    let twin = try other.write(.chat("twin"), by: 0)
    try pair.cores[1].append(twin, signature: Self.keys[0].sign(twin.id))
    _ = pair.cores[1].markDurable(other.log.room, count: other.log.events.count, at: pair.now)
    _ = try table.move(0, by: 0)
    try pair.tell(table.log)
    #expect(pair.cores[1].rooms.log(of: table.log.room)?.feed(Self.keys[0].peer)?.forkSequence == 2)
    #expect(pair.refusals == [])
  }

  /// What cannot be made out may be of another branch of what is held, however long that is.
  @Test func whatNamesSomethingUnknownIsAskedForThoughAsMuchIsHeld() throws {
    var table = try Table()
    var core = GossipCore(scheme: Ed25519(), hasher: Self.hasher)
    let now = Tick(milliseconds: 1)
    var other = table
    for _ in 0..<3 { _ = try other.write(.chat("twin"), by: 0) }
    _ = core.open(other.log, durable: other.log.events.count, at: now)
    _ = core.connect(Neighbour(1), as: Self.keys[2].peer, isNearby: true, begins: false, at: now)
    _ = try table.write(.chat("unknown there"), by: 1)
    let event = try table.move(0, by: 0)
    let next = NextEvents(Run(events: [event], signature: Self.keys[0].sign(event.id)), in: table.log)
    let asked = wants(core.receive(.next(try #require(next)), from: Neighbour(1), at: now))
    #expect(asked == [Want(key: Feed.key(room: table.log.room, author: event.author), after: 1)])
  }

  /// Somebody may find an unknown room and a key whose feed there has the key of another one.
  @Test func whatIsHeldIsNotSilencedByRoomsThatAreNotTaken() throws {
    var table = try Table()
    let (core, now) = (GossipCore(scheme: Ed25519(), hasher: Self.hasher), Tick(milliseconds: 1))
    var silenced = core
    _ = silenced.open(table.log, durable: table.log.events.count, at: now)
    _ = silenced.connect(Neighbour(1), as: Self.keys[2].peer, isNearby: true, begins: false, at: now)
    _ = try table.write(.chat("unknown there"), by: 1)
    let event = try table.move(0, by: 0)
    let next = try #require(
      NextEvents(Run(events: [event], signature: Self.keys[0].sign(event.id)), in: table.log))
    var feed = Feed(key: next.key, room: 0)
    feed.set(.init(author: Self.keys[2].peer, sequence: 1 << 30, head: event.id))
    silenced.replica.unwanted.note(feed, of: table.log.room, limit: 16)
    #expect(wants(silenced.receive(.next(next), from: Neighbour(1), at: now)).map(\.key) == [next.key])
  }

  @Test func whatFollowsAnEventThatIsNotDurableYetIsTaken() throws {
    var table = try Table()
    var core = GossipCore(scheme: Ed25519(), hasher: Self.hasher)
    let now = Tick(milliseconds: 1)
    _ = core.open(table.log, durable: 1, at: now)
    _ = core.connect(Neighbour(1), as: Self.keys[2].peer, isNearby: true, begins: false, at: now)
    let event = try table.write(.chat("more"), by: 1)
    let next = NextEvents(Run(events: [event], signature: Self.keys[1].sign(event.id)), in: table.log)
    #expect(wants(core.receive(.next(try #require(next)), from: Neighbour(1), at: now)) == [])
    #expect(core.rooms.log(of: table.log.room)?.events.last == event)
  }

  @Test func whatComesAgainIsNotCheckedAgain() throws {
    var table = try Table()
    var pair = Pair(table.log)
    let event = try table.move(0, by: 0)
    try pair.tell(table.log)
    let next = NextEvents(Run(events: [event], signature: Self.keys[0].sign(event.id)), in: table.log)
    let checks = pair.scheme.checks.load(ordering: .relaxed)
    for _ in 0..<100 {
      let answer = pair.cores[1].receive(.next(try #require(next)), from: Neighbour(1), at: pair.now)
      #expect(wants(answer) == [])
    }
    #expect(pair.scheme.checks.load(ordering: .relaxed) == checks && pair.refusals == [])
  }

  /// A second event comes while the first, which could not be made out either, is still asked for.
  @Test func whatIsAskedForIsAskedForAgainWhenMoreIsThereToBeHad() throws {
    var table = try Table()
    var core = GossipCore(scheme: Ed25519(), hasher: Self.hasher)
    let now = Tick(milliseconds: 1)
    _ = core.open(table.log, durable: table.log.events.count, at: now)
    _ = core.connect(Neighbour(1), as: Self.keys[2].peer, isNearby: true, begins: false, at: now)
    _ = try table.write(.chat("unknown there"), by: 1)
    for cell in 0..<UInt32(2) {
      let event = try table.move(cell, by: 0)
      let next = NextEvents(Run(events: [event], signature: Self.keys[0].sign(event.id)), in: table.log)
      let asked = wants(core.receive(.next(try #require(next)), from: Neighbour(1), at: now))
      #expect(asked == [Want(key: Feed.key(room: table.log.room, author: event.author), after: 1)])
    }
  }

  private func wants(_ directives: [Directive]) -> [Want] {
    directives.flatMap { directive -> [Want] in
      if case .send(.want(let wants), _) = directive { wants } else { [] }
    }
  }

  @Test func whatDoesNotFitIsNobodysFaultAndSoonNotTriedAnyMore() throws {
    let table = try Table()
    var pair = Pair(table.log)
    var move = try Table()
    move.log = table.log
    let event = try move.move(0, by: 0)
    let run = Run(events: [event], signature: Self.keys[0].sign(event.id))
    let genuine = try #require(NextEvents(run, in: move.log))
    var random = RandomStream(seed: 4)
    let checks = pair.scheme.checks.load(ordering: .relaxed)
    for _ in 0..<2_000 {
      var next = genuine
      switch random.next() % 4 {
      case 0: next.signature = Self.keys[2].sign(event.id)
      case 1: next.key = random.next()
      case 2: next.after = random.next() >> (1 + random.next() % 62)
      default:
        let at = Int(random.next() % UInt64(next.records[0].count))
        next.records[0][at] = UInt8(truncatingIfNeeded: random.next())
      }
      guard next != genuine, next.after < 1 << 30 else { continue }
      _ = pair.cores[1].receive(.next(next), from: Neighbour(1), at: pair.now)
    }
    #expect(pair.scheme.checks.load(ordering: .relaxed) <= checks + Link.Account.limitMisfits)
    #expect(pair.refusals == [] && pair.holds(table.log))
    // The neighbour is asked for the feed in whole.
    pair.now = pair.now + 10_000
    try pair.tell(move.log)
    #expect(pair.holds(move.log))
  }

  /// A question about a room that the neighbour is not shown is the one of a peer that has never heard of it.
  @Test func whatDoesNotFitTellsNothingOfRoomsThatAreNotShown() throws {
    let table = try Table()
    var other = table
    let event = try other.move(0, by: 0)
    let genuine = NextEvents(Run(events: [event], signature: Self.keys[0].sign(event.id)), in: other.log)
    var next = try #require(genuine)
    next.signature = Self.keys[2].sign(event.id)
    func wants(isHeld: Bool) -> [Want] {
      var core = GossipCore(scheme: Ed25519(), hasher: Self.hasher)
      let now = Tick(milliseconds: 1)
      if isHeld {
        _ = core.open(table.log, durable: table.log.events.count, at: now)
        _ = core.setAccess(.local, of: table.log.room, at: now)
      }
      _ = core.connect(Neighbour(1), as: Self.keys[2].peer, isNearby: false, begins: false, at: now)
      return self.wants(core.receive(.next(next), from: Neighbour(1), at: now))
    }
    #expect(wants(isHeld: true) == [Want(key: next.key, after: 0)])
    #expect(wants(isHeld: true) == wants(isHeld: false))
  }
}

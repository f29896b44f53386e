import BotKit
import EventLog
import Events
import Gossip
import Terminal

/// Many gossip cores in a random mesh, a fixed delay on every hop, and operations that everybody is to hear of.
struct GossipMesh {
  private struct Event: Comparable {
    let time: UInt64
    let serial: Int
    let action: Action

    static func < (a: Event, b: Event) -> Bool { (a.time, a.serial) < (b.time, b.serial) }
    static func == (a: Event, b: Event) -> Bool { a.serial == b.serial }
  }

  private enum Action {
    case deliver(Message, from: Int, to: Int)
    case wake(Int)
    case write(Int)
  }

  private let hop: UInt64
  private let hasher = EventHasher(network: .standard)
  private let signature: Signature
  private var random: RandomStream
  private var cores: [GossipCore] = []
  private var room = RoomID.none
  private var queue: [Event] = []
  private var serial = 0
  private var now = Tick(milliseconds: 0)
  /// When each operation was written.
  private var written: [EventID: UInt64] = [:]
  /// Messages sent since the last operation was made possible.
  private(set) var messages = 0
  private(set) var bytes = 0
  /// Milliseconds from writing to each other peer's having it.
  private(set) var delays: [UInt64] = []
  var operations: Int { written.count }

  /// So many peers, each with about so many neighbours, in one room.
  init(peers: Int, degree: Int, hopMilliseconds: UInt64, settings: GossipSettings, seed: UInt64) throws {
    guard let signature = Signature([UInt8](repeating: 0, count: 64)) else {
      throw BenchFailure(.software, "a signature has 64 bytes")
    }
    self.signature = signature
    hop = hopMilliseconds
    random = RandomStream(seed: seed)
    let create = try Events.Event.author(
      .create(
        Create(
          rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
          nonce: [UInt8](repeating: 1, count: 16), profile: Profile(name: "bench"))),
      room: .none, author: Self.author(0), sequence: 1, previous: .none, parents: [], wallTime: 0,
      hasher: hasher)
    room = create.id
    var log = RoomLog(room: room)
    log.restore(create, signature: signature)
    for peer in 0..<peers {
      cores.append(
        GossipCore(
          scheme: AnySignature(), hasher: EventHasher(network: .standard), settings: settings,
          seed: UInt64(peer)))
      _ = cores[peer].open(log, durable: 1, at: now)
    }
    link(degree)
  }

  private static func author(_ number: Int) -> PeerID {
    var hash = Blake2b(domain: "bench-author")
    hash.update(bigEndian: UInt64(number))
    return PeerID(hash.digest())
  }

  /// Connects the peers: in rings, each in an order of its own, so that nobody is left out.
  private mutating func link(_ degree: Int) {
    var linked: Set<[Int]> = []
    for _ in 0..<degree / 2 {
      let order = Array(cores.indices).shuffled(using: &random)
      for at in order.indices {
        let (a, b) = (order[at], order[(at + 1) % order.count])
        guard linked.insert([min(a, b), max(a, b)]).inserted else { continue }
        connect(a, b)
      }
    }
  }

  private mutating func connect(_ a: Int, _ b: Int) {
    for (one, other) in [(a, b), (b, a)] {
      let directives = cores[one].connect(
        Neighbour(UInt32(other)), as: Self.author(other), isNearby: true, begins: one < other, at: now)
      carryOut(directives, of: one)
    }
  }

  /// Writes operations at random peers, so many a second, and lets everybody hear of them.
  mutating func run(operations: Int, perSecond: UInt64, warmUp: Int) throws {
    for number in 0..<operations + warmUp {
      push(.write(Int(random.below(UInt64(cores.count)))), at: 10_000 + UInt64(number) * 1_000 / perSecond)
    }
    let from = 10_000 + UInt64(warmUp) * 1_000 / perSecond
    let end = 10_000 + UInt64(operations + warmUp) * 1_000 / perSecond + 10_000
    var isCounting = false
    while let event = pop(), event.time <= end {
      now = Tick(milliseconds: event.time)
      if !isCounting, event.time >= from {
        isCounting = true
        (messages, bytes, written, delays) = (0, 0, [:], [])
      }
      try perform(event.action)
    }
  }

  private mutating func perform(_ action: Action) throws {
    switch action {
    case .deliver(let message, let from, let to):
      carryOut(cores[to].receive(message, from: Neighbour(UInt32(from)), at: now), of: to)
    case .wake(let peer):
      guard let due = cores[peer].deadline, due <= now else { return }
      carryOut(cores[peer].advance(to: now), of: peer)
    case .write(let peer): try write(peer)
    }
  }

  private mutating func write(_ peer: Int) throws {
    let author = Self.author(peer)
    guard let head = cores[peer].rooms.withLog(of: room, { $0.head(of: author).event }) else { return }
    let event = try Events.Event.author(
      .chat("bench"), room: room, author: author, sequence: (head?.sequence ?? 0) + 1,
      previous: head?.id ?? .none, parents: [], wallTime: now.milliseconds, hasher: hasher)
    try cores[peer].append(event, signature: signature)
    written[event.id] = now.milliseconds
    commit(peer)
  }

  private mutating func commit(_ peer: Int) {
    let count = cores[peer].rooms.withLog(of: room) { $0.entries.count } ?? 0
    carryOut(cores[peer].markDurable(room, count: count, at: now), of: peer)
  }

  private mutating func carryOut(_ directives: [Directive], of peer: Int) {
    var isNew = false
    for directive in directives {
      switch directive {
      case .send(let message, let to): send(message, from: peer, to: to)
      case .taken(_, let events):
        isNew = true
        for event in events { if let start = written[event.id] { delays.append(now.milliseconds - start) } }
      case .load, .refuse, .notTaken: break
      }
    }
    if isNew { commit(peer) }
    for neighbour in cores[peer].neighbours {
      while let message = cores[peer].offers.nextServed(to: neighbour, at: now) {
        send(message, from: peer, to: neighbour)
      }
    }
    if let due = cores[peer].deadline { push(.wake(peer), at: max(due, now).milliseconds) }
  }

  private mutating func send(_ message: Message, from: Int, to: Neighbour) {
    messages += 1
    push(.deliver(message, from: from, to: Int(to.number)), at: (now + hop).milliseconds)
  }

  /// The share of operations that reached everybody.
  var isComplete: Bool { delays.count == written.count * (cores.count - 1) }

  // MARK: - The queue, a binary heap

  private mutating func push(_ action: Action, at time: UInt64) {
    serial += 1
    queue.append(Event(time: time, serial: serial, action: action))
    var at = queue.count - 1
    while at > 0, queue[at] < queue[(at - 1) / 2] {
      queue.swapAt(at, (at - 1) / 2)
      at = (at - 1) / 2
    }
  }

  private mutating func pop() -> Event? {
    guard let first = queue.first else { return nil }
    queue.swapAt(0, queue.count - 1)
    queue.removeLast()
    var at = 0
    while true {
      var least = at
      for child in [2 * at + 1, 2 * at + 2] where child < queue.count && queue[child] < queue[least] {
        least = child
      }
      guard least != at else { return first }
      queue.swapAt(at, least)
      at = least
    }
  }
}

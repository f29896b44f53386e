import EventLog
import Events
import Gossip
import Terminal

/// Takes any signature: what is measured here is not signatures.
struct AnySignature: SignatureScheme {
  func isValid(_ signature: Signature, of id: EventID, by author: PeerID) -> Bool { true }
}

/// Two gossip cores with feeds of one event, and the bytes that go between them.
struct GossipPair {
  /// Feeds of one room.
  static let feedsPerRoom = 10

  private let feeds: Int
  private let hasher = EventHasher(network: .standard)
  private let signature: Signature
  private(set) var logs: [RoomLog] = []
  var cores: [GossipCore]
  private var now = Tick(milliseconds: 1)
  private var connections: UInt32 = 0
  /// Bytes of every message but those with events.
  private(set) var clockBytes = 0
  private(set) var messages = 0
  /// Events that arrived.
  private(set) var events = 0

  /// Cores that hold nothing yet, and rooms for them.
  init(feeds: Int) throws {
    self.feeds = feeds
    guard let signature = Signature([UInt8](repeating: 0, count: 64)) else {
      throw BenchFailure(.software, "a signature has 64 bytes")
    }
    self.signature = signature
    cores = (0..<2).map {
      GossipCore(scheme: AnySignature(), hasher: EventHasher(network: .standard), seed: UInt64($0))
    }
    for room in 0..<feeds / Self.feedsPerRoom { logs.append(try makeRoom(room)) }
  }

  /// Anybody's key.
  private static func author(_ number: Int) -> PeerID {
    var hash = Blake2b(domain: "bench-author")
    hash.update(bigEndian: UInt64(number))
    return PeerID(hash.digest())
  }

  private func makeRoom(_ number: Int) throws -> RoomLog {
    var nonce: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    nonce.append(bigEndian: UInt64(number))
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, nonce: nonce,
      profile: Profile(name: "bench"))
    let first = number * Self.feedsPerRoom
    let event = try Event.author(
      .create(create), room: .none, author: Self.author(first), sequence: 1, previous: .none, parents: [],
      wallTime: 0, hasher: hasher)
    var log = RoomLog(room: event.id, capacity: Self.feedsPerRoom)
    log.restore(event, signature: signature)
    for feed in 1..<Self.feedsPerRoom {
      log.restore(try chat(in: log, by: Self.author(first + feed)), signature: signature)
    }
    return log
  }

  private func chat(in log: RoomLog, by author: PeerID) throws -> Event {
    let head = log.head(of: author).event
    return try Event.author(
      .chat("bench"), room: log.room, author: author, sequence: (head?.sequence ?? 0) + 1,
      previous: head?.id ?? .none, parents: [], wallTime: 0, hasher: hasher)
  }

  /// Gives a core all rooms.
  mutating func fill(_ core: Int) {
    cores[core].reserve(rooms: logs.count, feeds: feeds)
    for log in logs { _ = cores[core].open(log, durable: log.graph.events.count, at: now) }
  }

  /// Gives a core one more event in so many feeds, spread evenly.
  mutating func change(_ count: Int, at core: Int) throws {
    for number in 0..<count {
      let feed = number * (feeds / count)
      let room = logs[feed / Self.feedsPerRoom].room
      guard let log = cores[core].rooms.log(of: room) else { continue }
      let event = try chat(in: log, by: Self.author(feed))
      try cores[core].append(event, signature: signature)
      _ = cores[core].markDurable(room, count: log.graph.events.count + 1, at: now)
    }
  }

  /// Connects both.
  mutating func connect() {
    connections += 1
    (clockBytes, messages, events) = (0, 0, 0)
    let directives = (0..<2).map { core in
      cores[core].connect(
        Neighbour(connections), as: Self.author(1 << 40 | core), isNearby: true, begins: core == 0, at: now)
    }
    for core in 0..<2 { deliver(directives[core], from: core) }
    settle()
  }

  /// Lets both do what they do by themselves.
  mutating func letTimePass() {
    now = now + 60_000
    for core in 0..<2 { deliver(cores[core].advance(to: now), from: core) }
    settle()
  }

  mutating func disconnect() {
    for core in 0..<2 { _ = cores[core].disconnect(Neighbour(connections), at: now) }
  }

  /// Serves what was wanted, until nothing is left.
  private mutating func settle() {
    var isQuiet = false
    while !isQuiet {
      isQuiet = true
      for core in 0..<2 {
        while let message = cores[core].offers.nextServed(to: Neighbour(connections), at: now) {
          isQuiet = false
          now = now + 10
          deliver([.send(message, to: Neighbour(connections))], from: core)
        }
      }
    }
  }

  private mutating func deliver(_ directives: [Directive], from core: Int) {
    var queue = directives.map { ($0, core) }
    var next = 0
    while next < queue.count {
      let (directive, core) = queue[next]
      next += 1
      switch directive {
      case .send(let message, _):
        messages += 1
        if message.events == 0 { clockBytes += message.encoded().count }
        queue += cores[1 - core].receive(message, from: Neighbour(connections), at: now).map {
          ($0, 1 - core)
        }
      case .taken(let room, let new):
        events += new.count
        let count = cores[core].rooms.withLog(of: room) { $0.entries.count } ?? 0
        queue += cores[core].markDurable(room, count: count, at: now).map { ($0, core) }
      case .load, .refuse, .notTaken: break
      }
    }
  }
}

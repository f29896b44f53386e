import EventLog
import Events

/// A room of one feed that both sides write alike, byte for byte.
struct FeedPlan: Sendable {
  let create: Create
  /// The payload of the create event.
  let payload: [UInt8]
  /// Milliseconds since 1970 that all its events name.
  let wallTime: UInt64

  /// A room that the number tells from others.
  init(number: Int) throws(FormatError) {
    var nonce: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    nonce.append(bigEndian: UInt64(number))
    create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, games: 256, nonce: nonce,
      profile: Profile(name: "bench"))
    wallTime = 1_700_000_000_000
    let event = try Event.author(
      .create(create), room: .none, author: .none, sequence: 1, previous: .none, parents: [],
      wallTime: wallTime,
      hasher: EventHasher(network: .standard))
    payload = event.payload
  }
}

extension Event {
  /// The payload's bytes.
  var payload: [UInt8] { Array(body[(117 + 32 * parents.count)...]) }
}

/// Appends a feed of many events in one durable transaction.
struct AppendBatch: Figure {
  let name = "append.batch"
  let summary = "events a second: 10,000 a commit, hashed, chained, signed every 256, durable"

  private let events = 10_000

  func measure(_ bench: Bench) async throws {
    let count = bench.size(40, quick: 6)
    bench.tell("\(name): \(count) commits of \(events) events each")
    let (ours, theirs) = (try bench.folder.make("append-ours"), try bench.folder.make("append-floor"))
    let seed = [UInt8](repeating: 7, count: 32)
    let (key, floorKey) = (SigningKey(seed: seed), try FloorKey(seed: seed))
    let log = try LMDBEventLog(folder: ours, access: .writing, network: .standard)
    let floor = try Floor(folder: theirs, isWriter: true)
    let plans = try (0..<count).map { try FeedPlan(number: $0) }
    var heads: [[FeedHead]] = plans.map { _ in [] }
    let rounds = try await Rounds(count) { round in
      let (span, head) = try Span.of { try floor.appendBatch(plans[round], events: events, key: floorKey) }
      heads[round].append(head)
      return span
    } ours: { round in
      let (span, head) = try Span.of { try Self.append(plans[round], events: events, key: key, to: log) }
      heads[round].append(head)
      return span
    }
    guard heads.allSatisfy({ $0[0] == $0[1] }) else {
      throw BenchFailure.differs(name, "the floor wrote other events")
    }
    var line = FigureLine(
      name, value: Double(events) / rounds.ourSpan.wall, unit: "events/s of wall time",
      floor: Double(events) / rounds.floorSpan.wall, ratio: rounds.wallRatio)
    line.add(rounds)
    line.add("events_per_commit", .integer(events))
    line.add("bytes", .integer(try log.usedBytes()))
    line.add("floor_bytes", .integer(try floor.usedBytes()))
    line.add("file_system", .text(bench.folder.fileSystem))
    try bench.print(line)
  }

  /// What Parlor does for it: the events are authored, linked and signed in a room's log, and written from there.
  private static func append(
    _ plan: FeedPlan, events: Int, key: SigningKey, to store: LMDBEventLog
  ) throws -> FeedHead {
    let hasher = EventHasher(network: store.network)
    var event = try Event.author(
      .create(plan.create), room: .none, author: key.peer, sequence: 1, previous: .none, parents: [],
      wallTime: plan.wallTime, hasher: hasher)
    var log = RoomLog(room: event.id, capacity: events)
    try log.append(event)
    for sequence in 2...UInt64(events) {
      event = try event.followingMove(sequence, hasher)
      try log.append(event)
      if sequence % UInt64(Run.limitEvents) == 0 || sequence == UInt64(events) {
        try log.attach(key.sign(event.id), to: event.id)
      }
    }
    try store.write([RoomChange(log, from: 0)])
    return FeedHead(id: event.id.bytes.bytes, signature: log.entries.last?.signature?.bytes ?? [])
  }
}

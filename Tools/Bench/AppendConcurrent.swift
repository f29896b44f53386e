import EventLog
import Events

/// Appenders that wait for each of their events to be durable, and share commits.
struct AppendConcurrent: Figure {
  let name = "append.concurrent"
  let summary = "events a flush: 64 appenders, each waiting for every event of its own to be durable"

  private let appenders = 64

  func measure(_ bench: Bench) async throws {
    let (count, events) = (bench.size(7, quick: 2), bench.size(100, quick: 10))
    bench.tell("\(name): \(count) rounds of \(appenders) appenders with \(events) events each")
    let (ours, theirs) = (try bench.folder.make("concurrent-ours"), try bench.folder.make("concurrent-floor"))
    let seeds = (0..<appenders).map { [UInt8](repeating: UInt8($0), count: 32) }
    let (keys, floorKeys) = (seeds.map { SigningKey(seed: $0) }, try seeds.map { try FloorKey(seed: $0) })
    let log = try LMDBEventLog(folder: ours, access: .writing, network: .standard)
    var floor: Floor? = try Floor(folder: theirs, isWriter: true)
    var (perFlush, floorPerFlush): ([Double], [Double]) = ([], [])
    let rounds = try await Rounds(count) { round in
      let plans = try plans(of: round)
      let (span, commits) = try Span.of {
        try floor?.appendConcurrently(plans, events: events, keys: floorKeys)
      }
      floorPerFlush.append(commits?.eventsPerFlush ?? 0)
      return span
    } ours: { round in
      let plans = try plans(of: round)
      let (span, commits) = try await Span.of {
        try await ConcurrentAppends.run(plans, events: events, keys: keys, to: log)
      }
      perFlush.append(commits.eventsPerFlush)
      return span
    }
    floor = nil
    try check(ours: log, floor: theirs, rooms: count * appenders)
    let flushes = bench.size(200, quick: 20)
    let flush = try Span.of { try Floor.flush("\(bench.folder.path)/flushed", times: flushes) }.0.wall
    let appended = Double(appenders * events)
    var line = FigureLine(
      name, value: perFlush.median, unit: "events/flush", floor: floorPerFlush.median, ratio: rounds.wallRatio
    )
    line.add(rounds)
    line.add("appenders", .integer(appenders))
    line.add("events_per_second", .decimal(appended / rounds.ourSpan.wall))
    line.add("floor_events_per_second", .decimal(appended / rounds.floorSpan.wall))
    line.add("flushes_per_second", .decimal(appended / perFlush.median / rounds.ourSpan.wall))
    line.add("floor_flushes_per_second", .decimal(appended / floorPerFlush.median / rounds.floorSpan.wall))
    line.add("bare_fdatasync_per_second", .decimal(Double(flushes) / flush))
    line.add("file_system", .text(bench.folder.fileSystem))
    try bench.print(line)
  }

  private func plans(of round: Int) throws(FormatError) -> [FeedPlan] {
    var plans: [FeedPlan] = []
    for number in 0..<appenders { plans.append(try FeedPlan(number: round * appenders + number)) }
    return plans
  }

  /// Both stores hold the same rooms with the same events.
  private func check(ours: LMDBEventLog, floor: String, rooms: Int) throws {
    let theirs = try LMDBEventLog(folder: floor, access: .reading, network: .standard)
    let found = try ours.roomIDs().rooms
    guard Set(found) == Set(try theirs.roomIDs().rooms), found.count == rooms else {
      throw BenchFailure.differs(name, "the floor stored other rooms")
    }
    for room in found.prefix(3) {
      let both = (try ours.load(room, verify: true), try theirs.load(room, verify: true))
      guard both.0.entries.map(\.event.id) == both.1.entries.map(\.event.id) else {
        throw BenchFailure.differs(name, "the floor wrote other events")
      }
    }
  }
}

/// How many events were made durable by how many flushes.
struct Commits {
  let events: Int
  let flushes: Int

  var eventsPerFlush: Double { Double(events) / Double(max(1, flushes)) }
}

/// Parlor's side: tasks that share a `GroupCommitter`.
enum ConcurrentAppends {
  /// Creates a room for each plan in one write, then appends so many events to each, all at once.
  static func run(
    _ plans: [FeedPlan], events: Int, keys: [SigningKey], to store: LMDBEventLog
  ) async throws -> Commits {
    let hasher = EventHasher(network: store.network)
    var logs: [RoomLog] = []
    for (plan, key) in zip(plans, keys) {
      let create = try Event.author(
        .create(plan.create), room: .none, author: key.peer, sequence: 1, previous: .none, parents: [],
        wallTime: plan.wallTime, hasher: hasher)
      var log = RoomLog(room: create.id)
      try log.append(create, signature: key.sign(create.id))
      logs.append(log)
    }
    try store.write(logs.map { RoomChange($0, from: 0) })
    let committer = GroupCommitter(store)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (log, key) in zip(logs, keys) {
        group.addTask { try await append(events, to: log, key, hasher, committer) }
      }
      try await group.waitForAll()
    }
    let counts = await committer.counts
    return Commits(events: counts.events, flushes: counts.flushes)
  }

  private static func append(
    _ events: Int, to log: RoomLog, _ key: SigningKey, _ hasher: EventHasher, _ committer: GroupCommitter
  ) async throws {
    var log = log
    for sequence in 2...UInt64(events) + 1 {
      let before = log.graph.events[log.graph.events.count - 1]
      let event = try before.followingMove(sequence, hasher)
      try log.append(event, signature: key.sign(event.id))
      let base = log.graph.events.count - 1
      try await committer.commit([
        RoomChange(log, from: base)
      ])
    }
  }
}

extension Event {
  /// The event that the floor's feeds have at this sequence, behind this one.
  func followingMove(_ sequence: UInt64, _ hasher: EventHasher) throws(FormatError) -> Event {
    let step = Action.Step(game: UInt16(sequence / 9 % 256), ply: UInt16(sequence % 9), node: id)
    return try Event.author(
      .move(step, code: UInt32(sequence % 9), nil), room: room, author: author, sequence: sequence,
      previous: id, parents: [], wallTime: wallTime, hasher: hasher)
  }
}

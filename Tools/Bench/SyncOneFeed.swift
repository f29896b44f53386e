import EventLog
import Events
import Terminal

/// A peer with nothing takes a long feed from a peer that has it.
struct SyncOneFeed: Figure {
  let name = "sync.one-feed"
  let summary = "events a second: 100,000 of one feed to another process, checked and durable there"

  func measure(_ bench: Bench) async throws {
    let (events, count) = (bench.size(100_000, quick: 20_000), bench.size(7, quick: 3))
    bench.tell("\(name): \(count) rounds of \(events) events")
    let source = try bench.folder.make("sync-source")
    let key = try FloorKey(seed: [UInt8](repeating: 8, count: 32))
    let head = try Floor(folder: source, isWriter: true)
      .appendBatch(try FeedPlan(number: 0), events: events, key: key)
    var cpu: [SyncedCPU] = []
    let peer = try SyncSource(.serve, folder: source)
    let floor = try SyncSource(.floorServe, folder: source)
    let rounds = try await Rounds(count) { round in
      let folder = try bench.folder.make("sync-floor")
      defer { BenchFolder.remove(folder) }
      let synced = try floor.sync(.floorSync, into: folder, events: events)
      try check(folder, head, events)
      return synced.span
    } ours: { round in
      let folder = try bench.folder.make("sync-ours")
      defer { BenchFolder.remove(folder) }
      let synced = try peer.sync(.sync, into: folder, events: events)
      cpu.append(synced.cpu)
      try check(folder, head, events)
      return synced.span
    }
    try peer.end()
    try floor.end()
    BenchFolder.remove(source)
    var line = FigureLine(
      name, value: Double(events) / rounds.ourSpan.wall, unit: "events/s of wall time",
      floor: Double(events) / rounds.floorSpan.wall, ratio: rounds.wallRatio)
    line.add("floor_is", .text("two processes, TCP without encryption, one durable transaction"))
    line.add(rounds)
    let redis = RedisFigures()?.number("durable_entries_per_second")
    line.add("redis_entries_per_second", redis.map { .decimal($0) } ?? .absent)
    line.add("redis_ratio", redis.map { .decimal(Double(events) / rounds.ourSpan.wall / $0) } ?? .absent)
    line.add("receiver_cpu_ms", .decimal(cpu.map(\.receiver).median * 1_000))
    line.add("sender_cpu_ms", .decimal(cpu.map(\.sender).median * 1_000))
    line.add("longest_turn_ms", .decimal(cpu.map(\.longestTurn).max() ?? 0))
    line.add("events", .integer(events))
    line.add("file_system", .text(bench.folder.fileSystem))
    try bench.print(line)
  }

  /// The whole feed is there and holds.
  private func check(_ folder: String, _ head: FeedHead, _ events: Int) throws {
    let log = try LMDBEventLog(folder: folder, access: .reading, network: .standard)
    let room = try log.roomIDs().rooms
    guard room.count == 1 else { throw BenchFailure.differs(name, "\(room.count) rooms came") }
    let entries = try log.load(room[0], verify: true).entries
    guard entries.count == events, let last = entries.last,
      FeedHead(id: last.event.id.bytes.bytes, signature: last.signature?.bytes ?? []) == head
    else { throw BenchFailure.differs(name, "other events came") }
  }
}

/// Processor time of both ends of a sync, in seconds.
struct SyncedCPU {
  let receiver: Double
  let sender: Double
  /// The longest that the receiver's loop worked between two looks at sockets, in milliseconds.
  let longestTurn: Double
}

/// A process that serves a store, and others that sync from it.
struct SyncSource {
  private let process: OtherProcess
  private let role: Role.Name
  private let port: String

  init(_ role: Role.Name, folder: String) throws {
    process = try OtherProcess(role, [folder])
    self.role = role
    port = try process.answer("port").joined()
  }

  /// Has another process sync everything into a folder.
  /// - Returns: the time by the clock with the processor time of both ends, and that of each.
  func sync(
    _ role: Role.Name, into folder: String, events: Int
  ) throws -> (span: Span, cpu: SyncedCPU) {
    // A peer says what it has used so far, the floor what it used for the one connection that it takes.
    var before = 0.0
    if self.role == .serve {
      try process.order("tell")
      before = try process.numbers("used", 1)[0]
    }
    let receiver = try OtherProcess(role, [folder, port, String(events)])
    _ = try receiver.answer("ready")
    if self.role == .floorServe { try process.order("serve") }
    try receiver.order("go")
    let synced = try receiver.numbers("synced", 4)
    if self.role == .serve { try process.order("tell") }
    let sender = try process.numbers("used", 1)[0] - before
    try receiver.end()
    guard Int(synced[2]) == events else {
      throw BenchFailure(.negative, "\(Int(synced[2])) of \(events) events came")
    }
    return (
      Span(wall: synced[0], cpu: synced[1] + sender),
      SyncedCPU(receiver: synced[1], sender: sender, longestTurn: synced[3])
    )
  }

  /// Ends the process.
  func end() throws { try process.end() }
}

import EventLog
import Events

/// A peer with nothing takes many small rooms from a peer that has them.
struct SyncShortFeeds: Figure {
  /// Whether every event has a signature, as in a game between two people; else each feed has one, as in a match.
  let signsEach: Bool

  var name: String { "sync.short-feeds.\(signsEach ? "played" : "matched")" }
  var summary: String {
    "signatures checked a second of processor time: 10,000 games of tic-tac-toe, each "
      + (signsEach ? "event" : "feed") + " signed"
  }

  func measure(_ bench: Bench) async throws {
    let (games, count) = (bench.size(10_000, quick: 400), bench.size(3, quick: 2))
    bench.tell("\(name): \(count) rounds of \(games) games")
    let source = try bench.folder.make("short-source")
    let events = games * SyntheticRooms.Shape.small.events
    try write(events, to: source)
    let peer = try SyncSource(.serve, folder: source)
    let floor = try Floor(folder: source, isWriter: false)
    var signatures = 0
    var cpu: [SyncedCPU] = []
    let rounds = try await Rounds(count) { _ in
      let checked = try floor.checkSignatures()
      signatures = checked.count
      return Span(wall: checked.seconds, cpu: checked.seconds)
    } ours: { _ in
      let folder = try bench.folder.make("short-ours")
      defer { BenchFolder.remove(folder) }
      let synced = try peer.sync(.sync, into: folder, events: events)
      cpu.append(synced.cpu)
      try check(folder, games: games)
      return Span(wall: synced.span.wall, cpu: synced.cpu.receiver)
    }
    try peer.end()
    BenchFolder.remove(source)
    let (checks, floorChecks) = (
      Double(signatures) / rounds.ourSpan.cpu, Double(signatures) / rounds.floorSpan.cpu
    )
    var line = FigureLine(
      name, value: checks, unit: "signatures/s of the receiver's processor time", floor: floorChecks,
      ratio: checks / floorChecks)
    line.add("floor_is", .text("libsodium's checks of the same signatures, nothing else"))
    line.add(rounds)
    line.add("sender_cpu_ms", .decimal(cpu.map(\.sender).median * 1_000))
    line.add("games", .integer(games))
    line.add("events", .integer(events))
    line.add("signatures", .integer(signatures))
    line.add("file_system", .text(bench.folder.fileSystem))
    try bench.print(line)
  }

  private func write(_ events: Int, to folder: String) throws {
    let log = try LMDBEventLog(folder: folder, access: .writing, network: .standard)
    _ = try SyntheticRooms(.small, signsEach: signsEach).write(events: events, to: log)
  }

  /// All games are there, and hold.
  private func check(_ folder: String, games: Int) throws {
    let log = try LMDBEventLog(folder: folder, access: .reading, network: .standard)
    let rooms = try log.roomIDs().rooms
    guard rooms.count == games else {
      throw BenchFailure.differs(name, "\(rooms.count) of \(games) games came")
    }
    for room in rooms where try !log.verify(room).isValid {
      throw BenchFailure.differs(name, "a game does not hold that came")
    }
  }
}

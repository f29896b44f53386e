import Platform
import Terminal

/// One signed move from one process to another, durable in both.
struct MoveLatency: Figure {
  /// Where the stores lie.
  enum Place: String {
    /// In memory, where no flush waits for a device.
    case tmpfs = "tmpfs"
    /// Where the benchmark makes its stores.
    case disk = "disk"
  }

  let place: Place

  var name: String { "move.latency.\(place.rawValue)" }
  var summary: String {
    "microseconds from a move's call until it is durable in another process, the median; stores "
      + (place == .disk ? "on disk" : "in memory")
  }
  static let memoryFolder = "/dev/shm"

  func measure(_ bench: Bench) async throws {
    let moves = bench.size(2_000, quick: 60)
    guard place == .disk || FileSystem.exists(Self.memoryFolder) else {
      return bench.tell("\(name): skipped, there is no \(Self.memoryFolder)")
    }
    let folder = place == .disk ? bench.folder : try bench.folder(in: Self.memoryFolder)
    bench.tell("\(name): \(moves) moves of each of two processes, on \(folder.fileSystem)")
    let taken = try latencies(in: folder, moves: moves)
    guard taken.count >= moves else {
      throw BenchFailure.differs(name, "\(taken.count) of \(2 * moves) moves were noted on both sides")
    }
    let (p50, p99) = (taken[taken.count / 2], taken[taken.count * 99 / 100])
    let redis = RedisFigures()
    let floor = redis?.number("wait_p50_us")
    var line = FigureLine(
      name, value: p50, unit: "µs, the median", floor: floor, ratio: floor.map { $0 / p50 })
    line.add("floor_is", .text(RedisFigures.words(redis, "XADD and WAIT, which wait for no disk")))
    line.add("p99", .decimal(p99))
    line.add("floor_p99", (redis?.number("wait_p99_us")).map { .decimal($0) } ?? .absent)
    line.add("moves", .integer(taken.count))
    line.add("file_system", .text(folder.fileSystem))
    try bench.print(line)
  }

  /// Has two processes play, and joins their notes.
  /// - Returns: microseconds, ascending.
  private func latencies(in folder: BenchFolder, moves: Int) throws -> [Double] {
    let (hosts, guests) = (try folder.make("host"), try folder.make("guest"))
    defer {
      BenchFolder.remove(hosts)
      BenchFolder.remove(guests)
    }
    let host = try OtherProcess(.play, [hosts, "0"])
    let guest = try OtherProcess(.play, [guests, try host.answer("port").joined()])
    _ = try guest.answer("port")
    for player in [host, guest] { try player.order("play \(moves)") }
    // Whoever has enough goes on answering for the other one: both count the other's moves, which alternate.
    for player in [host, guest] { _ = try player.answer("played") }
    let notes = [try Self.notes(of: host), try Self.notes(of: guest)]
    try host.end()
    try guest.end()
    return zip(notes, notes.reversed()).flatMap { own, others in
      own.made.compactMap { move, made in others.stored[move].map { ($0 - made) * 1e6 } }
    }.sorted()
  }

  /// What a process noted, by room and ply.
  private static func notes(
    of process: OtherProcess
  ) throws -> (made: [(move: String, seconds: Double)], stored: [String: Double]) {
    try process.order("tell")
    var made: [(move: String, seconds: Double)] = []
    var stored: [String: Double] = [:]
    for _ in 0..<Int(try process.numbers("notes", 1)[0]) {
      let words = try process.answer("note")
      guard words.count == 4, let seconds = Double(words[3]) else {
        throw BenchFailure(.software, "a note of a move cannot be read")
      }
      let move = words[0] + " " + words[1]
      if words[2] == "made" { made.append((move, seconds)) } else { stored[move] = seconds }
    }
    return (made, stored)
  }
}

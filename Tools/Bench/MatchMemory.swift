import CFloor
import EventLog
import Events

/// What this process has of memory, in kilobytes, as Linux tells it.
struct Memory {
  /// The most that was resident, pages of mapped files included, since the last reset.
  let peak: Int
  /// What is resident now and belongs to no file.
  let anonymous: Int
  /// Pages of mapped files that are resident now: of the store, and of the program itself.
  let mapped: Int

  /// The figures of a process now, by its number; `nil` where the system does not tell them so.
  static func now(of process: String = "self") throws -> Memory? {
    var values: [Substring: Int] = [:]
    for line in try TextFile.lines("/proc/\(process)/status") {
      let words = line.split { $0 == " " || $0 == "\t" || $0 == ":" }
      if words.count > 1, let value = Int(words[1]) { values[words[0]] = value }
    }
    guard let peak = values["VmHWM"], let anonymous = values["RssAnon"], let mapped = values["RssFile"]
    else { return nil }
    return Memory(peak: peak, anonymous: anonymous, mapped: mapped)
  }

  /// Gives back what is free, and begins a new peak.
  static func reset() { floor_reset_memory() }
}

/// A long match in one process: memory after its first games and at its end.
struct MatchMemory: Figure {
  let name = "match.tic-tac-toe.memory"
  let summary = "kilobytes of its own after a match of 1,000,000 games; the floor is what it had after 10,000"

  func measure(_ bench: Bench) async throws {
    let perRoom = MatchPlay.gamesPerRoom
    let first = bench.size(10_000, quick: 1_024) / perRoom + 1
    let last = max(first + 1, (bench.options.games ?? bench.size(1_000_000, quick: 3_072)) / perRoom)
    bench.tell("\(name): a match of \(last * perRoom) games")
    let folder = try bench.folder.make("memory")
    defer { BenchFolder.remove(folder) }
    Memory.reset()
    let log = try LMDBEventLog(folder: folder, access: .writing, network: .standard)
    let match = try MatchPlay(log: log, owner: SigningKey(seed: [UInt8](repeating: 9, count: 32)), seed: 40)
    _ = try await match.play(0..<first)
    guard let early = try Memory.now() else { return bench.tell("\(name): skipped, only Linux tells it") }
    var played = first
    let span = try await Span.of {
      while played < last {
        let next = min(last, played + 200)
        _ = try await match.play(played..<next)
        played = next
        bench.tell("\(name): \(played * perRoom) games")
      }
    }.0
    guard let late = try Memory.now() else { return }
    var line = FigureLine(
      name, value: Double(late.anonymous), unit: "kB resident that belong to no file",
      floor: Double(early.anonymous), ratio: Double(early.anonymous) / Double(late.anonymous))
    line.add("floor_is", .text("the same process after its first \(first * perRoom) games"))
    line.add("peak_kb", .integer(late.peak))
    line.add("peak_kb_early", .integer(early.peak))
    line.add("mapped_kb", .integer(late.mapped))
    line.add("mapped_kb_early", .integer(early.mapped))
    line.add("games", .integer(last * perRoom))
    line.add("games_early", .integer(first * perRoom))
    line.add("games_per_cpu_second", .decimal(Double((last - first) * perRoom) / span.cpu))
    line.add("games_per_second", .decimal(Double((last - first) * perRoom) / span.wall))
    line.add("store_bytes", .integer(try log.usedBytes()))
    try bench.print(line)
  }
}

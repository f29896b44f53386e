import EventLog
import Events
import Glibc
import Platform
import Terminal

/// The processor time of `parlor log list` on a store of many events.
struct StartList: Figure {
  let shape: SyntheticRooms.Shape

  var name: String { "start.list.\(shape.rawValue)-rooms" }
  var summary: String {
    "CPU milliseconds of `parlor log list`, 1,000,000 events in rooms of \(shape.events)"
  }

  func measure(_ bench: Bench) async throws {
    let program = try Program.path()
    let (events, runs) = (bench.size(1_000_000, quick: 50_000), bench.size(15, quick: 3))
    bench.tell("\(name): writing about \(events) events, then \(runs) runs of \(program)")
    let folder = try bench.folder.make("list-\(shape.rawValue)")
    let rooms = try write(events: events, to: folder + "/log")
    let listing = Command(
      program, ["log", "list", "--json", "--data", folder], output: "\(bench.folder.path)/out")
    try check(try listing.run(), rooms: rooms, listed: listing.outputLines())
    // The floor is the start of the program alone: what no list can be quicker than.
    let list = Command(program, ["log", "list", "--data", folder], output: "\(bench.folder.path)/out")
    let bare = Command(program, ["version"], output: "\(bench.folder.path)/out")
    var (ends, floors): ([ProcessEnd], [ProcessEnd]) = ([], [])
    for _ in 0..<runs {
      floors.append(try bare.run())
      ends.append(try list.run())
    }
    let (cpu, floor) = (ends.map(\.cpuSeconds).median * 1_000, floors.map(\.cpuSeconds).median * 1_000)
    var line = FigureLine(name, value: cpu, unit: "ms of CPU time", floor: floor, ratio: floor / cpu)
    line.add("floor_is", .text("parlor version: the program's start alone"))
    line.add("events", .integer(rooms * shape.events))
    line.add("rooms", .integer(rooms))
    line.add("events_per_room", .integer(shape.events))
    line.add("runs", .integer(runs))
    try bench.print(line)
    BenchFolder.remove(folder)
  }

  private func write(events: Int, to folder: String) throws -> Int {
    let log = try LMDBEventLog(folder: folder, access: .writing, network: .standard)
    return try SyntheticRooms(shape).write(events: events, to: log)
  }

  private func check(_ end: ProcessEnd, rooms: Int, listed: [String]) throws {
    guard end.status == 0, listed.count == min(20, rooms) else {
      throw BenchFailure.differs(name, "it listed \(listed.count) rooms and ended with status \(end.status)")
    }
    guard listed.allSatisfy({ $0.contains("\"status\":\"finished\"") }) else {
      throw BenchFailure.differs(name, "a listed room is not finished")
    }
  }
}

/// The real program.
enum Program {
  /// The path in `PARLOR_PROGRAM`, else that of the program beside this benchmark.
  static func path() throws(BenchFailure) -> String {
    let path = CurrentProcess.variable("PARLOR_PROGRAM") ?? "\(ownFolder)/parlor"
    guard FileSystem.exists(path) else {
      throw BenchFailure(
        .noInput, "there is no program at \(path): build the product parlor, or name one in PARLOR_PROGRAM")
    }
    return path
  }

  /// The folder of this benchmark's own file.
  static var ownFolder: String { own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "." }

  /// This benchmark's own file.
  static var own: String {
    var own = CommandLine.arguments[0]
    var path = [CChar](repeating: 0, count: 4_097)
    // SAFETY: readlink writes at most 4,096 characters and leaves the last one zero.
    let count = unsafe readlink("/proc/self/exe", &path, 4_096)
    if count > 0 { own = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    return own
  }
}

import EventLog
import Events

/// Two peers that hold the same come together: what the one that starts reads, says and computes.
struct SyncNothingNew: Figure {
  let name = "sync.nothing-new"
  let summary =
    "CPU milliseconds from a second start until it is known that another peer holds the same 100,000 rooms"

  func measure(_ bench: Bench) async throws {
    let rooms = bench.size(100_000, quick: 1_000)
    bench.tell("\(name): writing \(rooms) rooms, twice")
    let folders = [try bench.folder.make("nothing-here"), try bench.folder.make("nothing-there")]
    defer { folders.forEach { BenchFolder.remove($0) } }
    for folder in folders {
      let log = try LMDBEventLog(folder: folder, access: .writing, network: .standard)
      _ = try SyntheticRooms(.over).write(events: rooms * SyntheticRooms.Shape.over.events, to: log)
    }
    let starter = try OtherProcess(.meet, [folders[0], "0"])
    let first = try starter.numbers("opened", 2)
    try starter.end()
    let peer = try OtherProcess(.serve, [folders[1]])
    let relay = try OtherProcess(.relay, [try peer.answer("port").joined()])
    let port = try relay.answer("port").joined()
    bench.tell("\(name): the other peer is there")
    try relay.order("relay")
    let other = try OtherProcess(.meet, [folders[0], port])
    let opened = try other.numbers("opened", 2)
    try other.order("go")
    let met = try other.numbers("equal", 2)
    try other.end()
    let bytes = try relay.numbers("relayed", 2)
    try relay.end()
    try peer.end()
    var line = FigureLine(
      name, value: (opened[1] + met[1]) * 1_000, unit: "ms of CPU time", floor: nil, ratio: nil)
    line.add("first_open_cpu_ms", .decimal(first[1] * 1_000))
    line.add("first_open_wall_ms", .decimal(first[0] * 1_000))
    line.add("open_cpu_ms", .decimal(opened[1] * 1_000))
    line.add("open_wall_ms", .decimal(opened[0] * 1_000))
    line.add("meet_cpu_ms", .decimal(met[1] * 1_000))
    line.add("meet_wall_ms", .decimal(met[0] * 1_000))
    line.add("bytes_sent", .integer(Int(bytes[0])))
    line.add("bytes_received", .integer(Int(bytes[1])))
    line.add("rooms", .integer(rooms))
    line.add("feeds", .integer(2 * rooms))
    try bench.print(line)
  }
}

import EventLog
import Events

/// What a connection costs the peer that many are connected to.
struct ConnectionsMemory: Figure {
  let name = "connections.memory"
  let summary = "kilobytes of a peer's own memory for each of 1,000 connections"

  func measure(_ bench: Bench) async throws {
    let count = bench.size(1_000, quick: 100)
    bench.tell("\(name): \(count) connections of peers in another process")
    let folder = try bench.folder.make("connections")
    defer { BenchFolder.remove(folder) }
    let peer = try OtherProcess(.serve, [folder])
    let port = try peer.answer("port").joined()
    // The first connections bring up what all share.
    let few = try OtherProcess(.crowd, [port, "10"])
    _ = try few.answer("connected")
    try few.end()
    let before = try Self.memory(of: peer)
    let crowd = try OtherProcess(.crowd, [port, String(count)])
    _ = try crowd.answer("connected")
    let after = try Self.memory(of: peer)
    try crowd.end()
    try peer.end()
    guard let before, let after else { return bench.tell("\(name): skipped, only Linux tells it") }
    guard Int(after.connections) == count else {
      throw BenchFailure.differs(name, "\(Int(after.connections)) of \(count) connections stand")
    }
    var line = FigureLine(
      name, value: (after.kilobytes - before.kilobytes) / Double(count), unit: "kB a connection", floor: nil,
      ratio: nil)
    line.add("connections", .integer(count))
    line.add("kb_before", .integer(Int(before.kilobytes)))
    line.add("kb_after", .integer(Int(after.kilobytes)))
    try bench.print(line)
  }

  /// What the peer says that it has resident of its own, and how many are connected with it.
  private static func memory(of peer: OtherProcess) throws -> (kilobytes: Double, connections: Double)? {
    try peer.order("memory")
    let numbers = try peer.numbers("memory", 2)
    return numbers[0] > 0 ? (numbers[0], numbers[1]) : nil
  }
}

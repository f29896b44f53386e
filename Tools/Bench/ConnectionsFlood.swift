import EventLog
import Events

/// Whether peers are heard while many addresses open connections as quickly as they can.
struct ConnectionsFlood: Figure {
  /// What those say that open connections and leave them.
  enum Words: String {
    case nothing
    /// All that a peer says before it is answered: whoever hears it has to work.
    case greeting
  }

  /// The longest that a handshake may take, in milliseconds.
  static let limitMilliseconds: UInt64 = 5_000
  private static let addresses = 200
  private static let rate = 12_000

  let words: Words

  var name: String { "connections.flood.\(words.rawValue)" }
  var summary: String {
    "share of peers heard within 5 s while 200 addresses open 12,000 connections a second and say "
      + (words == .nothing ? "nothing" : "all of a greeting")
  }

  func measure(_ bench: Bench) async throws {
    let count = bench.size(100, quick: 10)
    let seconds = bench.size(20, quick: 5)
    bench.tell("\(name): \(seconds) s, and \(count) peers that want to be heard")
    let folder = try bench.folder.make("flood")
    defer { BenchFolder.remove(folder) }
    let peer = try OtherProcess(.serve, [folder])
    let port = try peer.answer("port").joined()
    let pause = String(seconds * 800 / count)
    let quiet = try await Self.knocks(port, count, pause)
    let before = try Self.number("used", of: peer)
    let flood = try OtherProcess(
      .flood, [port, String(Self.addresses), String(Self.rate), String(seconds), words.rawValue])
    _ = try flood.answer("ready")
    try flood.order("go")
    let loud = try await Self.knocks(port, count, pause)
    let tally = try flood.numbers("flooded", 3)
    let after = try Self.number("used", of: peer)
    let turn = try Self.number("turn", of: peer)
    try flood.end()
    try peer.end()
    var line = FigureLine(
      name, value: Double(loud.count) / Double(count), unit: "of the peers heard within 5 s",
      floor: Double(quiet.count) / Double(count), ratio: nil)
    line.add("floor_is", .text("the same without the flood"))
    line.add("median_ms", .decimal(Self.median(loud)))
    line.add("slowest_ms", .decimal(loud.max() ?? 0))
    line.add("floor_median_ms", .decimal(Self.median(quiet)))
    line.add("connections_per_second", .integer(Int(tally[0] / Double(seconds))))
    line.add("failed", .integer(Int(tally[1])))
    line.add("unsent", .integer(Int(tally[2])))
    line.add("cpu_per_second", .decimal((after - before) / Double(seconds)))
    line.add("longest_turn_ms", .decimal(turn))
    try bench.print(line)
  }

  /// After how many milliseconds each was heard of those that were in time.
  private static func knocks(_ port: String, _ count: Int, _ pause: String) async throws -> [Double] {
    let process = try OtherProcess(.knock, [port, String(count), pause])
    let heard = try process.answer("heard").compactMap(Double.init)
    try process.end()
    return heard
  }

  /// What the peer says: the processor's seconds, or the milliseconds of its loop's longest turn.
  private static func number(_ word: String, of peer: OtherProcess) throws -> Double {
    try peer.order(word)
    return try peer.numbers(word, 1)[0]
  }

  private static func median(_ times: [Double]) -> Double {
    times.isEmpty ? 0 : times.sorted()[times.count / 2]
  }
}

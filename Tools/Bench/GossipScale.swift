import EventLog
import Gossip

/// How many messages an operation takes until everybody has it, and how long that is.
///
/// The aims are those of a known exercise for broadcasts: 25 nodes, 100 ms a hop, 100 operations a second
/// (Kingsbury, Fly.io: Gossip Glomers, 3d and 3e).
struct GossipScale: Figure {
  /// What is tried.
  struct Setting: Sendable {
    static let thrifty = Setting(
      name: "25-thrifty", peers: 25, degree: 4, push: 120, limitMessages: 20, limitMedian: 1_000,
      limitWorst: 2_000)
    static let quick = Setting(
      name: "25-quick", peers: 25, degree: 6, push: 40, limitMessages: 30, limitMedian: 400, limitWorst: 600)
    static let large = Setting(
      name: "1000", peers: 1_000, degree: 8, push: 50, limitMessages: nil, limitMedian: nil, limitWorst: nil)

    let name: String
    let peers: Int
    let degree: Int
    /// How long operations are gathered at each hop, in milliseconds.
    let push: UInt64
    let limitMessages: Double?
    let limitMedian: UInt64?
    let limitWorst: UInt64?
  }

  private let setting: Setting

  init(_ setting: Setting) { self.setting = setting }

  var name: String { "gossip.scale.\(setting.name)" }
  var summary: String {
    "messages an operation until all of \(setting.peers) peers have it, 100 ms a hop, 100 operations a second"
  }

  func measure(_ bench: Bench) async throws {
    let operations = setting.peers > 100 ? bench.size(500, quick: 20) : bench.size(2_000, quick: 300)
    bench.tell("\(name): \(operations) operations")
    var settings = GossipSettings()
    settings.pushMilliseconds = setting.push
    settings.announceMilliseconds = 2_000
    settings.graftMilliseconds = 1_000
    settings.pushLinks = 4
    settings.compareMilliseconds = 10_000
    var mesh = try GossipMesh(
      peers: setting.peers, degree: setting.degree, hopMilliseconds: 100, settings: settings, seed: 7)
    try mesh.run(operations: operations, perSecond: 100, warmUp: setting.peers > 100 ? operations : 1_500)
    guard mesh.isComplete else { throw BenchFailure.differs(name, "not everybody heard of every operation") }
    let delays = mesh.delays.sorted()
    let (median, worst) = (delays[delays.count / 2], delays[delays.count - 1])
    let perOperation = Double(mesh.messages) / Double(mesh.operations)
    var line = FigureLine(
      name, value: perOperation, unit: "messages an operation", floor: setting.limitMessages,
      ratio: setting.limitMessages.map { $0 / perOperation })
    line.add("floor_is", .text("the most that it may take"))
    line.add("median_ms", .integer(Int(median)))
    line.add("p99_ms", .integer(Int(delays[delays.count * 99 / 100])))
    line.add("worst_ms", .integer(Int(worst)))
    line.add("peers", .integer(setting.peers))
    line.add("operations", .integer(mesh.operations))
    try bench.print(line)
    let isMet =
      perOperation < setting.limitMessages ?? .infinity && median < setting.limitMedian ?? .max
      && worst < setting.limitWorst ?? .max
    guard isMet else { throw BenchFailure.differs(name, "the aims are missed") }
  }
}

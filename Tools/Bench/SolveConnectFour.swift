import Games
import Platform
import SearchBots
import Terminal

/// A published set of Connect Four positions, solved exactly.
struct SolveConnectFour: Figure {
  /// What another solver took for the set: mean microseconds and visited positions.
  struct Published {
    let solver: String
    let microseconds: Double
    let nodes: Double
  }

  let set: String
  /// The solvers whose figures are published beside the sets, on a machine like the one these were made on.
  let published: [Published]
  /// Positions of the set with `--quick`; `nil` to leave it out then.
  let quickPositions: Int?
  let isByNameOnly: Bool

  var name: String { "solve.connect-four.\(set)" }
  var summary: String { "mean microseconds of CPU to solve a position exactly; published set \(set)" }

  static let all = [
    // Without Steininger's hand-off to a thread, which takes longer than these positions do.
    SolveConnectFour("L3_R1", pons: (5.3, 51), bitBully: (14, 51), steininger: (2.9, 9), quickPositions: 20),
    SolveConnectFour(
      "L2_R1", pons: (37, 449), bitBully: (157, 1_232), steininger: (79, 309), quickPositions: 20),
    SolveConnectFour(
      "L1_R1", pons: (258, 3_296), bitBully: (4_700, 79_856), steininger: (4_000, 19_451), quickPositions: 20),
    SolveConnectFour("L2_R2", pons: (3_800, 39_808), bitBully: (3_700, 40_712), steininger: (1_670, 9_387)),
    SolveConnectFour(
      "L1_R2", pons: (116_000, 1_140_000), bitBully: (112_000, 1_750_000), steininger: (79_000, 370_000)),
    // Their figures are of the first 30 positions, which are those of `--quick`.
    SolveConnectFour(
      "L1_R3", pons: (7_500_000, 64_000_000), bitBully: (4_800_000, 113_000_000),
      steininger: (1_620_000, 7_800_000), quickPositions: 30, isByNameOnly: true),
  ]

  private init(
    _ set: String, pons: (Double, Double), bitBully: (Double, Double), steininger: (Double, Double),
    quickPositions: Int? = nil, isByNameOnly: Bool = false
  ) {
    self.set = set
    published = [
      Published(solver: "pons", microseconds: pons.0, nodes: pons.1),
      Published(solver: "bitbully", microseconds: bitBully.0, nodes: bitBully.1),
      Published(solver: "steininger", microseconds: steininger.0, nodes: steininger.1),
    ]
    self.quickPositions = quickPositions
    self.isByNameOnly = isByNameOnly
  }

  func measure(_ bench: Bench) async throws {
    guard !bench.options.isQuick || quickPositions != nil else {
      return bench.tell("\(name): left out with --quick")
    }
    guard let path = ReferenceSets.path(set) else {
      return bench.tell(
        "\(name): skipped, the published set is not here; PARLOR_REFERENCE_DATA names its folder")
    }
    var positions = try ReferenceSets.read(path)
    if bench.options.isQuick { positions = Array(positions.prefix(quickPositions ?? 0)) }
    let repeats = isByNameOnly ? 1 : 3
    bench.tell("\(name): \(positions.count) positions" + (repeats > 1 ? ", up to \(repeats) times" : ""))
    let solver = ConnectFourSolver()
    var spans: [Span] = []
    var nodes: UInt64 = 0
    // A set that takes seconds is measured once; of others the median is taken, and the first time warms up.
    while spans.isEmpty || (spans.count < repeats && spans[0].cpu < 5) {
      let (span, visited) = try Span.of { try solve(positions, solver, bench) }
      spans.append(span)
      nodes = visited
    }
    try report(positions.count, cpu: spans.map(\.cpu).median, nodes: nodes, repeats: spans.count, bench)
  }

  /// Solves all positions, each with an empty table.
  /// - Returns: the positions visited.
  private func solve(
    _ positions: [ReferenceSets.Entry], _ solver: ConnectFourSolver, _ bench: Bench
  ) throws -> UInt64 {
    var nodes: UInt64 = 0
    for (done, entry) in positions.enumerated() {
      let solution = try solver.solve(entry.position, movesWanted: false)
      guard solution.value == entry.value else {
        let found = solution.value.map { "\($0)" } ?? "nothing exact"
        throw BenchFailure.differs(
          name, "\(entry.moves) is worth \(entry.value), and the solver says \(found)")
      }
      nodes += solution.nodes
      if isByNameOnly, (done + 1) % 10 == 0 { bench.tell("\(name): \(done + 1) of \(positions.count)") }
    }
    return nodes
  }

  private func report(_ count: Int, cpu: Double, nodes: UInt64, repeats: Int, _ bench: Bench) throws {
    let mean = cpu / Double(count) * 1e6
    let best = published.min { $0.microseconds < $1.microseconds }
    var line = FigureLine(
      name, value: mean, unit: "us of CPU time/position", floor: best?.microseconds,
      ratio: best.map { $0.microseconds / mean })
    line.add(
      "floor_is", .text("\(best?.solver ?? ""), the best of three published solvers; measured elsewhere"))
    line.add("positions", .integer(count))
    line.add("nodes_per_position", .decimal(Double(nodes) / Double(count)))
    line.add("nodes_per_second", .decimal(Double(nodes) / cpu))
    line.add("repeats", .integer(repeats))
    for other in published {
      line.add("\(other.solver)_us", .decimal(other.microseconds))
      line.add("\(other.solver)_nodes", .decimal(other.nodes))
    }
    try bench.print(line)
  }
}

/// The published sets, where they lie beside the project.
enum ReferenceSets {
  /// A position with its exact value for the side to move.
  struct Entry {
    let moves: String
    let position: ConnectFour.Position
    let value: Int32
  }

  /// The path of a set's file; `nil` where it is not there.
  static func path(_ set: String) -> String? {
    let root = "\(#filePath)".split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/")
    let data = CurrentProcess.variable("PARLOR_REFERENCE_DATA") ?? "\(root)/../shared/reference/data"
    let path = "\(data)/connect4/Test_\(set)"
    return FileSystem.exists(path) ? path : nil
  }

  /// The positions of a file: on each line its moves and its value.
  static func read(_ path: String) throws -> [Entry] {
    try TextFile.lines(path).enumerated().map { number, line in
      let words = line.split(separator: " ")
      guard words.count == 2, let value = Int32(words[1]) else {
        throw BenchFailure(.dataError, "\(path), line \(number + 1): no position and value")
      }
      let moves = String(words[0])
      return Entry(moves: moves, position: try ConnectFour().position(moves: moves), value: value)
    }
  }
}

import BotKit
import Foundation
import Testing

/// A recording of the real program at work in one data folder, from the creation of its store on: a game typed
/// in, a match, a tournament and another game.
struct PowerCutRecording {
  /// What is to be recorded.
  struct Plan: Sendable, CustomTestStringConvertible {
    /// When the first game's program is killed.
    enum End: String {
      case never
      case atRandom
      case afterItsRename
    }

    let seed: UInt64
    /// The data folder's path in the watched one; whatever of it is not there the program makes.
    var data = "data"
    var end = End.never
    /// Whether the data folder is there at first, and durable, and an identity is created in it before the game.
    var hasIdentity = false

    /// Whether an identity is created and nothing else is done, in a data folder that the program makes.
    ///
    /// What is known to fail about that leaves nothing behind.
    var isIdentityAlone = false
    var isKnownToFail: Bool { isIdentityAlone }

    var testDescription: String { "seed \(seed), \(data), killed \(end.rawValue), identity \(hasIdentity)" }
  }

  let plan: Plan
  let tools: FaultTools
  /// The watched folder, which holds the data folder.
  let home: TemporaryFolder
  /// The tournament's digest when nothing disturbs it.
  private var standingsDigest = ""

  var trace: String { tools.folder.file("trace") }
  var promises: String { tools.folder.file("promises") }
  var commands: String { tools.folder.file("commands") }
  var input: String { tools.folder.file("moves") }

  /// Records, and checks that the recording gives the very folder that is there.
  init(_ plan: Plan) throws {
    self.plan = plan
    tools = try FaultTools()
    home = try TemporaryFolder()
    var random = RandomStream(seed: plan.seed)
    let moves = Self.moves(&random)
    try tools.folder.write("moves", moves)
    if plan.hasIdentity {
      try FileManager.default.createDirectory(
        atPath: home.file(plan.data), withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
    }
    if plan.hasIdentity || plan.isIdentityAlone { try run(["identity", "create"]) }
    if !plan.isIdentityAlone { try playEverything(moves, &random) }
    try checkReplay()
    try writePromises()
    try writeCommands()
  }

  // MARK: - What is done

  private mutating func playEverything(_ moves: Data, _ random: inout RandomStream) throws {
    switch plan.end {
    case .never: try run(Self.game, input: moves)
    case .atRandom: try run(Self.game, input: moves, last: "\(Int.random(in: 3...60, using: &random))")
    case .afterItsRename: try run(Self.game, input: moves, last: "N")
    }
    if plan.end != .never { try run(["play", "--resume", "last"], input: moves, statuses: [0, 66]) }
    try run(Self.match(plan.seed))
    standingsDigest = try digest(try run(Self.tournament(plan.seed)))
    try run(Self.game, input: Self.moves(&random))
  }

  private static let game = ["play", "tic-tac-toe", "--against", "greedy", "--seat", "first"]

  /// Every move once, in a random order; those that are not legal are refused.
  private static func moves(_ random: inout RandomStream) -> Data {
    Data((1...9).map { "\($0)\n" }.shuffled(using: &random).joined().utf8)
  }

  private static func match(_ seed: UInt64) -> [String] {
    let words =
      seed % 4 < 2
      ? ["tic-tac-toe", "--players", "random,greedy", "--games", "20"]
      : ["prisoners-dilemma", "--players", "joss,random", "--games", "2", "--set", "rounds=20"]
    return ["match"] + words + ["--seed", "\(seed)"]
  }

  private static func tournament(_ seed: UInt64) -> [String] {
    [
      "tournament", "run", "--game", "tic-tac-toe", "--format", "round-robin", "--seed", "\(seed)",
      "--entrants", "greedy,random,random,lookahead:2",
    ]
  }

  /// Runs the program under the recorder.
  /// - Parameter last: after which call it is killed: a number, or a kind (`Tools/Faults/trace.h`).
  @discardableResult private func run(
    _ words: [String], input: Data = Data(), last: String? = nil, statuses: Set<Int32> = [0]
  ) throws -> Program.Finished {
    var environment = [
      "LD_PRELOAD": tools.recorder, "PARLOR_TRACE": trace, "PARLOR_TRACED_FOLDER": home.path,
    ]
    environment["PARLOR_TRACE_LAST"] = last
    let arguments = words + ["--json", "--data", plan.data]
    let run = try Program.start(arguments, home: home, input: input, environment: environment).finish()
    if last != nil {
      try #require(run.status == SIGKILL, "\(words) was to be killed: \(run.errors)")
      return run
    }
    try #require(statuses.contains(run.status), "\(words): \(run.errors)")
    return run
  }

  private func digest(_ run: Program.Finished) throws -> String {
    let finished = try run.objects().first { $0["type"] as? String == "finished" }
    return try #require(finished?["standingsDigest"] as? String)
  }

  // MARK: - Whether the recorder missed something

  private func checkReplay() throws {
    let replayed = try TemporaryFolder()
    let run = try OtherProgram.run(tools.cuts, ["replay", trace, replayed.path], in: tools.folder)
    try #require(run.status == 0, "\(run.errors)")
    let recorded = try Self.files(home)
    #expect(recorded.count > 1)
    #expect(try Self.files(replayed) == recorded, "the recorder missed a call")
  }

  /// The content of every file, by path, and `nil` for folders.
  private static func files(_ folder: TemporaryFolder) throws -> [String: Data?] {
    var found: [String: Data?] = [:]
    for (path, _) in try folder.tree() {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(path))
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      found.updateValue(isFolder ? nil : try folder.bytes(path), forKey: path)
    }
    return found
  }

  // MARK: - What was promised

  /// What the program printed, with the step of the recording at which each line was whole.
  private func printed() throws -> [(step: Int, descriptor: Int, line: String)] {
    let run = try OtherProgram.run(tools.cuts, ["outputs", trace], in: tools.folder)
    try #require(run.status == 0, "\(run.errors)")
    var rest: [Int: [UInt8]] = [:]
    var lines: [(step: Int, descriptor: Int, line: String)] = []
    for output in run.output.split(separator: "\n") {
      let fields = output.split(separator: " ")
      let step = try #require(Int(fields[0]))
      let descriptor = try #require(Int(fields[1]))
      rest[descriptor, default: []] += try #require(fields.count > 2 ? [UInt8](digits: fields[2]) : [])
      while let end = rest[descriptor]?.firstIndex(of: UInt8(ascii: "\n")) {
        lines.append((step, descriptor, String(decoding: rest[descriptor]?[..<end] ?? [], as: UTF8.self)))
        rest[descriptor]?.removeSubrange(...end)
      }
    }
    return lines
  }

  private func writePromises() throws {
    let log = try StoredRooms(home, data: plan.data)
    let identity = try home.bytes("\(plan.data)/identity.key")
    var text = identity.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "\n"
    var rooms = 0
    for (step, descriptor, line) in try printed() {
      if line.hasPrefix("A new identity was created") || line.hasPrefix("{\"type\":\"identity\"") {
        text += "\(step) identity 1\n"
      }
      guard descriptor == 1 else { continue }
      for (room, events) in try log.promised(by: line) {
        text += "\(step) \(room) \(events)\n"
        rooms += 1
      }
    }
    #expect(rooms > 20 || plan.isIdentityAlone)
    // Who is killed may have made an identity and not have come to say so.
    #expect(text.contains(" identity ") || plan.end == .atRandom)
    try tools.folder.write("promises", Data(text.utf8))
  }

  /// How a cut-off state is gone on with.
  private func writeCommands() throws {
    let lines = [
      // A state is a copy of the folder, and may be an old one: what others may have waits for them.
      "0,66,75 \"standingsDigest\":\"\(standingsDigest)\" tournament resume --json --data \(plan.data)",
      "0,66,75 - play --resume last --json --data \(plan.data)",
      "0 - match tic-tac-toe --players random,greedy --games 2 --data \(plan.data)",
    ]
    try tools.folder.write("commands", Data(lines.joined(separator: "\n").utf8))
  }
}

extension [UInt8] {
  /// Bytes from hexadecimal digits.
  fileprivate init?(digits: Substring) {
    var bytes: [UInt8] = []
    var rest = digits
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    self = bytes
  }
}

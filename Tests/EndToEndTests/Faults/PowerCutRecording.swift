import BotKit
import Foundation
import Testing

/// A recording of the real program at work in one data folder, from the creation of its store on: a game typed
/// in, a match, a tournament and another game. With odd seeds the first game's program is killed in between.
struct PowerCutRecording {
  let tools: FaultTools
  /// The watched folder, which holds the data folder.
  let home: TemporaryFolder
  /// The tournament's digest when nothing disturbs it.
  private(set) var standingsDigest = ""

  var trace: String { tools.folder.file("trace") }
  var promises: String { tools.folder.file("promises") }
  var commands: String { tools.folder.file("commands") }
  var input: String { tools.folder.file("moves") }

  /// Records, and checks that the recording gives the very folder that is there.
  /// - Parameter hasFolder: whether the data folder is there, and durable, before the program starts.
  init(seed: UInt64, hasFolder: Bool = true) throws {
    tools = try FaultTools()
    home = try TemporaryFolder()
    if hasFolder {
      try FileManager.default.createDirectory(
        atPath: home.file("data"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }
    var random = RandomStream(seed: seed)
    let moves = Self.moves(&random)
    try tools.folder.write("moves", moves)
    if seed.isMultiple(of: 2) {
      try run(Self.game, input: moves)
    } else {
      try run(Self.game, input: moves, killedAfter: Int.random(in: 3...60, using: &random))
      try run(["play", "--resume", "last"], input: moves, statuses: [0, 66])
    }
    try run(Self.match(seed))
    standingsDigest = try digest(try run(Self.tournament(seed)))
    try run(Self.game, input: Self.moves(&random))
    try checkReplay()
    try writePromises()
    try writeCommands()
  }

  // MARK: - What is done

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
  /// - Parameter killedAfter: after how many calls that change something it is killed.
  @discardableResult private func run(
    _ words: [String], input: Data = Data(), killedAfter: Int? = nil, statuses: Set<Int32> = [0]
  ) throws -> Program.Finished {
    var environment = [
      "LD_PRELOAD": tools.recorder, "PARLOR_TRACE": trace, "PARLOR_TRACED_FOLDER": home.path,
    ]
    environment["PARLOR_TRACE_LAST"] = killedAfter.map { "\($0)" }
    let arguments = words + ["--json", "--data", "data"]
    let run = try Program.start(arguments, home: home, input: input, environment: environment).finish()
    guard killedAfter == nil else { return run }
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
    #expect(recorded.count > 3)
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
    let log = try StoredRooms(home)
    let identity = try home.bytes("data/identity.key")
    var text = identity.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "\n"
    var rooms = 0
    for (step, descriptor, line) in try printed() {
      if line.hasPrefix("A new identity was created") { text += "\(step) identity 1\n" }
      guard descriptor == 1 else { continue }
      for (room, events) in try log.promised(by: line) {
        text += "\(step) \(room) \(events)\n"
        rooms += 1
      }
    }
    #expect(rooms > 20)
    #expect(text.contains(" identity "))
    try tools.folder.write("promises", Data(text.utf8))
  }

  /// How a cut-off state is gone on with.
  private func writeCommands() throws {
    let lines = [
      "0,66 \"standingsDigest\":\"\(standingsDigest)\" tournament resume --json --data data",
      "0,66 - play --resume last --json --data data",
      "0 - match tic-tac-toe --players random,greedy --games 2 --data data",
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

import Events
import Foundation
import TestKit
import Testing

/// `Tools/read-log.py` as it is called.
@Suite(.blocking, .enabled(if: LogReader.isThere, LogReader.missing)) struct ReaderTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func read(_ arguments: String...) throws -> Program.Finished {
    try LogReader.run([LogReader.script] + arguments, home: home)
  }

  /// A room of the samples, in a file.
  private func export(_ room: RoomID, _ name: String) throws {
    let run = try Program.run(
      "log", "export", room.description, "--data", home.file("data"), "--output", home.file(name), home: home)
    try #require(run.status == 0, "\(run.errors)")
  }

  @Test func theBundlesThatAreFixtures() throws {
    let path = PackageFolder.file("Tests/Fixtures/vectors/bundles.txt").path
    let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    let vectors = text.split(separator: "\n\n").dropFirst().map { block in
      Dictionary(
        uniqueKeysWithValues: block.split(separator: "\n").map { line in
          let parts = line.split(separator: ":", maxSplits: 1)
          return (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
        })
    }
    var names: [String] = []
    for (number, vector) in vectors.enumerated() {
      let bytes = try #require(vector["bundle"].flatMap { Self.bytes($0) })
      try home.write("\(number)", bytes)
      names.append(home.file("\(number)"))
    }
    let run = try LogReader.run([LogReader.script, "--json"] + names, home: home)
    let readings = try LogReader.objects(LogReader.Reading.self, in: run)
    #expect(readings.count == vectors.count && vectors.count > 10)
    for (reading, vector) in zip(readings, vectors) {
      #expect(
        reading.good == (vector["reason"] == nil), "\(vector["name"] ?? ""): \(reading.reason ?? "good")")
    }
  }

  private static func bytes(_ hexadecimal: String) -> Data? {
    let digits = Array(hexadecimal.utf8)
    var bytes = Data()
    for place in stride(from: 0, to: digits.count - 1, by: 2) {
      guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(byte)
    }
    return bytes
  }

  @Test func roomsOfOtherGamesAreCheckedExceptForTheirMoves() throws {
    let made = try LogReader.tool("strange_dilemma.py", [home.path, "1", "20", "nobodys-game"], home: home)
    try #require(made.status == 0, "\(made.errors)")
    let names = (1...20).map { "dilemma-\($0).parlor" }
    let run = try LogReader.run([LogReader.script, "--json"] + names.map { home.file($0) }, home: home)
    #expect(run.status == 0, "\(run.errors)")
    let readings = try LogReader.objects(LogReader.Reading.self, in: run).filter { $0.rules != nil }
    #expect(readings.count >= 15 && readings.allSatisfy { $0.rules == "nobodys-game" })
    #expect(readings.allSatisfy { $0.moves == "not checked" && $0.notChecked.count == 1 && $0.games.isEmpty })
    let reveals = try run.objects().map { ($0["reveals"] as? [String: Int])?["opened"] ?? 0 }
    let most = try #require(reveals.indices.max { reveals[$0] < reveals[$1] })
    #expect(reveals[most] >= 2)
    let text = try read(home.file(names[most])).output
    #expect(text.contains("Not checked: the moves"))
    #expect(text.contains("reveals open their commitments"))
  }

  @Test func aResultThatAllSignedAndNobodyPlayedIsBad() throws {
    let event: EventID
    do {
      let (room, result) = try Samples(home.file("data")).falseResult()
      event = result
      try export(room, "false")
    }
    let run = try read("--json", "false")
    #expect(run.status == 1)
    let reading = try LogReader.objects(LogReader.Reading.self, in: run)[0]
    #expect(reading.event?.id == event.description)
    let text = try read("false").output
    #expect(text.hasPrefix("false: BAD: event "))
    for part in [event.description, "sequence ", "every seat signed a result of game 1"] {
      #expect(text.contains(part), "\(text)")
    }
  }

  @Test func forksAreShown() throws {
    do { try export(try Samples(home.file("data")).fork(), "fork") }
    let run = try read("fork")
    #expect(run.status == 0)
    #expect(run.output.contains("signed two different events as its number 2"))
  }

  /// A run of as many events and bytes as it may have, and one more.
  @Test func runsHaveTheirLimits() throws {
    struct Case: Decodable {
      let path: String
      let good: Bool
      let event: String?
    }
    let made = try LogReader.tool("runs.py", [home.path], home: home)
    try #require(made.status == 0, "\(made.errors)")
    let cases = try LogReader.objects(Case.self, in: made)
    #expect(cases.count == 7)
    let pairs = try LogReader.readings(of: cases.map(\.path), home: home)
    for (expected, (reading, verdict)) in zip(cases, pairs) {
      #expect(reading.good == expected.good, "\(reading.path): \(reading.reason ?? "good")")
      #expect(verdict.valid == expected.good, "\(reading.path): \(verdict.reason ?? "valid")")
      #expect(reading.event?.id == expected.event && verdict.event == expected.event, "\(reading.path)")
    }
  }

  @Test func misuseAndMissingFiles() async throws {
    do {
      let samples = try Samples(home.file("data"))
      try await export(samples.match("tic-tac-toe", ["greedy", "random"]), "good")
    }
    try home.write("bad", Data("not a bundle".utf8))
    let cases: [([String], Int32)] = [
      (["good"], 0), (["bad"], 1), (["good", "bad"], 1), (["absent"], 66), (["bad", "absent", "good"], 66),
      ([home.path], 66), ([], 64), (["--wrong", "good"], 64), (["--help"], 0),
    ]
    for (words, status) in cases {
      let run = try LogReader.run([LogReader.script] + words, home: home)
      #expect(run.status == status, "\(words): \(run.errors)")
      #expect(!run.errors.contains("Traceback"), "\(words): \(run.errors)")
    }
    let both = try read("bad", "absent", "good")
    #expect(both.errors.contains("absent: No such file"))
    #expect(both.output.contains("bad: BAD: this is not a Parlor bundle"))
    #expect(both.output.contains("good: good. Room "))
    #expect(try read("--help").output.contains("examples:"))
  }

  @Test func withoutTheModuleItSaysWhatToInstall() throws {
    let run = try LogReader.run(["-S", LogReader.script, "x"], home: home)
    #expect(run.status == 69)
    #expect(run.errors.contains("apt-get install python3-nacl"))
  }

  /// Every mutation gets an answer and never a traceback, and Parlor gives the same one.
  @Test func hostileBytesGetAnAnswer() throws {
    let made = try LogReader.tool("strange.py", [home.path, "7", "4"], home: home)
    try #require(made.status == 0, "\(made.errors)")
    let seeds = try (7...10).map { try home.bytes("strange-\($0).parlor") }
    var state: UInt64 = 1
    func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(1, limit)
    }
    var paths: [String] = []
    for number in 0..<400 {
      var bytes = seeds[below(seeds.count)]
      for _ in 0...below(3) {
        let place = below(bytes.count)
        switch below(4) {
        case 0: bytes[place] ^= UInt8(1 << below(8))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(64)))
        case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 1 + below(64))], at: place)
        default: bytes = Data(bytes.prefix(max(72, place)))
        }
      }
      // Bytes of another magic or network are no bundle at all to Parlor, which then gives no object.
      bytes.replaceSubrange(0..<min(40, bytes.count), with: seeds[0].prefix(min(40, bytes.count)))
      try home.write("m\(number)", bytes)
      paths.append(home.file("m\(number)"))
    }
    for (reading, verdict) in try LogReader.readings(of: paths, home: home) {
      #expect(reading.good == verdict.valid, "\(reading.path): \(reading.reason ?? verdict.reason ?? "")")
    }
  }
}

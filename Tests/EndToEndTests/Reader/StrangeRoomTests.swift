import Foundation
import TestKit
import Testing

/// Rooms of tic-tac-toe, of the prisoner's dilemma, quizzes and tap races whose peers do whatever they like, each event
/// genuinely signed: both programs derive the same from them, by Docs/PROTOCOL.md §1.
@Suite(.blocking, .enabled(if: LogReader.isThere, LogReader.missing)) struct StrangeRoomTests {
  private struct Ending: Decodable {
    let type: String
    let game: Int?
    let ply: Int?
    let moves: [String]?
    let cause: String?
    let seat: Int?
    let scores: [Int]?
    let level: String?
  }

  private struct Shown: Decodable {
    let type: String
    let id: String?
    let verdict: String?
  }

  /// How many rooms are made.
  private static let rooms = Effort.size(150, quick: 10, variable: "PARLOR_STRANGE_ROOMS")

  @Test func theyComeToTheSameEndings() throws {
    let home = try TemporaryFolder()
    let count = Self.rooms
    let made = try LogReader.tool("strange.py", [home.path, "1", "\(count)"], home: home)
    try #require(made.status == 0, "\(made.errors)")
    let paths = (1...count).map { home.file("strange-\($0).parlor") }
    var causes: Set<String> = []
    var (falseRooms, settled) = (0, [String: Int]())
    for (reading, verdict) in try LogReader.readings(of: paths, home: home) {
      #expect(reading.good == verdict.valid, "\(reading.path): \(reading.reason ?? verdict.reason ?? "")")
      #expect(reading.event?.id == verdict.event, "\(reading.path)")
      if reading.host != nil { try compareRounds(reading, home) } else { try compareGames(reading, home) }
      try compareEffects(reading, home)
      causes.formUnion(reading.games.map(\.cause))
      if !reading.good { falseRooms += 1 }
      settled[reading.rules ?? "", default: 0] += reading.rounds.count { $0.phase == "settled" }
    }
    let all: Set = ["rules", "resigned", "left", "ruled", "offence", "forked", "draw-agreed", "not over"]
    // In few rooms not everything happens.
    #expect(
      causes.isSubset(of: all) && causes.count >= (Effort.isQuick ? 4 : all.count), "\(causes.sorted())")
    #expect(falseRooms > 0 && falseRooms < count)
    #expect(settled["quiz"] ?? 0 > 0 && settled["tap-race"] ?? 0 > 0, "\(settled)")
  }

  /// Rooms of the prisoner's dilemma: sealed rounds and open ones, with noise and endings by chance.
  @Test func roundsOfChoicesComeToTheSame() throws {
    let home = try TemporaryFolder()
    let count = Self.rooms
    let made = try LogReader.tool("strange_dilemma.py", [home.path, "1000", "\(count)"], home: home)
    try #require(made.status == 0, "\(made.errors)")
    let paths = (1000..<1000 + count).map { home.file("dilemma-\($0).parlor") }
    var (causes, good): (Set<String>, Int) = ([], 0)
    let readings = try LogReader.readings(of: paths, home: home)
    try ScriptReader.checkSame(as: readings.map(\.0), home: home)
    for (reading, verdict) in readings {
      #expect(reading.good == verdict.valid, "\(reading.path): \(reading.reason ?? verdict.reason ?? "")")
      #expect(reading.event?.id == verdict.event, "\(reading.path)")
      try compareGames(reading, home)
      try compareEffects(reading, home)
      causes.formUnion(reading.games.map(\.cause))
      good += reading.good ? 1 : 0
    }
    let all: Set = ["rules", "resigned", "left", "ruled", "offence", "forked", "not over"]
    #expect(
      causes.isSubset(of: all) && causes.count >= (Effort.isQuick ? 4 : all.count), "\(causes.sorted())")
    #expect(good > 0 && good < count)
  }

  /// Rooms in which one event names what its author may not name, or is one too many: both programs refuse it, and
  /// name that event.
  @Test func theyRefuseTheSameNames() throws {
    let home = try TemporaryFolder()
    let count = 2 * Self.rooms
    let made = try LogReader.tool("strange.py", [home.path, "200001", "\(count)"], home: home)
    try #require(made.status == 0, "\(made.errors)")
    let lines = try String(contentsOfFile: home.file("refused.txt"), encoding: .utf8).split(separator: "\n")
    let breaches = lines.map { $0.split(separator: " ").map(String.init) }
    try #require(breaches.count == count && breaches.allSatisfy { $0.count == 3 })
    let paths = breaches.map { home.file("refused-\($0[0]).parlor") }
    var refused: [String: Int] = [:]
    for (breach, (reading, verdict)) in zip(breaches, try LogReader.readings(of: paths, home: home)) {
      let what: Comment = "\(breach): \(reading.reason ?? "good"); \(verdict.reason ?? "valid")"
      #expect(!reading.good && !verdict.valid, what)
      #expect(reading.event?.id == breach[2] && verdict.event == breach[2], what)
      refused[breach[1], default: 0] += 1
    }
    #expect(refused.count >= (Effort.isQuick ? 4 : 7), "\(refused)")
  }

  /// Rooms with concurrent events and forks, tampered with: both programs find it, and name one event.
  @Test func theyFindEveryTampering() throws {
    let home = try TemporaryFolder()
    let count = Self.rooms
    let made = try LogReader.tool("strange.py", [home.path, "100001", "\(count)"], home: home)
    try #require(made.status == 0, "\(made.errors)")
    let paths = (1...count).map { home.file("strange-\(100_000 + $0).parlor") }
    let run = try LogReader.tool("tamper.py", [home.path, "1"] + paths, home: home)
    try #require(run.status == 0, "\(run.errors)")
    let tamperings = try LogReader.objects(ReaderAgreementTests.Tampering.self, in: run)
    #expect(Set(tamperings.map(\.variant)).contains("neighbours"))
    #expect(tamperings.count >= 6 * count)
    for (tampering, (reading, verdict)) in zip(
      tamperings, try LogReader.readings(of: tamperings.map(\.path), home: home))
    {
      let what: Comment = "\(tampering): \(reading.reason ?? "good"); \(verdict.reason ?? "valid")"
      #expect(!reading.good && !verdict.valid, what)
      #expect(ReaderAgreementTests.nameOneEvent(reading, verdict), what)
    }
  }

  /// The games of the line: their moves, how they ended, and whether all agreed.
  func compareGames(_ reading: LogReader.Reading, _ home: TemporaryFolder) throws {
    let run = try Program.run("replay", reading.path, "--json", home: home)
    let frames = try LogReader.objects(Ending.self, in: run)
    var moves: [Int: [Int]] = [:]
    for frame in frames where frame.type == "position" && frame.ply != 0 {
      // Of a round of choices C is the first, D the second one.
      moves[frame.game ?? 0, default: []] += (frame.moves ?? []).compactMap {
        Int($0) ?? ["C": 1, "D": 2][$0]
      }
    }
    let endings = frames.filter { $0.type == "ending" }.map {
      [$0.game.map(String.init), $0.cause, $0.seat.map(String.init), $0.scores.map { "\($0)" }, $0.level]
    }
    let read = reading.games.filter { $0.cause != "not over" }.map {
      ["\($0.game)", $0.cause, $0.seat.map(String.init), $0.scores.map { "\($0)" }, $0.level]
    }
    #expect(endings == read, "\(reading.path)")
    for game in reading.games { #expect(moves[game.game] ?? [] == game.moves, "\(reading.path)") }
    #expect(
      moves.keys.allSatisfy { number in reading.games.contains { $0.game == number } }, "\(reading.path)")
  }

  /// The rounds of a quiz, and the scores after the last one.
  func compareRounds(_ reading: LogReader.Reading, _ home: TemporaryFolder) throws {
    // A replay shows what was seen, and a host's fork is seen behind what it undoes.
    guard !reading.forks.contains(where: { $0.author == reading.host }) else { return }
    let told = try Program.run("replay", reading.path, "--json", home: home).objects()
    for phase in ["settled", "void"] {
      let rounds = told.filter { $0["type"] as? String == phase }.compactMap { $0["round"] as? Int }
      let read = reading.rounds.filter { $0.phase == phase }
      #expect(rounds == read.map(\.round), "\(reading.path): \(phase)")
    }
    let solutions = told.filter { $0["type"] as? String == "settled" }.map { LogReader.Said($0["solution"]) }
    let settled = reading.rounds.filter { $0.phase == "settled" }
    #expect(solutions == settled.map(\.solution), "\(reading.path)")
    // Who came after the last round is not among them.
    let scores = LogReader.scores(told)
    let read = reading.players.filter { scores[$0.peer] != nil }
    #expect(read.count == scores.count, "\(reading.path)")
    for player in read { #expect(player.score == scores[player.peer], "\(reading.path): \(player.peer)") }
    let faults = told.filter { $0["type"] as? String == "fault" }.compactMap { $0["event"] as? String }
    #expect(Set(reading.faults.map(\.event)).isSuperset(of: faults), "\(reading.path)")
  }

  /// Which events have no effect.
  func compareEffects(_ reading: LogReader.Reading, _ home: TemporaryFolder) throws {
    let run = try Program.run("log", "show", reading.path, "--json", home: home)
    let shown = try LogReader.objects(Shown.self, in: run).filter { $0.type == "event" }
    let idle = shown.filter { $0.verdict != "effective" }.compactMap(\.id)
    #expect(Set(idle) == Set(reading.withoutEffect.map(\.id)), "\(reading.path)")
    #expect(!shown.isEmpty)
  }
}

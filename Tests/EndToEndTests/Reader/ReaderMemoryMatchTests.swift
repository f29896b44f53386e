import Foundation
import TestKit
import Testing

/// Memory matches that the real program played: `Tools/read-log.py` draws every face again from the salts that the
/// rounds revealed, and finds the games that the program shows.
@Suite(.blocking, .enabled(if: LogReader.isThere, LogReader.missing)) struct ReaderMemoryMatchTests {
  /// A game as `parlor replay` ends it.
  private struct Ending: Decodable {
    let type: String
    let game: Int?
    let cause: String?
    let scores: [Int]?
    let level: String?
  }

  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Games of a match. A game has some hundred events, so that more of them keep the reader busy for minutes.
  private static let games = Effort.size(4, quick: 2)

  /// A match of bots, and the bundle of its room.
  private func play(seats: Int) throws -> String {
    let data = home.file("\(seats)")
    let run = try Program.run(
      "match", "memory-match", "--players",
      [String](repeating: "random", count: seats).joined(separator: ","),
      "--set", "players=\(seats)", "--set", "cards=12", "--games", "\(Self.games)", "--seed",
      "7",
      "--data", data, home: home)
    try #require(run.status == 0, "\(run.errors)")
    return try export(seats)
  }

  private func export(_ seats: Int) throws -> String {
    let path = home.file("\(seats).parlor")
    let run = try Program.run(
      "log", "export", "last", "--data", home.file("\(seats)"), "--output", path, home: home)
    try #require(run.status == 0, "\(run.errors)")
    return path
  }

  /// Whether reader and program say the same of a room, which holds so many games.
  private func compare(_ path: String, seats: Int, games: Int) throws {
    let (reading, verdict) = try #require(try LogReader.readings(of: [path], home: home).first)
    #expect(reading.good && verdict.valid, "\(reading.reason ?? verdict.reason ?? "")")
    try ScriptReader.checkSame(as: [reading], home: home)
    #expect(reading.moves == "checked" && reading.notChecked.isEmpty && reading.withoutEffect.isEmpty)
    let replay = try Program.run("replay", "last", "--data", home.file("\(seats)"), "--json", home: home)
    try #require(replay.status == 0, "\(replay.errors)")
    let endings = try LogReader.objects(Ending.self, in: replay).filter { $0.type == "ending" }
    #expect(reading.games.count == games)
    #expect(reading.games.map(\.game) == endings.map(\.game))
    #expect(reading.games.map(\.cause) == endings.map(\.cause))
    #expect(reading.games.map(\.scores) == endings.map(\.scores))
    #expect(reading.games.map(\.level) == endings.map(\.level))
  }

  @Test(arguments: [2, 3, 4]) func itFindsTheGamesThatReplayShows(seats: Int) throws {
    try compare(try play(seats: seats), seats: seats, games: Self.games)
  }

  /// Between two the game is over; of more, the others go on, and draw without the share of who gave up.
  @Test(arguments: [2, 3, 4]) func itFollowsWhoGivesUp(seats: Int) throws {
    let bots = [String](repeating: "random", count: seats - 1).joined(separator: ",")
    let run = try Program.start(
      [
        "play", "memory-match", "--set", "players=\(seats)", "--set", "cards=8", "--against", bots, "--seat",
        "first",
        "--seed", "1", "--data", home.file("\(seats)"), "--json",
      ], home: home, input: Data("1\nresign\nresign\n".utf8)
    ).finish()
    try #require(run.status == 0, "\(run.errors)")
    try compare(try export(seats), seats: seats, games: 1)
  }

  @Test func bothFindEveryTampering() throws {
    let paths = try [2, 3, 4].map { try play(seats: $0) }
    let run = try LogReader.tool("tamper.py", [home.path, "5"] + paths, home: home)
    try #require(run.status == 0, "\(run.errors)")
    let tamperings = try LogReader.objects(ReaderAgreementTests.Tampering.self, in: run)
    #expect(tamperings.count >= 3 * 6 * Self.games)
    for (tampering, (reading, verdict)) in zip(
      tamperings, try LogReader.readings(of: tamperings.map(\.path), home: home))
    {
      let what: Comment = "\(tampering): \(reading.reason ?? "good"); \(verdict.reason ?? "valid")"
      #expect(!reading.good && !verdict.valid, what)
      #expect(ReaderAgreementTests.nameOneEvent(reading, verdict), what)
    }
  }
}

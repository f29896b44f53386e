import Foundation
import TestKit
import Testing

/// `Tools/read-log.mjs`, `Tools/read-log.py` and `parlor log verify`, which share no code, say the same of the same
/// bundles; and the modules of the page keep to the vectors.
@Suite(.blocking, .enabled(if: ScriptReader.isThere, ScriptReader.missing)) struct ScriptReaderTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Vectors, bundles that were cut at every byte, and bundles with random bytes in random places.
  @Test func theModulesKeepToTheVectors() throws {
    struct Check: Decodable {
      let name: String
      let count: Int
      let wrong: [String]
    }
    let script = PackageFolder.file("Tests/EndToEndTests/Reader/checks.mjs").path
    let vectors = PackageFolder.file("Tests/Fixtures/vectors").path
    let changes = Effort.size(2_500, quick: 100, variable: "PARLOR_CHANGED_BUNDLES")
    let run = try ScriptReader.run([script, vectors, "\(changes)"], home: home)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    let checks = try LogReader.objects(Check.self, in: run)
    #expect(checks.count == 11)
    for check in checks { #expect(check.wrong.isEmpty && check.count > 10, "\(check)") }
  }

  /// Bytes of a bundle, behind its mark and network, each with another bit of it turned: also of lengths that lead
  /// behind the end.
  @Test func aTurnedBitIsNamedAlike() throws {
    let played = try PlayedBundles(games: 16)
    let bundle = try Data(contentsOf: URL(fileURLWithPath: played.paths[0]))
    let paths = try stride(from: 40, to: bundle.count, by: Effort.size(3, quick: 23)).map { place in
      var changed = bundle
      changed[place] ^= 1 << UInt8(6 - place / 5 % 7)
      try home.write("\(place).parlor", changed)
      return home.file("\(place).parlor")
    }
    let pairs = zip(
      try LogReader.readings(of: paths, home: home), try ScriptReader.readings(of: paths, home: home))
    for ((reading, _), script) in pairs {
      #expect(!script.good && script.event == reading.event, "\(script.path): \(script.reason ?? "")")
    }
  }

  /// Keys and signatures of small order, off by one, or written otherwise.
  @Test func oddSignaturesHoldForAllOrNobody() throws {
    struct Case: Decodable {
      let path: String
      let name: String
      let good: Bool
    }
    let made = try LogReader.tool("signatures.py", [home.path], home: home)
    try #require(made.status == 0, "\(made.errors)")
    let cases = try LogReader.objects(Case.self, in: made)
    #expect(cases.count == 20)
    let paths = cases.map(\.path)
    let pairs = zip(
      try LogReader.readings(of: paths, home: home), try ScriptReader.readings(of: paths, home: home))
    for (expected, ((reading, verdict), script)) in zip(cases, pairs) {
      let verdicts = [reading.good, verdict.valid, script.good]
      #expect(verdicts.allSatisfy { $0 == expected.good }, "\(expected.name): \(verdicts)")
    }
  }

  /// Rooms of tic-tac-toe, quizzes and tap races whose peers do whatever they like.
  @Test func strangeRoomsAreReadAlike() throws {
    let count = Effort.size(40, quick: 15, variable: "PARLOR_STRANGE_ROOMS")
    let made = try LogReader.tool("strange.py", [home.path, "300001", "\(count)"], home: home)
    try #require(made.status == 0, "\(made.errors)")
    let paths = ["strange", "refused"].flatMap { name in
      (1...count).map { home.file("\(name)-\(300_000 + $0).parlor") }
    }
    var settled = 0
    for ((reading, _), script) in zip(
      try LogReader.readings(of: paths, home: home), try ScriptReader.readings(of: paths, home: home))
    {
      let differences = ScriptReader.differences(reading, script)
      #expect(differences.isEmpty, "\(reading.path): \(differences)")
      settled += script.rounds.count { $0.phase == "settled" }
    }
    #expect(settled > 0)
  }

  /// Rooms of Connect Four likewise.
  @Test func strangeRoomsOfConnectFourAreReadAlike() throws {
    let count = Effort.size(40, quick: 12, variable: "PARLOR_STRANGE_ROOMS")
    let made = try LogReader.tool("strange_four.py", [home.path, "1", "\(count)"], home: home)
    try #require(made.status == 0, "\(made.errors)")
    let paths = (1...count).map { home.file("four-\($0).parlor") }
    let pairs = zip(
      try LogReader.readings(of: paths, home: home), try ScriptReader.readings(of: paths, home: home))
    var causes: Set<String> = []
    for ((reading, verdict), script) in pairs {
      #expect(script.good == verdict.valid && script.event?.id == verdict.event, "\(script.path)")
      let differences = ScriptReader.differences(reading, script)
      #expect(differences.isEmpty, "\(reading.path): \(differences)")
      try StrangeRoomTests().compareGames(script, home)
      try StrangeRoomTests().compareEffects(script, home)
      causes.formUnion(script.games.map(\.cause))
    }
    #expect(causes.count >= (Effort.isQuick ? 4 : 7), "\(causes.sorted())")
  }

  /// Tournaments whose entrants come early and late and draw their seeds, or not.
  @Test func strangeTournamentsAreReadAlike() throws {
    let count = Effort.size(80, quick: 8, variable: "PARLOR_STRANGE_ROOMS")
    let made = try LogReader.tool("strange_cup.py", [home.path, "1", "\(count)"], home: home)
    try #require(made.status == 0, "\(made.errors)")
    let paths = (1...count).map { home.file("cup-\($0).parlor") }
    var idle: Set<String> = []
    for ((reading, verdict), script) in zip(
      try LogReader.readings(of: paths, home: home), try ScriptReader.readings(of: paths, home: home))
    {
      let differences = ScriptReader.differences(reading, script)
      #expect(differences.isEmpty && reading.good == verdict.valid, "\(reading.path): \(differences)")
      try StrangeRoomTests().compareEffects(reading, home)
      idle.formUnion(reading.withoutEffect.map(\.kind))
    }
    #expect(idle.isSuperset(of: ["grant", "ready", "draw", "start", "request"]))
  }

  /// Half of the games are of each kind; `PARLOR_SCRIPT_GAMES` sets how many there are.
  @Test(arguments: ["tic-tac-toe", "connect-four"])
  func honestGamesAreGoodAndEveryTamperingIsFound(game: String) throws {
    let games = Effort.size(300, quick: 32, variable: "PARLOR_SCRIPT_GAMES") / 2
    let played = try PlayedBundles(games: games, of: game)
    let honest = try ScriptReader.readings(of: played.paths, home: home)
    #expect(honest.allSatisfy { $0.good && $0.withoutEffect.isEmpty })
    let ended = honest.flatMap(\.games)
    #expect(ended.count >= games && ended.allSatisfy { $0.cause == "rules" && $0.level == "agreed" })
    let byRoom = Dictionary(uniqueKeysWithValues: honest.map { ($0.room ?? "", $0) })
    for (number, told) in played.matched.enumerated() {
      let found = byRoom[told.room ?? ""]?.games.dropFirst(number % 256).first
      #expect(
        found?.moves == told.moves?.compactMap { Int($0) } && found?.scores == told.scores, "game \(number)")
    }
    for (room, first) in played.drawn { #expect(byRoom[room]?.draw?.first == first, "\(room)") }
    #expect(try tamper(with: played) >= 6 * games)
  }

  /// Games of other rules come to what the program says of them.
  @Test(arguments: [
    ("othello", []), ("ultimate-tic-tac-toe", []), ("gomoku", ["line=exact", "opening=swap2"]),
    ("gomoku", []), ("k-in-a-row", ["width=6", "height=8", "line=3", "exact=yes"]),
    ("k-in-a-row", ["width=7", "height=4", "line=4", "gravity=yes"]),
  ]) func gamesOfOtherRulesAreReadAsPlayed(game: String, settings: [String]) throws {
    let games = Effort.size(60, quick: 8, variable: "PARLOR_SCRIPT_GAMES")
    let words = ["match", game, "--players", "random,random", "--games", "\(games)", "--seed", "5"]
    let match = try Program.start(
      words + settings.flatMap { ["--set", $0] } + ["--json", "--data", "data"], home: home, input: Data()
    ).finish()
    let told = try LogReader.objects(PlayedBundles.MatchedGame.self, in: match).filter { $0.type == "game" }
    let room = try #require(told.first?.room)
    let made = try Program.run("log", "export", room, "--output", "room", "--data", "data", home: home)
    try #require(made.status == 0 && told.count == games, "\(made.errors)")
    let reading = try #require(try ScriptReader.readings(of: [home.file("room")], home: home).first)
    let (second, verdict) = try #require(try LogReader.readings(of: [home.file("room")], home: home).first)
    #expect(reading.good && reading.moves == "checked" && reading.withoutEffect.isEmpty && verdict.valid)
    #expect(ScriptReader.differences(second, reading).isEmpty)
    #expect(reading.games.allSatisfy { $0.cause == "rules" && $0.level == "agreed" })
    #expect(reading.games.map(\.scores) == told.map(\.scores))
    #expect(reading.games.map(\.moves.count) == told.map { $0.moves?.count })
  }

  @Test(arguments: ["prisoners-dilemma", "memory-match"])
  func roundsAreToldInWords(game: String) throws {
    let match = try Program.run(
      "match", game, "--players", "random,random", "--games", "2", "--seed", "5", "--data", "data", home: home
    )
    let made = try Program.run("log", "export", "last", "--output", "room", "--data", "data", home: home)
    try #require(match.status == 0 && made.status == 0, "\(match.errors)\(made.errors)")
    let told = try ScriptReader.run([ScriptReader.script, "room"], home: home)
    #expect(told.status == 0 && told.errors == "", "\(told.errors)")
    #expect(told.output.contains("game 1: ") && told.output.contains("game 2: "))
    #expect(!told.output.contains("Not checked"), "\(told.output)")
  }

  /// How many files were tampered with; all three programs find it, and name one event where they name one.
  private func tamper(with played: PlayedBundles) throws -> Int {
    var count = 0
    for start in stride(from: 0, to: played.paths.count, by: 100) {
      let folder = try TemporaryFolder()
      let some = played.paths[start..<min(played.paths.count, start + 100)]
      let run = try LogReader.tool("tamper.py", [folder.path, "\(start)"] + some, home: folder)
      try #require(run.status == 0, "\(run.errors)")
      let paths = try LogReader.objects(ReaderAgreementTests.Tampering.self, in: run).map(\.path)
      let pairs = zip(
        try LogReader.readings(of: paths, home: folder), try ScriptReader.readings(of: paths, home: folder))
      for ((reading, verdict), script) in pairs {
        #expect(!script.good && !verdict.valid && script.event == reading.event, "\(script.path)")
        #expect(ReaderAgreementTests.nameOneEvent(script, verdict), "\(script.path)")
      }
      count += paths.count
    }
    return count
  }

  @Test func misuseAndMissingFiles() throws {
    try home.write("bad", Data("not a bundle".utf8))
    let cases: [([String], Int32)] = [
      (["bad"], 1), (["absent"], 66), (["bad", "absent"], 66), ([], 64), (["--wrong", "bad"], 64),
      (["--help"], 0),
    ]
    for (words, status) in cases {
      #expect(try ScriptReader.run([ScriptReader.script] + words, home: home).status == status, "\(words)")
    }
  }
}

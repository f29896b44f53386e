import Foundation
import TestKit
import Testing

/// Tournaments of people and bots, each with the real program and a folder of its own, over the loopback.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct TournamentPartyTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Creates a tournament on a folder, and says its code.
  private func create(_ words: [String], data: String = "o") throws -> String {
    let made = try Program.start(
      ["tournament", "create", "--game", "tic-tac-toe", "--json", "--data", data] + words, home: home
    ).finish()
    #expect(made.status == 0, "\(made.errors)")
    return try #require(try made.objects().first?["code"] as? String)
  }

  private func open(_ code: String, _ words: [String] = []) throws -> NetworkRun {
    try NetworkRun(["tournament", "open", code] + words, data: "o", home: home)
  }

  /// Enters a person who tries every cell, again and again.
  private func person(_ name: String, _ code: String, _ host: NetworkRun) throws -> NetworkRun {
    let run = try NetworkRun(
      ["tournament", "join", code, "--name", name], data: name, home: home, connect: [host])
    try run.run.type(Self.moves)
    return run
  }

  private static let moves = String(repeating: (1...9).map { "\($0)\n" }.joined(), count: 60)

  private func bot(
    _ name: String, _ code: String, _ host: NetworkRun, data: String, others: [NetworkRun] = []
  ) throws -> NetworkRun {
    try NetworkRun(
      ["bot", name, "--game", "tic-tac-toe", "--tournament", code], data: data, home: home,
      connect: [host] + others)
  }

  /// The digest that a run tells at the end.
  private func digest(_ run: NetworkRun) throws -> String {
    try run.text("standingsDigest", of: "finished")
  }

  @Test func peopleAndBotsPlayOneBracket() throws {
    let code = try create(["--places", "16", "--title", "Friday"])
    let host = try open(code, ["--start-at", "6"])
    let people = try ["Ada", "Bo", "Cy"].map { try person($0, code, host) }
    let bots = try ["greedy", "random", "lookahead:2"].enumerated().map { number, name in
      try bot(name, code, host, data: "bot \(number)")
    }
    let end = try digest(host)
    for run in people {
      #expect(try digest(run) == end)
      #expect(try run.run.objects("decided").count >= 5)
      try run.checkObjects()
    }
    for run in bots { #expect(try run.run.finish().status == 0) }
    #expect(try host.run.objects("entered").count == 6)
    try host.checkObjects()
    #expect(try host.run.finish().status == 0)
    try check(data: "o", end)
    try check(data: "Bo", end)
  }

  /// Somebody asks after the start, is let in, and plays from the next round on, or behind all others; the first one
  /// waits for Ada. Where seeds are drawn somebody else had a place before, and was away when it came to that.
  @Test(arguments: [
    ("swiss --rounds 3", false), ("swiss --rounds 3", true), ("round-robin --games 1", false),
  ])
  func whoComesLateIsLetIn(format: String, seedsAreDrawn: Bool) throws {
    let words = "--format \(format) --places 5" + (seedsAreDrawn ? " --seeding draw" : "")
    let code = try create(words.split(separator: " ").map(String.init))
    let host = try open(code, ["--start-at", seedsAreDrawn ? "4" : "3"])
    if seedsAreDrawn {
      let away = try bot("monte-carlo:2", code, host, data: "away")
      try host.wait(for: "entered", "who goes") { $0["entrants"] as? Int == 1 }
      away.run.kill9()
    }
    let ada = try NetworkRun(
      ["tournament", "join", code, "--name", "Ada"], data: "Ada", home: home, connect: [host])
    try host.wait(for: "entered", "Ada") { $0["entrant"] as? String == "Ada" }
    let bots = try ["random", "lookahead:2"].enumerated().map { number, name in
      try bot(name, code, host, data: "bot \(number)")
    }
    if seedsAreDrawn {
      try host.wait(for: "drawing", "three answers") { $0["answered"] as? Int == 3 }
      let start = try Program.run("tournament", "start", "last", "--json", "--data", "o", home: home)
      // It goes on without the one who is away; on a busy machine all have opened their parts by then.
      let last = try #require(try start.objects().last, "\(start)")
      let isStarted = (last["entrants"] as? [String])?.count == 3
      #expect((last["answered"] as? Int == 3 || isStarted) && start.status == 0, "\(start)")
      try DescribedCommand.of(["tournament", "start"]).check(start.objects())
    }
    try host.wait(for: "started", "the start") { ($0["entrants"] as? [String])?.count == 3 }
    let late = try bot("greedy", code, host, data: "late")
    try host.wait(for: "asked", "greedy") { $0["entrant"] as? String == "greedy" }
    func admit(_ words: String...) throws -> Program.Finished {
      try Program.start(["tournament", "admit", "last", "--json", "--data", "o"] + words, home: home).finish()
    }
    let asking = try admit()
    // Who was left out of the draw may come in as well.
    let names = Set(try asking.objects().compactMap { $0["entrant"] as? String })
    #expect(names == (seedsAreDrawn ? ["greedy", "monte-carlo:2"] : ["greedy"]), "\(asking)")
    let nobody = try admit("nobody")
    #expect(nobody.status == 64 && nobody.errors.contains("nobody asks to come in"), "\(nobody)")
    let admitted = try admit("greedy")
    #expect(try admitted.objects().last?["entrants"] as? Int == 4 && admitted.status == 0, "\(admitted)")
    try DescribedCommand.of(["tournament", "admit"]).check(try asking.objects() + admitted.objects())
    try host.wait(for: "entered", "greedy") { $0["entrant"] as? String == "greedy" }
    // Nobody answers her until it is over.
    let zoe = try NetworkRun(
      ["tournament", "join", code, "--name", "Zoe"], data: "Zoe", home: home, connect: [host])
    try host.wait(for: "asked", "Zoe") { $0["entrant"] as? String == "Zoe" }
    try ada.run.type(Self.moves)
    let end = try digest(host)
    #expect(try digest(ada) == end)
    let standings = try #require(try host.run.objects("finished").last?["standings"] as? [[String: Any]])
    #expect(standings.count == 4)
    let ended = try zoe.run.finish()
    #expect(ended.status == 1 && ended.errors.contains("over"), "\(ended)")
    for run in bots + [late, ada, host] { #expect(try run.run.finish().status == 0) }
    try host.checkObjects()
    try check(data: "o", end)
    let over = try admit("Zoe")
    #expect(over.status == 64, "\(over)")
  }

  /// Proves a folder's newest tournament, here and by the second reader.
  private func check(data: String, _ digest: String) throws {
    let verified = try Program.run("tournament", "verify", "last", "--json", "--data", data, home: home)
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    let written = try Program.run(
      "tournament", "export", "last", "--output", "cup.parlor", "--force", "--data", data, home: home)
    #expect(written.status == 0, "\(written.errors)")
    guard LogReader.isThere else { return }
    let output = try TemporaryFolder()
    let reader = try ChildProcess(
      [LogReader.python, LogReader.script, home.file("cup.parlor")], output: .file(output.written("out")))
    let status = reader.terminationStatus
    let text = String(decoding: try output.bytes("out"), as: UTF8.self)
    #expect(status == 0, "\(text)")
    #expect(text.contains(digest), "\(text)")
  }

  /// Of bots that are commands those that declare themselves recomputable come in, and their moves are played again.
  @Test func aTournamentOfBotsWhoseMovesCanBeAudited() throws {
    let file = PackageFolder.file("Tests/LineBotsTests/Bots/bot.py")
    try home.write("mybot.py", try Data(contentsOf: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.file("mybot.py"))
    let code = try create(["--format", "round-robin", "--games", "4", "--recomputable"])
    let host = try open(code, ["--start-at", "2"])
    let refused = try bot("./mybot.py able", code, host, data: "able").run.finish()
    #expect(refused.status != 0 && refused.errors.contains("a declared budget of nodes only"), "\(refused)")
    let bots = try ["./mybot.py pure", "monte-carlo:5"].map { try bot($0, code, host, data: "b \($0.count)") }
    _ = try digest(host)
    for run in bots + [host] { #expect(try run.run.finish().status == 0) }
    let audited = try Program.run(
      "audit", "last", "--with", "./mybot.py pure", "--json", "--data", "o", home: home)
    let sums = try #require(try audited.objects().last)
    #expect(audited.status == 0 && sums["moves"] as? Int == sums["checked"] as? Int, "\(audited.output)")
    #expect(sums["differing"] as? Int == 0 && sums["unplayed"] as? Int == 0)
  }

  /// Moves of the next game that are typed while the other side has not signed the result of the last one are kept.
  @Test func whatIsTypedAheadIsKept() throws {
    let code = try create(["--format", "round-robin", "--cycles", "2", "--games", "1"])
    let host = try open(code, ["--start-at", "2"])
    let runs = try ["Ada", "Bo"].map { name in
      let run = try NetworkRun(
        ["tournament", "join", code, "--name", name], data: name, home: home, connect: [host])
      try host.wait(for: "entered", name) { $0["entrant"] as? String == name }
      return run
    }
    let (ada, bo) = (runs[0], runs[1])
    try bo.run.type("4\n5\n")
    try ada.run.type("1\n2\n")
    try ada.wait(forPly: 4)
    bo.run.send(SIGSTOP)
    try ada.run.type("3\n7\n8\n9\n")
    try ada.wait(forPly: 5)
    // So long for whatever would take the rest.
    usleep(300_000)
    bo.run.send(SIGCONT)
    try bo.run.type("4\n5\n6\n")
    for run in [ada, bo] {
      try run.wait(for: "position", "the second move of the next game") {
        $0["moves"] as? [String] == ["4", "7"]
      }
      _ = try digest(run)
    }
    for run in runs + [host] { #expect(try run.run.finish().status == 0) }
  }

  /// The organizer is killed before the last result, and comes back when the others have it.
  @Test func theOrganizerHearsOfTheEnd() throws {
    let code = try create(["--games", "1"])
    var host = try open(code, ["--start-at", "2"])
    let address = try host.address()
    let ada = try NetworkRun(
      ["tournament", "join", code, "--name", "Ada"], data: "Ada", home: home, connect: [host])
    try host.wait(for: "entered", "Ada") { $0["entrant"] as? String == "Ada" }
    func comeBo() throws -> NetworkRun { try bot("random", code, host, data: "Bo", others: [ada]) }
    var bo = try comeBo()
    try ada.wait(forPly: 0)
    host.run.send(SIGKILL)
    _ = try host.run.finish()
    try ada.run.type(Self.moves)
    for run in [ada, bo] {
      try run.run.wait(for: "who waits for the organizer") {
        try run.run.errors().contains("waiting for it; Ctrl-C leaves")
      }
    }
    ada.run.send(SIGINT)
    #expect(try ada.run.finish().status == 130)
    host = try open(code, ["--listen", address])
    try host.run.wait(for: "the end") {
      // On a busy machine the wait may have ended.
      if !bo.run.process.isRunning { bo = try comeBo() }
      return try !host.run.objects("finished").isEmpty
    }
    for run in [bo, host] { #expect(try run.run.finish().status == 0) }
    try check(data: "o", try digest(host))
  }

  /// Tables end in any order, and results of two whose own peers told them come in another one.
  @Test func everyResultIsToldOnce() throws {
    let code = try create(["--format", "round-robin"])
    let host = try open(code, ["--start-at", "4"])
    let bots = try (1...4).map { try bot("random", code, host, data: "b\($0)") }
    let watcher = try NetworkRun(["tournament", "watch", code], data: "w", home: home, connect: [host])
    for run in [host, watcher] {
      _ = try digest(run)
      let told = try run.run.objects("decided").compactMap { $0["pairing"] as? String }
      #expect(told.sorted() == (1...6).map { "M\($0)" })
    }
    for run in bots + [host, watcher] { #expect(try run.run.finish().status == 0) }
  }

  /// Of pairings that are not played, because an entrant is out, the walkovers are told too.
  @Test func walkoversAreTold() throws {
    let code = try create(["--format", "round-robin"])
    let host = try open(code)
    let bots = try ["random", "lookahead:1"].map { try bot($0, code, host, data: $0) }
    let gone = try bot("greedy", code, host, data: "gone")
    try host.wait(for: "entered", "all three") { $0["entrants"] as? Int == 3 }
    gone.run.send(SIGKILL)
    _ = try gone.run.finish()
    #expect(try Program.run("tournament", "start", code, "--data", "o", home: home).status == 0)
    try host.first("decided")
    let ruled = try Program.run(
      "tournament", "rule", "last", "--disqualify", "greedy", "--reason", "It is gone.", "--data", "o",
      home: home)
    #expect(ruled.status == 0, "\(ruled.errors)")
    _ = try digest(host)
    let decided = try host.run.objects("decided")
    #expect(decided.compactMap { $0["pairing"] as? String }.sorted() == ["M1", "M2", "M3"])
    #expect(decided.count { $0["room"] is NSNull && $0["scores"] as? [[Int]] == [] } == 2, "\(decided)")
    for run in bots + [host] { #expect(try run.run.finish().status == 0) }
  }

  /// Somebody is called absent who has come after all.
  @Test func aPairingIsReopened() throws {
    let code = try create(["--format", "round-robin"])
    let host = try open(code, ["--start-at", "3"])
    let ada = try NetworkRun(
      ["tournament", "join", code, "--name", "Ada"], data: "Ada", home: home, connect: [host])
    let bots = try ["greedy", "random"].map { try bot($0, code, host, data: $0) }
    // Where the bot moves first it may have moved before Ada sees the table.
    _ = try ada.first("position")
    func rule(_ words: String...) throws -> Program.Finished {
      try Program.start(["tournament", "rule", "last", "--json", "--data", "o"] + words, home: home).finish()
    }
    let others = ["greedy", "random"]
    let playing = try #require(try ada.first("game")["players"] as? [String])
    let other = try #require(others.first(where: playing.contains))
    let absent = try rule("--absent", "Ada", "--absent", other)
    let pairing = try #require(try absent.objects().first?["pairing"] as? String, "\(absent.errors)")
    try host.wait(for: "decided", pairing) { $0["pairing"] as? String == pairing }
    let back = try rule("--reopen", pairing)
    #expect(back.status == 0, "\(back.errors)")
    #expect(try back.objects().first?["ruling"] as? String == "reopened")
    try host.wait(for: "reopened", pairing) {
      $0["pairing"] as? String == pairing && $0["attempt"] as? Int == 1
    }
    try ada.run.type(Self.moves)
    let end = try digest(host)
    #expect(try digest(ada) == end)
    try host.checkObjects()
    let decided = try host.run.objects("decided").last { $0["pairing"] as? String == pairing }
    #expect((decided?["scores"] as? [[Int]])?.isEmpty == false, "\(decided ?? [:])")
    for run in bots + [ada, host] { #expect(try run.run.finish().status == 0) }
    try check(data: "o", end)
    try check(data: "Ada", end)
    // The ruling, that it was taken back, and what was played.
    let id = try #require(try absent.objects().first?["id"] as? String)
    let shown = try Program.run("log", "show", id, "--data", "o", home: home).output
    #expect(shown.split(separator: "\n").count { $0.contains("\(pairing), attempt 1") } == 3, "\(shown)")
    let late = try rule("--reopen", pairing)
    #expect(late.status == 64 && late.errors.contains("was not decided by a ruling"), "\(late.errors)")
  }

  /// The organizer and a bot are killed in the middle, and go on; the organizer has a seat itself.
  @Test func whoeverIsKilledGoesOn() throws {
    let code = try create(["--format", "round-robin", "--games", "3", "--play", "--name", "Ada"])
    var host = try open(code)
    try host.run.type(Self.moves)
    let first = try bot("greedy", code, host, data: "b1")
    var second = try bot("random", code, host, data: "b2")
    try host.wait(for: "entered", "two bots") { $0["entrants"] as? Int == 3 }
    let started = try Program.run("tournament", "start", code, "--json", "--data", "o", home: home)
    #expect(started.status == 0, "\(started.errors)")
    #expect(try started.objects().map { Set($0.keys) } == [["type", "id", "entrants"]])
    let again = try Program.run("tournament", "start", code, "--json", "--data", "o", home: home)
    #expect(again.status == 64)
    try host.first("started")
    let address = try host.address()
    for signal in [SIGKILL, SIGINT, SIGKILL] {
      host.run.send(signal)
      _ = try host.run.finish()
      host = try open(code, ["--listen", address])
      try host.run.type(Self.moves)
    }
    second.run.send(SIGKILL)
    _ = try second.run.finish()
    second = try bot("random", code, host, data: "b2")
    let end = try digest(host)
    for run in [first, second, host] { #expect(try run.run.finish().status == 0) }
    try check(data: "o", end)
  }

  /// Who looks on at a terminal sees the bracket change in its place.
  @Test(.enabled(if: Tmux.isThere, Tmux.missing)) func aBracketIsDrawnAsItGoesOn() throws {
    let code = try create(["--play", "--name", "Ada"])
    let host = try open(code, ["--start-at", "3"])
    let bots = try ["greedy", "random"].map { try bot($0, code, host, data: $0) }
    try host.first("started")
    let words =
      "tournament watch \(code) --data w --connect \(try host.address()) --listen 127.0.0.1:0 --no-discovery"
    let tmux = try Tmux(
      "\(try #require(Program.path)) \(words); read -r line", columns: 80, rows: 30, home: home)
    // Ada moves in none of her games yet.
    try tmux.wait("the bracket") { $0.contains { $0.contains("Ada") && $0.contains("─") } }
    try tmux.wait("what is played") { $0.contains { $0.contains(": 0 moves") || $0.contains(": 1 move") } }
    #expect(try !tmux.screen().contains { $0.contains("Champion") })
    try host.run.type(Self.moves)
    try tmux.wait("the end") { $0.contains { $0.contains("Champion") } }
    // What was drawn before is not there any more.
    #expect(try tmux.screen().count { $0.contains("single-elimination") } <= 2)
    for run in bots + [host] { #expect(try run.run.finish().status == 0) }
  }

  @Test func aTournamentIsNotJoinedAsAGame() throws {
    let code = try create(["--bots", "required", "--title", "Bots"])
    let host = try open(code)
    let lobby = try NetworkRun(["lobby", "--once"], data: "x", home: home, connect: [host])
    let listed = try lobby.run.finish().objects().filter { $0["type"] as? String == "open" }
    #expect(listed.map { $0["code"] as? String } == [code])
    #expect(listed.first?["tournament"] as? Bool == true)
    for words in [["join", code], ["watch", code], ["tournament", "join", code]] {
      let run = try NetworkRun(words, data: "x", home: home, connect: [host])
      let end = try run.run.finish()
      #expect(end.status == 1)
      #expect(end.errors.contains("tournament"), "\(end.errors)")
    }
    let other = try NetworkRun(["tournament", "open", code], data: "x", home: home, connect: [host])
    #expect(try other.run.finish().status == 1)
    let bot = try NetworkRun(
      ["bot", "greedy", "--game", "connect-four", "--tournament", code], data: "y", home: home,
      connect: [host])
    let refused = try bot.run.finish()
    #expect(refused.status == 1)
    #expect(refused.errors.contains("tic-tac-toe"), "\(refused.errors)")
    let early = try Program.run("tournament", "start", code, "--data", "o", home: home)
    #expect(early.status == 64)
    let stored = try Program.run("tournament", "list", "--json", "--data", "o", home: home)
    #expect(try stored.objects().first?["started"] as? Bool == false)
    let shown = try Program.run("tournament", "show", code, "--data", "o", home: home)
    #expect(shown.status == 66)
    #expect(shown.errors.contains("not started"))
  }
}

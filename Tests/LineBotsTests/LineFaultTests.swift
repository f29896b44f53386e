import BotKit
import Foundation
import Glibc
import LineBots
import Peer
import Platform
import Projection
import Rules
import TestKit
import Testing
import Tournaments

/// Bots that go wrong: each costs its own games, and nothing else.
@Suite(.blocking, .enabled(if: TestBots.isThere, "there is no /usr/bin/python3")) struct LineFaultTests {
  private func bots(_ limits: LineBotLimits, _ reports: Reports) -> LineBots {
    LineBots(limits: limits) { reports.note($0) }
  }

  /// Goes wrong at the second turn of each process.
  @Test(arguments: [
    ("rubbish", "rubbish"), ("array", "rubbish"), ("member", "rubbish"), ("flood", "flood"),
    ("endless", "flood"),
    ("twice", "unasked"), ("illegal", "illegal"), ("dies", "ended"), ("killed", "ended"), ("closes", "ended"),
    ("memory", "ended"),
  ])
  func itLosesItsOwnGameAndTheMatchGoesOn(_ mode: String, _ fault: String) async throws {
    let reports = Reports()
    var limits = TestBots.patient
    limits.memoryBytes = 256 << 20
    let bots = bots(limits, reports)
    let rules = try TestBots.rules("connect-four")
    let played = try await TestBots.match(rules, [TestBots.command(mode, "2"), "random"], games: 3, bots)
    #expect(played.games.count == 3)
    for game in played.games {
      #expect(game.ending?.cause == .resigned(Seat(0)) && game.isAgreed)
      #expect(game.ending?.outcome?.winner == Seat(1))
    }
    let tally = try #require(bots.tallies.first?.tally)
    #expect(tally.faults == [.init(fault, 3)])
    #expect(tally.restarts == 2)
    #expect(reports.all.map(\.isFirst) == [true, false, false])
    if mode == "dies" {
      #expect(reports.all.allSatisfy { $0.fault == .ended(.exited(3)) })
      #expect(reports.all.allSatisfy { String(decoding: $0.errors, as: UTF8.self).contains("no hope") })
    }
    if mode == "killed" { #expect(reports.all.first?.fault == .ended(.killed(signal: SIGKILL))) }
  }

  /// A promise without the number that makes it one.
  @Test func recomputableNeedsNodes() throws {
    var limits = TestBots.patient
    for (says, words) in [
      (#"{"nodes": 0}"#, "says in `nodes`"),
      (#"{"recomputable": 1}"#, "`recomputable` is neither true nor false"),
    ] {
      limits.variables = ["SAYS=\(says)"]
      let bots = bots(limits, Reports())
      let refused = #expect(throws: BotError.self) {
        try bots.bot(TestBots.command("pure"), for: TestBots.rules("othello"))
      }
      #expect(refused?.description.contains(words) == true)
    }
  }

  @Test func whoResignsIsNotAtFault() async throws {
    let reports = Reports()
    let bots = bots(TestBots.patient, reports)
    let players = [TestBots.command("resigns"), "random"]
    let played = try await TestBots.match(try TestBots.rules("connect-four"), players, games: 3, bots)
    #expect(played.games.map { $0.ending?.cause } == Array(repeating: .resigned(Seat(0)), count: 3))
    let tally = try #require(bots.tallies.first?.tally)
    #expect(tally.faults == [.init("resigned", 3)] && tally.restarts == 0)
    #expect(reports.all.isEmpty)
  }

  @Test func whoIsSlowLosesTheGame() async throws {
    let reports = Reports()
    let bot = try bots(TestBots.patient, reports).bot(
      TestBots.command("slow"), for: TestBots.rules("othello"))
    var turn = try TestBots.turn("othello")
    turn.leftMilliseconds = 50
    let error = #expect(throws: BotError.self) { try bot.choose(turn) }
    guard case .resigns(_, let words)? = error else {
      Issue.record("it did not resign: \(String(describing: error))")
      return
    }
    #expect(words == "did not move within 50 ms")
    #expect(reports.all.map(\.fault) == [.slow(50)])
  }

  @Test(arguments: ["deaf", "exits", "other", "wants"])
  func whoStartsWrongPlaysNoGame(_ mode: String) throws {
    let reports = Reports()
    var limits = TestBots.patient
    if mode == "deaf" { limits.startMilliseconds = 50 }
    let bots = bots(limits, reports)
    #expect(throws: BotError.self) {
      try bots.bot(TestBots.command(mode), for: TestBots.rules("tic-tac-toe"))
    }
    let report = try #require(reports.all.first)
    switch mode {
    case "deaf": #expect(report.fault == .silent(50))
    case "exits":
      #expect(report.fault == .ended(.exited(1)))
      #expect(report.errors == Array("I do not want to\n".utf8))
    case "other": #expect(report.fault == .wrongGame("tic-tac-toe"))
    default: #expect(report.fault.name == "rubbish" && report.fault.words.contains("beer"))
    }
    #expect(bots.tallies.isEmpty)
  }

  @Test func whatIsNoProgramIsSaidSo() throws {
    let bots = bots(TestBots.patient, Reports())
    let rules = try TestBots.rules("tic-tac-toe")
    let refused = #expect(throws: BotError.self) { try bots.bot("./no-such-bot --depth 3", for: rules) }
    #expect(
      refused?.description
        == "the bot ./no-such-bot --depth 3 cannot play: it cannot be started: No such file or directory")
    #expect(throws: BotError.self) { try bots.bot("./bot 'open", for: rules) }
    #expect(throws: BotError.self) { try bots.bot("./a-command-that-was-cut…", for: rules) }
  }

  /// A word too many is found, whether it comes with the hello or later.
  @Test func whoSpeaksBeforeItIsAskedLosesTheGame() throws {
    let reports = Reports()
    let bots = bots(TestBots.patient, reports)
    #expect(throws: BotError.self) {
      try bots.bot(TestBots.command("early"), for: TestBots.rules("tic-tac-toe")).choose(
        TestBots.turn("tic-tac-toe"))
    }
    #expect(reports.all.map(\.fault.name) == ["unasked"])
  }

  @Test func whoNeverAnswersIsStartedThreeTimes() async throws {
    let reports = Reports()
    let bots = bots(TestBots.patient, reports)
    let players = [TestBots.command("dies"), "random"]
    let played = try await TestBots.match(try TestBots.rules("connect-four"), players, games: 6, bots)
    #expect(played.games.count == 6)
    #expect(played.games.allSatisfy { $0.ending?.cause == .resigned(Seat(0)) })
    let tally = try #require(bots.tallies.first?.tally)
    #expect(tally.faults == [.init("ended", 3), .init("not started any more", 3)])
    #expect(tally.restarts == 2)
  }

  @Test func whoIgnoresQuitIsEndedWithAllThatItHasStarted() throws {
    let folder = try ScratchFolder()
    let file = folder.file("told")
    var limits = TestBots.patient
    limits.quitMilliseconds = 50
    let bots = bots(limits, Reports())
    _ = try bots.bot(TestBots.command("stays", "0", file), for: TestBots.rules("tic-tac-toe"))
    bots.close()
    #expect(bots.tallies.map(\.tally.ignoredQuit) == [1])
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let processes = lines.filter { $0.hasPrefix("processes") }.flatMap { line in
      line.split(separator: " ").compactMap { Int32($0) }
    }
    #expect(processes.count == 2)
    // The child has another parent by now, which may take its time to notice.
    for process in processes { while Self.runs(process) { usleep(1_000) } }
  }

  private static func runs(_ process: Int32) -> Bool {
    do {
      let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return !(text.split(separator: ")").last ?? "").hasPrefix(" Z")
    } catch { return false }
  }

  @Test func aTournamentComesToItsEndWithBadBots() async throws {
    let bots = bots(TestBots.patient, Reports())
    let home = TestBots.household(bots)
    let entrants = [
      "random", TestBots.command("illegal"), TestBots.command("dies", "2"), TestBots.command("none"),
    ]
    let rules = try TestBots.rules("tic-tac-toe")
    let organizer = Organizer(home)
    let names = try entrants.map { $0 == "random" ? $0 : try bots.specification(of: $0) }
    let room = try await organizer.create(
      .init(
        rules: rules, settings: try TournamentSettings(format: .roundRobin, entrants: 4), entrants: names,
        seed: 7,
        title: ""))
    let end = try await organizer.run(room, concurrency: 2, isCancelled: { false }) { _ in }
    #expect(end.state.isComplete)
    #expect(end.state.standings.last?.tally.wins == 0)
    #expect(bots.tallies.count == 3)
  }
}

import EventLog
import Events
import Foundation
import Games
import Peer
import Rules
import TestKit
import Testing
import Tournaments

/// `tournament withdraw` and `tournament rule`: what they write has its effect in everybody's standings.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct TournamentRuleTests {
  let home: TemporaryFolder
  private static let reason = "It was another program."

  init() throws { home = try TemporaryFolder() }

  private func run(_ words: String..., from folder: String = "data") throws -> Program.Finished {
    try Program.start(words + ["--data", folder], home: home).finish()
  }

  /// A tournament of four bots of which nothing is played yet: the first one thinks for ever, and of an even number of
  /// entrants it plays in the first pairing.
  private func begin(_ format: String) throws {
    let words = [
      "tournament", "run", "--game", "connect-four", "--format", format, "--entrants",
      "random,lookahead:3,lookahead:2,lookahead:1", "--concurrency", "1", "--data", "data",
    ]
    let endless = try Dialogue(
      words.map { $0.replacing("random", with: "monte-carlo:200000") }, home: home)
    try endless.wait(for: "a first game") { try endless.errors().contains("0/") }
    endless.send(SIGINT)
    #expect(try endless.finish().status == 130)
  }

  private func standings(_ folder: String = "data") throws -> [[String: Any]] {
    let shown = try run("tournament", "standings", "last", "--json", from: folder)
    #expect(shown.status == 0, "\(shown.errors)")
    return try #require(try shown.objects().first?["standings"] as? [[String: Any]])
  }

  @Test func aTournamentGoesOnWithoutWhomIsDisqualified() throws {
    try begin("round-robin")
    let ruled = try run(
      "tournament", "rule", "last", "--disqualify", "monte-carlo:200000", "--reason", Self.reason, "--json"
    )
    #expect(ruled.status == 0, "\(ruled.errors)")
    let object = try #require(try ruled.objects().first)
    #expect(object["type"] as? String == "ruled" && object["ruling"] as? String == "disqualified")
    #expect(object["reason"] as? String == Self.reason && object["complete"] as? Bool == false)
    #expect(try run("tournament", "resume", "last").status == 0)
    #expect(try standings().map { $0["rank"] as? Int } == [1, 2, 3, 4])
    let last = try #require(try standings().last)
    #expect(last["entrant"] as? String == "monte-carlo:200000" && last["out"] as? String == "disqualified")
    #expect(last["reason"] as? String == Self.reason)
    let text = try run("tournament", "standings").output
    #expect(text.contains("(disqualified)") && text.contains("is disqualified: \(Self.reason)"), "\(text)")
    let id = try #require(object["id"] as? String)
    #expect(try run("log", "show", id).output.contains("disqualifies monte-carlo:200000"))
    #expect(try run("log", "verify").status == 0)
    let again = try run(
      "tournament", "rule", "last", "--disqualify", "monte-carlo:200000", "--reason", "x")
    #expect(again.status == 64 && again.errors.contains("was disqualified before"), "\(again.errors)")
  }

  /// What was ruled is taken back, and the tournament is as if it had not been.
  @Test func rulingsAreTakenBack() throws {
    try begin("round-robin")
    let before = try standings()
    let name = "monte-carlo:200000"
    #expect(try run("tournament", "rule", "last", "--disqualify", name, "--reason", Self.reason).status == 0)
    let reinstated = try run("tournament", "rule", "last", "--reinstate", name)
    #expect(reinstated.status == 0 && reinstated.output.contains("\(name) is reinstated."), "\(reinstated)")
    #expect(try run("tournament", "rule", "last", "--absent", name, "--pairing", "M1").status == 0)
    let reopened = try run("tournament", "rule", "last", "--reopen", "m1")
    #expect(reopened.status == 0 && reopened.output.contains("It is reopened."), "\(reopened)")
    #expect(try standings() as NSArray == before as NSArray)
    let id = try #require(
      try run("tournament", "list", "--json").objects().first?["id"] as? String)
    let shown = try run("log", "show", id).output
    #expect(shown.contains("takes back the disqualification of \(name)"), "\(shown)")
    #expect(shown.contains("takes back its ruling on M1, attempt 1"), "\(shown)")
    #expect(try run("log", "verify").status == 0)
  }

  /// An elimination whose final was played, of which the organizer has not written the result: who is in it because
  /// somebody was called absent stays in it.
  @Test func whatPlayersHaveSignedIsNotUndone() async throws {
    let honest = try Samples(home.file("honest"))
    let room = try await elimination(in: honest)
    let organizer = Organizer(honest.household)
    let absent = try #require(try await organizer.open(room).state.ready.first).entrants[0]
    _ = try await organizer.callAbsent([absent], in: PairingNumber(0), of: room)
    _ = try await Organizer(honest.household).run(room, concurrency: 1, isCancelled: { false }) { _ in }
    let whole = try honest.log.load(room, verify: true)
    let last = try #require(whole.entries.lastIndex { $0.event.kind == .pairingResult })
    for (place, isPlayed) in [true, false].enumerated() {
      let samples = try Samples(home.file("data\(place)"))
      var before = RoomLog(room: room)
      for entry in whole.entries[..<last] { before.restore(entry.event, signature: entry.signature) }
      let games = try honest.log.rooms(of: room).map { try honest.log.load($0.room, verify: true) }
        .filter { isPlayed || $0.room != final(whole.entries[last].event) }
      try samples.log.write(([before] + games).map { RoomChange($0, from: 0) })
      let organizer = Organizer(samples.household)
      #expect(try await organizer.open(room).state.isComplete == false)
      guard isPlayed else {
        let after = try await organizer.reopen(PairingNumber(0), of: room)
        #expect(after.state.record(PairingNumber(0))?.open != nil)
        continue
      }
      await #expect(throws: PeerError.self) { try await organizer.reopen(PairingNumber(0), of: room) }
    }
  }

  /// A pairing is ruled on as everybody is shown it: who is in the final follows from what players have signed, before
  /// the organizer has said it.
  @Test func whoIsInAPairingFollowsFromWhatPlayersHaveSigned() async throws {
    let honest = try Samples(home.file("honest"))
    let room = try await elimination(in: honest)
    _ = try await Organizer(honest.household).run(room, concurrency: 1, isCancelled: { false }) { _ in }
    let whole = try honest.log.load(room, verify: true)
    let last = try #require(whole.entries.last { $0.event.kind == .pairingResult })
    let samples = try Samples(home.file("data"))
    var silent = RoomLog(room: room)
    for entry in whole.entries where entry.event.kind != .pairingResult {
      silent.restore(entry.event, signature: entry.signature)
    }
    let games = try honest.log.rooms(of: room).map { try honest.log.load($0.room, verify: true) }
      .filter { $0.room != final(last.event) }
    try samples.log.write(([silent] + games).map { RoomChange($0, from: 0) })
    let organizer = Organizer(samples.household)
    _ = try await organizer.open(room)
    let shown = try #require(try samples.log.tournament(room, Games.catalog))
    let attempt = try #require(shown.state.ready.first)
    #expect(attempt.pairing.number == PairingNumber(2))
    let ruled = try await organizer.callAbsent([attempt.entrants[1]], in: PairingNumber(2), of: room)
    #expect(ruled.state.isComplete)
    #expect(ruled.state.standings.first?.entrant == attempt.entrants[0])
  }

  /// An elimination of four that has started.
  private func elimination(in samples: Samples) async throws -> RoomID {
    let rules = try #require(Games.catalog.newest("connect-four")).rules()
    let settings = try TournamentSettings(format: .singleElimination, entrants: 4, games: 1)
    return try await Organizer(samples.household).create(
      .init(
        rules: rules, settings: settings, entrants: ["greedy", "random", "greedy", "random"], seed: 1,
        title: ""))
  }

  /// The room that an organizer's word names.
  private func final(_ word: Event) -> RoomID? {
    if case .pairingResult(let result) = word.action { result.room } else { nil }
  }

  /// An audit may come after the end. Whoever gets the rooms sees the same.
  @Test func whoHasWonIsDisqualifiedAfterTheEndForEverybody() throws {
    let words = ["--game", "connect-four", "--entrants", "lookahead:4,random,greedy,lookahead:1"]
    let made = try Program.start(["tournament", "run"] + words + ["--data", "data"], home: home).finish()
    #expect(made.status == 0, "\(made.errors)")
    let before = try standings()
    let winner = try #require(before[0]["entrant"] as? String)
    let ruled = try run("tournament", "rule", "last", "--disqualify", winner, "--reason", Self.reason)
    #expect(ruled.status == 0 && ruled.output.contains("\(winner) is disqualified: \(Self.reason)"))
    let after = try standings()
    #expect(after[0]["entrant"] as? String == before[1]["entrant"] as? String)
    #expect(after.last?["entrant"] as? String == winner)
    let rooms = try run("log", "list", "--all", "--json").objects().compactMap { $0["id"] as? String }
    for room in rooms {
      #expect(try run("log", "export", room, "--output", home.file("one"), "--force").status == 0)
      #expect(try run("log", "import", home.file("one"), from: "other").status == 0)
      guard LogReader.isThere else { continue }
      let read = try ChildProcess([LogReader.python, LogReader.script, home.file("one")], errors: .nothing)
      #expect(read.terminationStatus == 0)
    }
    #expect(try standings("other") as NSArray == after as NSArray)
    let other = try run(
      "tournament", "rule", "last", "--disqualify", "greedy", "--reason", "mine", from: "other")
    #expect(other.status == 64 && other.errors.contains("another identity"), "\(other.errors)")
  }

  @Test func whoIsAbsentLosesThePairingAndWhoWithdrawsAllThatFollow() throws {
    try begin("single-elimination")
    let ruled = try run("tournament", "rule", "last", "--absent", "monte-carlo:200000")
    #expect(ruled.status == 0, "\(ruled.errors)")
    #expect(ruled.output.contains("is absent from M1 monte-carlo:200000"), "\(ruled.output)")
    #expect(ruled.output.contains("walkover"), "\(ruled.output)")
    let left = try run("tournament", "withdraw", "last", "lookahead:3", "--json")
    #expect(left.status == 0, "\(left.errors)")
    #expect(try left.objects().first?["ruling"] as? String == "withdrawn")
    let again = try run("tournament", "withdraw", "last", "lookahead:3")
    #expect(again.status == 64 && again.errors.contains("has withdrawn before"), "\(again.errors)")
    #expect(try run("tournament", "resume", "last").status == 0)
    let shown = try run("tournament", "show", "last", "--json").objects()
    #expect(shown.count { $0["reason"] as? String == "walkover" } == 2)
    #expect(try run("log", "verify").status == 0)
    let late = try run("tournament", "withdraw", "last", "lookahead:1")
    #expect(late.status == 64 && late.errors.contains("is complete"), "\(late.errors)")
  }

  /// A pairing that is half played: its games that are over stand, and the rest is lost.
  @Test func gamesThatAreOverCount() throws {
    let words = [
      "tournament", "run", "--game", "connect-four", "--entrants", "lookahead:5,random", "--games", "40",
      "--concurrency", "1", "--data", "data",
    ]
    let begun = try Dialogue(words, home: home)
    try begun.wait(for: "some games") { try begun.errors().contains("/40 games, 25 %") }
    begun.send(SIGINT)
    // A machine may have been so fast that nothing was left to be stopped.
    guard try begun.finish().status != 0 else { return }
    let ruled = try run("tournament", "rule", "last", "--absent", "lookahead:5")
    #expect(ruled.status == 0, "\(ruled.errors)")
    let line = try #require(try standings().first { $0["entrant"] as? String == "lookahead:5" })
    #expect(try #require(line["wins"] as? Int) >= 5 && line["rank"] as? Int == 2, "\(line)")
    #expect(try run("log", "verify").status == 0)
  }

  /// Of two who do not come nobody goes on by playing; of several pairings one is to be named.
  @Test func bothMayBeAbsentAndThePairingIsNamedWhereThereAreSeveral() throws {
    try begin("round-robin")
    let several = try run("tournament", "rule", "last", "--absent", "lookahead:1")
    #expect(several.status == 64 && several.errors.contains("pairings to play now: M"), "\(several.errors)")
    let both = try run("tournament", "rule", "last", "--absent", "lookahead:1", "--absent", "lookahead:2")
    #expect(both.status == 0 && both.output.contains("are absent from M"), "\(both.errors)")
    let named = try run("tournament", "rule", "last", "--absent", "lookahead:1", "--pairing", "M99")
    #expect(named.status == 64 && named.errors.contains("M99 is no pairing"), "\(named.errors)")
  }

  @Test(arguments: [
    ([], "the ruling is missing"), (["--disqualify", "greedy"], "needs a --reason"),
    (["--disqualify", "greedy", "--reason", ""], "--reason"),
    (["--disqualify", "greedy", "--reason", String(repeating: "é", count: 129)], "and not 258"),
    (["--disqualify", "gredy", "--reason", "x"], "did you mean greedy?"),
    (["--disqualify", "somebody", "--reason", "x"], "its entrants are "),
    (["--disqualify", "greedy", "--absent", "random", "--reason", "x"], "are two rulings"),
    (["--reinstate", "greedy"], "greedy is not disqualified"), (["--reopen", "M99"], "has no pairing “M99”"),
    (["--reopen", "M1"], "was not decided by a ruling"),
    (["--reopen", "M1", "--reason", "x"], "--reason goes with"),
    (["--disqualify", "greedy", "--reason", "x", "--pairing", "M1"], "--pairing goes with --absent"),
    (["--absent", "greedy", "--reason", "x"], "--reason goes with --disqualify"),
    (["--absent", "greedy", "--absent", "greedy"], "names greedy twice"),
    (["--absent", "greedy"], "there is no pairing that greedy is to play now"),
  ])
  func whatHasNoEffectIsSaidAndNotWritten(_ words: [String], _ error: String) throws {
    #expect(
      try run("tournament", "run", "--game", "tic-tac-toe", "--entrants", "random,greedy").status == 0)
    let before = try run("log", "list", "--all", "--json").output
    let ruled = try Program.start(["tournament", "rule", "last"] + words + ["--data", "data"], home: home)
      .finish()
    #expect(ruled.status == 64 && ruled.errors.contains(error), "\(ruled.errors)")
    #expect(try run("log", "list", "--all", "--json").output == before)
  }
}

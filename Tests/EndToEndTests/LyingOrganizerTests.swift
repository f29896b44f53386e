import Events
import Foundation
import TestKit
import Testing
import Tournaments

@testable import EventLog

/// What the program says of tournaments whose organizer does not say what its rooms give.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct LyingOrganizerTests {
  let home: TemporaryFolder
  var data: String { home.file("data") }

  init() throws { home = try TemporaryFolder() }

  /// A tournament of three bots, told otherwise.
  private func tell(
    _ format: TournamentFormat = .roundRobin, rooms: [Int]? = nil,
    _ change: (inout [Action.PairingResult], _ rooms: [RoomLog]) throws -> Void
  ) async throws -> (tournament: RoomID, events: [EventID]) {
    let honest = try Samples(home.file("honest"))
    let tournament = try await honest.tournament(["greedy", "random", "random"], format: format)
    return (tournament, try Samples(data).retell(tournament, from: honest, rooms: rooms, change))
  }

  private func run(_ words: String..., from folder: String? = nil) throws -> Program.Finished {
    try Program.start(words + ["--data", folder ?? data], home: home).finish()
  }

  /// What `log verify` finds of the tournament's words, as event and name.
  private func findings(_ status: Int32, valid: Bool?) throws -> [[String]] {
    let verified = try run("log", "verify", "--json")
    #expect(verified.status == status, "\(verified.errors)")
    let rooms = try verified.objects()
    let told = rooms.filter { ($0["findings"] as? [Any])?.isEmpty == false }
    #expect(told.count == 1)
    #expect(told.first?["valid"] as? Bool == valid)
    #expect(rooms.filter { $0["valid"] as? Bool == true }.count == rooms.count - 1)
    let text = try run("log", "verify")
    #expect(text.status == status)
    #expect(!text.output.contains("everything holds"), "\(text.output)")
    let found = told.first?["findings"] as? [[String: Any]] ?? []
    for one in found { #expect(text.output.contains(one["event"] as? String ?? "?"), "\(text.output)") }
    return found.map { [$0["event"] as? String ?? "", $0["finding"] as? String ?? ""] }
  }

  /// `show`, `standings` and `bracket` say so too.
  private func expectMarks(_ mark: String, _ name: String) throws {
    for command in ["show", "standings", "bracket"] {
      let text = try run("tournament", command)
      #expect(text.status == 0, "\(text.errors)")
      #expect(text.output.contains("\(mark) ") && text.output.contains(name), "\(command): \(text.output)")
      if command != "standings" {
        #expect(text.output.split(separator: "\n").contains { $0.contains(" : ") && $0.contains(mark) })
      }
      let objects = try run("tournament", command, "--json").objects()
      let found = objects.flatMap { $0["findings"] as? [[String: Any]] ?? [] }
      #expect(found.contains { $0["finding"] as? String == name }, "\(command): \(objects)")
    }
  }

  private func digest(_ folder: String? = nil) throws -> String? {
    try run("tournament", "standings", "--json", from: folder).objects()[0]["standingsDigest"] as? String
  }

  @Test func walkoversAgainstSignedGamesAreVoid() async throws {
    let (_, events) = try await tell { words, _ in
      for at in words.indices { (words[at].walkover, words[at].games) = (.firstAbsent, []) }
    }
    #expect(try findings(1, valid: false) == events.map { [$0.description, "void"] })
    try expectMarks("!", "void")
    #expect(try digest() == digest(home.file("honest")))
  }

  @Test func aWordOnAnotherRoomIsNamed() async throws {
    let (_, events) = try await tell { words, _ in
      words[1].room = words[0].room
      words[1].heads = words[0].heads
      words[2].room = RoomID(Blake2b(domain: "no such room").digest())
    }
    let expected = [[events[1].description, "room used twice"], [events[2].description, "not proven"]]
    #expect(try findings(1, valid: false) == expected)
    try expectMarks("!", "room used twice")
    try expectMarks("?", "not proven")
  }

  @Test func headsThatNeverWereAreNamed() async throws {
    let (_, events) = try await tell { words, _ in
      words[0].heads[0].event = EventID(Blake2b(domain: "nothing").digest())
    }
    #expect(try findings(1, valid: false) == [[events[0].description, "heads that never were"]])
    try expectMarks("!", "heads that never were")
  }

  @Test func aResultThatItsRoomContradictsIsNamed() async throws {
    // The first three moves: no game is over.
    let (_, events) = try await tell { words, rooms in
      words[0].games = words[0].games.map { [$0[1], $0[0]] }
      var early = RoomLog(room: rooms[0].room)
      let moves = rooms[0].entries.indices.filter { rooms[0].entries[$0].event.kind == .move }
      for entry in rooms[0].entries[...moves[2]] { early.restore(entry.event, signature: entry.signature) }
      words[0].heads = early.heads(of: early.feeds.map(\.author)).sorted()
    }
    #expect(try findings(1, valid: false) == [[events[0].description, "contradicted"]])
    try expectMarks("!", "contradicted")
  }

  @Test func whatIsMissingIsNotProven() async throws {
    let (tournament, events) = try await tell(rooms: [0, 2]) { _, _ in }
    #expect(try findings(69, valid: nil) == [[events[1].description, "not proven"]])
    try expectMarks("?", "not proven")
    let text = try run("log", "verify").output
    #expect(text.contains("nothing is false, 1 result not proven"), "\(text)")
    // A file has no rooms beside it, and many files are as good as the worst of them.
    _ = try run("log", "export", tournament.description, "--output", home.file("cup"))
    for words in [["./cup"], ["./cup", "last"]] {
      let run = try Program.start(["log", "verify", "--data", data] + words, home: home).finish()
      #expect(run.status == 69, "\(run.errors)")
      #expect(run.output.contains("not proven: rooms of "), "\(run.output)")
    }
  }

  @Test func aDecisionAgainstASignedResultIsNoFraud() async throws {
    let (_, events) = try await tell { words, _ in
      (words[0].walkover, words[0].games, words[0].room, words[0].heads) = (.secondAbsent, [], .none, [])
    }
    let verified = try run("log", "verify", "--json")
    #expect(verified.status == 0, "\(verified.errors)")
    let told = try #require(
      try verified.objects().first { ($0["findings"] as? [Any])?.isEmpty == false })
    #expect(told["valid"] as? Bool == true)
    let found = try #require(told["findings"] as? [[String: Any]])
    #expect(found.map { $0["event"] as? String } == [events[0].description])
    #expect(found[0]["finding"] as? String == "decided against a signed result")
    #expect(found[0]["room"] is NSNull)
    try expectMarks("!", "decided against a signed result")
    #expect(try digest() != digest(home.file("honest")))
  }

  @Test func aRoundThatWaitsForTheOrganizerSaysSo() async throws {
    _ = try await tell(.swiss, rooms: [0]) { words, _ in words.removeAll() }
    let words = "The next round waits for the organizer's results."
    for command in ["show", "standings"] {
      let text = try run("tournament", command)
      #expect(text.status == 0 && text.output.contains(words), "\(command): \(text.output) \(text.errors)")
      let honest = try run("tournament", command, from: home.file("honest"))
      #expect(honest.status == 0 && !honest.output.contains(words), "\(command): \(honest.output)")
    }
    let standings = try run("tournament", "standings", "--json").objects()[0]
    #expect(standings["complete"] as? Bool == false)
  }

  @Test func whatAllSignedNeedsNoWord() async throws {
    _ = try await tell { words, _ in words.removeLast() }
    #expect(try run("log", "verify").output.hasSuffix("everything holds.\n"))
    let standings = try run("tournament", "standings", "--json").objects()[0]
    #expect(standings["complete"] as? Bool == true)
    #expect(try digest() == digest(home.file("honest")))
    #expect(try run("tournament", "list", "--json").objects()[0]["champion"] is String)
    let rooms = try run("log", "list", "--all", "--json").objects()
    let cup = try #require(rooms.first { $0["kind"] as? String == "tournament" })
    #expect(cup["status"] as? String == "finished")
    let lines = try run("log", "list", "--all").output.split(separator: "\n")
    #expect(lines.first { $0.contains("tournament") }?.contains("finished") == true, "\(lines)")
  }
}

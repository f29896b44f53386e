import EventLog
import Events
import Foundation
import TestKit
import Testing

@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct LogTests {
  let home: TemporaryFolder
  var data: String { home.file("data") }

  init() throws { home = try TemporaryFolder() }

  @Test func aListShowsRoomsNewestFirst() async throws {
    let first: RoomID
    let second: RoomID
    do {
      let samples = try Samples(data)
      first = try await samples.match("tic-tac-toe", ["greedy", "random"])
      second = try await samples.match("prisoners-dilemma", ["tit-for-tat", "defector"], games: 2)
      // A writer is at work meanwhile, and readers work beside it.
      let rooms = try Program.run("log", "list", "--data", data, "--json", home: home).objects()
      #expect(rooms.map { $0["id"] as? String } == [second, first].map(\.description))
      #expect(rooms.map { $0["game"] as? String } == ["prisoners-dilemma", "tic-tac-toe"])
      #expect(rooms.allSatisfy { $0["status"] as? String == "finished" })
      #expect(rooms.allSatisfy { ($0["digest"] as? String)?.count == 64 })
      let players = try #require(rooms[1]["players"] as? [[String: Any]])
      #expect(players.map { $0["bot"] as? String } == ["greedy", "random"])
    }
    let text = try Program.run("log", "list", "--data", data, home: home).output
    #expect(text.split(separator: "\n").count == 3)
    #expect(text.contains(first.short))
    for (path, mode) in try home.tree() {
      let isFolder = path == "data" || path == "data/log"
      #expect(mode == (isFolder ? 0o700 : 0o600), "\(path)")
    }
  }

  /// A list of what is looked for: the newest of those that fit.
  @Test func aListIsChosenFrom() async throws {
    do {
      let samples = try Samples(data)
      _ = try await samples.match("tic-tac-toe", ["greedy", "random"])
      _ = try await samples.match("othello", ["lookahead:2", "random"])
      _ = try await samples.match("prisoners-dilemma", ["tit-for-tat", "defector"], games: 2)
    }
    func games(_ words: String...) throws -> [String] {
      let run = try Program.start(["log", "list", "--json", "--data", data] + words, home: home).finish()
      #expect(run.status == 0, "\(words): \(run.errors)")
      return try run.objects().compactMap { $0["game"] as? String }
    }
    #expect(try games("--limit", "2") == ["prisoners-dilemma", "othello"])
    #expect(try games("--game", "othello") == ["othello"])
    #expect(try games("--bot", "random") == ["othello", "tic-tac-toe"])
    #expect(try games("--bot", "random", "--limit", "1") == ["othello"])
    #expect(try games("--bot", "lookahead") == ["othello"])
    #expect(try games("--bot", "lookahead:3") == [])
    #expect(try games("--player", "Tit-for-tat") == ["prisoners-dilemma"])
    #expect(try games("--status", "finished").count == 3)
    #expect(try games("--status", "waiting") == [])
    #expect(try games("--since", "1970-01-01").count == 3)
    let played = try Program.run(
      "match", "tic-tac-toe", "--players", "random,random", "--data", data, home: home)
    #expect(played.status == 0, "\(played.errors)")
    #expect(try games("--since", "1d") == ["tic-tac-toe"])
    #expect(try games("--since", "2999-01-01") == [])
    for wrong in [["--since", "soon"], ["--since", "5w"], ["--limit", "0"], ["--all", "--limit", "3"]] {
      let run = try Program.start(["log", "list", "--data", data] + wrong, home: home).finish()
      #expect(run.status == 64, "\(wrong): \(run.status)")
    }
  }

  /// What the program keeps is no place for an export, whatever is said.
  @Test func anExportNeverLiesInTheDataFolder() async throws {
    do { _ = try await Samples(data).match("tic-tac-toe", ["greedy", "random"]) }
    let link = home.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: data)
    let places = ["log/data.mdb", "log/lock", "identity.key", "socket", "new.parlor"].map { "\(data)/\($0)" }
    for place in places + ["\(link)/log/data.mdb"] {
      for force in [[], ["--force"]] {
        let words = ["log", "export", "last", "--output", place, "--data", data] + force
        let run = try Program.start(words, home: home).finish()
        #expect(
          run.status == 73 && run.errors.contains("in the data folder"),
          "\(place): \(run.status) \(run.errors)")
      }
    }
    #expect(try !home.tree().contains { $0.path.hasSuffix("socket") || $0.path.hasSuffix("new.parlor") })
    #expect(try Program.run("log", "verify", "--data", data, home: home).status == 0)
    let identity = try Program.run("identity", "export", "\(data)/key", "--data", data, home: home)
    #expect(identity.errors.contains("in the data folder"), "\(identity.errors)")
  }

  @Test func aSecondWriterIsToldWhoWrites() async throws {
    let samples = try Samples(data)
    _ = try await samples.match("tic-tac-toe", ["greedy", "random"])
    let elsewhere = try Samples(home.file("elsewhere"))
    _ = try await elsewhere.match("tic-tac-toe", ["random", "random"])
    for (path, folder) in [("a.parlor", data), ("b.parlor", home.file("elsewhere"))] {
      let exported = try Program.run(
        "log", "export", "last", "--output", path, "--data", folder, home: home)
      #expect(exported.status == 0, "\(exported.errors)")
    }
    let run = try Program.run("log", "import", "b.parlor", "--data", data, home: home)
    #expect(run.status == 75)
    #expect(run.errors.contains("\(ProcessInfo.processInfo.processIdentifier)"), "\(run.errors)")
    #expect(run.errors.contains("a test"))
    #expect(run.errors.contains("works meanwhile"))
    withExtendedLifetime(samples) {}
  }

  /// What others have is not what a new key alone has made, and counts as such when the folder is put back.
  @Test func whatIsImportedMayBeElsewhere() async throws {
    let samples = try Samples(home.file("elsewhere"))
    _ = try await samples.match("tic-tac-toe", ["random", "random"])
    for words in [
      ["log", "export", "last", "--output", "a.parlor", "--data", "elsewhere"],
      ["identity", "create", "--data", "new"], ["log", "import", "a.parlor", "--data", "new"],
    ] {
      #expect(try Program.start(words, home: home).finish().status == 0, "\(words)")
    }
    #expect(try home.bytes("new/shared") == Data("parlor-shared-1\n1\n".utf8))
    withExtendedLifetime(samples) {}
  }

  @Test func everyEventIsShown() async throws {
    let room: RoomID
    do {
      let samples = try Samples(data)
      room = try await samples.match("tic-tac-toe", ["greedy", "random"])
    }
    let events = try Program.run("log", "show", "last", "--data", data, "--json", home: home).objects()
    #expect(events[0]["id"] as? String == room.description)
    #expect(events.allSatisfy { $0["verdict"] as? String == "effective" })
    #expect(events.contains { ($0["words"] as? String)?.contains("plays") ?? false })
    let text = try Program.run("log", "show", room.short, "--data", data, home: home).output
    #expect(text.split(separator: "\n").count == events.count + 2)
  }

  @Test func invitationsAreShown() throws {
    let (room, bot) = try Samples(data).invitation()
    let events = try Program.run("log", "show", room.short, "--data", data, "--json", home: home).objects()
    #expect(events.map { $0["kind"] as? String } == ["create", "invite", "invite", "request", "request"])
    #expect(
      events.map { $0["verdict"] as? String }
        == ["effective", "effective", "superseded", "effective", "effective"])
    #expect(events[1]["words"] as? String == "invites guest (\(bot.description.prefix(6)))")
    let text = try Program.run("log", "show", room.short, "--data", data, home: home).output
    #expect(text.contains("invites guest"))
  }

  @Test func aRoomIsFoundByTheBeginningOfItsID() async throws {
    do {
      let samples = try Samples(data)
      for _ in 0..<17 { _ = try await samples.match("tic-tac-toe", ["random", "random"]) }
    }
    let ids = try Program.run("log", "list", "--data", data, "--json", home: home).objects()
      .compactMap { $0["id"] as? String }
    // Seventeen ids share their first digit with another.
    let digit = try #require(
      ids.map { $0.prefix(1) }.first { digit in ids.count { $0.hasPrefix(digit) } > 1 })
    let vague = try Program.run("log", "show", String(digit), "--data", data, home: home)
    #expect(vague.status == 64)
    #expect(vague.errors.contains("give more of the id"))
    #expect(try Program.run("log", "show", ids[3], "--data", data, home: home).status == 0)
    let none = try Program.run("log", "show", String(repeating: "0", count: 64), "--data", data, home: home)
    #expect(none.status == 66)
  }

  @Test func aRoomGoesFromLogToLog() async throws {
    do {
      let samples = try Samples(data)
      _ = try await samples.match("connect-four", ["greedy", "random"])
    }
    let export = ["log", "export", "last", "--data", data, "--output"]
    #expect(try Program.start(export + ["a.parlor"], home: home).finish().status == 0)
    let piped = try Program.start(export + ["-"], home: home)
    _ = try piped.finish()
    let again = try Program.start(export + ["a.parlor"], home: home).finish()
    #expect(again.status == 73)
    #expect(again.errors.contains("--force"))
    #expect(try Program.start(export + ["a.parlor", "--force"], home: home).finish().status == 0)
    let unwritable = try Program.start(export + ["absent/a.parlor"], home: home).finish()
    #expect(unwritable.status == 73)
    #expect(try home.tree().map(\.path).filter { $0.contains("draft") }.isEmpty)
    let other = home.file("other")
    for new in [true, false] {
      let taken = try Program.run("log", "import", "a.parlor", "--data", other, "--json", home: home)
        .objects()
      let (events, news) = (taken[0]["events"] as? Int, taken[0]["new"] as? Int)
      #expect(news == (new ? events : 0))
    }
    let digests = try [data, other].map { folder in
      try Program.run("log", "list", "--data", folder, "--json", home: home).objects()[0]["digest"] as? String
    }
    #expect(digests[0] != nil && digests[0] == digests[1])
    let copy = try Program.run(
      "log", "import", "-", "--data", "third", home: home, input: home.bytes("a.parlor"))
    #expect(copy.status == 0)
  }

  @Test func aChangedByteIsNoticed() async throws {
    do {
      let samples = try Samples(data)
      _ = try await samples.match("tic-tac-toe", ["greedy", "random"])
    }
    _ = try Program.run("log", "export", "last", "--data", data, "--output", "a", home: home)
    let bytes = try home.bytes("a")
    #expect(try Program.run("log", "verify", "./a", home: home).status == 0)
    for place in stride(from: 8, to: bytes.count, by: max(1, bytes.count / 40)) {
      var changed = bytes
      changed[place] ^= 1
      try home.write("b", changed)
      let verified = try Program.run("log", "verify", "./b", "--json", home: home)
      // A changed network id is another network's bundle, which is no use here at all.
      #expect(verified.status == (place < 40 ? 65 : 1), "byte \(place): \(verified.errors)")
      if place >= 40 {
        let found = try verified.objects()
        #expect(found[0]["valid"] as? Bool == false)
        #expect((found[0]["reason"] as? String)?.isEmpty == false)
      }
      #expect(try Program.run("log", "import", "./b", "--data", "other", home: home).status == 65)
    }
    try home.write("c", bytes.dropLast(200))
    #expect(try Program.run("log", "verify", "./c", home: home).status == 1)
    try home.write("d", Data("not a bundle".utf8))
    #expect(try Program.run("log", "verify", "./d", home: home).status == 65)
    let rooms = try Program.run("log", "list", "--data", "other", "--json", home: home)
    #expect(rooms.output.isEmpty)
  }

  @Test func everythingHonestHolds() async throws {
    do {
      let samples = try Samples(data)
      _ = try await samples.match("prisoners-dilemma", ["tit-for-tat", "random"], games: 3)
      _ = try await samples.tournament(["greedy", "random", "random"])
    }
    let run = try Program.run("log", "verify", "--data", data, "--json", home: home)
    #expect(run.status == 0, "\(run.errors)")
    let found = try run.objects()
    #expect(found.count == 5)
    #expect(found.allSatisfy { $0["valid"] as? Bool == true })
    #expect(found.allSatisfy { ($0["notes"] as? [String])?.isEmpty ?? false })
    let text = try Program.run("log", "verify", "--data", data, home: home)
    #expect(text.output.hasPrefix("5 rooms, "))
    #expect(text.output.hasSuffix("everything holds.\n"))
  }

  @Test func aForkIsShownWithItsProofAndIsNoFaultOfTheLog() throws {
    let room: RoomID
    do { room = try Samples(data).fork() }
    let run = try Program.run("log", "verify", room.description, "--data", data, "--json", home: home)
    #expect(run.status == 0, "\(run.errors)")
    let forks = try #require(try run.objects()[0]["forks"] as? [[String: Any]])
    #expect(forks.count == 1)
    #expect(forks[0]["sequence"] as? Int == 2)
    #expect((forks[0]["events"] as? [String])?.count == 2)
    let text = try Program.run("log", "verify", "--data", data, home: home).output
    #expect(text.contains("Fork: peer "))
    let shown = try Program.run("log", "show", "last", "--data", data, home: home).output
    #expect(shown.contains("no effect: its author's feed is forked"))
  }

  @Test func aResultThatAllSignedAndNobodyPlayedIsFalse() throws {
    let event: EventID
    do { event = try Samples(data).falseResult().event }
    let run = try Program.run("log", "verify", "last", "--data", data, "--json", home: home)
    #expect(run.status == 1)
    let found = try run.objects()[0]
    #expect(found["valid"] as? Bool == false)
    #expect(found["event"] as? String == event.description)
    #expect((found["reason"] as? String)?.contains("every seat signed") == true)
  }

  @Test func aPairingResultThatTheGamesDoNotGiveIsFalse() async throws {
    let event: EventID
    do {
      let honest = try Samples(home.file("honest"))
      let tournament = try await honest.tournament(["greedy", "random", "random"])
      event = try Samples(data).retell(tournament, from: honest) { words, _ in
        words[0].games[0] = words[0].games[0] == [1, 0] ? [0, 1] : [1, 0]
      }[0]
    }
    let run = try Program.run("log", "verify", "--data", data, "--json", home: home)
    #expect(run.status == 1)
    let wrong = try run.objects().filter { $0["valid"] as? Bool == false }
    #expect(wrong.count == 1)
    #expect(wrong[0]["event"] as? String == event.description)
  }

  /// Where a file cannot be made, its own name is told.
  @Test func aFolderThatIsMissingIsNamedAsItWasGiven() throws {
    let home = try TemporaryFolder()
    let played = try Program.start(["match", "tic-tac-toe", "--players", "random,random"], home: home)
      .finish()
    #expect(played.status == 0)
    let refused = try Program.start(["log", "export", "last", "--output", "no/a.parlor"], home: home).finish()
    #expect(refused.status == 73)
    #expect(refused.errors.contains("cannot create no/a.parlor:"), "\(refused.errors)")
  }
}

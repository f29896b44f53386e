import Foundation
import TestKit
import Testing

/// `play` with moves from a pipe.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct PlayTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Plays with these lines for input.
  func play(_ words: [String], _ input: String, data: String = "data") throws -> Program.Finished {
    try Program.start(["play", "--data", data] + words, home: home, input: Data(input.utf8)).finish()
  }

  func read(_ words: String..., data: String = "data") throws -> [[String: Any]] {
    let run = try Program.start(words + ["--json", "--data", data], home: home).finish()
    #expect(run.status == 0, "\(words): \(run.errors)")
    return try run.objects()
  }

  static let ticTacToe = ["tic-tac-toe", "--against", "greedy", "--seat", "first"]

  @Test func aGameWhoseInputEndsWaitsAndGoesOn() throws {
    let first = try play(Self.ticTacToe, "5\n")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.contains("You played 5"))
    let words = try #require(
      first.errors.firstMatch(of: #/`parlor play --resume ([0-9a-f]+) --data data` goes on/#))
    let room = String(words.output.1)
    #expect(try read("log", "list")[0]["status"] as? String == "playing")
    let second = try play(["--resume", room, "--json"], "resign\nresign\n")
    #expect(second.status == 0, "\(second.errors)")
    let objects = try second.objects()
    #expect(objects.map { $0["type"] as? String } == ["game", "position", "result"])
    #expect((objects[1]["moves"] as? [String])?.first == "5")
    #expect(objects[2]["cause"] as? String == "resigned")
    #expect(objects[2]["agreed"] as? Bool == true)
    let third = try play(["--resume", room], "")
    #expect(third.status == 64)
    #expect(third.errors.contains("is over; `parlor replay"))
    #expect(try read("log", "verify").allSatisfy { $0["valid"] as? Bool == true })
  }

  /// A match tells as it goes who wins from which seat.
  @Test func aMatchTellsItsScoreBySeat() throws {
    let words = ["match", "tic-tac-toe", "--players", "solver,random", "--games", "40", "--data", "data"]
    let run = try Program.start(words, home: home).finish()
    #expect(run.status == 0, "\(run.errors)")
    let header = try #require(run.output.split(separator: "\n").first)
    #expect(
      header.split(separator: " ") == ["player", "wins", "first", "second", "draws", "losses", "score"])
    let row = run.output.split(separator: "\n")[1].split(separator: " ").compactMap { Int($0) }
    #expect(row[0] == row[1] + row[2])
    let scores = run.errors.matches(of: #/; solver ([0-9]+)\+([0-9]+), random 0\+0, drawn ([0-9]+)/#)
    let sums = try scores.map { try #require(Int($0.1)) + #require(Int($0.2)) + #require(Int($0.3)) }
    #expect(sums == [10, 20, 30, 40], "\(run.errors)")
    #expect(try #require(scores.last).1 == "\(row[1])")
  }

  @Test func nothingToGoOnWithIsNoReasonToWrite() throws {
    for words in [["play", "--resume", "last"], ["tournament", "resume"], ["tournament", "show"]] {
      let run = try Program.start(words + ["--data", "data"], home: home).finish()
      #expect(run.status == 66, "\(words): \(run.errors)")
      #expect(run.errors.contains("there is no store at "))
    }
    for words in [
      ["match", "tic-tac-toe", "--players", "random,random", "--concurrency", "0"],
      ["match", "tic-tac-toe", "--players", "random,nobody"],
      ["match", "tic-tac-toe", "--players", "random,random", "--wins", "0"],
      ["match", "tic-tac-toe", "--players", "random,random", "--wins", "4", "--games", "3"],
      ["match", "tic-tac-toe", "--players", "random,random", "--wins", "4", "--games", "257"],
      ["play", "tic-tac-toe", "--seat", "third"], ["play", "tic-tac-toe", "--emoji", "x"],
      ["tournament", "run", "--game", "tic-tac-toe", "--entrants", "random"],
      ["tournament", "run", "--game", "tic-tac-toe", "--entrants", "random,random", "--concurrency", "x"],
    ] {
      let run = try Program.start(words + ["--data", "data"], home: home).finish()
      #expect(run.status == 64, "\(words): \(run.errors)")
    }
    #expect(try home.tree().isEmpty)
  }

  @Test func aLevelIsABotOfThatLevel() throws {
    let played = try play(["tic-tac-toe", "--level", "3", "--seat", "first"], "5\n")
    #expect(played.output.contains("level:3"), "\(played.errors)")
    for (words, said) in [
      ("tic-tac-toe --level 0", "from 1 to 10"), ("tic-tac-toe --level 11", "from 1 to 10"),
      ("tic-tac-toe --level 3 --against random", "--against names the bots"),
      ("prisoners-dilemma --level 3", "tit-for-tat"),
      ("tic-tac-toe --level 3 --resume last", "stays as it was"),
    ] {
      let run = try play(words.split(separator: " ").map(String.init), "")
      #expect(run.status == 64 && run.errors.contains(said), "\(words): \(run.errors)")
    }
  }

  @Test func wordsAreUnderstoodAndMistakesExplained() throws {
    let long = String(repeating: "y", count: 9000)
    var input = Data("\n\n  5  \nzz\n5\nhelp\nboard\n\0\n\u{1B}[31m\u{202E}\nundo\nundo\n\(long)\n".utf8)
    input += Data([0xFF, 0xFE, 0x0A])
    input += Data(
      "say hello\u{1B}[2J\u{202E}\0\nsay \(String(repeating: "é", count: 1500))\n1\r\nquit\n7\n".utf8)
    let run = try Program.start(
      ["play", "--data", "data"] + Self.ticTacToe, home: home, input: input
    ).finish()
    #expect(run.status == 0, "\(run.errors)")
    for words in [
      "“zz” is no move here", "the move 5 is not legal here", "there is no move of yours to take back",
      "longer than 4096 bytes", "not UTF-8", "moves: ", "The game waits: `parlor play --resume ",
    ] {
      #expect(run.errors.contains(words), "\(words): \(run.errors)")
    }
    #expect(run.output.contains("Type a move, or:\n  undo            take back"))
    #expect(Self.isSafe(run.output) && Self.isSafe(run.errors))
    let events = try read("log", "show", "last")
    let kinds = events.compactMap { $0["kind"] as? String }
    #expect(kinds.filter { $0 == "chat" }.count == 2)
    #expect(kinds.filter { $0 == "undo-accept" }.count == 1)
    #expect(kinds.suffix(2) == ["move", "move"])
    #expect(events.allSatisfy { $0["verdict"] as? String == "effective" })
    #expect(try read("replay", "last").compactMap { $0["moves"] as? [String] }[1] == ["1"])
    let shown = try Program.run("log", "show", "last", "--data", "data", home: home)
    #expect(Self.isSafe(shown.output))
  }

  /// A resignation changes no position, so none is shown again.
  @Test func eachPositionIsShownOnce() throws {
    let positions = try play(Self.ticTacToe + ["--json"], "5\nundo\n1\nresign\nresign\n").objects()
      .filter { $0["type"] as? String == "position" }.map { $0["ply"] as? Int }
    #expect(positions == [0, 1, 2, 0, 1, 2])
  }

  // MARK: - Seats

  @Test(arguments: [("first", 1, 1), ("second", 2, 1)])
  func aSeatIsTheOneAskedFor(_ seat: String, _ own: Int, _ first: Int) throws {
    let objects = try play(["tic-tac-toe", "--against", "random", "--json", "--seat", seat], "").objects()
    #expect(objects[0]["seat"] as? Int == own)
    #expect(objects[0]["first"] as? Int == first)
    #expect(objects.last?["turn"] as? Int == own)
    #expect((objects.last?["moves"] as? [String])?.count == own - 1)
  }

  @Test func whoStartsIsDrawnAndCanBeDerivedAgain() throws {
    var starters: Set<Int> = []
    // A fair draw gives sixty-four times the same once in 2^63.
    for _ in 0..<64 where starters.count < 2 {
      let objects = try play(["tic-tac-toe", "--against", "random", "--name", "Ada", "--json"], "5\n1\n2\n")
        .objects()
      let first = try #require(objects[0]["first"] as? Int)
      starters.insert(first)
      let events = try read("log", "show", "last")
      #expect(events.filter { $0["kind"] as? String == "draw" }.count == 2)
      let mover = try #require(events.first { $0["kind"] as? String == "move" }?["name"] as? String)
      #expect(mover == (first == 1 ? "Ada" : "random"))
    }
    #expect(starters == [1, 2])
    #expect(try read("log", "verify").allSatisfy { $0["valid"] as? Bool == true })
    let newest = try read("replay", "last").map { $0["seat"] as? Int }
    _ = try Program.run("log", "export", "last", "--output", "a.parlor", "--data", "data", home: home)
    _ = try Program.run("log", "import", "a.parlor", "--data", "other", home: home)
    #expect(try read("replay", "last", data: "other").map { $0["seat"] as? Int } == newest)
    #expect(try read("log", "verify", data: "other").allSatisfy { $0["valid"] as? Bool == true })
  }

  // MARK: - Secret choices

  @Test func thePrisonersDilemmaIsPlayedToItsEnd() throws {
    let run = try play(
      ["prisoners-dilemma", "--against", "tit-for-tat", "--set", "rounds=4", "--json"],
      "D\nC\nbetray\nundo\nC\nD\n")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("“betray” is no move here"))
    #expect(run.errors.contains("there is no move of yours to take back"))
    let objects = try run.objects()
    #expect(objects[0]["first"] is NSNull)
    let positions = objects.filter { $0["type"] as? String == "position" }
    #expect(positions.map { $0["turn"] as? String } == ["everyone", "everyone", "everyone", "everyone", nil])
    #expect(positions.last?["moves"] as? [String] == ["D", "C", "C", "D", "C", "C", "D", "C"])
    #expect(objects.last?["result"] as? String == "won")
    let events = try read("log", "show", "last")
    for kind in ["commit", "reveal"] { #expect(events.filter { $0["kind"] as? String == kind }.count == 8) }
    #expect(try read("log", "verify")[0]["valid"] as? Bool == true)
  }

  // MARK: - Names and pieces

  @Test func aBotTakesAnotherPieceThanThePersons() throws {
    for emoji in ["🐶", "🐱", "Dogs", "Cats", "Ocean"] {
      for seat in ["first", "second"] {
        let run = try play(
          ["tic-tac-toe", "--against", "random", "--seat", seat, "--emoji", emoji, "--json"], "1\n2\n3\n4\n")
        #expect(run.status == 0, "\(run.errors)")
        let positions = try run.objects().filter { $0["type"] as? String == "position" }
        let lines = try #require(positions.first { $0["ply"] as? Int == 2 }?["lines"] as? [String])
        let pieces = lines.joined().unicodeScalars.filter { $0.value >= 0x1F000 }
        #expect(pieces.count == 2)
        #expect(Set(pieces).count == 2, "\(emoji): \(lines)")
        if emoji.unicodeScalars.count == 1 {
          #expect(pieces.contains(try #require(emoji.unicodeScalars.first)))
        }
      }
    }
  }

  /// No control but the line feed, nothing that turns or hides text.
  static func isSafe(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar == "\n"
      case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
      default: true
      }
    }
  }

  @Test(arguments: [
    "a\u{1B}[31mred", "\u{202E}backwards\u{2066}", "Z" + String(repeating: "\u{301}\u{489}", count: 300),
    "zero\u{200B}width\u{FEFF}", "tab\tand\nline", "\u{9B}31m", String(repeating: "long ", count: 900),
    "\u{E000}\u{FFFE}",
  ])
  func aNameReachesTheTerminalSafely(_ name: String) throws {
    var shown = ""
    for words in [[], ["--json"]] {
      let run = try play(Self.ticTacToe + ["--name", name] + words, "5\nresign\nresign\n")
      #expect(run.status == 0, "\(run.errors)")
      shown += run.output + run.errors
      for words in [["log", "list"], ["log", "show", "last"], ["replay", "last"], ["log", "verify"]] {
        for json in [[], ["--json"]] {
          let run = try Program.start(words + json + ["--data", "data"], home: home).finish()
          #expect(run.status == 0, "\(words): \(run.errors)")
          shown += run.output + run.errors
          if json != [] { #expect(try run.objects().allSatisfy { $0["type"] is String }) }
        }
      }
    }
    #expect(Self.isSafe(shown), "\(shown.debugDescription)")
  }
}

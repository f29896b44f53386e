import Events
import Foundation
import TestKit
import Testing

@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct ReplayTests {
  let home: TemporaryFolder
  var data: String { home.file("data") }

  init() throws { home = try TemporaryFolder() }

  /// The text with what differs from key to key replaced, so that it is the same on every machine.
  private func plain(_ text: String) -> String {
    text.replacing(/room [0-9a-f]{10}/, with: "room ROOM").replacing(/\([0-9a-f]{6}\)/, with: "(KEY)")
  }

  @Test(arguments: [
    ("tic-tac-toe", ["greedy", "random"], 2), ("connect-four", ["greedy", "lookahead:2"], 1),
    ("othello", ["greedy", "random"], 1), ("prisoners-dilemma", ["tit-for-tat", "joss"], 1),
  ])
  func everyPositionIsShown(_ game: String, _ players: [String], _ games: Int) async throws {
    do { _ = try await Samples(data).match(game, players, games: games) }
    let run = try Program.run("replay", "--data", data, home: home)
    #expect(run.status == 0, "\(run.errors)")
    try Snapshot.check(plain(run.output), "Tests/Fixtures/commands/replay-\(game).txt")
    let objects = try Program.run("replay", "--data", data, "--json", home: home).objects()
    #expect(objects.count { $0["type"] as? String == "ending" } == games)
    #expect(objects.allSatisfy { $0["type"] as? String != "ending" || $0["level"] as? String == "agreed" })
    let positions = objects.filter { $0["type"] as? String == "position" }
    #expect(positions.count { $0["ply"] as? Int == 0 } == games)
    let titles = run.output.split(separator: "\n").count { $0.hasPrefix("Game ") }
    #expect(titles == positions.count + games)
  }

  /// Games as others write them: columns, a transcript, a list of moves. The match itself told the same moves.
  @Test(arguments: [
    ("connect-four", "greedy,random", ""), ("othello", "greedy,random", ""),
    ("tic-tac-toe", "greedy,random", ""),
    ("gomoku", "greedy,random", " "), ("memory-match", "random,random", " "),
    ("prisoners-dilemma", "joss,defector", " "),
  ]) func movesAreTextThatOthersRead(_ game: String, _ players: String, _ separator: String) throws {
    let match = try Program.run(
      "match", game, "--players", players, "--games", "2", "--data", data, "--json", home: home)
    let games = try match.objects().filter { $0["type"] as? String == "game" }
    // A round has a choice of each seat; what chance drew has none.
    let moves = games.compactMap { game in
      (game["moves"] as? [Any])?.compactMap { move -> String? in
        guard let round = move as? [String] else { return move as? String }
        return round.allSatisfy(\.isEmpty) ? nil : round.joined(separator: "/")
      }
    }
    try #require(moves.count == 2, "\(match.output)\(match.errors)")
    let shown = try Program.run("replay", "last", "--format", "moves", "--data", data, home: home)
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output == moves.map { $0.joined(separator: separator) + "\n" }.joined())
    let some = try Program.run(
      "replay", "last", "--format", "moves", "--game", "2", "--at", "2", "--data", data, home: home)
    let two = some.output.filter { $0 != " " && $0 != "\n" }
    #expect(moves[1].joined().hasPrefix(two) && !two.isEmpty && some.output.count <= 8, "\(some.output)")
    if game == "connect-four" {
      // What solves positions reads them.
      let line = some.output.filter { $0 != "\n" }
      let solved = try Program.run("solve", game, line, "--nodes", "1", "--json", home: home)
      #expect(try solved.objects().first?["position"] as? String == line, "\(solved.output)\(solved.errors)")
    }
  }

  @Test func picturesAndRecordingsShowAllPositions() async throws {
    do {
      let samples = try Samples(data)
      _ = try samples.tapRace()
      _ = try await samples.match("tic-tac-toe", ["greedy", "random"], games: 2)
    }
    func replay(_ words: String...) throws -> Program.Finished {
      try Program.start(["replay"] + words + ["--data", data], home: home).finish()
    }
    let positions = try replay("last", "--json").objects().count { $0["type"] as? String == "position" }
    let moving = try replay("last", "--format", "svg", "--speed", "2").output
    #expect(moving.hasPrefix("<svg ") && moving.hasSuffix("</svg>\n"))
    #expect(moving.ranges(of: "<set ").count == positions && moving.contains("dur=\"500ms\""))
    #expect(moving.contains("Game 2: ") && moving.contains("agreed"))
    let still = try replay("last", "--format", "svg", "--game", "1", "--at", "2").output
    #expect(!still.contains("<set ") && still.contains("Game 1, move 2: "))
    let cast = try replay("last", "--format", "cast").output.split(separator: "\n")
    #expect(cast.count == positions + 1 && cast[0].hasPrefix("{\"version\":2,"))
    for words in [["last", "--json"], ["last", "--at", "99"]] {
      let refused = try Program.start(
        ["replay", "--format", "svg", "--data", data] + words, home: home
      ).finish()
      #expect(refused.status == 64 && refused.output.isEmpty, "\(words)")
    }
    let rooms = try Program.run("log", "list", "--json", "--data", data, home: home).objects()
    let race = try #require(rooms.first { $0["kind"] as? String == "rounds" }?["id"] as? String)
    #expect(try replay(race, "--format", "svg").status == 64)
  }

  /// What chance did is drawn again by each replay, and the same by the next match with the seed.
  @Test func chanceIsDrawnAgain() throws {
    let words = [
      "--set", "rounds=60", "--set", "noise=200", "--set", "ending=40", "--games", "4", "--seed", "3",
    ]
    func match() throws -> [[String: Any]] {
      let match = ["match", "prisoners-dilemma", "--players", "tit-for-tat,joss", "--json", "--data", data]
      let run = try Program.start(match + words, home: home, input: Data(), environment: [:]).finish()
      #expect(run.status == 0, "\(run.errors)")
      return try run.objects().filter { $0["type"] as? String == "game" }
    }
    let (first, second) = (try match(), try match())
    #expect(first.count == 4 && first[0]["room"] as? String != second[0]["room"] as? String)
    #expect(first.map { $0["scores"] as? [Int] } == second.map { $0["scores"] as? [Int] })
    let replay = try Program.run("replay", "last", "--data", data, "--json", home: home)
    let ends = try replay.objects().filter { $0["type"] as? String == "ending" }
    #expect(ends.map { $0["scores"] as? [Int] } == second.map { $0["scores"] as? [Int] })
    let shown = try Program.run("replay", "last", "--data", data, home: home).output
    #expect(shown.contains("by noise") && shown.contains("chance ended the game"))
    #expect(try Program.run("log", "verify", "--data", data, home: home).status == 0)
  }

  @Test func onePositionOfOneGame() async throws {
    do { _ = try await Samples(data).match("tic-tac-toe", ["greedy", "random"], games: 3) }
    let one = try Program.run(
      "replay", "last", "--game", "2", "--at", "3", "--data", data, "--json", home: home
    ).objects()
    #expect(one.count == 1)
    #expect(one[0]["game"] as? Int == 2)
    #expect(one[0]["ply"] as? Int == 3)
    let cells = try #require(one[0]["board"] as? [[String]]).joined()
    #expect(cells.count { !$0.isEmpty } == 3)
    #expect(try Program.run("replay", "--game", "4", "--data", data, home: home).status == 64)
    let late = try Program.run("replay", "--at", "10", "--data", data, home: home)
    #expect(late.status == 64)
    #expect(try Program.run("replay", "--speed", "0", "--data", data, home: home).status == 64)
  }

  @Test func aBundleIsReplayedAsTheLogIs() async throws {
    do { _ = try await Samples(data).match("connect-four", ["greedy", "random"]) }
    _ = try Program.run("log", "export", "last", "--data", data, "--output", "a.parlor", home: home)
    let stored = try Program.run("replay", "--data", data, home: home)
    #expect(try Program.run("replay", "a.parlor", home: home).output == stored.output)
    let piped = try Program.run("replay", "-", home: home, input: home.bytes("a.parlor"))
    #expect(piped.output == stored.output)
  }

  @Test func aTournamentListsItsRoomsWhichAreSealed() async throws {
    let room: RoomID
    do { room = try await Samples(data).tournament(["greedy", "random", "random"]) }
    let pairings = try Program.run("replay", room.description, "--data", data, "--json", home: home).objects()
    #expect(pairings.map { $0["pairing"] as? String } == ["M1", "M2", "M3"])
    for pairing in pairings {
      let id = try #require(pairing["room"] as? String)
      let replayed = try Program.run("replay", id, "--data", data, "--json", home: home).objects()
      let endings = replayed.filter { $0["type"] as? String == "ending" }
      #expect(!endings.isEmpty && endings.allSatisfy { $0["level"] as? String == "sealed" })
    }
    let text = try Program.run("replay", room.description, "--data", data, home: home)
    #expect(text.errors.contains("parlor replay ROOM"))
    _ = try Program.run(
      "log", "export", room.description, "--data", data, "--output", "t", home: home)
    let file = try Program.run("replay", "./t", "--json", home: home).objects()
    #expect(file.map { $0["room"] as? String } == pairings.map { $0["room"] as? String })
  }

  @Test func anInterruptEndsASlowReplay() async throws {
    do { _ = try await Samples(data).match("tic-tac-toe", ["greedy", "random"]) }
    let run = try Program.start(["replay", "--speed", "0.01", "--data", data], home: home)
    while try !run.printed().contains("start:"), run.process.isRunning { usleep(1000) }
    run.process.send(SIGINT)
    let finished = try run.finish()
    #expect(finished.status == 130)
    #expect(finished.errors.isEmpty)
  }
}

import BotKit
import Events
import Foundation
import Games
import Platform
import Rules
import SearchBots
import Terminal
import TestKit
import Testing

/// `parlor audit`, as people and programs read it.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct AuditTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func run(_ words: String..., input: String = "") throws -> Program.Finished {
    try Program.start(words + ["--data", "data"], home: home, input: Data(input.utf8)).finish()
  }

  private func objects(_ words: String...) throws -> [[String: Any]] {
    try Program.start(words + ["--json", "--data", "data"], home: home).finish().objects()
  }

  /// Checks sums; all moves agree.
  private func expectSums(_ sums: [String: Any]?, rooms: Int, unchecked: Int) throws {
    let sums = try #require(sums)
    #expect(sums["type"] as? String == "audit" && sums["rooms"] as? Int == rooms)
    let (moves, checked) = (try #require(sums["moves"] as? Int), try #require(sums["checked"] as? Int))
    #expect(moves - checked == unchecked && checked > 0)
    #expect(sums["differing"] as? Int == 0 && sums["overspent"] as? Int == 0)
  }

  @Test func honestBotsOfAllKindsOfRooms() throws {
    _ = try run("match", "tic-tac-toe", "--players", "random,greedy", "--games", "260")
    _ = try run("match", "prisoners-dilemma", "--players", "joss,random", "--games", "2")
    _ = try run("match", "memory-match", "--players", "memory:4,random")
    _ = try run(
      "tournament", "run", "--game", "tic-tac-toe", "--entrants", "greedy,random,monte-carlo:3", "--format",
      "round-robin")
    let tournament = try run("audit", "last")
    #expect(tournament.status == 0 && tournament.output.contains("all agree"), "\(tournament.output)")
    let list = try #require(try objects("tournament", "list").first?["id"] as? String)
    try expectSums(try objects("audit", list).last, rooms: 3, unchecked: 0)
    let moves = "5\nundo\n1\n" + (1...9).map { "\($0)\n" }.joined()
    _ = try run(
      "play", "tic-tac-toe", "--against", "random", "--seat", "first", "--name", "Ada\u{1B}[2J", input: moves)
    let shown = try run("audit")
    #expect(
      shown.status == 0 && shown.output.contains("no bot is declared") && !shown.output.contains("\u{1B}"))
    #expect(shown.output.contains("taken back"))
    let seats = try objects("audit", "last")
    #expect(seats.map { $0["type"] as? String } == ["audited", "audited", "audit"])
    #expect(seats.map { $0["reason"] as? String } == ["person", nil, nil])
    try expectSums(
      try objects("audit", "--all").last, rooms: 8, unchecked: try #require(seats[0]["moves"] as? Int))
    let all = try run("audit", "--all")
    #expect(all.status == 0 && all.output.split(separator: "\n").count == 1, "\(all.output)")
  }

  @Test func aFileOfATournamentNeedsItsTournament() throws {
    _ = try run(
      "tournament", "run", "--game", "tic-tac-toe", "--entrants", "greedy,random", "--format", "round-robin")
    let rooms = try objects("log", "list", "--all")
    for (index, room) in rooms.compactMap({ $0["id"] as? String }).enumerated() {
      #expect(try run("log", "export", room, "--output", "\(index).parlor").status == 0)
    }
    var reasons: Set<String?> = []
    for index in rooms.indices {
      let here = try run("audit", "\(index).parlor", "--json")
      let apart = try Program.run("audit", "\(index).parlor", "--json", "--data", "other", home: home)
      guard here.status == 0 else {
        #expect(here.status == 66 && here.errors.contains("tournament") && apart.status == 66)
        continue
      }
      try expectSums(here.objects().last, rooms: 1, unchecked: 0)
      #expect(apart.status == 0)
      for seat in try apart.objects() where seat["type"] as? String == "audited" {
        reasons.insert(seat["reason"] as? String)
      }
    }
    #expect(reasons == ["absent-tournament"])
  }

  /// A move of another bot, signed by the seat's key, in a log that verifies.
  @Test func aSmuggledMoveIsNamed() async throws {
    let smuggler = BotFamily(name: "smuggler", summary: "plays one move of its own", plays: { _ in true }) {
      (rules, _) throws(BotError) in
      SmugglingBot(honest: try BotCatalog(SearchBots.families).bot("solver:400", for: rules))
    }
    try await match("connect-four", smuggler)
    #expect(try run("log", "verify", "last").status == 0)
    let found = try run("audit")
    #expect(
      found.status == 1 && found.output.contains("Game 1, move 3: ") && found.output.contains("the bot plays")
    )
    let objects = try objects("audit")
    #expect(objects.map { $0["type"] as? String } == ["audited", "difference", "audited", "audit"])
    let difference = objects[1]
    try DescribedCommand.of(["audit"]).check([difference])
    #expect(
      difference["ply"] as? Int == 3 && difference["game"] as? Int == 1 && difference["seat"] as? Int == 1)
    #expect(
      difference["kind"] as? String == "move"
        && difference["played"] as? String != difference["expected"] as? String)
    #expect(objects[0]["differing"] as? Int == 1 && objects[2]["differing"] as? Int == 0)
    let all = try run("audit", "--all")
    #expect(all.status == 1 && all.output.contains("1 differ"))
    _ = try run("log", "export", "last", "--output", "game.parlor")
    #expect(try run("audit", "game.parlor").status == 1)
  }

  /// A file may declare a bot that would think for years.
  @Test func aBotThatTakesTooLongIsGivenUp() async throws {
    let declared = BotDeclaration(specification: "lookahead:20", version: 1, nodeBudget: 0)
    let sly = BotFamily(name: "smuggler", summary: "is not what it says", plays: { _ in true }) {
      (rules, _) throws(BotError) in
      SmugglingBot(
        honest: try BotCatalog(SearchBots.families).bot("greedy", for: rules), declaration: declared)
    }
    try await match("gomoku", sly)
    let run = try run("audit", "--seconds", "1", "--json")
    let seats = try run.objects()
    #expect(run.status == 0 && seats.map { $0["reason"] as? String } == ["slow", nil, nil])
    #expect(seats[0]["checked"] as? Int == 0 && seats[1]["moves"] as? Int == seats[1]["checked"] as? Int)
  }

  /// Plays a game between a bot of another family and greedy.
  private func match(_ game: String, _ family: BotFamily) async throws {
    let folder = home.file("data")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let samples = try Samples(folder, with: [family])
    _ = try await samples.match(game, ["smuggler", "greedy"], named: String(repeating: "0a", count: 16))
  }

  @Test func wrongUses() throws {
    #expect(try run("audit").status == 66)
    _ = try run("match", "tic-tac-toe", "--players", "random,greedy")
    #expect(try run("audit", "last", "--all").status == 64)
    #expect(try run("audit", "--seconds", "0").status == 64)
    #expect(try run("audit", "fffffffffffff").status == 66)
    try home.write("junk.parlor", Data("junk".utf8))
    #expect(try run("audit", "junk.parlor").status == 65)
  }
}

/// Plays as another bot but for its second move, which is another legal one.
private struct SmugglingBot: Bot {
  let honest: any Bot
  let declaration: BotDeclaration

  /// - Parameter declaration: what it declares, if that is not what the other bot does.
  init(honest: any Bot, declaration: BotDeclaration? = nil) {
    self.honest = honest
    self.declaration = declaration ?? honest.declaration
  }

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
    let choice = try honest.choose(turn)
    guard turn.randomness.ply == 2, let other = turn.game.legalMoves.first(where: { $0 != choice.code })
    else {
      return choice
    }
    return BotChoice(other, note: choice.note)
  }
}

import BotKit
import Events
import Games
import Platform
import Projection
import Rules
import Testing

@testable import EventLog
@testable import Peer

/// What an audit finds and what it passes over, with the reason.
@Suite struct BotAuditFindingTests {
  private func plan(
    _ home: Household, _ game: String, _ players: [String], games: Int = 1, isNamed: Bool = true
  ) throws -> Household.MatchPlan {
    Household.MatchPlan(
      rules: try #require(Games.catalog.newest(game)).rules(), players: players, games: games, seed: 5,
      name: isNamed ? home.newMatchName(seed: 5) : nil)
  }

  private struct Place: Hashable {
    let game: Int
    let ply: Int
  }

  /// One move of a stronger bot, and of a weaker one, by the key of the seat.
  @Test(arguments: [
    ("connect-four", "random", "solver:900", 0), ("connect-four", "solver:900", "random", 2),
    ("connect-four", "monte-carlo:9", "greedy", 1), ("prisoners-dilemma", "tit-for-tat", "defector", 1),
    ("prisoners-dilemma", "random", "cooperator", 0), ("memory-match", "memory", "random", 0),
    ("memory-match", "random", "memory", 1),
  ])
  func oneMoveOfAnotherBotIsFound(
    _ game: String, _ declared: String, _ other: String, _ number: Int
  ) async throws {
    let place = Guarded<Place?>(nil)
    let smuggler = Audits.family { (rules) throws(BotError) in
      let (honest, foreign) = (
        try Audits.bots.bot(declared, for: rules), try Audits.bots.bot(other, for: rules)
      )
      return Smuggler(declaration: honest.declaration) { (turn) throws(BotError) in
        let choice = try honest.choose(turn)
        let here = Place(game: Int(turn.randomness.game), ply: Int(turn.randomness.ply))
        guard here.game == number, here.ply >= 4, place.withLock({ $0 == nil }) else { return choice }
        let smuggled = try foreign.choose(turn)
        guard smuggled.code != choice.code else { return choice }
        place.withLock { $0 = here }
        return BotChoice(smuggled.code, note: choice.note)
      }
    }
    let home = household(with: [smuggler])
    let honest = ["connect-four": "greedy", "prisoners-dilemma": "joss", "memory-match": "random"]
    let players = [try #require(honest[game]), "smuggler"]
    let played = try await home.playMatchRoom(
      0, of: plan(home, game, players, games: 3), isCancelled: { false })
    let seats = try #require(try home.audit(played.room)).seats
    let smuggled = try #require(place.withLock { $0 })
    #expect(seats[0].findings.isEmpty && seats[0].checked == seats[0].moves)
    let finding = try #require(seats[1].findings.first)
    #expect(seats[1].findings.count == 1 && seats[1].differing == 1 && seats[1].checked == seats[1].moves)
    #expect(Place(game: finding.game, ply: finding.ply) == smuggled && finding.seat == Seat(1))
    let ply = played.games[finding.game].plies[finding.ply]
    let code = ply.seat == nil ? ply.codes[1] : ply.code
    #expect(finding.event == ply.node && finding.played == code)
    guard case .move(let expected) = finding.kind else {
      Issue.record("\(finding)")
      return
    }
    #expect(expected != code)
  }

  /// What is declared, and why it is not played again.
  @Test(arguments: [
    (BotDeclaration(specification: "greedy", version: 7, nodeBudget: 0), "other-version"),
    (BotDeclaration(specification: "greedy", version: 1, nodeBudget: 500), "other-budget"),
    (
      BotDeclaration(specification: "monte-carlo:999999999999", version: 1, nodeBudget: 999_999_999_999),
      "unknown-bot"
    ),
    (BotDeclaration(specification: "lookahead:999999", version: 1, nodeBudget: 0), "no-budget"),
    (BotDeclaration(specification: "tit-for-tat", version: 1, nodeBudget: 9), "unknown-bot"),
    (BotDeclaration(specification: "./mybot.py", version: 1, nodeBudget: 0), "no-budget"),
    (BotDeclaration(specification: "gtp:engine", version: 1, nodeBudget: 9), "program"),
    (BotDeclaration(specification: "./mybot.py", version: 1, nodeBudget: 9), "program"),
    (BotDeclaration(specification: ":", version: 1, nodeBudget: 1), "unknown-bot"),
  ])
  func whatCannotBePlayedAgainIsSaid(_ declaration: BotDeclaration, _ reason: String) async throws {
    let home = household(with: [Audits.greedy(declaring: declaration)])
    let played = try await home.playMatchRoom(
      0, of: plan(home, "connect-four", ["random", "smuggler"]), isCancelled: { false })
    let seats = try #require(try home.audit(played.room)).seats
    #expect(seats[0].reason == nil && seats[0].checked == seats[0].moves)
    #expect(seats[1].reason?.name == reason && seats[1].checked == 0 && seats[1].moves > 3)
    #expect(seats[1].findings.isEmpty && AuditReason.names.contains(reason))
  }

  @Test func aMatchThatDoesNotSayWhichRoomItIs() async throws {
    let home = household()
    let played = try await home.playMatchRoom(
      3, of: plan(home, "tic-tac-toe", ["random", "greedy"], games: 770, isNamed: false),
      isCancelled: { false })
    let seats = try #require(try home.audit(played.room)).seats
    #expect(seats.allSatisfy { $0.reason == .unnamedMatch && $0.checked == 0 && $0.findings.isEmpty })
  }

  /// Notes speak of the nodes that a move took; a bot that is not known here is held to its budget too.
  @Test(arguments: ["monte-carlo:20", "stranger"])
  func moreNodesThanDeclared(_ name: String) async throws {
    let smuggler = Audits.family { (rules) throws(BotError) in
      let bot = try Audits.bots.bot("monte-carlo:20", for: rules)
      let declaration = BotDeclaration(specification: name, version: 1, nodeBudget: 20)
      return Smuggler(declaration: declaration) { (turn) throws(BotError) in
        var choice = try bot.choose(turn)
        choice.note = MoveNote(value: 0, isProven: false, nodes: turn.randomness.ply == 4 ? 21 : 20)
        return choice
      }
    }
    let home = household(with: [smuggler])
    let played = try await home.playMatchRoom(
      0, of: plan(home, "connect-four", ["smuggler", "greedy"]), isCancelled: { false })
    let seats = try #require(try home.audit(played.room)).seats
    #expect(seats[0].findings.map(\.kind) == [.nodes(21)] && seats[0].findings.map(\.ply) == [4])
    #expect(seats[0].differing == 0 && seats[0].overspent == 1 && seats[1].findings.isEmpty)
  }

  /// A bot that gives up where its seat played on.
  @Test func aMoveOfABotThatGivesUp() async throws {
    let resigning = BotFamily(name: "quitter", summary: "gives up", plays: { _ in true }) {
      (rules, _) throws(BotError) in
      let greedy = try Audits.bots.bot("greedy", for: rules)
      return Smuggler(declaration: BotDeclaration(specification: "quitter", version: 1, nodeBudget: 0)) {
        (turn) throws(BotError) in
        guard turn.randomness.ply < 4 else { throw .resigns(bot: "quitter", reason: "is tired") }
        return try greedy.choose(turn)
      }
    }
    let home = household(with: [
      Audits.greedy(declaring: BotDeclaration(specification: "quitter", version: 1, nodeBudget: 0)),
      resigning,
    ])
    let honest = try await home.playMatchRoom(
      0, of: plan(home, "connect-four", ["greedy", "quitter"]), isCancelled: { false })
    let known = BotCatalog(Audits.bots.families + [resigning])
    let seats = try #require(try home.audit(honest.room, by: known)).seats
    #expect(seats.allSatisfy { $0.findings.isEmpty && $0.reason == nil } && seats[1].checked == 2)
    let played = try await home.playMatchRoom(
      0, of: plan(home, "connect-four", ["greedy", "smuggler"]), isCancelled: { false })
    let found = try #require(try home.audit(played.room, by: known)).seats[1]
    #expect(found.findings.first?.kind == .resigns && found.findings.first?.ply == 5)
    #expect(found.checked == found.moves && found.differing == found.moves - 2)
  }

  /// What takes too long is given up for the rest of the room; the other seat is checked.
  @Test func patienceEnds() async throws {
    let home = household()
    let played = try await home.playMatchRoom(
      0, of: plan(home, "connect-four", ["lookahead:7", "greedy"]), isCancelled: { false })
    let clock = Guarded<UInt64>(0)
    let patience = BotAudit.Patience(limitMilliseconds: 2) {
      clock.withLock { clock in
        clock += 1
        return clock
      }
    }
    let seats = try #require(try home.audit(played.room, patience: patience)).seats
    #expect(seats[0].reason == .slow(milliseconds: 2) && seats[0].checked < seats[0].moves)
    #expect(seats[1].reason == nil && seats[1].checked == seats[1].moves)
    #expect(seats.allSatisfy { $0.findings.isEmpty })
  }

  /// Whoever asks to stop is heard before each move, and while a bot thinks.
  @Test func itStopsAtAnyMove() async throws {
    let home = household()
    let played = try await home.playMatchRoom(
      0, of: plan(home, "connect-four", ["lookahead:7", "greedy"]), isCancelled: { false })
    for limit in [0, 1, 2, 5, 40] {
      let asked = Guarded(0)
      let patience = BotAudit.Patience(limitMilliseconds: 9, elapsed: { 0 }) {
        asked.withLock { asked in
          asked += 1
          return asked > limit
        }
      }
      var moves = 0
      let audit = try home.audit(played.room, patience: patience) { moves += 1 }
      #expect(audit == nil)
      #expect(moves <= limit)
    }
  }
}

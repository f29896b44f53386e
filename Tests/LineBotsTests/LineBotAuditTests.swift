import BotKit
import EventLog
import Events
import Games
import LineBots
import Peer
import Platform
import Projection
import Rules
import SearchBots
import TestKit
import Testing

/// Moves of bots that are commands are played again by the commands that somebody names.
@Suite(.blocking, .enabled(if: TestBots.isThere, "there is no /usr/bin/python3")) struct LineBotAuditTests {
  private static let pure = TestBots.command("pure")

  /// A match of the bot that is pure and one that is not a command.
  private struct Match {
    let home: Household
    let room: RoomID
    let rules: any GameRules
    let name: String
  }

  /// - Parameter smuggled: at which ply of the first game the seat plays another move than its bot.
  private func play(
    _ game: String, _ settings: [(String, String)] = [], games: Int, smuggled: UInt32? = nil
  ) async throws -> Match {
    var parameters = Parameters()
    for (name, value) in settings { parameters[name] = value }
    let rules = try TestBots.rules(game).definition.rules(parameters)
    let bots = LineBots(limits: TestBots.patient)
    defer { bots.close() }
    let name = try bots.specification(of: Self.pure)
    let home = TestBots.household { (specification, rules) throws(BotError) in
      let honest = try bots.bot(specification, for: rules)
      return smuggled.map { Smuggler(honest: honest, ply: $0) } ?? honest
    }
    // A catalog of board games has nobody else for rounds.
    let other = game == "prisoners-dilemma" ? name : "random"
    let plan = Household.MatchPlan(
      rules: rules, players: [name, other], games: games, seed: 5, name: home.newMatchName(seed: 5))
    let room = try await home.playMatchRoom(0, of: plan, isCancelled: { false }).room
    return Match(home: home, room: room, rules: rules, name: name)
  }

  /// Audits it.
  /// - Parameters:
  ///   - variables: what the command's environment has beside.
  ///   - commands: those that may be started.
  private func audit(
    _ match: Match, _ variables: [String] = [], naming commands: [String] = [pure],
    reports: Reports = Reports()
  ) throws -> (seats: [BotAudit.SeatReport], started: Int) {
    var limits = TestBots.patient
    limits.variables = variables
    let bots = LineBots(limits: limits) { reports.note($0) }
    defer { bots.close() }
    for command in commands { _ = try bots.specification(of: command) }
    let catalog = BotCatalog(BotCatalog(SearchBots.families)) { (name, rules) throws(BotError) in
      try bots.bot(playingAgain: name, for: rules)
    }
    let log = try match.home.log.load(match.room, verify: true)
    var projection = try log.projection(match.home.games)
    let state = projection.state
    let occasion = try Session.Occasion.read(log, state) { _ throws(LogError) in nil }
    let audit = BotAudit(
      log.events, state, rules: match.rules, bots: catalog, occasion: occasion,
      patience: .init(limitMilliseconds: 60_000, elapsed: { MonotonicClock.milliseconds }))
    return (try #require(audit).seats, bots.tallies.count)
  }

  @Test(arguments: [
    ("tic-tac-toe", [], 1), ("connect-four", [], 1), ("othello", [], 4), ("ultimate-tic-tac-toe", [], 4),
    ("prisoners-dilemma", [("rounds", "20"), ("noise", "100"), ("ending", "20")], 1),
    ("memory-match", [("cards", "12")], 1), ("gomoku", [], 8),
  ])
  func anHonestBotIsNotAccused(_ game: String, _ settings: [(String, String)], _ part: Int) async throws {
    let games = Effort.size(200, quick: 24) / part
    let match = try await play(game, settings, games: games)
    let (seats, started) = try audit(match)
    #expect(seats[0].profile.bot?.specification == match.name)
    #expect(seats[0].profile.bot?.version == 7 && seats[0].profile.bot?.nodeBudget == 500)
    for seat in seats {
      #expect(seat.findings.isEmpty && seat.reason == nil, "\(seat.findings)")
      #expect(seat.checked == seat.moves && seat.moves >= 2 * games)
    }
    #expect(started == 1)
  }

  @Test(arguments: [("tic-tac-toe", 2), ("connect-four", 4), ("memory-match", 8), ("prisoners-dilemma", 6)])
  func oneSmuggledMoveIsFound(_ game: String, _ ply: UInt32) async throws {
    let match = try await play(game, games: 2, smuggled: ply)
    let seats = try audit(match).seats
    let finding = try #require(seats[0].findings.first)
    #expect(seats[0].findings.count == 1 && seats[0].checked == seats[0].moves && seats[0].reason == nil)
    #expect(finding.game == 0 && finding.ply >= Int(ply))
    guard case .move(let expected) = finding.kind else {
      Issue.record("\(finding)")
      return
    }
    #expect(expected != finding.played && seats[1].findings.isEmpty)
  }

  /// A log comes from strangers, and so does what it calls a bot.
  @Test func whatOnlyTheLogNamesIsNotStarted() async throws {
    let match = try await play("tic-tac-toe", games: 1)
    for commands in [[], [TestBots.command("none")], [TestBots.command("pure", "1")]] {
      let (seats, started) = try audit(match, naming: commands)
      #expect(seats[0].reason == .program && seats[0].checked == 0 && seats[0].findings.isEmpty)
      #expect(seats[1].reason == nil && started == 0)
    }
  }

  /// Another program than the one that played, which says so itself.
  @Test(arguments: [
    (#"SAYS={"version": 8}"#, AuditReason.otherVersion(7, here: 8)),
    (#"SAYS={"nodes": 499}"#, .otherBudget(500, here: 499)),
    (#"SAYS={"recomputable": false}"#, .notRecomputable),
  ])
  func anotherProgramIsNotAsked(_ variable: String, _ reason: AuditReason) async throws {
    let seats = try audit(try await play("tic-tac-toe", games: 1), [variable]).seats
    #expect(seats[0].reason == reason && seats[0].checked == 0 && seats[0].findings.isEmpty)
  }

  /// What a program does wrong while it is asked again says nothing of the moves.
  @Test(arguments: ["dies", "illegal", "rubbish", "closes"])
  func aProgramThatGoesWrongAccusesNobody(_ does: String) async throws {
    let reports = Reports()
    let seats = try audit(try await play("tic-tac-toe", games: 2), ["DOES=\(does)"], reports: reports).seats
    #expect(seats[0].reason?.name == "refused" && seats[0].checked == 0 && seats[0].findings.isEmpty)
    #expect(reports.all.map(\.costsGame) == [false] && reports.all.first?.isFirst == true)
  }

  @Test func aProgramThatCannotBeStartedAccusesNobody() async throws {
    let match = try await play("tic-tac-toe", games: 1)
    let seats = try audit(match, ["SAYS={"]).seats
    #expect(seats[0].reason?.name == "refused" && seats[0].findings.isEmpty)
  }

  /// Tournaments that want bots whose moves can be audited take those that declare it.
  @Test func whoIsRecomputableIsAdmitted() throws {
    let bots = LineBots(limits: TestBots.patient)
    defer { bots.close() }
    let policies = [
      Create.BotPolicy(isRecomputableOnly: true), .init(nodeLimit: 500), .init(nodeLimit: 499), .init(),
    ]
    for (mode, admitted) in [("pure", [true, true, false, true]), ("able", [false, false, false, true])] {
      let bot = try bots.bot(TestBots.command(mode), for: TestBots.rules("othello"))
      let profile = Profile(name: "bot", bot: BotEntry(bot.declaration, seed: 1))
      #expect(policies.map { $0.admits(profile) } == admitted)
    }
  }
}

/// Plays as another bot does, but for one move of the first seat in the first game.
private struct Smuggler: Bot {
  let honest: any Bot
  let ply: UInt32
  var declaration: BotDeclaration { honest.declaration }
  private let place = Guarded<UInt32?>(nil)

  init(honest: any Bot, ply: UInt32) { (self.honest, self.ply) = (honest, ply) }

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
    let choice = try honest.choose(turn)
    let source = turn.randomness
    guard turn.seat == Seat(0), source.game == 0, source.ply >= ply,
      place.withLock({ $0 == nil || $0 == source.ply }),
      let other = turn.game.legalMoves.first(where: { $0 != choice.code })
    else { return choice }
    place.withLock { $0 = source.ply }
    return BotChoice(other, note: choice.note)
  }
}

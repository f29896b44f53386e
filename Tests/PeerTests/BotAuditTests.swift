import BotKit
import Events
import Games
import MemoryMatchBots
import Platform
import PrisonersDilemmaBots
import Projection
import Rules
import SearchBots
import TestKit
import Testing
import Tournaments

@testable import EventLog
@testable import Peer

/// Bots' moves are played again from the log: no honest bot is accused, and nothing that is smuggled in stays hidden.
@Suite struct BotAuditTests {
  // MARK: - Honest bots

  /// A bot of each family that plays the game, quick ones; of very many every third one, or every eighth.
  private static func bots(_ game: String) -> [String] {
    let arguments = [
      "lookahead": ":1", "monte-carlo": ":2", "solver": ":300", "memory": ":5", "level": ":1",
      "memory-one": ":1:0.25:1:0.25", "zero-determinant": ":0.1:0.5:1",
    ]
    let all = Audits.bots.families(playing: game).map { $0.name + (arguments[$0.name] ?? "") }
    let step = all.count > 40 ? Effort.size(3, quick: 8) : 1
    return stride(from: all.count % step, to: all.count, by: step).map { all[$0] }
  }

  /// Asks a match to stop before so many moves; it is asked before each, and by searches.
  private static func stop(after limit: Int) -> @Sendable () -> Bool {
    let asked = Guarded(0)
    return {
      asked.withLock { asked in
        asked += 1
        return asked > 2 * limit
      }
    }
  }

  @Test(arguments: Games.catalog.definitions.map(\.name))
  func noHonestBotIsAccused(_ game: String) async throws {
    let home = household(with: MemoryMatchBots.families)
    let rules = try #require(Games.catalog.newest(game)).rules()
    let bots = Self.bots(game)
    #expect(bots.count >= 2)
    for (index, first) in bots.enumerated() {
      let players = [first, bots[(index + 1) % bots.count]]
      let plan = Household.MatchPlan(
        rules: rules, players: players, games: 600, seed: 11, name: home.newMatchName(seed: UInt64(index)))
      // Another than the first of its rooms, which is stopped somewhere and gone on with.
      let first = try await home.playMatchRoom(2, of: plan, isCancelled: Self.stop(after: 7))
      let played = try await home.playMatchRoom(
        2, of: plan, in: first.room, isCancelled: Self.stop(after: 36))
      #expect(played.room == first.room)
      let seats = try #require(try home.audit(played.room)).seats
      #expect(seats.count == 2)
      for seat in seats {
        #expect(seat.findings.isEmpty, "\(players): \(seat.findings)")
        #expect(seat.reason == nil && seat.moves > 10 && seat.checked == seat.moves)
      }
    }
  }

  @Test func neitherNoiseNorEndingsByChanceAccuse() async throws {
    var parameters = Parameters()
    (parameters["noise"], parameters["ending"], parameters["rounds"]) = ("200", "50", "100")
    let home = household()
    let plan = Household.MatchPlan(
      rules: try #require(Games.catalog.newest("prisoners-dilemma")).rules(parameters),
      players: ["joss", "random"], games: 10, seed: 2, name: home.newMatchName(seed: 2))
    let played = try await home.playMatchRoom(0, of: plan, isCancelled: { false })
    let seats = try #require(try home.audit(played.room)).seats
    #expect(seats.allSatisfy { $0.findings.isEmpty && $0.checked == $0.moves && $0.moves > 100 })
  }

  @Test func threePlayersOfAMemoryMatch() async throws {
    var parameters = Parameters()
    (parameters["players"], parameters["cards"]) = ("3", "12")
    let home = household(with: MemoryMatchBots.families)
    let plan = Household.MatchPlan(
      rules: try #require(Games.catalog.newest("memory-match")).rules(parameters),
      players: ["memory", "random", "memory:3"], games: 9, seed: 2, name: home.newMatchName(seed: 2))
    let played = try await home.playMatchRoom(0, of: plan, isCancelled: { false })
    let seats = try #require(try home.audit(played.room)).seats
    #expect(seats.count == 3 && seats.allSatisfy { $0.findings.isEmpty && $0.checked == $0.moves })
    #expect(seats.reduce(0) { $0 + $1.checked } > 9 * 12)
  }

  @Test(arguments: TournamentFormat.allCases)
  func theRoomsOfATournament(_ format: TournamentFormat) async throws {
    let home = household()
    let organizer = Organizer(home)
    let entrants = ["random", "greedy", "monte-carlo:2", "random"]
    let room = try await organizer.create(
      Organizer.Plan(
        rules: try #require(Games.catalog.newest("tic-tac-toe")).rules(),
        settings: try TournamentSettings(format: format, entrants: entrants.count), entrants: entrants,
        seed: 7, title: "test"))
    _ = try await organizer.run(room, concurrency: 2, isCancelled: { false }) { _ in }
    let rooms = try home.log.rooms(of: room).map(\.room)
    #expect(rooms.count >= 3)
    for room in rooms {
      let seats = try #require(try home.audit(room)).seats
      #expect(seats.allSatisfy { $0.findings.isEmpty && $0.checked == $0.moves && $0.moves > 1 })
      // Without the tournament nobody knows where random numbers came from.
      let alone = try #require(try home.audit(room, knowsTournaments: false)).seats
      #expect(alone.allSatisfy { $0.reason == .absentTournament && $0.checked == 0 && $0.findings.isEmpty })
    }
  }

  @Test(arguments: [["random"], ["monte-carlo:2"]])
  func aPersonsTableWithMovesTakenBack(_ bots: [String]) async throws {
    let home = household()
    let rules = try #require(Games.catalog.newest("connect-four")).rules()
    var session = try await home.startPlay(
      .init(rules: rules, bots: bots, games: 5, order: .random, profile: Profile(name: "Ada"), seed: 23))
    var numbers = RandomStream(seed: 1)
    var takenBack = 0
    while true {
      if case .bot(let player, let turn) = session.wait() {
        try session.play(try #require(session.players[player].bot).choose(turn), by: player)
      } else if case .person = session.wait() {
        let state = session.state
        if takenBack < 6, state.plyCount > 4, numbers.below(2) == 0 {
          takenBack += 1
          try session.perform(.requestUndo, by: 0)
        } else {
          let moves = try #require(state.position).legalMoves(
            of: try #require(state.seat(of: home.owner.peer)))
          try session.play(BotChoice(moves[Int(numbers.below(UInt64(moves.count)))]), by: 0)
        }
      } else {
        break
      }
    }
    try await home.commit(&session)
    let seats = try #require(try home.audit(session.room)).seats
    let (person, bot) = (seats[0], seats[1])
    #expect(person.reason == .person && person.checked == 0 && person.moves > 5 && person.fallen >= takenBack)
    #expect(bot.reason == nil && bot.findings.isEmpty && bot.checked == bot.moves && bot.moves > 5)
    #expect(takenBack == 6 && bot.fallen >= 6)
  }
}

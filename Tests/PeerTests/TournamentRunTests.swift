import BotKit
import Events
import Games
import Peer
import Platform
import PrisonersDilemmaBots
import Projection
import Rules
import SearchBots
import Testing
import Tournaments

@testable import EventLog

/// A household over a memory log, with a clock that only counts.
func household(
  _ log: any EventLog = MemoryEventLog(network: .standard), owner: UInt8 = 1, with families: [BotFamily] = []
) -> Household {
  let ticks = Guarded<UInt64>(0)
  let now: @Sendable () -> UInt64 = {
    ticks.withLock { ticks in
      ticks += 1; return ticks
    }
  }
  return Household(
    owner: SigningKey(seed: [UInt8](repeating: owner, count: 32)), log: log, games: Games.catalog,
    bots: BotCatalog(SearchBots.families + PrisonersDilemmaBots.families + families), now: now, elapsed: now)
}

@Suite struct TournamentRunTests {
  func plan(_ game: String, _ format: TournamentFormat, _ entrants: [String]) throws -> Organizer.Plan {
    let rules = try #require(Games.catalog.newest(game)).rules()
    return Organizer.Plan(
      rules: rules, settings: try TournamentSettings(format: format, entrants: entrants.count),
      entrants: entrants, seed: 7, title: "test")
  }

  @Test(arguments: [
    (
      "tic-tac-toe", TournamentFormat.singleElimination,
      ["solver", "greedy", "random", "lookahead:2", "random"]
    ),
    ("tic-tac-toe", .roundRobin, ["solver", "greedy", "random"]),
    ("tic-tac-toe", .swiss, ["solver", "greedy", "random", "lookahead:2", "random"]),
    ("tic-tac-toe", .doubleElimination, ["random", "greedy", "solver", "lookahead:2", "random"]),
    ("connect-four", .ladder, ["random", "greedy", "lookahead:3", "random"]),
    ("tic-tac-toe", .groups, ["solver", "greedy", "random", "lookahead:2", "random", "greedy", "random"]),
    ("prisoners-dilemma", .gauntlet, ["joss", "defector", "tit-for-tat", "random"]),
    ("prisoners-dilemma", .roundRobin, ["tit-for-tat", "defector", "joss", "random"]),
  ])
  func aTournamentComesToTheSameEndAtAnyConcurrency(
    _ game: String, _ format: TournamentFormat, _ entrants: [String]
  ) async throws {
    var digests: Set<Digest> = []
    for concurrency in [1, 4] {
      let home = household(owner: UInt8(concurrency))
      let organizer = Organizer(home)
      let room = try await organizer.create(plan(game, format, entrants))
      let end = try await organizer.run(room, concurrency: concurrency, isCancelled: { false }) { _ in }
      #expect(end.state.isComplete)
      digests.insert(try end.standingsDigest())
      for listing in try home.log.rooms(limit: nil) {
        let log = try home.log.load(listing.room, verify: true)
        #expect(log.report(hasher: EventHasher(network: .standard), scheme: Ed25519()).isValid)
      }
    }
    #expect(digests.count == 1)
  }

  /// Axelrod's result: who never cooperates wins each pairing and not the tournament.
  @Test func thePrisonersDilemmaRanksByTheSumOfScores() async throws {
    let rules = try #require(Games.catalog.newest("prisoners-dilemma")).rules()
    let entrants = ["defector", "tit-for-tat", "grudger", "win-stay-lose-shift"]
    let home = household()
    let room = try await Organizer(home).create(
      .init(
        rules: rules, settings: try TournamentSettings(format: .roundRobin, entrants: 4, ranking: .score),
        entrants: entrants, seed: 1, title: ""))
    let end = try await Organizer(home).run(room, concurrency: 2, isCancelled: { false }) { _ in }
    let standings = end.state.standings
    #expect(standings.map(\.tally.score) == standings.map(\.tally.score).sorted(by: >))
    #expect(standings.first?.entrant != EntrantIndex(rawValue: 0))
    #expect(standings.max { $0.tally.wins < $1.tally.wins }?.entrant == EntrantIndex(rawValue: 0))
  }

  /// Stops after every possible number of decisions and goes on with a fresh organizer.
  @Test(arguments: TournamentFormat.allCases.filter { $0 != .roundRobin })
  func aStoppedTournamentGoesOnToTheSameEnd(_ format: TournamentFormat) async throws {
    let entrants = ["greedy", "random", "lookahead:2", "random"]
    let whole = household()
    let organizer = Organizer(whole)
    let room = try await organizer.create(plan("tic-tac-toe", format, entrants))
    let expected = try await organizer.run(room, concurrency: 1, isCancelled: { false }) { _ in }
      .standingsDigest()
    for limit in stride(from: 5, to: 60, by: 7) {
      let home = household()
      let id = try await Organizer(home).create(plan("tic-tac-toe", format, entrants))
      var digest: Digest?
      var rounds = 0
      while digest == nil {
        let left = Guarded(limit)
        let end = try await Organizer(home).run(
          id, concurrency: 2,
          isCancelled: {
            left.withLock { left in
              left -= 1; return left < 0
            }
          }
        ) { _ in }
        if end.state.isComplete { digest = try end.standingsDigest() }
        rounds += 1
        try #require(rounds < 200)
      }
      #expect(digest == expected)
      #expect(limit > 30 || rounds > 1)
    }
  }

  /// A copy of a tournament's log with other words of the organizer's.
  /// - Parameter rooms: how many of the rooms of its games are in the copy.
  private func retold(
    _ tournament: RoomID, of home: Household, rooms: Int? = nil,
    _ change: (inout [Action.PairingResult]) -> Void
  ) throws -> MemoryEventLog {
    let log = MemoryEventLog(network: .standard)
    let whole = try home.log.load(tournament, verify: true)
    var words = whole.entries.compactMap { entry in
      if case .pairingResult(let result) = entry.event.action { result } else { nil }
    }
    let games = try words.prefix(rooms ?? words.count).map { try home.log.load($0.room, verify: true) }
    change(&words)
    let start = try #require(whole.entries.firstIndex { $0.event.kind == .pairingResult })
    var told = RoomLog(room: tournament)
    for entry in whole.entries[..<start] { told.restore(entry.event, signature: entry.signature) }
    var core = home.core(home.owner)
    core.open(told, isDurable: true)
    for word in words {
      let event = try core.write(.pairingResult(word), in: tournament)
      told.restore(event, signature: home.owner.sign(event.id))
    }
    try log.write(([told] + games).map { RoomChange($0, from: 0) })
    return log
  }

  /// A kill between the end of the last game and the word on it: complete for everybody, and the word is still owed.
  @Test func aTournamentWithoutItsLastWordIsCompleteAndGoneOnWith() async throws {
    let home = household()
    let room = try await Organizer(home).create(
      plan("tic-tac-toe", .roundRobin, ["greedy", "random", "random"]))
    let end = try await Organizer(home).run(room, concurrency: 1, isCancelled: { false }) { _ in }
    #expect(try home.log.openTournament(of: home.owner.peer, home.games) == nil)
    let log = try retold(room, of: home) { $0.removeLast() }
    let told = try #require(try log.tournament(room, home.games))
    #expect(told.state.isComplete)
    #expect(try told.standingsDigest() == end.standingsDigest())
    #expect(try log.openTournament(of: home.owner.peer, home.games) == room)
    #expect(
      try log.openTournament(of: PeerID(Bytes32([UInt8](repeating: 9, count: 32), at: 0)), home.games) == nil)
    let decided = Guarded(0)
    let again = try await Organizer(household(log)).run(room, concurrency: 1, isCancelled: { false }) {
      report in
      if case .decided = report { decided.withLock { $0 += 1 } }
    }
    #expect(decided.withLock { $0 } == 1)
    #expect(try again.state.isComplete && again.standingsDigest() == end.standingsDigest())
    #expect(try log.openTournament(of: home.owner.peer, home.games) == nil)
  }

  /// The other way round: complete by words that the games' rooms contradict, and so not complete.
  @Test func aTournamentThatIsCompleteByFalseWordsIsNot() async throws {
    let home = household()
    let room = try await Organizer(home).create(
      plan("tic-tac-toe", .singleElimination, ["solver", "solver"]))
    let end = try await Organizer(home).run(room, concurrency: 1, isCancelled: { false }) { _ in }
    #expect(end.rooms.count == 3)
    let log = try retold(room, of: home, rooms: 1) { words in
      words = [words[0]]
      words[0].games = [[1, 0]]
    }
    #expect(try log.tournament(byWords: room, home.games)?.state.isComplete == true)
    #expect(try log.tournament(room, home.games)?.state.isComplete == false)
    #expect(try log.openTournament(of: home.owner.peer, home.games) == room)
    await #expect(throws: PeerError.self) {
      try await Organizer(household(log)).run(room, concurrency: 1, isCancelled: { false }) { _ in }
    }
  }

  /// An entrant may be spelled in more ways than one; keys follow from what was typed and stands in the log.
  @Test func entrantsMayBeSpelledOutInFull() async throws {
    let home = household()
    let id = try await Organizer(home).create(
      plan("tic-tac-toe", .singleElimination, ["solver:20000000", "solver", "lookahead:02", "greedy"]))
    let end = try await Organizer(home).run(id, concurrency: 1, isCancelled: { false }) { _ in }
    #expect(end.state.isComplete)
    #expect(end.labels == ["solver:20000000", "solver", "lookahead:02", "greedy"])
  }

  /// Longer than a profile takes: the key follows from what stands in the log, and so can be found again.
  @Test func overlongSpellingsAreCutAlike() async throws {
    let long = "solver:" + String(repeating: "0", count: 90) + "7"
    let home = household()
    let id = try await Organizer(home).create(
      plan("tic-tac-toe", .singleElimination, [long, long, "greedy"]))
    let end = try await Organizer(home).run(id, concurrency: 1, isCancelled: { false }) { _ in }
    #expect(end.state.isComplete && Set(end.labels).count == 3)
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    let session = try await home.startPlay(
      .init(rules: rules, bots: [long], order: .first, profile: Profile(name: "Ada"), seed: 1))
    #expect(try await home.resumePlay(session.room).players.count == 2)
  }

  /// What the program plays is replayed in one pass, to the same state as from all events together.
  @Test func playedRoomsAreStraight() async throws {
    let home = household()
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    let match = try await home.playMatchRoom(
      0, of: .init(rules: rules, players: ["random", "greedy"], games: 20, seed: 3),
      isCancelled: { false })
    for verify in [false, true] {
      let straight = try home.log.straightState(of: match.room, verify: verify, home.games)
      var whole = try home.log.projection(of: match.room, home.games)
      #expect(straight?.state.encoded == whole.state.encoded)
      #expect(straight?.events == (try home.log.load(match.room, verify: true).entries.count))
      #expect(straight?.state.games.allSatisfy(\.isAgreed) == true)
    }
    let tournament = try await Organizer(home).create(plan("tic-tac-toe", .roundRobin, ["random", "greedy"]))
    #expect(try home.log.straightState(of: tournament, verify: true, home.games) == nil)
  }

  /// Draws and scores count for nobody, and each room is replayed to the same end.
  @Test func aMatchIsOverWithTheFirstThatHasTheWins() async throws {
    let home = household()
    for (rules, players) in [
      (try #require(Games.catalog.newest("tic-tac-toe")).rules(), ["random", "greedy"]),
      (try noisyDilemma(), ["random", "joss"]),
    ] {
      let plan = Household.MatchPlan(rules: rules, players: players, games: 60, wins: 4, seed: 9)
      let match = try await home.playMatchRoom(0, of: plan, isCancelled: { false })
      let winners = match.games.map { $0.ending?.outcome?.winner }
      let last = try #require(winners.last ?? nil)
      #expect(winners.count { $0 == last } == 4)
      #expect(winners.count { $0 == last.opponent } < 4)
      var projection = try home.log.projection(of: match.room, home.games)
      let state = projection.state
      #expect(state.phase == .finished && state.games.count == match.games.count)
      let isAgreed = state.games.allSatisfy(\.isAgreed)
      #expect(isAgreed)
    }
  }

  private func noisyDilemma() throws -> any GameRules {
    var parameters = Parameters()
    for (name, value) in [("rounds", "200"), ("noise", "150"), ("ending", "20")] { parameters[name] = value }
    return try #require(Games.catalog.newest("prisoners-dilemma")).rules(parameters)
  }

  /// The chance of rounds that one owner's bots play follows from owner, seed and place, not from the room.
  @Test func theSameSeedGivesTheSameChance() async throws {
    let (home, other) = (household(), household(owner: 2))
    let rules = try noisyDilemma()
    func games(_ home: Household, seed: UInt64) async throws -> (
      room: RoomID, chances: [[Chance]], scores: [[Int32]]
    ) {
      let plan = Household.MatchPlan(rules: rules, players: ["tit-for-tat", "random"], games: 6, seed: seed)
      let match = try await home.playMatchRoom(0, of: plan, isCancelled: { false })
      #expect(match.games.count == 6)
      return (
        match.room, match.games.map { $0.plies.map(\.chance) },
        match.games.map { $0.ending?.outcome?.scores ?? [] }
      )
    }
    let first = try await games(home, seed: 3)
    let again = try await games(home, seed: 3)
    #expect(first.room != again.room)
    #expect(first.chances == again.chances && first.scores == again.scores)
    #expect(Set(first.chances.joined()).count == first.chances.joined().count)
    #expect(try await games(home, seed: 4).chances != first.chances)
    #expect(try await games(other, seed: 3).chances != first.chances)
  }

  @Test func aTournamentWithChanceComesToTheSameEndAtAnyConcurrencyAndAfterAStop() async throws {
    let entrants = ["tit-for-tat", "defector", "joss", "random"]
    var digests: Set<Digest> = []
    for (concurrency, stop) in [(1, Int.max), (4, Int.max), (2, 500)] {
      let home = household()
      let organizer = Organizer(home)
      let room = try await organizer.create(
        Organizer.Plan(
          rules: try noisyDilemma(),
          settings: try TournamentSettings(format: .roundRobin, entrants: entrants.count, ranking: .score),
          entrants: entrants, seed: 7, title: "test"))
      let asked = Guarded<Int>(0)
      if stop < .max {
        let part = try await organizer.run(
          room, concurrency: concurrency,
          isCancelled: {
            asked.withLock {
              $0 += 1; return $0 > stop
            }
          }
        ) { _ in }
        #expect(!part.state.isComplete)
      }
      let end = try await organizer.run(room, concurrency: concurrency, isCancelled: { false }) { _ in }
      #expect(end.state.isComplete)
      digests.insert(try end.standingsDigest())
    }
    #expect(digests.count == 1)
  }

  /// A stranger's tournament with settings that none takes is no tournament, and hides none.
  @Test func anImpossibleTournamentIsPassedOver() throws {
    let home = household()
    var core = home.core(home.owner)
    let room = try core.create(
      Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 1,
        nonce: [UInt8](repeating: 1, count: 16), profile: Profile(name: "x"), creatorSeat: 0,
        purpose: .tournament(format: 1, options: 0, seed: 0, title: "")))
    let conduct = PeerCore.Conduct(profile: Profile(name: "x"))
    #expect(try core.doDuties(in: room, conduct))
    try home.log.write([try #require(try core.prepareCommit(room))])
    #expect(try home.log.tournaments().count == 1)
    #expect(try home.log.tournament(room, home.games) == nil)
  }
}

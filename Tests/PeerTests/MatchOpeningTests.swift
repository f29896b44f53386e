import BotKit
import Events
import Games
import Platform
import Projection
import Rules
import TestKit
import Testing
import Tournaments

@testable import EventLog
@testable import Peer

/// Matches whose games begin with openings.
@Suite struct MatchOpeningTests {
  private func plan(
    _ home: Household, _ game: String, games: Int, plies: Int = 2, openings: Int = 3
  ) throws -> Household.MatchPlan {
    let rules = try #require(Games.catalog.newest(game)).rules()
    return Household.MatchPlan(
      rules: rules, players: ["random", "greedy"], games: games, seed: 5, name: home.newMatchName(seed: 5),
      openings: try rules.drawnOpenings(plies: plies, count: openings, seed: 5))
  }

  /// Asks a match to stop when it was asked so often.
  private static func stop(after limit: Int) -> @Sendable () -> Bool {
    let asked = Guarded(0)
    return {
      asked.withLock { asked in
        asked += 1
        return asked > limit
      }
    }
  }

  @Test(arguments: ["tic-tac-toe", "connect-four", "othello", "gomoku", "ultimate-tic-tac-toe", "k-in-a-row"])
  func everyOpeningIsPlayedFromBothSides(_ game: String) async throws {
    let home = household()
    let plan = try plan(home, game, games: 8)
    let played = try await home.playMatchRoom(0, of: plan, isCancelled: { false })
    #expect(played.isOver && played.games.count == 8)
    for record in played.games {
      let opening = plan.openings[record.number / 2 % plan.openings.count]
      #expect(record.opening == 2 && record.hasMoves && record.ending?.cause == .rules)
      #expect(record.plies.prefix(2).map { UInt16($0.code.rawValue) } == opening)
      #expect(record.first == Seat(UInt16(record.number % 2)) && record.plies[0].seat == record.first)
    }
    let seats = try #require(try home.audit(played.room)).seats
    let chosen = played.games.reduce(0) { $0 + $1.plies.count - $1.opening }
    #expect(seats.allSatisfy { $0.findings.isEmpty && $0.checked == $0.moves && $0.fallen == 0 })
    #expect(seats.reduce(0) { $0 + $1.moves } == chosen)
  }

  @Test func aMatchThatGoesOnHasTheSameOpenings() async throws {
    let home = household()
    let plan = try plan(home, "connect-four", games: 900)
    #expect(plan.openings.count == 3)
    for room in [3, 1] {
      let part = try await home.playMatchRoom(room, of: plan, isCancelled: Self.stop(after: 30))
      let first = try #require(part.games.first)
      let opening = plan.openings[room * 128 % 3]
      #expect(first.plies.prefix(2).map { UInt16($0.code.rawValue) } == opening)
      #expect(try home.match(of: part.room).plan.openings == plan.openings)
    }
  }

  @Test func pairingsGoThroughTheOpeningsOfATournament() async throws {
    var digests: Set<Digest> = []
    for concurrency in [1, 3] {
      let home = household(owner: UInt8(concurrency))
      let organizer = Organizer(home)
      var plan = Organizer.Plan(
        rules: try #require(Games.catalog.newest("connect-four")).rules(),
        settings: try TournamentSettings(format: .roundRobin, entrants: 3),
        entrants: ["random", "greedy", "random"], seed: 7, title: "test")
      plan.openings = [[3], [0, 0], [6]]
      let room = try await organizer.create(plan)
      let end = try await organizer.run(room, concurrency: concurrency, isCancelled: { false }) { _ in }
      #expect(end.state.isComplete)
      digests.insert(try end.standingsDigest())
      let rooms = try home.log.rooms(of: room)
      var openings: [[[UInt16]]] = []
      for listing in rooms {
        guard case .create(let create) = listing.create.action else { continue }
        openings.append(create.openings)
        #expect(try home.log.outline(of: listing.room, Games.catalog).state.games.allSatisfy(\.hasMoves))
      }
      #expect(openings.sorted { $0[0][0] < $1[0][0] } == [[[0, 0]], [[3]], [[6]]])
      let read = try #require(try home.log.tournament(room, Games.catalog))
      #expect(read.findings.allSatisfy { $0.kind == .holds } && read.findings.count == 3)
    }
    #expect(digests.count == 1)
  }

  @Test func levelPairingsTakeTheNextOpeningEveryTwoGames() async throws {
    let home = household()
    let organizer = Organizer(home)
    var plan = Organizer.Plan(
      rules: try #require(Games.catalog.newest("tic-tac-toe")).rules(),
      settings: try TournamentSettings(format: .singleElimination, entrants: 2),
      entrants: ["solver", "solver"], seed: 7, title: "test")
    plan.openings = [[4], [0], [8]]
    let room = try await organizer.create(plan)
    let end = try await organizer.run(room, concurrency: 1, isCancelled: { false }) { _ in }
    #expect(end.state.isComplete)
    var openings: [UInt8: [[UInt16]]] = [:]
    for listing in try home.log.rooms(of: room) {
      guard case .create(let create) = listing.create.action,
        case .games(_, _, let attempt) = create.purpose
      else { continue }
      openings[attempt] = create.openings
    }
    #expect(openings.count > 2 && openings[0] == [[4]] && openings[1] == [[4]] && openings[2] == [[0]])
  }

  @Test func drawnOpeningsFollowFromTheSeed() throws {
    for definition in Games.catalog.definitions {
      let rules = try definition.rules()
      guard !["prisoners-dilemma", "memory-match"].contains(definition.name) else {
        #expect(throws: OpeningFault.noOpenings(game: definition.name)) {
          try rules.drawnOpenings(plies: 2, count: 9, seed: 1)
        }
        continue
      }
      let drawn = try rules.drawnOpenings(plies: 3, count: 20, seed: 1)
      #expect(drawn.count == 20 && Set(drawn).count == 20 && drawn.allSatisfy(rules.mayOpen(with:)))
      #expect(try rules.drawnOpenings(plies: 3, count: 20, seed: 1) == drawn)
      #expect(try rules.drawnOpenings(plies: 3, count: 20, seed: 2) != drawn)
      #expect(try rules.drawnOpenings(plies: 3, count: 7, seed: 1) == Array(drawn.prefix(7)))
    }
    let small = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    #expect(try small.drawnOpenings(plies: 1, count: 100, seed: 1).count == 9)
    #expect(throws: OpeningFault.ends(place: 9)) { try small.drawnOpenings(plies: 9, count: 1, seed: 1) }
    let long = try #require(Games.catalog.newest("othello")).rules()
    #expect(Create.canHold(try long.drawnOpenings(plies: 50, count: 1_000, seed: 1)))
  }
}

import BotKit
import Events
import Games
import Platform
import Projection
import Rules
import Testing
import Tournaments

@testable import EventLog
@testable import Peer

/// Old versions of a bot stay callable, and what one has begun no other one goes on with.
@Suite struct BotVersionTests {
  /// Plays the first legal move in version 1, the last one in version 2, and says where it begins.
  private struct EdgeBot: Bot {
    let declaration: BotDeclaration

    func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
      let moves = turn.game.legalMoves
      return BotChoice(moves[declaration.version == 1 ? 0 : moves.count - 1])
    }
  }

  private static func edge(_ version: UInt16) -> BotFamily {
    BotFamily(name: "edge", summary: "test", argument: "[:N]", plays: { $0 == "connect-four" }) {
      _, argument in
      let words = argument.map { "edge:\($0)" } ?? "edge"
      return EdgeBot(declaration: .init(specification: words, version: version, nodeBudget: 0))
    }
  }

  private static let rules = Games.catalog.newest("connect-four")

  private func stop(after limit: Int) -> @Sendable () -> Bool {
    let asked = Guarded(0)
    return {
      asked.withLock { asked in
        asked += 1
        return asked > limit
      }
    }
  }

  @Test func aVersionIsNamedBehindTheName() throws {
    let rules = try #require(Self.rules).rules()
    let bots = BotCatalog([Self.edge(2), Self.edge(1)])
    for (words, version) in [
      ("edge", 2), ("edge:4", 2), ("edge@2", 2), ("edge@1", 1), ("edge@1:4", 1), ("edge@2:4", 2),
    ] as [(String, UInt16)] {
      let declared = try bots.bot(words, for: rules).declaration
      #expect(declared.version == version, "\(words)")
      #expect(declared.specification == (words.contains(":") ? "edge:4" : "edge"))
      let name = try bots.name(of: declared.specification, version: version, for: rules)
      #expect(try bots.bot(name, for: rules).declaration == declared && name.contains("@") == (version == 1))
    }
    for words in ["edge@3", "edge@", "edge@01", "edge@x:4", "edge@1@1", "edge@-1", "edge@65537"] {
      let version = String(words.dropFirst(5).prefix { $0 != ":" })
      #expect(throws: BotError.unknownVersion(bot: "edge", version: version, known: [2, 1])) {
        try bots.bot(words, for: rules)
      }
    }
  }

  /// A program with a new version goes on with a match, a table and a tournament of the old one.
  @Test func whatIsBegunGoesOnInItsVersion() async throws {
    let rules = try #require(Self.rules).rules()
    let log = MemoryEventLog(network: .standard)
    let old = household(log, with: [Self.edge(1)])
    let new = household(log, with: [Self.edge(2), Self.edge(1)])
    let plan = Household.MatchPlan(
      rules: rules, players: ["edge", "edge:4"], games: 2, seed: 3, name: old.newMatchName(seed: 3))
    let whole = try await household(with: [Self.edge(1)]).playMatchRoom(0, of: plan, isCancelled: { false })
    let begun = try await old.playMatchRoom(0, of: plan, isCancelled: stop(after: 9))
    #expect(!begun.isOver)
    let stored = try new.match(of: begun.room)
    #expect(stored.plan.players == ["edge@1", "edge@1:4"] && stored.plan.labels == ["edge", "edge:4"])
    let ended = try await new.playMatchRoom(0, of: stored.plan, in: begun.room, isCancelled: { false })
    #expect(ended.games.map { $0.plies.map(\.code) } == whole.games.map { $0.plies.map(\.code) })
    let organizer = Organizer(old)
    let room = try await organizer.create(
      Organizer.Plan(
        rules: rules, settings: try TournamentSettings(format: .roundRobin, entrants: 2),
        entrants: ["edge", "edge:4"], seed: 7, title: "test"))
    _ = try await Organizer(new).run(room, concurrency: 1, isCancelled: { false }) { _ in }
    for room in [ended.room] + (try log.rooms(of: room).map(\.room)) {
      let seats = try #require(try new.audit(room, by: new.bots)).seats
      #expect(
        seats.allSatisfy { $0.reason == nil && $0.findings.isEmpty && $0.checked == $0.moves && $0.moves > 3 }
      )
    }
  }

  /// A program that has the old version no more says so, and plays nothing.
  @Test func whatCannotGoOnIsSaid() async throws {
    let rules = try #require(Self.rules).rules()
    let log = MemoryEventLog(network: .standard)
    let old = household(log, with: [Self.edge(1)])
    let plan = Household.MatchPlan(
      rules: rules, players: ["edge", "random"], games: 2, seed: 3, name: old.newMatchName(seed: 3))
    let begun = try await old.playMatchRoom(0, of: plan, isCancelled: stop(after: 9))
    let new = household(log, with: [Self.edge(2)])
    let events = try log.load(begun.room, verify: false).graph.events.count
    let stored = try new.match(of: begun.room)
    let error = await #expect(throws: PeerError.self) {
      try await new.playMatchRoom(0, of: stored.plan, in: begun.room, isCancelled: { false })
    }
    #expect(error?.description.contains("has no version “1” here; there is 2") == true)
    #expect(try log.load(begun.room, verify: false).graph.events.count == events)
    #expect(try new.audit(begun.room, by: new.bots)?.seats[0].reason == .otherVersion(1, here: 2))
  }
}

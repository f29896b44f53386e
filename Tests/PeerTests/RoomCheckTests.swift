import EventLog
import Events
import Games
import Peer
import Rules
import Testing
import Tournaments

@Suite struct RoomCheckTests {
  /// A tournament of bots, played to its end in the household's log.
  private func tournament(_ home: Household) async throws -> RoomLog {
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    let entrants = ["greedy", "random", "random"]
    let settings = try TournamentSettings(format: .roundRobin, entrants: entrants.count)
    let organizer = Organizer(home)
    let room = try await organizer.create(
      .init(rules: rules, settings: settings, entrants: entrants, seed: 7, title: "test"))
    _ = try await organizer.run(room, concurrency: 1, isCancelled: { false }) { _ in }
    return try home.log.load(room, verify: true)
  }

  @Test func anHonestTournamentHoldsAndItsRoomsAreMissedWhereTheyAreNot() async throws {
    let home = household()
    let log = try await tournament(home)
    let check = try RoomCheck(log, in: home.log, Games.catalog)
    #expect(check.fault == nil)
    #expect(check.notes.isEmpty && check.findings.isEmpty && !check.isUnproven)
    let alone = try RoomCheck(log, in: nil, Games.catalog)
    #expect(alone.fault == nil)
    #expect(alone.isUnproven)
    #expect(alone.findings.map(\.kind) == [.notProven, .notProven, .notProven])
  }

  @Test func aPairingResultThatTheGamesDoNotGiveIsAFault() async throws {
    let home = household()
    let whole = try await tournament(home)
    let start = try #require(whole.entries.firstIndex { $0.event.kind == .pairingResult })
    guard case .pairingResult(var result) = whole.events[start].action else {
      Issue.record("entry \(start) is no pairing result")
      return
    }
    var log = RoomLog(room: whole.room)
    for entry in whole.entries[..<start] { log.restore(entry.event, signature: entry.signature) }
    var core = home.core(home.owner)
    core.open(log, isDurable: true)
    result.games[0] = result.games[0] == [1, 0] ? [0, 1] : [1, 0]
    let event = try core.write(.pairingResult(result), in: whole.room)
    log.restore(event, signature: home.owner.sign(event.id))
    let fault = try #require(try RoomCheck(log, in: home.log, Games.catalog).fault)
    #expect(fault.event == event.id)
    #expect(fault.reason.contains("every seat had signed"))
  }
}

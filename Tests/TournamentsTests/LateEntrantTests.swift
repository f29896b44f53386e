import TestKit
import Testing

@testable import Tournaments

/// Entrants who come in after the start of a round robin or a gauntlet.
@Suite struct LateEntrantTests {
  private static let formats: [TournamentFormat] = [.roundRobin, .gauntlet]

  private func start(_ format: TournamentFormat, _ entrants: Int, cycles: Int) throws -> TournamentState {
    TournamentState(
      settings: try TournamentSettings(
        format: format, entrants: entrants, games: 2, options: ["cycles": cycles]))
  }

  /// Whenever they come, everybody meets everybody, or the first one, as often as the settings say.
  @Test(arguments: formats, 0..<Effort.size(60, quick: 15))
  func whoeverComesMeetsTheOthers(_ format: TournamentFormat, seed: Int) throws {
    var random = SeededGenerator(state: UInt64(seed))
    let (starters, cycles) = (Int.random(in: 2...7, using: &random), Int.random(in: 1...3, using: &random))
    let entrants = starters + Int.random(in: 1...4, using: &random)
    var state = try start(format, starters, cycles: cycles)
    var played: [TournamentEntry] = []
    while state.seeds.count < entrants || !state.isComplete {
      if state.seeds.count < entrants, state.isComplete || Int.random(in: 0..<4, using: &random) == 0 {
        let next = EntrantIndex(index: state.seeds.count)
        #expect(state.apply(.entry(next)) == nil && state.apply(.entry(next)) == .notNext(next))
        #expect(!state.isComplete)
        continue
      }
      let room = try #require(state.ready.randomElement(using: &random))
      let entry = TournamentEntry.result(room.randomResult(seed: UInt64(seed), absences: true))
      #expect(state.apply(entry) == nil)
      played.append(entry)
    }
    expectMeetings(state, entrants, cycles: cycles)
    // Who comes when makes no difference.
    var other = try start(format, starters, cycles: cycles)
    for late in starters..<entrants { #expect(other.apply(.entry(EntrantIndex(index: late))) == nil) }
    for entry in played.shuffled(using: &random) { #expect(other.apply(entry) == nil) }
    #expect(other.standings == state.standings)
    #expect(other.known == state.known)
  }

  private func expectMeetings(_ state: TournamentState, _ entrants: Int, cycles: Int) {
    let isGauntlet = state.settings.format == .gauntlet
    #expect(state.known.map(\.pairing.number.index) == Array(0..<state.pairingCount))
    #expect(state.pairingCount == cycles * (isGauntlet ? entrants - 1 : entrants * (entrants - 1) / 2))
    var meetings: [Set<EntrantIndex>: [EntrantIndex]] = [:]
    for record in state.known {
      meetings[Set(record.pairing.entrants), default: []].append(record.pairing.first)
    }
    for (_, firsts) in meetings {
      #expect(firsts.count == cycles)
      // The seats change with each cycle.
      #expect(zip(firsts, firsts.dropFirst()).allSatisfy { $0 != $1 })
    }
    for round in state.schedule {
      let inRound = round.compactMap(\.entrants).flatMap { [$0.upper, $0.lower] }
      #expect(Set(inRound).count == inRound.count)
    }
    #expect(state.schedule.joined().compactMap(\.number?.index).sorted() == Array(0..<state.pairingCount))
    #expect(state.standings.count == entrants)
  }

  @Test(arguments: formats) func onlySoManyComeIn(_ format: TournamentFormat) throws {
    var state = try start(format, 2, cycles: 1)
    for late in 2..<min(300, format.mostLateEntrants) {
      #expect(state.apply(.entry(EntrantIndex(index: late))) == nil)
    }
    guard format == .roundRobin else { return }
    #expect(state.seeds.count == 256)
    #expect(state.apply(.entry(EntrantIndex(index: 256))) == .notNext(EntrantIndex(index: 256)))
  }

  /// Who has withdrawn loses to whom it would have met.
  @Test(arguments: formats) func whoHasLeftLosesToWhoComes(_ format: TournamentFormat) throws {
    var state = try start(format, 3, cycles: 1)
    #expect(state.apply(.withdrawal(EntrantIndex(index: 0))) == nil)
    #expect(state.apply(.entry(EntrantIndex(index: 3))) == nil)
    let met = try #require(state.known.first { $0.pairing.entrants.contains(EntrantIndex(index: 3)) })
    #expect(met.decision?.winner == EntrantIndex(index: 3))
  }

  /// A report has the rounds of the tables, and says so where there are others.
  @Test func aReportOfTablesHasNoLateEntrants() throws {
    var state = try start(.roundRobin, 3, cycles: 1)
    _ = try SwissReportLines(state, title: "", names: ["a", "b", "c"])
    #expect(state.apply(.entry(EntrantIndex(index: 3))) == nil)
    #expect(throws: SwissReportLines.Refusal.lateEntrants) {
      _ = try SwissReportLines(state, title: "", names: ["a", "b", "c", "d"])
    }
  }
}

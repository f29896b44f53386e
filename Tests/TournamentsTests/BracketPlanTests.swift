import Rules
import TestKit
import Testing

@testable import Tournaments

/// Where places of knock-outs lie when they are drawn.
struct BracketPlanTests {
  private static let sizes = Array(2...64) + (Effort.isQuick ? [257] : [257, 1_000, 4_096])

  private func settings(_ entrants: Int) throws -> [TournamentSettings] {
    [
      try TournamentSettings(format: .singleElimination, entrants: entrants),
      try TournamentSettings(format: .singleElimination, entrants: entrants, options: ["third-place": 1]),
      try TournamentSettings(format: .doubleElimination, entrants: entrants),
    ]
  }

  /// Each place is there once, half-way between its sources, at least one row from its neighbours.
  @Test(arguments: sizes) func placesDoNotMeet(_ entrants: Int) throws {
    for settings in try settings(entrants) {
      var state = TournamentState(settings: settings)
      expectOrder(try #require(BracketPlan(state)), of: state)
      let part = entrants > 64 ? entrants : entrants / 2
      for _ in 0..<part {
        guard let room = state.ready.first else { break }
        _ = state.apply(.result(room.randomResult(seed: UInt64(entrants), absences: true)))
      }
      expectOrder(try #require(BracketPlan(state)), of: state)
    }
  }

  private func expectOrder(_ plan: BracketPlan, of state: TournamentState) {
    let places = plan.brackets.flatMap(\.places)
    let numbers = places.compactMap(\.pairing.number)
    #expect(Set(numbers).count == numbers.count)
    #expect(Set(numbers) == Set(state.schedule.joined().compactMap(\.number)))
    for bracket in plan.brackets {
      #expect(bracket.places.indices.allSatisfy { liesBetweenItsSources($0, of: bracket) })
      for (_, column) in Dictionary(grouping: bracket.places, by: \.column) {
        let heights = column.map(\.height).sorted()
        #expect(zip(heights, heights.dropFirst()).allSatisfy { $1 - $0 >= BracketPlan.unit })
      }
    }
  }

  private func liesBetweenItsSources(_ index: Int, of bracket: BracketPlan.Bracket) -> Bool {
    let place = bracket.places[index], sources = place.sources.map { bracket.places[$0] }
    let heights = 0..<max(0, bracket.rows - 1) * BracketPlan.unit + 1
    guard place.sources.allSatisfy({ $0 < index }), sources.allSatisfy({ $0.column < place.column }) else {
      return false
    }
    guard let first = sources.first, let last = sources.last else { return heights.contains(place.height) }
    return place.height == (first.height + last.height) / 2 && heights.contains(place.height)
  }

  /// Four entrants in two brackets: losers below, the final and its reset beside the winners.
  @Test func twoBracketsByHand() throws {
    let plan = try #require(BracketPlan(TournamentState(.doubleElimination, 4)))
    let stages = plan.brackets.map { $0.places.map { $0.pairing.stage ?? "" } }
    #expect(stages == [["upper 1", "upper 1", "upper 2", "final", "reset"], ["lower 1", "lower 2"]])
    #expect(plan.brackets[0].places.map(\.column) == [0, 0, 1, 2, 3] && plan.brackets[0].rows == 2)
    #expect(plan.brackets[1].places.map(\.sources) == [[], [0]])
    #expect(try BracketPlan(TournamentState(.swiss, 4)) == nil)
  }

  /// Seven entrants: who has a bye begins in the second round, and the third place lies below.
  @Test func byesAreLeftOut() throws {
    let settings = try settings(7)[1]
    let plan = try #require(BracketPlan(TournamentState(settings: settings)))
    #expect(plan.brackets.map { $0.places.map(\.column) } == [[0, 0, 0, 1, 1, 2], [0]])
    #expect(plan.brackets[0].rows == 3 && plan.brackets[1].places[0].pairing.stage == "third place")
  }
}

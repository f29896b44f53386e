import Pictures
import Terminal
import TestKit
import Testing
import Tournaments

@Suite struct BracketChartTests {
  private static let sizes = Array(2...64) + (Effort.isQuick ? [] : [1_000])

  private func chart(_ state: TournamentState, names: [String]) throws -> BracketChart {
    BracketChart(title: "<Cup> & \"more\"", plan: try #require(BracketPlan(state))) { place in
      func slot(_ side: ScheduledPairing.Slot) -> BracketPicture.Slot? {
        side.entrant.map { BracketPicture.Slot(names[$0.index], seed: $0.index + 1, score: "128½!") }
      }
      let winner = place.decision?.winner.map { $0 == place.upper.entrant ? 0 : 1 }
      return .init(slot(place.upper), slot(place.lower), winner: winner)
    }
  }

  /// No two boxes overlap, none leaves the paper, and each pairing has one, whoever plays in it.
  @Test(arguments: sizes) func boxesDoNotOverlap(_ entrants: Int) throws {
    for (format, options) in [
      (TournamentFormat.singleElimination, ["third-place": 1]), (.singleElimination, [:]),
      (.doubleElimination, [:]),
    ] {
      let state = try Played.state(
        format, entrants, options: options, rooms: entrants, seed: UInt64(entrants))
      let names = Played.names(entrants)
      let lines = try chart(state, names: names).svg()
      let picture = try SVGReader(lines)
      #expect(!picture.elements.contains { ["script", "b"].contains($0.name) })
      let (boxes, paper) = (picture.boxes(["box"]), try #require(picture.paper))
      #expect(boxes.count >= state.schedule.joined().count { $0.number != nil })
      #expect(Box.overlap(in: boxes) == nil, "\(format), \(entrants) entrants")
      #expect(boxes.allSatisfy { $0.x >= 0 && $0.y >= 0 && $0.x + $0.width <= paper.width })
      #expect(boxes.allSatisfy { $0.y + $0.height <= paper.height })
      #expect(try lines == chart(state, names: names).svg())
    }
  }

  /// A character takes 7.4 pixels at most, so that no text meets the next one in its box.
  @Test func namesAreCutToTheirPlace() throws {
    let state = try Played.state(.singleElimination, 8, rooms: 4)
    let picture = try SVGReader(try chart(state, names: Played.names(8)).svg())
    let names = picture.texts.filter { $0.hasSuffix("…") }
    #expect(
      names.count >= 4 && names.allSatisfy { DisplayWidth.columns(of: $0) * 74 <= (244 - 36 - 6 - 52) * 10 })
  }

  @Test func twoEntrantsByHand() throws {
    let state = try Played.state(.doubleElimination, 2, rooms: 0)
    let picture = try SVGReader(try chart(state, names: ["Ada", "Bo"]).svg())
    #expect(
      picture.texts == [
        "<Cup> & \"more\"", "upper 1", "final", "reset", "M1", "1", "Ada", "128½!", "2", "Bo", "128½!", "M2",
        "winner of M1", "loser of M1", "M3", "loser of M2", "winner of M2",
      ])
  }
}

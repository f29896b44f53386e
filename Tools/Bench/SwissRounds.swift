import Rules
import Tournaments

/// A Swiss tournament of 500 entrants and nine rounds: rounds paired, results counted one by one, standings at the end.
struct SwissRounds: Figure {
  let name = "swiss.rounds"

  var summary: String { "seconds of CPU: 500 entrants, nine rounds paired, 2,250 results counted, standings" }

  /// Seconds that bbpPairings took for such a tournament, measured elsewhere.
  private static let bbpPairings = 35.0
  private static let entrants = 500
  private static let rounds = 9

  func measure(_ bench: Bench) async throws {
    let count = bench.size(5, quick: 1)
    bench.tell("\(name): \(count) tournaments")
    var met = 0
    let spans = try (0..<count).map { seed in
      try Span.of { met = try play(seed: UInt64(seed)) }.0
    }
    guard met == Self.rounds * Self.entrants / 2 else {
      throw BenchFailure.differs(name, "\(met) pairs have met instead of each round's 250 new ones")
    }
    let value = spans.map(\.cpu).median
    var line = FigureLine(
      name, value: value, unit: "s of CPU time", floor: Self.bbpPairings, ratio: Self.bbpPairings / value)
    line.add("floor_is", .text("bbpPairings' time for 500 players and nine rounds; measured elsewhere"))
    line.add("rounds", .integer(count))
    try bench.print(line)
  }

  /// Plays a tournament whose results come of strength and luck.
  /// - Returns: how many different pairs have met.
  private func play(seed: UInt64) throws -> Int {
    var random = Chance(seed: seed)
    let settings = try TournamentSettings(
      format: .swiss, entrants: Self.entrants, options: ["rounds": Self.rounds])
    var state = TournamentState(settings: settings)
    while let first = state.ready.first {
      for room in state.ready where room.pairing.round == first.pairing.round {
        let luck = Int(random.next() % 600) - 300
        let lead = room.entrants[1].index - room.entrants[0].index + luck
        let score: Int32 = lead > 60 ? 1 : lead < -60 ? -1 : 0
        _ = state.apply(
          .result(
            PairingResult(
              pairing: room.pairing.number, attempt: room.attempt,
              games: [Outcome(scores: [score, -score])])))
      }
    }
    _ = state.standings
    return Set(state.known.map { Set($0.pairing.entrants) }).count
  }
}

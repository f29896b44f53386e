import Rules
import Tournaments

/// A Swiss tournament of nine rounds: rounds paired, results counted one by one, standings at the end. With twice as
/// many entrants it shows how its time grows.
struct SwissRounds: Figure {
  static let all: [any Figure] = [500, 1_000, 2_000, 4_096].map(SwissRounds.init)

  private let entrants: Int

  var name: String { "swiss.rounds.\(entrants)" }

  var summary: String {
    "seconds of CPU: \(entrants) entrants, nine rounds paired, \(games) results counted, standings"
  }

  var isByNameOnly: Bool { entrants > 1_000 }

  private var games: Int { Self.rounds * entrants / 2 }
  private static let rounds = 9

  /// Seconds that bbpPairings took for such a tournament, measured elsewhere.
  private var bbpPairings: Double? { entrants == 500 ? 35 : nil }

  func measure(_ bench: Bench) async throws {
    let count = isByNameOnly ? 1 : bench.size(5, quick: 1)
    bench.tell("\(name): \(count) tournaments")
    var met = 0
    let spans = try (0..<count).map { seed in
      try Span.of { met = try play(seed: UInt64(seed)) }.0
    }
    guard met == games else {
      throw BenchFailure.differs(name, "\(met) pairs have met instead of \(games)")
    }
    let value = spans.map(\.cpu).median
    var line = FigureLine(
      name, value: value, unit: "s of CPU time", floor: bbpPairings, ratio: bbpPairings.map { $0 / value })
    if bbpPairings != nil {
      line.add("floor_is", .text("bbpPairings' time for as many players and rounds; measured elsewhere"))
    }
    line.add("rounds", .integer(count))
    try bench.print(line)
  }

  /// Plays a tournament whose results come of strength and luck.
  /// - Returns: how many different pairs have met.
  private func play(seed: UInt64) throws -> Int {
    var random = Chance(seed: seed)
    let settings = try TournamentSettings(
      format: .swiss, entrants: entrants, options: ["rounds": Self.rounds])
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

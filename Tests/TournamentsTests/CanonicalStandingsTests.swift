import Rules
import Testing

@testable import Tournaments

struct CanonicalStandingsTests {
  @Test func bytesAreThoseOfTheFormat() throws {
    var state = try TournamentState(.singleElimination, 2)
    try state.play(0, .level)
    let swapped = [Outcome(scores: [-1, 258])]
    #expect(
      state.apply(.result(PairingResult(pairing: PairingNumber(0), attempt: 1, games: swapped))) == nil)
    let expected: [UInt8] =
      Array("parlor-standings-2".utf8) + [1, 0, 2, 0, 1, 2]
      + [0, 0, 0, 1, 0x61, 0, 0, 0, 2, 0xC3, 0xA9]
      + [0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 1, 2]
      + [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 1, 2]
      + [2, 0, 0] + [0, 0, 0, 1, 0, 1, 0, 2]
    #expect(try state.canonicalStandings(labels: ["a", "é"]) == expected)
  }

  @Test func labelsThatLookAlikeDiffer() throws {
    let state = try TournamentState(.roundRobin, 2)
    let composed = try state.canonicalStandings(labels: ["\u{E9}", "b"])
    let decomposed = try state.canonicalStandings(labels: ["e\u{301}", "b"])
    #expect(composed != decomposed)
    #expect(
      try state.canonicalStandings(labels: ["ab", "c"]) != state.canonicalStandings(labels: ["a", "bc"]))
  }

  @Test func labelsMustBeOneForEach() throws {
    let state = try TournamentState(.roundRobin, 3)
    for count in [0, 2, 4] {
      #expect(throws: TournamentError.labels(count, entrants: 3)) {
        try state.canonicalStandings(labels: [String](repeating: "x", count: count))
      }
    }
  }

  /// Every different set of results of three entrants has different bytes.
  @Test func differentResultsHaveDifferentBytes() throws {
    var seen = Set<[UInt8]>()
    var count = 0
    try forEachSequence(of: 3, base: 4) { digits in
      var state = try TournamentState(.roundRobin, 3, games: 1)
      for (number, digit) in digits.enumerated() where digit < 3 {
        try state.play(number, Ending.allCases[digit])
      }
      seen.insert(try state.canonicalStandings(labels: ["a", "b", "c"]))
      count += 1
    }
    #expect(seen.count == count)
  }
}

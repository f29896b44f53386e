import Testing

@testable import Tournaments

struct SettingsTests {
  @Test func namesAndCodesOfFormatsAreFixed() throws {
    #expect(TournamentFormat.names == ["single-elimination", "round-robin"])
    #expect(TournamentFormat.allCases.map(\.rawValue) == [1, 2])
    for format in TournamentFormat.allCases { #expect(try TournamentFormat(name: format.name) == format) }
    #expect(throws: TournamentError.unknownFormat("swiss")) { try TournamentFormat(name: "swiss") }
  }

  @Test func wordsOfAnUnknownFormatListTheKnownOnes() {
    let words = TournamentError.unknownFormat("cup").description
    #expect(words.contains("cup") && words.contains("single-elimination, round-robin"))
  }

  @Test func standardsAreThoseOfTheFormat() throws {
    let knockOut = try TournamentSettings(format: .singleElimination, entrants: 8)
    #expect((knockOut.games, knockOut.deciders) == (1, 2))
    let everybody = try TournamentSettings(format: .roundRobin, entrants: 8)
    #expect((everybody.games, everybody.deciders) == (2, 0))
  }

  @Test func valuesOutsideTheirLimitsAreRefused() throws {
    for format in TournamentFormat.allCases {
      for entrants in [Int.min, -1, 0, 1, 65, Int.max] {
        #expect(throws: TournamentError.entrants(entrants)) {
          try TournamentSettings(format: format, entrants: entrants)
        }
      }
      for games in [-1, 0, 257] {
        #expect(throws: TournamentError.games(games)) {
          try TournamentSettings(format: format, entrants: 2, games: games)
        }
      }
    }
    for deciders in [-1, 17] {
      #expect(throws: TournamentError.deciders(deciders)) {
        try TournamentSettings(format: .singleElimination, entrants: 2, deciders: deciders)
      }
    }
    #expect(throws: TournamentError.decidersWithoutKnockOut(.roundRobin)) {
      try TournamentSettings(format: .roundRobin, entrants: 2, deciders: 1)
    }
  }

  @Test(arguments: TournamentFormat.allCases) func numbersAreDenseByRoundThenPosition(
    _ format: TournamentFormat
  ) throws {
    for entrants in 2...64 {
      let state = try TournamentState(format, entrants)
      let places = state.schedule.joined().filter { $0.number != nil }
      #expect(places.compactMap { $0.number?.index } == Array(0..<state.pairingCount))
      for (round, places) in state.schedule.enumerated() {
        #expect(places.map(\.round) == places.map { _ in round })
        #expect(places.map(\.position) == Array(0..<places.count))
      }
    }
  }
}

import Testing

@testable import Tournaments

struct SettingsTests {
  @Test func namesAndCodesOfFormatsAreFixed() throws {
    #expect(
      TournamentFormat.names == [
        "single-elimination", "round-robin", "swiss", "double-elimination", "gauntlet", "ladder", "groups",
      ])
    #expect(TournamentFormat.allCases.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7])
    for format in TournamentFormat.allCases { #expect(try TournamentFormat(name: format.name) == format) }
    #expect(throws: TournamentError.unknownFormat("swis")) { try TournamentFormat(name: "swis") }
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
      for entrants in [Int.min, -1, 0, 1, format.mostEntrants + 1, Int.max] {
        #expect(throws: TournamentError.entrants(entrants, 2...format.mostEntrants)) {
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
      #expect(throws: TournamentError.option("deciders", deciders, 0...16)) {
        try TournamentSettings(format: .singleElimination, entrants: 2, options: ["deciders": deciders])
      }
    }
    for (entrants, most) in [(8, 7), (9, 9), (1_000, 255), (1_001, 24), (4_096, 24)] {
      let settings = try TournamentSettings(format: .swiss, entrants: entrants, options: ["rounds": most])
      #expect(settings.value(of: .rounds) == most)
      #expect(throws: TournamentError.option("rounds", most + 1, 1...most)) {
        try TournamentSettings(format: .swiss, entrants: entrants, options: ["rounds": most + 1])
      }
    }
    #expect(throws: TournamentError.optionOfOthers("deciders", .roundRobin)) {
      try TournamentSettings(format: .roundRobin, entrants: 2, options: ["deciders": 1])
    }
  }

  /// Every byte of options is that of one choice, or of none.
  @Test(arguments: TournamentFormat.allCases) func optionsStandInOneByte(_ format: TournamentFormat) throws {
    for entrants in [2, 3, 8] {
      var known: Set<UInt8> = []
      for byte in UInt8.min...UInt8.max {
        do throws(TournamentError) {
          let settings = try TournamentSettings(
            format: format, entrants: entrants, games: nil, byte: byte, ranking: .points)
          let chosen = format.options.compactMap { option in
            settings.value(of: option).map { (option.name, $0) }
          }
          let again = try TournamentSettings(
            format: format, entrants: entrants, options: Dictionary(uniqueKeysWithValues: chosen))
          #expect(settings == again && again.options == byte)
          known.insert(byte)
        } catch { #expect(!error.description.isEmpty) }
      }
      let standard = try TournamentSettings(format: format, entrants: entrants)
      #expect(known.contains(standard.options))
    }
  }

  @Test(arguments: TournamentFormat.allCases) func numbersAreDenseByRoundThenPosition(
    _ format: TournamentFormat
  ) throws {
    for entrants in 2...64 {
      let state = try TournamentState(format, entrants)
      let places = state.schedule.joined().filter { $0.number != nil }
      if format.followsWords, format.results != .tree {
        #expect(places.compactMap { $0.number?.index } == Array(0..<state.ledger.knownCount))
        continue
      }
      #expect(places.compactMap { $0.number?.index } == Array(0..<state.pairingCount))
      for (round, places) in state.schedule.enumerated() {
        #expect(places.map(\.round) == places.map { _ in round })
        #expect(places.map(\.position) == Array(0..<places.count))
      }
    }
  }
}

import BotKit
import Foundation
import Games
import PrisonersDilemmaBots
import Rules
import TestKit
import Testing

/// Strategies that carry a state, are described by numbers, or stand in the document's table.
@Suite struct PrisonersDilemmaStateTests {
  private let catalog = BotCatalog(PrisonersDilemmaBots.families)

  /// With noise and an end by chance, a bot that is asked turn by turn, forwards, twice and for other games in between
  /// chooses as one that is made anew for each turn does.
  @Test(arguments: [1, 2] as [UInt64])
  func whatABotKeepsChangesNoChoice(seed: UInt64) throws {
    var parameters = Parameters()
    for (name, value) in ["rounds": "40", "payoffs": "axelrod", "noise": "100", "ending": "1"] {
      parameters[name] = value
    }
    let rules = try GameDefinition(PrisonersDilemma.self).rules(parameters)
    var chance = Chance(seed: seed)
    var turns: [BotTurn] = []
    for number in 0..<2 as Range<UInt32> {
      var game = rules.start(first: Seat(0))
      for ply in 0..<40 as Range<UInt32> {
        guard case .round = game.turn else { break }
        let randomness = RandomSource(seed: seed, game: number, seat: Seat(0), ply: ply)
        turns.append(BotTurn(game: game, seat: Seat(0), randomness: randomness))
        let codes = (0...1).map { _ in MoveCode(UInt32(chance.below(2))) }
        let isPlayed = game.resolve(codes, by: Chance(seed: chance.next()))
        #expect(isPlayed)
      }
    }
    #expect(turns.count > 20)
    for family in PrisonersDilemmaBots.families where family.argument == nil {
      let expected = try turns.map { try catalog.bot(family.name, for: rules).choose($0).code }
      let kept = try catalog.bot(family.name, for: rules)
      for order in [
        turns.indices.map { $0 }, turns.indices.reversed(),
        turns.indices.flatMap { [$0, $0, $0 * 7 % turns.count] },
      ] {
        for index in order {
          #expect(try kept.choose(turns[index]).code == expected[index], "\(family.name)")
        }
      }
    }
  }

  /// Probabilities of 0 and 1 make the deterministic strategies of memory one.
  @Test(arguments: [
    ("memory-one:1:0:1:0", "tit-for-tat"), ("memory-one:1:0:0:1", "win-stay-lose-shift"),
    ("memory-one:0:0:0:0:0", "defector"), ("memory-one:1:0:1:0:0", "suspicious-tit-for-tat"),
    ("memory-one:1:0.0:1.000000:0:1", "tit-for-tat"),
  ])
  func memoryOneOfZeroesAndOnes(specification: String, name: String) throws {
    for other in ["random", "alternator", "bully", "prober"] {
      let games = try [specification, name].map {
        try PrisonersDilemmaMatch(.bot($0), .bot(other), rounds: 60, seed: 4).letters
      }
      #expect(games[0] == games[1], "\(specification) against \(other)")
    }
  }

  /// A strategy of numbers is the named one of the same numbers; both draw the same, but for a rare case in which a
  /// bound asks for another number.
  @Test func namedOnesAreThoseOfTheirNumbers() throws {
    for (specification, name) in [
      ("zero-determinant:0.25:0.5:3", "zd-gtft-2"), ("zero-determinant:0.1:0:1", "zd-mischief"),
      ("memory-one:0.95:0.05:0.05:0.95", "stochastic-wsls"),
    ] {
      let games = try [specification, name].map {
        try PrisonersDilemmaMatch(.bot($0), .bot("random"), rounds: 200, seed: 9).letters
      }
      let differences = zip(games[0][0].utf8, games[1][0].utf8).count { $0 != $1 }
      #expect(differences <= 2, "\(specification): \(games)")
    }
  }

  /// Over many rounds its surplus over P is twice the other's, whoever that is.
  @Test(arguments: ["random", "win-stay-lose-shift", "cooperator"])
  func extortionGetsItsShare(other: String) throws {
    let scores = try (0..<20 as Range<UInt32>).reduce([0, 0]) { sum, number in
      let match = try PrisonersDilemmaMatch(
        .bot("zd-extort-2"), .bot(other), rounds: 1000, seed: 3, number: number)
      return [sum[0] + Int(match.scores[0]), sum[1] + Int(match.scores[1])]
    }
    let surplus = scores.map { Double($0) / 20_000 - 1 }
    #expect(abs(surplus[0] - 2 * surplus[1]) < 0.1, "\(surplus)")
    #expect(surplus[1] > 0.05)
  }

  @Test(arguments: [
    "memory-one", "memory-one:", "memory-one:1", "memory-one:1:0:1", "memory-one:1:0:1:0:1:1",
    "memory-one:1:0:1:2",
    "memory-one:1:0:1:-0.1", "memory-one:1:0:1:x", "memory-one:1:0:1:0.1234567", "memory-one:1::1:0",
    "memory-one:1:0:1:0.", "memory-one:1:0:1:+1", "memory-one:1:0:1:99999999999999999999",
    "zero-determinant:0.1:0.5", "zero-determinant:0.1:0.5:101",
    "zero-determinant:0.1234:0.5:1", "zero-determinant",
  ])
  func badNumbersAreRefused(specification: String) throws {
    let rules = try PrisonersDilemmaMatch.rules(rounds: 1)
    #expect(throws: BotError.self) { try catalog.bot(specification, for: rules) }
  }

  /// The first tournament had fourteen entries and RANDOM, each of which is here.
  @Test func theFirstTournamentIsWhole() throws {
    let catalog = BotCatalog(PrisonersDilemmaBots.families, collections: PrisonersDilemmaBots.collections)
    let members = catalog.members("axelrod-first", playing: "prisoners-dilemma")
    #expect(members.count == 15 && Set(members).count == 15)
    #expect(Set(members).isSubset(of: PrisonersDilemmaBots.families.map(\.name)))
    let others = Strategy.firstTournament.map(\.name).filter { $0 != "revised-downing" }
    #expect(Set(members) == Set(others + ["tit-for-tat", "grudger", "joss", "random"]))
    #expect(catalog.members("axelrod-first", playing: "tic-tac-toe") == ["axelrod-first"])
    #expect(catalog.members("joss", playing: "prisoners-dilemma") == ["joss"])
  }

  @Test func numbersStandInTheDeclaration() throws {
    let bot = try catalog.bot("zero-determinant:-100:100:-100", for: PrisonersDilemmaMatch.rules(rounds: 3))
    #expect(bot.declaration.specification == "zero-determinant:-100:100:-100")
    let match = try PrisonersDilemmaMatch(
      .bot("zero-determinant:-100:100:-100"), .bot("random"), rounds: 20, payoffs: "100,99,-99,-100")
    #expect(match.letters[0].utf8.count == 20)
  }

  /// Docs/STRATEGIES.md holds the table of all strategies; `PARLOR_WRITE_SNAPSHOTS=1` writes it.
  @Test func theDocumentHasTheTable() throws {
    let rows = Strategy.all.map { strategy in
      let memory = strategy.memory.map { "\($0)" } ?? "all"
      return "| `\(strategy.name)` | \(strategy.summary) | \(memory) | \(strategy.isStochastic ? "yes" : "") "
        + "| \(strategy.source.rawValue) |"
    }
    let table = (["| name | what it does | memory | draws | source |", "|---|---|---|---|---|"] + rows)
      .joined(separator: "\n")
    let file = PackageFolder.file("Docs/STRATEGIES.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: "| name |"))
    let end =
      text.range(of: "\n\n", range: start.lowerBound..<text.endIndex)?.lowerBound
      ?? text.index(before: text.endIndex)
    if ProcessInfo.processInfo.environment["PARLOR_WRITE_SNAPSHOTS"] == nil {
      #expect(text[start.lowerBound..<end] == table, "PARLOR_WRITE_SNAPSHOTS=1 writes the table")
    } else {
      let written = text.replacingCharacters(in: start.lowerBound..<end, with: table)
      try Data(written.utf8).write(to: file, options: .atomic)
    }
  }
}

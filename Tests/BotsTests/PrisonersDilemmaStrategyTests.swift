import BotKit
import Games
import PrisonersDilemmaBots
import Rules
import Testing

@Suite struct PrisonersDilemmaStrategyTests {
  private let catalog = BotCatalog(PrisonersDilemmaBots.families)

  /// What a bot chooses as `seat` after these rounds.
  private func choice(
    _ name: String, own: [Character], other: [Character], seat: Seat = Seat(0), seed: UInt64 = 1,
    payoffs: String = "axelrod"
  ) throws -> Character {
    let rules = try PrisonersDilemmaMatch.rules(rounds: 1000, payoffs: payoffs)
    var game = rules.start(first: Seat(0))
    for (a, b) in seat == Seat(0) ? zip(own, other) : zip(other, own) {
      let isPlayed = game.resolve([a, b].map { MoveCode($0 == "C" ? 0 : 1) }, by: .none)
      #expect(isPlayed)
    }
    let randomness = RandomSource(seed: seed, seat: seat, ply: UInt32(own.count))
    let choice = try catalog.bot(name, for: rules).choose(
      BotTurn(game: game, seat: seat, randomness: randomness))
    #expect(choice.note == nil)
    return Character(game.text(of: choice.code))
  }

  /// Each strategy as the literature words it, over all histories of up to four rounds, on both seats.
  @Test(arguments: [
    "tit-for-tat", "grudger", "win-stay-lose-shift", "defector", "cooperator",
    "win-stay-lose-shift by payoff",
  ])
  func everyShortHistory(definition: String) throws {
    let name = String(definition.prefix { $0 != " " })
    for rounds in 0...4 {
      for number in 0..<(1 << (2 * rounds)) {
        let own = (0..<rounds).map { number >> (2 * $0) & 1 == 0 ? Character("C") : "D" }
        let other = (0..<rounds).map { number >> (2 * $0 + 1) & 1 == 0 ? Character("C") : "D" }
        let expected = Self.expected(definition, own: own, other: other)
        for seat in [Seat(0), Seat(1)] {
          let chosen = try choice(name, own: own, other: other, seat: seat)
          #expect(chosen == expected, "\(definition) after \(String(own)) against \(String(other))")
        }
      }
    }
  }

  private static func expected(_ definition: String, own: [Character], other: [Character]) -> Character {
    switch definition {
    case "tit-for-tat": return other.last ?? "C"
    case "grudger": return other.contains("D") ? "D" : "C"
    case "win-stay-lose-shift": return own.last == other.last ? "C" : "D"
    case "defector": return "D"
    case "cooperator": return "C"
    default:
      guard let mine = own.last, let theirs = other.last else { return "C" }
      let payoff = ["CC": 3, "CD": 0, "DC": 5, "DD": 1]["\(mine)\(theirs)"] ?? 0
      return payoff >= 3 ? mine : mine == "C" ? "D" : "C"
    }
  }

  /// Joss is tit-for-tat but for defections after cooperations.
  @Test func jossNeverForgives() throws {
    for seed in 0..<200 as Range<UInt64> {
      #expect(try choice("joss", own: [], other: [], seed: seed) == "C")
      #expect(try choice("joss", own: ["C", "C"], other: ["C", "D"], seed: seed) == "D")
    }
    let answers = try Set(
      (0..<200 as Range<UInt64>).map { try choice("joss", own: ["C"], other: ["C"], seed: $0) })
    #expect(answers == ["C", "D"])
  }

  /// Ten games of 1,000 rounds: an exact count, because the numbers are seeded, inside five standard
  /// deviations.
  @Test func jossDefectsAfterOneCooperationInTen() throws {
    let cooperations = try (0..<10 as Range<UInt32>).reduce(0) { sum, number in
      let match = try PrisonersDilemmaMatch(
        .bot("joss"), .bot("cooperator"), rounds: 1000, seed: 11, number: number)
      return sum + match.cooperations(of: 0)
    }
    #expect((9001 - 150...9001 + 150).contains(cooperations))
    #expect(cooperations == 8994)
  }

  @Test func randomChoosesEvenly() throws {
    let cooperations = try (0..<10 as Range<UInt32>).reduce([0, 0]) { sum, number in
      let match = try PrisonersDilemmaMatch(
        .bot("random"), .bot("random"), rounds: 1000, seed: 11, number: number)
      return [sum[0] + match.cooperations(of: 0), sum[1] + match.cooperations(of: 1)]
    }
    for count in cooperations { #expect((5000 - 250...5000 + 250).contains(count)) }
    #expect(cooperations == [5088, 4940])
  }

  /// The same turn gives the same choice; another seed gives another game.
  @Test(arguments: ["random", "joss"])
  func choicesComeFromTheSeedAlone(name: String) throws {
    let games = try [3, 3, 4].map {
      try PrisonersDilemmaMatch(.bot(name), .bot("tit-for-tat"), seed: $0).letters
    }
    #expect(games[0] == games[1])
    #expect(games[0] != games[2])
  }

  @Test func familiesPlayThisGameOnly() throws {
    let names = PrisonersDilemmaBots.families.map(\.name)
    #expect(Set(names).count == names.count && names.count >= 60)
    #expect(
      names.prefix(7) == [
        "tit-for-tat", "grudger", "win-stay-lose-shift", "defector", "cooperator", "random", "joss",
      ])
    let rules = try PrisonersDilemmaMatch.rules(rounds: 1)
    for family in PrisonersDilemmaBots.families {
      #expect(family.plays("prisoners-dilemma") && !family.plays("tic-tac-toe"))
      #expect(!family.summary.isEmpty && family.summary.utf8.count <= 110, "\(family.name)")
      #expect(
        family.name.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
      )
      guard family.argument == nil else { continue }
      let declaration = try catalog.bot(family.name, for: rules).declaration
      #expect(declaration == BotDeclaration(specification: family.name, version: 1, nodeBudget: 0))
    }
    #expect(throws: BotError.self) { try catalog.bot("joss:0.9", for: rules) }
    #expect(throws: BotError.self) { try catalog.bot("joss", for: GameDefinition(TicTacToe.self).rules()) }
  }

  @Test func foreignTurnsAreRefused() throws {
    let rules = try PrisonersDilemmaMatch.rules(rounds: 1)
    let bot = try catalog.bot("grudger", for: rules)
    let randomness = RandomSource(seed: 1, seat: Seat(0), ply: 0)
    let other = try GameDefinition(TicTacToe.self).rules().start(first: Seat(0))
    #expect(throws: BotError.self) {
      try bot.choose(BotTurn(game: other, seat: Seat(0), randomness: randomness))
    }
    let game = rules.start(first: Seat(0))
    #expect(throws: BotError.self) {
      try bot.choose(BotTurn(game: game, seat: Seat(2), randomness: randomness))
    }
    #expect(throws: BotError.cancelled) {
      try bot.choose(BotTurn(game: game, seat: Seat(0), randomness: randomness, isCancelled: { true }))
    }
  }
}

import Games
import Rules
import TestKit
import Testing

@Suite struct PrisonersDilemmaTests {
  private func rules(_ settings: [String: String] = [:]) throws(RulesError) -> PrisonersDilemma {
    var parameters = Parameters()
    for name in settings.keys.sorted() { parameters[name] = settings[name] }
    return try PrisonersDilemma(parameters)
  }

  /// A game after rounds such as `CC CD`, seat 0 first.
  private func played(
    _ rounds: String, _ settings: [String: String] = [:], by chance: Chance = .none
  ) throws -> GameOf<PrisonersDilemma> {
    let rules = try rules(settings)
    var game = GameOf(rules: rules, position: rules.start(first: Seat(0)))
    for round in rounds.split(separator: " ") {
      let isPlayed = game.resolve(round.compactMap { game.code(text: String($0)) }, by: chance)
      #expect(isPlayed, "\(round)")
    }
    return game
  }

  @Test func standardPayoffsAreTheArticles() throws {
    #expect(try played("CC").position.scores == [2, 2])
    #expect(try played("CD").position.scores == [-1, 3])
    #expect(try played("DC").position.scores == [3, -1])
    #expect(try played("DD").position.scores == [0, 0])
    #expect(try played("CC CD DC DD CC").position.scores == [6, 6])
  }

  @Test func payoffsOfTheLiterature() throws {
    #expect(try played("CC CD", ["payoffs": "axelrod"]).position.scores == [3, 8])
    #expect(try played("DC DD", ["payoffs": "5,3,1,0"]).position.scores == [6, 1])
  }

  @Test func gameIsOverAfterItsRounds() throws {
    var game = try played("CD", ["rounds": "2"])
    #expect(game.turn == .round(.all(2)))
    let isPlayed = game.resolve([MoveCode(1), MoveCode(1)], by: .none)
    #expect(isPlayed)
    #expect(game.turn == .over(Outcome(scores: [-1, 3])))
    #expect(game.turn.outcome?.winner == Seat(1))
    let before = game
    let isPlayedAgain = game.resolve([MoveCode(0), MoveCode(0)], by: .none)
    #expect(!isPlayedAgain && game == before)
  }

  /// The largest sums stay far from the ends of 32 bits.
  @Test(arguments: [(0, 1, [-100_000, 100_000]), (0, 0, [99_000, 99_000]), (1, 1, [-99_000, -99_000])])
  func longestGameOfLargestPayoffs(first: UInt32, second: UInt32, scores: [Int32]) throws {
    let rules = try rules(["rounds": "1000", "payoffs": "100,99,-99,-100"])
    var game = GameOf(rules: rules, position: rules.start(first: Seat(1)))
    var rounds = 0
    while game.resolve([MoveCode(first), MoveCode(second)], by: .none) { rounds += 1 }
    #expect(rounds == 1000)
    #expect(game.turn == .over(Outcome(scores: scores)))
    #expect(game.encoded.count == 12 + 2 * 125)
  }

  @Test func historiesKeepEveryRound() throws {
    let rounds = (0..<200).map { ["CC", "CD", "DC", "DD"][$0 * $0 / 3 % 4] }
    let position = try played(rounds.joined(separator: " "), ["rounds": "201"]).position
    for (seat, place) in [(Seat(0), 0), (Seat(1), 1)] {
      let history = position.history(of: seat)
      let texts = (0..<200).map { history[$0] == .cooperate ? Character("C") : Character("D") }
      #expect(texts == rounds.map { Array($0)[place] })
      #expect(history.count == 200 && history.last == history[199])
      #expect(history.defections == texts.count { $0 == "D" } && history.hasDefected)
    }
    #expect(position.roundsPlayed == 200)
  }

  @Test func encodingIsAsDocumented() throws {
    let game = try played("CD CC DC DD CC CC CC CC CD")
    #expect(
      game.encoded == [0, 0, 0, 9, 0, 0, 0, 11, 0, 0, 0, 15, 0b0000_1100, 0, 0b0000_1001, 1])
    #expect(try played("CD").encoded == [0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 3, 0, 1])
  }

  @Test func diagramTellsRoundScoresAndChoices() throws {
    #expect(try played("").diagram.lines.map { $0.text() } == ["Round 1 of 10", "Score: seat 1 0, seat 2 0"])
    #expect(
      try played("CC CD").diagram.lines.map { $0.text() }
        == ["Round 3 of 10", "Score: seat 1 1, seat 2 5", "Round 2: seat 1 cooperated, seat 2 defected"])
    #expect(
      try played("DD", ["rounds": "1"]).diagram.lines.map { $0.text() }
        == ["1 of 1 rounds played", "Score: seat 1 0, seat 2 0", "Round 1: seat 1 defected, seat 2 defected"])
  }

  @Test func choicesAreReadInAnyCase() throws {
    let rules = try rules()
    for text in ["C", "c", "cooperate", "Cooperate", "COOPERATE"] {
      #expect(rules.move(text: text) == .cooperate)
    }
    for text in ["D", "d", "defect", "Defect", "DEFECT"] { #expect(rules.move(text: text) == .defect) }
    for text in ["", "CC", "coop", "cooperates", " c", "0", "С"] {
      #expect(rules.move(text: text) == nil, "\(text)")
    }
    #expect(rules.text(of: .cooperate) == "C" && rules.text(of: .defect) == "D")
    #expect(rules.move(code: MoveCode(2)) == nil && rules.move(code: MoveCode(256)) == nil)
  }

  @Test func goldenPlaythroughs() throws {
    try Playthrough.check(
      PrisonersDilemma.self,
      settings: [
        ["rounds=4"], [], ["rounds=65", "payoffs=axelrod"], ["rounds=12", "noise=400", "ending=100"],
      ])
  }
}

@Suite struct PrisonersDilemmaParametersTests {
  private func parameters(_ name: String, _ value: String) -> Parameters {
    var parameters = Parameters()
    parameters[name] = value
    return parameters
  }

  @Test func standardSettings() throws {
    let standard = try PrisonersDilemma(Parameters())
    #expect(standard.rounds == 10 && standard.payoffs == .article)
    #expect(standard.parameters.encoded == Array("ending=0\nnoise=0\npayoffs=3,2,0,-1\nrounds=10\n".utf8))
  }

  @Test(arguments: [("article", "3,2,0,-1"), ("axelrod", "5,3,1,0"), ("100,1,0,-99", "100,1,0,-99")])
  func payoffsBecomeNumbers(value: String, canonical: String) throws {
    let rules = try PrisonersDilemma(parameters("payoffs", value))
    #expect(rules.parameters["payoffs"] == canonical)
    #expect(try PrisonersDilemma(rules.parameters) == rules)
  }

  @Test(arguments: [1, 2, 64, 999, 1000])
  func everyNumberOfRoundsInRange(rounds: Int) throws {
    #expect(try PrisonersDilemma(parameters("rounds", "\(rounds)")).rounds == rounds)
  }

  @Test(arguments: ["0", "1001", "-1", "", "010", "+10", "10 ", "1e1", "ten", "١٠", "99999999999999999999"])
  func badRoundsAreRefusedWithWords(value: String) {
    #expect(
      throws: RulesError.badParameter(
        name: "rounds", value: value, expected: "it takes a whole number from 1 to 1000")
    ) { try PrisonersDilemma(parameters("rounds", value)) }
  }

  @Test(arguments: [
    ("noise", "501"), ("noise", "-1"), ("noise", "0.1"), ("ending", "1001"), ("ending", "5%"),
  ])
  func badChancesAreRefusedWithWords(name: String, value: String) {
    let error = #expect(throws: RulesError.self) { try PrisonersDilemma(parameters(name, value)) }
    guard case .badParameter(name, value, let expected) = error else {
      Issue.record("refused as \(String(describing: error))")
      return
    }
    #expect(expected.contains(name == "noise" ? "from 0 to 500" : "from 0 to 1000"))
  }

  @Test(arguments: [
    "", ",", ",,,", "3,2,0", "3,2,0,-1,5", "3,2,0,-1,", "3, 2,0,-1", "+3,2,0,-1", "3,2,0,-01", "3,2,-0,-1",
    "3,2,0,x",
    "3;2;0;-1", "Article", "101,2,0,-1", "3,2,0,-101", "2,2,0,-1", "3,0,0,-1", "3,2,-1,-1", "1,2,3,4",
    "100,1,0,-98",
    "9223372036854775808,2,0,-1", "9223372036854775807,9223372036854775806,0,-9223372036854775808",
  ])
  func badPayoffsAreRefusedWithWords(value: String) {
    let error = #expect(throws: RulesError.self) { try PrisonersDilemma(parameters("payoffs", value)) }
    guard case .badParameter("payoffs", value, let expected) = error else {
      Issue.record("refused as \(String(describing: error))")
      return
    }
    #expect(expected.contains("T > R > P > S") && expected.contains("2R > T + S"))
  }

  /// All payoffs of a small range against the definition.
  @Test func payoffsAreThoseOfAPrisonersDilemma() {
    for number in 0..<(7 * 7 * 7 * 7) {
      let (t, r, p, s) = (number % 7 - 3, number / 7 % 7 - 3, number / 49 % 7 - 3, number / 343 - 3)
      let isDilemma = t > r && r > p && p > s && r + r > t + s
      let payoffs = PrisonersDilemma.Payoffs(temptation: t, reward: r, punishment: p, sucker: s)
      #expect((payoffs != nil) == isDilemma, "\(t),\(r),\(p),\(s)")
    }
  }

  @Test func unknownSettingsAreNamed() {
    #expect(throws: RulesError.unknownParameter("round", known: ["rounds", "payoffs", "noise", "ending"])) {
      try PrisonersDilemma(parameters("round", "10"))
    }
  }
}

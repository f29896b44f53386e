import BotKit
import Games
import Rules
import SearchBots
import TestKit
import Testing

/// What looking ahead sees of lines of stones.
@Suite struct LineSearchTests {
  /// The moves that a bot may play, over several seeds.
  private func choices<R: Rules>(
    _ specification: String, _ rules: R, after moves: String
  ) throws -> Set<String> {
    var state = GameOf(rules: rules, position: rules.start(first: Seat(0)))
    for text in moves.split(separator: " ") {
      let code = try #require(state.code(text: String(text)))
      let isPlayed = state.play(code)
      #expect(isPlayed, "\(text)")
    }
    guard case .seat(let seat) = state.turn else { return [] }
    let bot = try BotCatalog(SearchBots.families)
      .bot(specification, for: GameDefinition(R.self).rules(rules.parameters))
    var texts: Set<String> = []
    for seed in 0..<UInt64(5) {
      let source = RandomSource(seed: seed, seat: seat, ply: 0)
      let choice = try bot.choose(BotTurn(game: state, seat: seat, randomness: source))
      texts.insert(state.text(of: choice.code))
    }
    return texts
  }

  private func rules(_ settings: [String: String] = [:]) throws -> KInARow {
    var parameters = Parameters()
    for (name, value) in settings { parameters[name] = value }
    return try KInARow(parameters)
  }

  @Test(arguments: ["greedy", "lookahead:1", "lookahead:2", "lookahead:3"])
  func aLineIsCompleted(_ bot: String) throws {
    #expect(try choices(bot, try rules(), after: "d4 a1 e4 a2 f4 a3 g4 c4") == ["h4"])
  }

  @Test(arguments: ["greedy", "lookahead:1", "lookahead:2", "lookahead:3"])
  func aFourIsBlocked(_ bot: String) throws {
    #expect(try choices(bot, try rules(), after: "d4 c4 e4 a2 f4 a8 g4") == ["h4"])
  }

  /// Three with both ends open: beside it, or two steps from it.
  @Test(arguments: Effort.cases(["lookahead:1", "lookahead:2", "lookahead:3"], quick: 2))
  func anOpenThreeIsBlocked(_ bot: String) throws {
    let played = try choices(bot, try rules(), after: "d5 a1 e5 i9 f5")
    #expect(played.isSubset(of: ["b5", "c5", "g5", "h5"]) && !played.isEmpty, "\(played)")
  }

  @Test(arguments: Effort.cases(["lookahead:1", "lookahead:2", "lookahead:3"], quick: 2))
  func anOpenFourIsMade(_ bot: String) throws {
    let played = try choices(bot, try rules(), after: "d5 a1 e5 i9 f5 a9")
    #expect(played.isSubset(of: ["c5", "g5"]) && !played.isEmpty, "\(played)")
  }

  @Test func aLineThatIsTooLongIsNoThreat() throws {
    let moves = "a1 a9 b1 b9 c1 i9 e1 h9 f1"
    #expect(try choices("lookahead:2", try rules(), after: moves) == ["d1"])
    let exact = try rules(["exact": "yes"])
    #expect(try choices("lookahead:2", exact, after: moves) != ["d1"])
  }

  @Test(arguments: ["greedy", "lookahead:1", "lookahead:2", "lookahead:4"])
  func stonesFall(_ bot: String) throws {
    let rules = try rules(["width": "7", "height": "6", "line": "4", "gravity": "yes"])
    #expect(try choices(bot, rules, after: "4 1 4 1 4") == ["4"])
    #expect(try choices(bot, rules, after: "4 1 4 1 4 2") == ["4"])
  }

  /// Bots may not say that they have proven what they passed over.
  @Test func nothingIsProvenThatWasPassedOver() throws {
    let rules = try rules()
    var state = GameOf(rules: rules, position: rules.start(first: Seat(0)))
    let bot = try BotCatalog(SearchBots.families)
      .bot("lookahead:3", for: GameDefinition(KInARow.self).rules())
    for text in "d5 a1 e5 i9 f5 a9".split(separator: " ") {
      _ = state.play(try #require(state.code(text: String(text))))
    }
    let source = RandomSource(seed: 1, seat: Seat(0), ply: 0)
    let note = try #require(try bot.choose(BotTurn(game: state, seat: Seat(0), randomness: source)).note)
    #expect(note.value == 1 && !note.isProven)
  }

  @Test(arguments: ["greedy", "lookahead:1", "lookahead:2"]) func gomokuIsPlayed(_ bot: String) throws {
    let rules = try Gomoku(Parameters())
    #expect(try choices(bot, rules, after: "d4 c4 e4 a2 f4 a8 g4") == ["h4"])
    guard bot != "greedy" else { return }
    let played = try choices(bot, rules, after: "h8 a1 i9 o15 j10")
    #expect(played.isSubset(of: ["f6", "g7", "k11", "l12"]) && !played.isEmpty, "\(played)")
  }

  /// Five black stones but one lie in a line: black is better, whoever may choose.
  @Test(arguments: ["lookahead:1", "lookahead:2"]) func theBetterColourIsTaken(_ bot: String) throws {
    var parameters = Parameters()
    parameters["opening"] = "swap2"
    let rules = try Gomoku(parameters)
    #expect(try choices(bot, rules, after: "h8 a1 i8 two a15 j8") == ["black"])
    #expect(try choices(bot, rules, after: "h8 h9 a1 two i9 a15") == ["white"])
    for opening in ["", "h8", "h8 h9", "h8 h9 j10", "h8 h9 j10 two", "h8 h9 j10 two a1"] {
      #expect(try !choices(bot, rules, after: opening).isEmpty, "\(opening)")
    }
  }
}

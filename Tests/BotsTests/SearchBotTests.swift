import BotKit
import Games
import Rules
import SearchBots
import Testing

@Suite("Search bots in Connect Four")
struct SearchBotTests {
  let rules = ConnectFour()

  private func position(_ moves: String) throws -> ConnectFour.Position { try rules.position(moves: moves) }

  private func column(_ bot: any Bot, _ moves: String, seed: UInt64 = 1) throws -> UInt32 {
    try bot.choose(SearchReference.turn(position(moves), seed: seed)).code.rawValue + 1
  }

  @Test("specifications are normalised and declared")
  func specifications() throws {
    for (typed, declared, budget): (String, String, UInt64) in [
      ("random", "random", 0), ("greedy", "greedy", 0), ("lookahead:4", "lookahead:4", 0),
      ("lookahead:020", "lookahead:20", 0), ("solver", "solver", 20_000_000),
      ("monte-carlo", "monte-carlo", 1_000), ("monte-carlo:01000", "monte-carlo", 1_000),
      ("monte-carlo:7", "monte-carlo:7", 7), ("solver:20000000", "solver", 20_000_000),
      ("solver:1", "solver:1", 1),
    ] {
      let declaration = try SearchReference.bot(typed).declaration
      #expect(declaration.specification == declared && declaration.nodeBudget == budget)
      #expect(try SearchReference.bot(declared).declaration == declaration)
    }
  }

  @Test("a search of all of tic-tac-toe visits each position once, and no more than its bot declares")
  func wholeGames() throws {
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    let bot = try BotCatalog(SearchBots.families).bot("solver:1", for: rules)
    let turn = BotTurn(
      game: rules.start(first: Seat(0)), seat: Seat(0),
      randomness: RandomSource(seed: 1, seat: Seat(0), ply: 0))
    let note = try #require(try bot.choose(turn).note)
    #expect(note.nodes == 5_478 && bot.declaration.nodeBudget == note.nodes)
  }

  @Test(
    "bad arguments are refused with words",
    arguments: [
      "lookahead", "lookahead:", "lookahead:0", "lookahead:21", "lookahead:+4", "lookahead:4 ", "lookahead:４",
      "lookahead:99999999999999999999", "solver:", "monte-carlo:", "monte-carlo:0", "monte-carlo:200001",
      "solver:0", "solver:-1", "solver:1e6", "solver:1_000",
      "solver:99999999999999999999", "random:1", "greedy:",
    ])
  func badArguments(specification: String) {
    let error = #expect(throws: BotError.self) { try SearchReference.bot(specification) }
    guard case .badArgument(_, _, let expected) = error else {
      Issue.record("\(specification): \(String(describing: error))")
      return
    }
    #expect(!expected.isEmpty)
  }

  @Test("families play their games and no other")
  func games() {
    for family in SearchBots.families {
      #expect(family.plays("connect-four"))
      #expect(!family.plays("chess") && !family.plays("prisoners-dilemma"))
    }
  }

  @Test("a bot made for one game refuses another")
  func wrongGame() throws {
    let nim = Nim(stones: 4)
    let game = GameOf(rules: nim, position: nim.start(first: Seat(0)))
    let turn = BotTurn(game: game, seat: Seat(0), randomness: RandomSource(seed: 1, seat: Seat(0), ply: 0))
    for specification in ["greedy", "lookahead:2", "monte-carlo:9", "solver"] {
      let bot = try SearchReference.bot(specification)
      #expect(throws: BotError.self) { try bot.choose(turn) }
    }
  }

  @Test(
    "choices are legal, and the same when asked again",
    arguments: ["random", "greedy", "lookahead:3", "monte-carlo:60", "solver:2000"])
  func pure(specification: String) throws {
    let bot = try SearchReference.bot(specification)
    var random = RandomStream(seed: 9)
    for index in 0..<25 {
      let turn = SearchReference.turn(
        SearchReference.randomPosition(plies: index, &random), seed: UInt64(index))
      let choice = try bot.choose(turn)
      #expect(turn.game.isLegal(choice.code))
      #expect(try bot.choose(turn) == choice)
      #expect(try SearchReference.bot(specification).choose(turn) == choice)
    }
  }

  @Test("random plays every column")
  func random() throws {
    let bot = try SearchReference.bot("random")
    let columns = try (0..<200).map { try column(bot, "", seed: $0) }
    #expect(Set(columns) == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test("greedy takes a win, blocks one, and likes the middle")
  func greedy() throws {
    let bot = try SearchReference.bot("greedy")
    for seed: UInt64 in 0..<20 {
      #expect(try column(bot, "", seed: seed) == 4)
      #expect(try column(bot, "121212", seed: seed) == 1, "wins rather than blocks")
      #expect(try column(bot, "12121", seed: seed) == 1, "blocks")
    }
    let firstMoves = try Set((0..<50).map { try column(bot, "444444", seed: $0) })
    #expect(firstMoves == [3, 5])
  }

  @Test("greedy never misses a win or a block, nor gives a win away when it need not")
  func greedyProperty() throws {
    let bot = try SearchReference.bot("greedy")
    var random = RandomStream(seed: 5)
    for index in 0..<200 {
      let position = SearchReference.randomPosition(plies: 8 + index % 24, &random)
      let chosen = Int(try bot.choose(SearchReference.turn(position)).code.rawValue)
      let children = SearchReference.children(of: position)
      let wins = children.filter { $0.after.isWon }.map(\.column)
      let safe = children.filter { child in
        !SearchReference.children(of: child.after).contains { $0.after.isWon }
      }.map(\.column)
      if !wins.isEmpty {
        #expect(wins.contains(chosen))
      } else if !safe.isEmpty {
        #expect(safe.contains(chosen))
      }
    }
  }

  @Test("lookahead finds what a plain search of its depth finds", arguments: 1...4)
  func lookahead(depth: Int) throws {
    let bot = try SearchReference.bot("lookahead:\(depth)")
    var random = RandomStream(seed: UInt64(depth))
    for index in 0..<20 {
      let position = SearchReference.randomPosition(plies: index * 2, &random)
      let values = SearchReference.children(of: position).map {
        (column: $0.column, value: -plain($0.after, depth: depth - 1))
      }
      let best = try #require(values.map(\.value).max())
      let choices = try (0..<30).map { try bot.choose(SearchReference.turn(position, seed: $0)) }
      let columns = values.filter { $0.value == best }.map { UInt32($0.column) }
      #expect(Set(choices.map(\.code.rawValue)).isSubset(of: columns))
      if columns.count == 2 { #expect(Set(choices.map(\.code.rawValue)).count == 2) }
      if best.magnitude >= 1_000_000 {
        #expect(choices[0].note?.value == best / 1_000_000 && choices[0].note?.isProven == true)
      } else {
        #expect(choices[0].note?.value == best)
      }
    }
  }

  @Test("the solver's move and note in a won, a drawn and a lost position")
  func solver() throws {
    let bot = try SearchReference.bot("solver")
    var random = RandomStream(seed: 2)
    for _ in 0..<15 {
      let position = SearchReference.randomPosition(plies: 32, &random)
      let solution = try ConnectFourSolver(tableBits: 20).solve(position)
      let choice = try bot.choose(SearchReference.turn(position))
      let central = try #require(
        solution.bestColumns?.min { (abs($0 - 3), $0) < (abs($1 - 3), $1) })
      #expect(choice.code == MoveCode(UInt32(central)))
      #expect(
        choice.note == MoveNote(value: try #require(solution.value), isProven: true, nodes: solution.nodes))
    }
  }

  @Test("without enough positions the solver plays the best bound, the middle first")
  func unproven() throws {
    let choice = try SearchReference.bot("solver:1").choose(SearchReference.turn(position("4444")))
    #expect(choice.code == MoveCode(3))
    #expect(choice.note?.isProven == false && choice.note?.nodes == 1)
    // Column 1 loses at once, so it has the worst bound of all.
    let forced = try SearchReference.bot("solver:1").choose(SearchReference.turn(position("12121")))
    #expect(forced.code == MoveCode(0))
  }

  /// Minimax without pruning; ends count a million for each unit, estimates as they are.
  private func plain(_ position: ConnectFour.Position, depth: Int) -> Int32 {
    if position.isWon { return 1_000_000 * (Int32((position.ply + 1) / 2) - 22) }
    if position.ply == 42 { return 0 }
    if depth == 0 { return rules.evaluation(of: position, for: position.mover) }
    return SearchReference.children(of: position).map { -plain($0.after, depth: depth - 1) }.max() ?? 0
  }
}

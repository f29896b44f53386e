import BotKit
import Games
import Rules
import SearchBots
import TestKit
import Testing

/// The bots that play at a level: how strong they are, and what they overlook.
@Suite struct LevelTests {
  private static let games = ["tic-tac-toe", "connect-four"] + SearchedGameTests.games
  /// Games in which whoever can win at once does so whatever else there is.
  private static let races = games.filter { $0 != Othello.name }

  private func rules(_ name: String) throws -> any GameRules {
    try #require(Games.catalog.newest(name)).rules()
  }

  private func bot(_ level: Int, _ rules: any GameRules) throws -> any Bot {
    try BotCatalog(SearchBots.families).bot("level:\(level)", for: rules)
  }

  private func turn(_ game: any GameState, seed: UInt64) throws -> BotTurn {
    guard case .seat(let seat) = game.turn else { preconditionFailure("the game is over") }
    return BotTurn(game: game, seat: seat, randomness: RandomSource(seed: seed, seat: seat, ply: 0))
  }

  /// A game of two beginners: all its positions.
  private func beginnersGame(_ rules: any GameRules, seed: UInt64) throws -> [any GameState] {
    let beginner = try bot(1, rules)
    var games = [rules.start(first: Seat(0))]
    while let game = games.last, case .seat(let seat) = game.turn {
      let source = RandomSource(seed: seed, seat: seat, ply: UInt32(games.count))
      var next = game
      let isPlayed = next.play(try beginner.choose(BotTurn(game: game, seat: seat, randomness: source)).code)
      #expect(isPlayed)
      games.append(next)
    }
    return games
  }

  private func wins(_ code: MoveCode, in game: any GameState) -> Bool {
    guard case .seat(let seat) = game.turn else { return false }
    var next = game
    return next.play(code) && next.turn.outcome?.winner == seat
  }

  /// Whether the seat to move can win at once.
  private func canWin(_ game: any GameState) -> Bool {
    guard case .seat(let seat) = game.turn else { return false }
    return game.legalMoves(of: seat).contains { wins($0, in: game) }
  }

  @Test(arguments: games) func everyLevelIsABot(_ name: String) throws {
    let rules = try rules(name)
    for level in 1...10 {
      let declaration = try bot(level, rules).declaration
      #expect(declaration.specification == "level:\(level)")
      #expect((1...5_000_000).contains(declaration.nodeBudget))
    }
  }

  @Test(arguments: ["level", "level:", "level:0", "level:11", "level:-1", "level:x", "level:1.5"])
  func otherNumbersAreRefused(_ specification: String) throws {
    for name in Self.games {
      let error = try #require(throws: BotError.self) {
        try BotCatalog(SearchBots.families).bot(specification, for: rules(name))
      }
      #expect(error.description.contains("level:3"))
    }
  }

  /// The same turn gives the same move, which is legal, and the search keeps to its budget.
  @Test(arguments: games) func theyArePureAndKeepToTheirBudgets(_ name: String) throws {
    let rules = try rules(name)
    for level in 1...Effort.size(9, quick: 6) {
      let bot = try bot(level, rules)
      for seed in 0..<UInt64(Effort.size(3, quick: 2)) {
        let played = try beginnersGame(rules, seed: seed)
        let game = played[Int(seed * 7 + UInt64(level)) % (played.count - 1)]
        let turn = try turn(game, seed: seed)
        let choice = try bot.choose(turn)
        #expect(turn.game.isLegal(choice.code))
        #expect(try bot.choose(turn) == choice)
        #expect(choice.note?.nodes ?? 0 <= bot.declaration.nodeBudget)
      }
    }
  }

  @Test func aSearchVisitsNoMoreThanItMay() {
    let rules = ConnectFour()
    let start = rules.start(first: Seat(0))
    for limit in 1...UInt64(300) {
      var search = AlphaBeta(rules, depth: 6, nodeLimit: limit, isCancelled: { false })
      for depth in 1...6 where !search.isExhausted {
        _ = search.bestMoves(of: Seat(0), in: start, depth: depth)
      }
      #expect(search.isExhausted && search.nodes == limit)
    }
    var search = AlphaBeta(rules, depth: 2, nodeLimit: 57, isCancelled: { false })
    _ = search.bestMoves(of: Seat(0), in: start, depth: 2)
    #expect(!search.isExhausted && search.nodes <= 57, "1 + 7 + 49 positions suffice")
  }

  @Test func theyStopWhenToldTo() throws {
    for name in Self.games {
      let rules = try rules(name)
      // Tables know the opening of Connect Four, and nobody thinks of many cells of an empty board.
      let plies = name == "tic-tac-toe" ? 0 : 9
      var turn = try turn(beginnersGame(rules, seed: 2)[plies], seed: 1)
      turn.isCancelled = { true }
      #expect(throws: BotError.cancelled, "\(name)") { try bot(10, rules).choose(turn) }
    }
  }

  /// A beginner misses a win in one at times, and from level 3 on nobody does.
  @Test(arguments: races) func winsAtOnceAreSeenFromLevelThree(_ name: String) throws {
    let rules = try rules(name)
    var (asked, missed) = (0, 0)
    let bots = try ([1, 3, 4] + Effort.cases([5, 6, 7], quick: 1)).map {
      (level: $0, bot: try bot($0, rules))
    }
    for seed in 0..<UInt64(Effort.size(40, quick: 20)) {
      let played = try beginnersGame(rules, seed: seed)
      guard played.last?.turn.outcome?.winner != nil, let game = played.dropLast().last, canWin(game)
      else { continue }
      asked += 1
      for (level, bot) in bots {
        let isMissed = !wins(try bot.choose(turn(game, seed: seed)).code, in: game)
        if level == 1 {
          missed += isMissed ? 1 : 0
        } else {
          #expect(!isMissed, "level \(level), seed \(seed)")
        }
      }
    }
    #expect(missed > 0 && missed < asked, "\(missed) of \(asked)")
  }

  /// From level 5 on a win that the other side has next is kept from it where that is possible.
  @Test(arguments: races) func threatsAreSeenFromLevelFive(_ name: String) throws {
    let rules = try rules(name)
    let bots = try ([2, 5] + Effort.cases([6, 7], quick: 1)).map {
      (level: $0, bot: try bot($0, rules))
    }
    var (asked, missed) = (0, 0)
    for seed in 0..<UInt64(Effort.size(40, quick: 20)) {
      let played = try beginnersGame(rules, seed: seed)
      guard played.last?.turn.outcome?.winner != nil, played.count > 2 else { continue }
      let game = played[played.count - 3]
      guard case .seat(let seat) = game.turn, !canWin(game) else { continue }
      let safe = game.legalMoves(of: seat).filter { code in
        var next = game
        return next.play(code) && !canWin(next)
      }
      guard !safe.isEmpty else { continue }
      asked += 1
      for (level, bot) in bots {
        let isSafe = safe.contains(try bot.choose(turn(game, seed: seed)).code)
        if level == 2 { missed += isSafe ? 0 : 1 } else { #expect(isSafe, "level \(level), seed \(seed)") }
      }
    }
    #expect(missed > 0, "none of \(asked)")
  }

  /// Levels that lie some way apart, of fast games.
  @Test(arguments: games) func higherLevelsWin(_ name: String) throws {
    let rules = try rules(name)
    for (high, low) in Effort.cases([(4, 1), (7, 4)], quick: 1) {
      let games = Effort.size(24, quick: 12)
      let (wins, losses) = try SearchedGameTests.ends(
        of: [bot(high, rules), bot(low, rules)], rules, games: games, seed: 11)
      #expect(wins > losses + games / 8, "level \(high) won \(wins) and lost \(losses) of \(games)")
    }
  }

  @Test func theHighestLevelLosesNoGameOfTicTacToe() throws {
    let rules = try rules("tic-tac-toe")
    for level in [1, 5, 9] {
      let (wins, losses) = try SearchedGameTests.ends(
        of: [bot(10, rules), bot(level, rules)], rules, games: 6, seed: UInt64(level))
      #expect(losses == 0 && (level > 5 || wins > 0), "level \(level)")
    }
  }
}

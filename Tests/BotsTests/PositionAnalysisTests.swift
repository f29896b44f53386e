import BotKit
import Games
import Rules
import TestKit
import Testing

@testable import SearchBots

/// What moves are worth, and which one lost a game.
@Suite struct PositionAnalysisTests {
  private static func rules(_ name: String) throws -> any GameRules {
    try #require(Games.catalog.newest(name)).rules()
  }

  private static func analysis(
    _ game: any GameState, played: MoveCode? = nil, nodes: UInt64 = 100_000
  ) throws -> PositionAnalysis {
    guard case .seat(let seat) = game.turn else { throw BotError.cancelled }
    return try SearchBots.analyze(game, seat: seat, played: played, nodes: nodes, isCancelled: { false })
  }

  /// A solver says the same of each position that a move leads to, for the other side.
  @Test(arguments: 0..<Effort.size(20, quick: 12)) func movesOfConnectFourAreSolved(_ seed: Int) throws {
    var random = SeededGenerator(state: UInt64(seed))
    var game = try Self.rules("connect-four").start(first: Seat(0))
    let plies = Int.random(in: 24...38, using: &random)
    for _ in 0..<plies {
      guard case .seat(let seat) = game.turn else { return }
      let code = try #require(game.legalMoves(of: seat).randomElement(using: &random))
      _ = game.play(code)
    }
    guard case .seat(let seat) = game.turn else { return }
    let analysis = try Self.analysis(game, nodes: 10_000_000)
    let solver = try #require(SearchedGames.solved("connect-four"))
    #expect(analysis.depth == nil && analysis.isWhole)
    #expect(Set(analysis.moves.map(\.code)) == Set(game.legalMoves(of: seat)))
    for move in analysis.moves {
      #expect(move.isEnd && move.isProven)
      var after = game
      _ = after.play(move.code)
      let answer = try solver.exact(after.view(for: nil), nodeLimit: nil, isCancelled: { false })
      if case .over(let outcome) = after.turn {
        #expect(move.value.signum() == (outcome.winner == seat ? 1 : outcome.winner == nil ? 0 : -1))
        continue
      }
      #expect(move.value == 0 - (answer.value ?? .max), "\(move) after \(plies) moves of seed \(seed)")
    }
    let whole = try solver.exact(game.view(for: nil), nodeLimit: nil, isCancelled: { false })
    #expect(analysis.best.value == whole.value)
  }

  /// Each move is looked at by itself, and the best ones are those that a search with all cuts finds.
  @Test(arguments: ["tic-tac-toe", "k-in-a-row", "gomoku", "ultimate-tic-tac-toe", "othello", "connect-four"])
  func theBestMovesAreThoseOfASearch(_ name: String) throws {
    let rules = try Self.rules(name)
    var compared = 0
    for seed in 0..<Effort.size(12, quick: 4) {
      var random = SeededGenerator(state: UInt64(seed))
      var game = rules.start(first: Seat(0))
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        guard case .seat(let seat) = game.turn,
          let code = game.legalMoves(of: seat).randomElement(using: &random)
        else { break }
        _ = game.play(code)
      }
      guard case .seat(let seat) = game.turn else { continue }
      let played = try #require(game.legalMoves(of: seat).last)
      let analysis = try Self.analysis(game, played: played, nodes: 20_000)
      #expect(analysis.move(played) != nil)
      #expect(zip(analysis.moves, analysis.moves.dropFirst()).allSatisfy { $0.rank >= $1.rank })
      // What a solver has proven lies beyond such a search, and has tests of its own.
      let isSolved = SearchedGames.solved(name) != nil && analysis.moves.contains { $0.isProven }
      guard !isSolved, let depth = analysis.depth, depth <= LookaheadBot.depths.upperBound else { continue }
      compared += 1
      let bot = try LookaheadBot(game: #require(SearchedGames.named(name)), depth: depth)
      let turn = BotTurn(
        game: game, seat: seat, randomness: RandomSource(seed: 1, game: 0, seat: seat, ply: 0))
      let choice = try bot.choose(turn)
      #expect(
        analysis.move(choice.code)?.rank == analysis.best.rank, "\(name), seed \(seed): \(analysis)")
    }
    #expect(compared > 0 || name == "tic-tac-toe", "each position was solved")
  }

  @Test func moreNodesLookFurther() throws {
    let game = try Self.rules("othello").start(first: Seat(0))
    var last = 0
    for nodes: UInt64 in [1, 1_000, 30_000, 300_000] {
      let analysis = try Self.analysis(game, nodes: nodes)
      let depth = try #require(analysis.depth)
      #expect(depth > last)
      #expect(depth == 1 || analysis.nodes <= 2 * nodes)
      last = depth
    }
  }

  /// Where there are many moves, and as many answers to each, the second depth alone would take a hundred thousand.
  @Test func manyMovesAreNoExcuse() throws {
    var parameters = Parameters()
    for (name, value) in ["width": "19", "height": "19", "line": "10"] { parameters[name] = value }
    let rules = try #require(Games.catalog.newest("k-in-a-row")).rules(parameters)
    var game: any GameState = rules.start(first: Seat(0))
    for cell in 0..<UInt32(19 * 19) where cell / 19 % 4 == 1 && cell % 19 % 4 == 1 {
      let isLegal = game.play(MoveCode(cell))
      #expect(isLegal)
    }
    let analysis = try Self.analysis(game, nodes: 2_700)
    #expect(analysis.moves.count > 200 && analysis.nodes <= 2 * 2_700, "\(analysis.nodes)")
  }

  @Test func whoeverAsksToStopIsHeard() throws {
    let game = try Self.rules("othello").start(first: Seat(0))
    #expect(throws: BotError.cancelled) {
      try SearchBots.analyze(game, seat: Seat(0), nodes: 1_000_000, isCancelled: { true })
    }
  }

  @Test func otherGamesAreRefused() throws {
    let rules = try Self.rules("prisoners-dilemma")
    #expect(throws: BotError.self) {
      try SearchBots.analyze(
        rules.start(first: Seat(0)), seat: Seat(0), nodes: 10, isCancelled: { false })
    }
    #expect(throws: SolveError.self) { try SearchBots.played("", of: rules) }
  }

  /// Moves stand one behind the other, of one character or more, or with something between.
  @Test(arguments: [
    ("othello", "f5d6c3", 3), ("othello", "f5 d6,c3", 3), ("gomoku", "h8h10a1", 3),
    ("connect-four", "4453", 4),
    ("tic-tac-toe", "512", 3), ("tic-tac-toe", "", 0),
  ]) func movesAreReadAsTheyAreWritten(_ name: String, _ text: String, _ plies: Int) throws {
    let rules = try Self.rules(name)
    #expect(try SearchBots.played(text, of: rules).moves.count == plies)
    let more = text.contains(" ") ? text + " ?" : text + "?"
    let error = #expect(throws: SolveError.self) { try SearchBots.played(more, of: rules) }
    #expect(error == .badMove(place: plies + 1, reason: .noMove))
  }

  private static func review(_ text: String) throws -> GameReview {
    var (review, game) = (GameReview(), try rules("tic-tac-toe").start(first: Seat(0)))
    for (index, move) in text.enumerated() {
      guard case .seat(let seat) = game.turn, let code = game.code(text: String(move)) else { break }
      try review.add(
        code, by: seat, in: game, ply: index + 1, nodes: 100_000, isCancelled: { false })
      _ = game.play(code)
    }
    return review
  }

  /// An edge beside the middle loses; what comes after that changes nothing.
  @Test func theLosingMistakeIsTheLastMoveThatHadAChoice() throws {
    // X takes the middle, O an edge; X threatens at a corner, O blocks, X threatens twice and wins.
    let review = try Self.review("5213947")
    let losing = try #require(review.losingMistake(of: Seat(1)))
    #expect(losing.ply == 2 && losing.isMistake && !losing.isBest)
    #expect(review.losingMistake(of: Seat(0)) == nil)
    #expect(review.play(of: Seat(1)).mistakes == 1)
    #expect(review.play(of: Seat(0)).mistakes == 0)
    #expect(review.step(to: 2)?.code == losing.code && review.step(to: 0) == nil)
  }

  @Test func aGameWithoutMistakesHasNone() throws {
    let review = try Self.review("519328467")
    for seat in [Seat(0), Seat(1)] {
      let play = review.play(of: seat)
      #expect(play.mistakes == 0 && play.best == play.moves && play.accuracyPercent == 100)
      #expect(review.losingMistake(of: seat) == nil)
    }
    #expect(review.steps.count == 9)
    #expect(GameReview().play(of: Seat(0)).accuracyPercent == nil)
  }

  @Test func wordsAreThoseOfPlayers() {
    func move(_ value: Int32, isEnd: Bool, isProven: Bool) -> PositionAnalysis.Move {
      PositionAnalysis.Move(code: MoveCode(0), value: value, isEnd: isEnd, isProven: isProven, rank: 0)
    }
    func words(_ move: PositionAnalysis.Move, _ game: String = "gomoku") -> String {
      SearchBots.words(for: move, in: game, after: 9)
    }
    #expect(words(move(1, isEnd: true, isProven: false)) == "probably wins")
    #expect(words(move(0, isEnd: true, isProven: true)) == "a draw")
    #expect(words(move(-4, isEnd: true, isProven: true), "othello") == "loses by 4")
    #expect(words(move(7, isEnd: false, isProven: false)) == "+7")
  }
}

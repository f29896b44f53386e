import BotKit
import Games
import Rules

/// A game as the bots of this module play it, whatever its rules are.
protocol SearchedGame: Sendable {
  /// The game's name.
  var name: String { get }
  /// The move of the bot `greedy`.
  func greedy(_ turn: BotTurn) throws(BotError) -> BotChoice
  /// The move of the bot `lookahead`.
  func lookahead(_ turn: BotTurn, depth: Int) throws(BotError) -> BotChoice
  /// The move of the bot `monte-carlo`.
  func monteCarlo(_ turn: BotTurn, games: Int) throws(BotError) -> BotChoice
  /// The move of somebody who looks so many plies ahead, at a glance or with the game's estimates.
  func look(
    _ turn: BotTurn, plies: Int, isGlance: Bool, _ random: inout RandomStream
  ) throws(BotError) -> BotChoice
  /// What a proven value means to a player (`Evaluated.words`).
  func words(forProven value: Int32, after plies: Int) -> String
  /// Whether a game is one of this kind.
  func knows(_ game: any GameView) -> Bool
  /// What every move of a position is worth (`SearchBots.analyze`).
  func analyze(
    _ game: any GameView, seat: Seat, played: MoveCode?, nodes: UInt64,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(BotError) -> PositionAnalysis
  /// Plays the moves of a text (`MoveText`), and counts them.
  func played(
    _ text: String, of rules: any GameRules
  ) throws(SolveError) -> (game: any GameState, moves: [MoveCode])
}

/// A game of which an exact search can prove positions.
protocol SolvedGame: SearchedGame {
  /// The fewest positions that an exact search is ready to visit.
  var leastNodes: UInt64 { get }
  /// What an exact search finds.
  func exact(
    _ game: any GameView, nodeLimit: UInt64?, isCancelled: @escaping @Sendable () -> Bool
  ) throws(BotError) -> ExactAnswer
  /// Makes what exact searches need besides the position.
  func prepare()
  /// Reads a position of these rules.
  func position(_ text: String, of rules: any GameRules) throws(SolveError) -> any GameState
}

/// The games that the bots of this module play. A new game is a line here (and `extension Game: Evaluated
/// {}`).
enum SearchedGames {
  static let all: [any SearchedGame] = [
    SolvedRules(FullSearch(TicTacToe.self, positions: 5_478)),
    SolvedRules(ConnectFourExact()),
    SearchedRules<KInARow>(),
    SearchedRules<Gomoku>(),
    SearchedRules<UltimateTicTacToe>(),
    SearchedRules<Othello>(),
  ]

  /// The game of this name.
  static func named(_ name: String) -> (any SearchedGame)? { all.first { $0.name == name } }

  /// The games that an exact search knows.
  static let solved = all.compactMap { $0 as? any SolvedGame }

  /// The game of this name, where an exact search knows it.
  static func solved(_ name: String) -> (any SolvedGame)? { solved.first { $0.name == name } }
}

/// A game that searches look ahead in, with the estimates of its rules.
struct SearchedRules<R: Evaluated>: SearchedGame {
  var name: String { R.name }

  func words(forProven value: Int32, after plies: Int) -> String { R.words(forProven: value, after: plies) }

  func greedy(_ turn: BotTurn) throws(BotError) -> BotChoice {
    Greedy.choice(in: try game(turn.game), seat: turn.seat, randomness: turn.randomness)
  }

  func lookahead(_ turn: BotTurn, depth: Int) throws(BotError) -> BotChoice {
    try Lookahead.choice(in: try game(turn.game), turn: turn, depth: depth)
  }

  func monteCarlo(_ turn: BotTurn, games: Int) throws(BotError) -> BotChoice {
    let game = try game(turn.game)
    var random = turn.randomness.generator()
    var search = MonteCarlo(game, seat: turn.seat, seed: random.next())
    guard let move = search.move(games: games, isCancelled: turn.isCancelled) else { throw .cancelled }
    return BotChoice(game.rules.code(of: move))
  }

  func knows(_ game: any GameView) -> Bool { game is ViewOf<R> }

  func analyze(
    _ game: any GameView, seat: Seat, played: MoveCode?, nodes: UInt64,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(BotError) -> PositionAnalysis {
    try PositionSearch(game: try self.game(game), seat: seat, isCancelled: isCancelled)
      .analysis(played: played, nodes: nodes)
  }

  func played(
    _ text: String, of rules: any GameRules
  ) throws(SolveError) -> (game: any GameState, moves: [MoveCode]) {
    guard let start = rules.start(first: Seat(0)) as? GameOf<R> else {
      throw .wrongGame(rules.definition.name, known: [name])
    }
    return try MoveText.playing(text, from: start)
  }

  func look(
    _ turn: BotTurn, plies: Int, isGlance: Bool, _ random: inout RandomStream
  ) throws(BotError) -> BotChoice {
    try Look.choice(in: try game(turn.game), turn: turn, plies: plies, isGlance: isGlance, &random)
  }

  fileprivate func game(_ view: any GameView) throws(BotError) -> GameOf<R> {
    guard let game = view as? ViewOf<R> else {
      throw .wrongGame(bot: "made for \(name)", game: "another game", players: [])
    }
    return GameOf(rules: game.rules, position: game.view)
  }
}

/// A game with an exact search of its own.
struct SolvedRules<Exact: ExactSearch>: SolvedGame {
  private let search: Exact
  private let rules = SearchedRules<Exact.R>()

  init(_ search: Exact) { self.search = search }

  var name: String { rules.name }
  var leastNodes: UInt64 { search.leastNodes }

  func words(forProven value: Int32, after plies: Int) -> String {
    rules.words(forProven: value, after: plies)
  }

  func greedy(_ turn: BotTurn) throws(BotError) -> BotChoice { try rules.greedy(turn) }

  func lookahead(_ turn: BotTurn, depth: Int) throws(BotError) -> BotChoice {
    try rules.lookahead(turn, depth: depth)
  }

  func monteCarlo(_ turn: BotTurn, games: Int) throws(BotError) -> BotChoice {
    try rules.monteCarlo(turn, games: games)
  }

  func look(
    _ turn: BotTurn, plies: Int, isGlance: Bool, _ random: inout RandomStream
  ) throws(BotError) -> BotChoice {
    try rules.look(turn, plies: plies, isGlance: isGlance, &random)
  }

  func exact(
    _ game: any GameView, nodeLimit: UInt64?, isCancelled: @escaping @Sendable () -> Bool
  ) throws(BotError) -> ExactAnswer {
    try search.answer(try rules.game(game), nodeLimit: nodeLimit, isCancelled: isCancelled)
  }

  func prepare() { search.prepare() }

  func knows(_ game: any GameView) -> Bool { rules.knows(game) }

  func played(
    _ text: String, of rules: any GameRules
  ) throws(SolveError) -> (game: any GameState, moves: [MoveCode]) {
    try self.rules.played(text, of: rules)
  }

  /// Solves each move with its share of half of the positions; where that does not suffice, the others are searched
  /// with what is left.
  func analyze(
    _ game: any GameView, seat: Seat, played: MoveCode?, nodes: UInt64,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(BotError) -> PositionAnalysis {
    let position = try rules.game(game)
    let codes = position.legalMoves(of: seat)
    var (proven, visited) = ([MoveCode: Int32](), UInt64(0))
    for code in codes {
      var after = position
      guard let turn = after.play(code, by: seat) else { continue }
      if case .over(let outcome) = turn {
        proven[code] = after.rules.value(of: outcome, in: after.position, for: seat)
        continue
      }
      let answer = try search.answer(
        after, nodeLimit: max(1, nodes / 2 / UInt64(codes.count)), isCancelled: isCancelled)
      visited += answer.nodes
      // In games that are solved the other seat moves next.
      if let value = answer.value { proven[code] = 0 - value }
    }
    let search = PositionSearch(game: position, seat: seat, isCancelled: isCancelled)
    var analysis = try search.analysis(
      played: played, nodes: nodes - min(nodes, visited), proven: proven)
    analysis.nodes += visited
    return analysis
  }

  func position(_ text: String, of rules: any GameRules) throws(SolveError) -> any GameState {
    guard let start = rules.start(first: Seat(0)) as? GameOf<Exact.R> else {
      throw .wrongGame(rules.definition.name, known: [name])
    }
    return try search.position(text, from: start)
  }
}

import BotKit
import Rules

/// Plays as well as its level says (`LevelTable`): with each move it sees as far as it usually does, or less.
struct LevelBot: Bot {
  let game: any SearchedGame
  let number: Int
  let level: Level

  /// The budget counts positions visited; where random games are played, those at which they begin.
  var declaration: BotDeclaration {
    BotDeclaration(
      specification: "level:\(number)", version: LevelTable.version,
      nodeBudget: max(game.nodes(for: level.sight), game.nodes(for: level.lapse)))
  }

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
    var random = turn.randomness.generator()
    let sight = random.below(100) < UInt64(level.lapses) ? level.lapse : level.sight
    switch sight {
    case .glance(let plies): return try game.look(turn, plies: plies, isGlance: true, &random)
    case .look(let plies): return try game.look(turn, plies: plies, isGlance: false, &random)
    case .sample(let games): return try game.monteCarlo(turn, games: games)
    case .prove(let nodes):
      guard let solved = game as? any SolvedGame else { preconditionFailure("no search proves \(game.name)") }
      return try SolverBot(game: solved, nodes: nodes).choose(turn)
    }
  }
}

extension SearchedGame {
  /// The most positions that it takes to see so much.
  func nodes(for sight: Sight) -> UInt64 {
    switch sight {
    case .glance(0): 1
    case .glance, .look: Sight.lookNodes
    case .sample(let games): UInt64(games)
    case .prove(let nodes): max(nodes, (self as? any SolvedGame)?.leastNodes ?? 0)
    }
  }
}

/// A look at a position as far as a number of positions suffices: one ply, then two, and so on.
enum Look {
  static func choice<R: Evaluated>(
    in game: GameOf<R>, turn: BotTurn, plies: Int, isGlance: Bool, _ random: inout RandomStream
  ) throws(BotError) -> BotChoice {
    guard plies > 0 else {
      var moves: [R.Move] = []
      game.rules.forEachObviousMove(of: turn.seat, in: game.position) { moves.append($0) }
      precondition(!moves.isEmpty, "level: the game does not wait for \(turn.seat)")
      return BotChoice(game.rules.code(of: moves[Int(random.below(UInt64(moves.count)))]))
    }
    var search = AlphaBeta(
      game.rules, depth: plies, isGlance: isGlance, nodeLimit: Sight.lookNodes, isCancelled: turn.isCancelled)
    var best: AlphaBeta<R>.Answer?
    for depth in 1...plies {
      let answer = search.bestMoves(of: turn.seat, in: game.position, depth: depth)
      if search.isStopped { throw .cancelled }
      if search.isExhausted { break }
      best = answer
    }
    guard let best, !best.best.isEmpty else {
      preconditionFailure("level: the game does not wait for \(turn.seat)")
    }
    return Lookahead.choice(of: best, in: game, search, &random)
  }
}

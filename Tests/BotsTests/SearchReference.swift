import BotKit
import Games
import Rules
import SearchBots

/// Slow and plain searches of Connect Four to check the quick ones against, and positions for them.
enum SearchReference {
  static let rules = ConnectFour()

  /// The score by looking at every continuation, each position once.
  static func score(_ position: ConnectFour.Position) -> Int32 {
    var known: [ConnectFour.Position: Int32] = [:]
    return score(position, &known)
  }

  /// The score, remembering that of every position on the way.
  static func score(
    _ position: ConnectFour.Position, _ known: inout [ConnectFour.Position: Int32]
  ) -> Int32 {
    if position.isWon { return Int32((position.ply + 1) / 2) - 22 }
    if position.ply == 42 { return 0 }
    if let score = known[position] { return score }
    let best = children(of: position).map { -score($0.after, &known) }.max() ?? 0
    known[position] = best
    return best
  }

  /// The legal moves with the positions after them.
  static func children(
    of position: ConnectFour.Position
  ) -> [(column: Int, after: ConnectFour.Position)] {
    rules.legalMoves(of: position.mover, in: position).map { move in
      var after = position
      rules.play(move, in: &after)
      return (move.column, after)
    }
  }

  /// A position after `plies` random moves that is not over.
  /// - Parameter closed: how many columns, drawn for each position, stay empty; there is room in the others.
  static func randomPosition(
    plies: Int, closed: Int = 0, _ random: inout RandomStream
  ) -> ConnectFour.Position {
    while true {
      var position = rules.start(first: Seat(UInt16(random.below(2))))
      let empty = (0..<7).shuffled(using: &random).prefix(closed)
      while position.ply < plies, !position.isOver {
        let after = children(of: position).filter { !empty.contains($0.column) }
        position = after[Int(random.below(UInt64(after.count)))].after
      }
      if !position.isOver { return position }
    }
  }

  /// The turn of the seat to move, as a host would ask for it.
  static func turn(_ position: ConnectFour.Position, seed: UInt64 = 1) -> BotTurn {
    BotTurn(
      game: GameOf(rules: rules, position: position), seat: position.mover,
      randomness: RandomSource(seed: seed, seat: position.mover, ply: UInt32(position.ply)))
  }

  /// A bot for Connect Four.
  static func bot(_ specification: String) throws -> any Bot {
    try BotCatalog(SearchBots.families).bot(specification, for: GameDefinition(ConnectFour.self).rules())
  }
}

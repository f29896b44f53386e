import BotKit
import Rules

/// Finds what every move of a position is worth, each by itself, deeper and deeper until a number of positions is
/// visited.
struct PositionSearch<R: Evaluated> {
  /// The farthest that it looks ahead, in plies.
  private static var farthest: Int { 40 }

  let game: GameOf<R>
  let seat: Seat
  let isCancelled: @Sendable () -> Bool

  /// The moves that are worth a search, with one more, and whether these are all that matter.
  private func moves(with played: MoveCode?) -> (moves: [R.Move], isWhole: Bool) {
    var moves: [R.Move] = []
    _ = game.rules.forEachCandidate(of: seat, in: game.position) { moves.append($0) }
    if let played, !moves.contains(where: { game.rules.code(of: $0) == played }) {
      game.rules.forEachMove(of: seat, in: game.position) { move in
        if game.rules.code(of: move) == played { moves.append(move) }
      }
    }
    return (moves, moves.count == game.legalMoves(of: seat).count)
  }

  /// What the moves are worth as far as a search of so many positions sees, the first depth in any case.
  /// - Parameter proven: the moves whose values are known, which are not searched.
  func analysis(
    played: MoveCode?, nodes: UInt64, proven: [MoveCode: Int32] = [:]
  ) throws(BotError) -> PositionAnalysis {
    let (moves, isWhole) = moves(with: played)
    var found: [MoveCode: PositionAnalysis.Move] = [:]
    // tidy: order does not matter because each goes to a place of its own
    for (code, value) in proven {
      found[code] = Self.move(code, AlphaBeta<R>.unit * value, isProven: true)
    }
    var (depth, visited, last, before) = (0, UInt64(0), UInt64(0), UInt64(0))
    while depth < Self.farthest, moves.contains(where: { found[game.rules.code(of: $0)]?.isProven != true }) {
      // The next depth takes longer than the last one by as much as that did, and at least twice as long; the second
      // one by as many answers as there are moves.
      let growth = max(2, before > 0 ? last / before : UInt64(moves.count))
      guard depth == 0 || visited + last * growth <= nodes else { break }
      depth += 1
      (before, last) = (last, 0)
      for move in moves {
        let code = game.rules.code(of: move)
        if found[code]?.isProven == true { continue }
        var search = AlphaBeta(game.rules, depth: depth, isCancelled: isCancelled)
        let value = search.value(of: move, by: seat, in: game.position, depth: depth)
        if search.isStopped { throw .cancelled }
        let isEnd = AlphaBeta<R>.ending(value) != nil || !search.hasEstimated
        found[code] = Self.move(code, value, isEnd: isEnd, isProven: isEnd && !search.hasPassedOver)
        last += search.nodes
      }
      visited += last
    }
    let all = moves.compactMap { found[game.rules.code(of: $0)] }
    return PositionAnalysis(
      seat: seat, moves: all, isWhole: isWhole, depth: depth == 0 ? nil : depth, nodes: visited)
  }

  private static func move(
    _ code: MoveCode, _ value: Int32, isEnd: Bool = true, isProven: Bool
  ) -> PositionAnalysis.Move {
    PositionAnalysis.Move(
      code: code, value: AlphaBeta<R>.ending(value) ?? (isEnd ? 0 : value), isEnd: isEnd, isProven: isProven,
      rank: Int64(value))
  }
}

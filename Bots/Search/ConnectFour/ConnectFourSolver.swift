package import BotKit
package import Games

/// Exact values of Connect Four positions, within a number of positions visited if one is given.
///
/// A pure function: what it finds and how many positions it visits depend on the position and the limit
/// alone, never on what it solved before. One solver is for one task at a time.
///
/// What makes it quick, each measured by positions visited and by alternating runs against the form without it,
/// on the published sets (L3 late to L1 early positions, R1 easy to R3 hard):
/// - Null windows far from 0 first (`ConnectFourRoot`): on L1_R1 a quarter of the positions that halving
///   visits, elsewhere about as many.
/// - A win that could come only with the stone after next is looked for without a search
///   (`ConnectFourSearch.best`): a seventh to a third fewer positions.
/// - The strategies of `ConnectFourParity` and the table are asked about every move before one is searched: up
///   to a quarter fewer positions, most on L1_R3.
/// - Moves go by their threats, those just above a playable cell twice (`ConnectFourNode.promise`): a tenth
///   more positions on L1_R1, a fifth fewer on L1_R3.
/// - Waiting for the table took up to 70 % of the time on L1_R2. So a position's entries are read together and
///   the table stays small for long (`ConnectFourTable`): a quarter to a third less time.
///
/// Tried and left out: ordering by history, by cells' static weights, by the rows of threats, by lines taken
/// from the other side or by the number of its replies (worse), by killer moves (better on L3 and L2, worse on
/// L1_R3); one key for positions that differ in dead stones alone (a tenth to a fifth fewer positions, each a
/// quarter dearer, with keys of 98 bits); two entries a place in a table of 2^22 and mirror images in one key
/// past ply 14 (one position in a hundred fewer).
package final class ConnectFourSolver {
  /// The size of the table by default: 2^22 entries and an eighth more, 36 MiB.
  package static let standardTableBits = 22

  private var table: ConnectFourTable
  private let stack = ConnectFourStack()

  /// A solver with a table of its own.
  /// - Parameter tableBits: the table holds 2^tableBits positions in eight bytes each; 15 to 28.
  package init(tableBits: Int = standardTableBits) {
    table = ConnectFourTable(bits: tableBits)
  }

  deinit {
    table.free()
    stack.free()
  }

  /// Solves a position: its value and every best move.
  /// - Parameters:
  ///   - nodeLimit: the most positions to visit, 1 or more; `nil` for no limit.
  ///   - movesWanted: `false` for the value alone, which is quicker.
  /// - Throws: `BotError.cancelled` once `isCancelled` answers `true`.
  package func solve(
    _ position: ConnectFour.Position, nodeLimit: UInt64? = nil, movesWanted: Bool = true,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(BotError) -> ConnectFourSolution {
    precondition(nodeLimit != 0, "a search needs a node")
    let board = ConnectFourBoard(position)
    if let value = ConnectFourScore.final(board) { return ConnectFourSolution(final: value) }
    table.clear()
    // The position itself is the first one visited.
    let limit = (nodeLimit ?? .max) - 1
    let search = ConnectFourSearch(table: table, stack: stack, limit: limit, isCancelled: isCancelled)
    var root = ConnectFourRoot(board, search: search)
    root.findValue()
    if movesWanted { root.findBestMoves() }
    if root.wasCancelled { throw .cancelled }
    return root.solution
  }
}

package import BotKit
package import Games

/// Exact values of Connect Four positions, within a number of positions visited if one is given.
///
/// A pure function: what it finds and how many positions it visits depend on the position and the limit
/// alone, never on what it solved before. One solver is for one task at a time.
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

import Games

/// One run of the solver: null-window alpha-beta without allocation, over a table and a stack that it
/// borrows.
struct ConnectFourSearch {
  /// What is left of a position's moves after a look at each.
  private struct Sifted {
    /// The candidates' end in the stack.
    var end: Int
    /// What the moves that are no candidates are worth at most; the position's bound when `isAnswered`.
    var best: Int32
    var isAnswered: Bool
  }

  /// Positions between two looks at whether the search is still wanted.
  private static let pauseNodes: UInt64 = 1 << 16
  /// Columns from the middle outwards, four bits each, the first lowest.
  private static var columnOrder: UInt64 { 0x6051423 }
  /// Positions with fewer stones look their moves up in the table before searching any.
  private static var lookupPlies: Int32 { 36 }
  /// Positions with more stones are not worth an entry.
  private static var tablePlies: Int32 { 37 }

  private var table: ConnectFourTable
  private let stack: ConnectFourStack
  private let limit: UInt64
  private let isCancelled: @Sendable () -> Bool
  private var pause: UInt64
  /// Positions visited.
  private(set) var nodes: UInt64 = 0
  /// Whether the limit is reached or the search is no longer wanted; answers then mean nothing.
  private(set) var isStopped = false
  /// Whether the search is no longer wanted.
  private(set) var wasCancelled = false

  /// A search that visits at most `limit` positions.
  /// - Parameter stack: for this search alone while it lasts.
  init(
    table: ConnectFourTable, stack: ConnectFourStack, limit: UInt64,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.table = table
    self.stack = stack
    self.limit = limit
    self.isCancelled = isCancelled
    pause = min(limit, Self.pauseNodes, table.enoughNodes)
  }

  /// Whether the position is worth at least `target` to the side to move.
  /// - Parameter isSifted: the strategies were asked already and did not tell.
  /// - Returns: a proven lower bound that is at least `target`, or a proven upper bound that is less.
  mutating func bound(_ node: ConnectFourNode, target: Int32, isSifted: Bool = false) -> Int32 {
    if nodes >= pause && isOver() { return 0 }
    nodes &+= 1
    let moves = node.movesThatDoNotLose
    if moves == 0 { return ConnectFourScore.losesNext(ply: node.ply) }
    let highest = ConnectFourScore.winsLater(ply: node.ply)
    if highest < target { return highest }
    let lowest = ConnectFourScore.losesLater(ply: node.ply)
    if lowest >= target { return lowest }
    if moves & (moves &- 1) == 0 { return 0 &- bound(node.playing(moves), target: 1 &- target) }
    // A table that grows meanwhile leaves this place in a part that nobody reads any more.
    let place = table.place(node.key)
    let glance = table.glance(at: place)
    if !isSifted, let bound = ConnectFourParity.bound(node, target: target) { return bound }
    if node.ply > Self.tablePlies { return best(of: moves, in: node, target: target) }
    var known = glance.bounds ?? .init(lower: lowest, upper: highest)
    if known.lower >= target { return known.lower }
    if known.upper < target { return known.upper }
    let value = best(of: moves, in: node, target: target)
    if isStopped { return 0 }
    if value >= target { known.lower = value } else { known.upper = value }
    table.store(known, at: place)
    return value
  }

  /// Searches the moves, the most promising first, until one is worth `target`.
  @inline(__always) private mutating func best(
    of moves: UInt64, in node: ConnectFourNode, target: Int32
  ) -> Int32 {
    let highest = ConnectFourScore.winsNoSooner(ply: node.ply)
    if highest < target {
      return Self.hasWinningMove(moves, of: node) ? ConnectFourScore.winsLater(ply: node.ply) : highest
    }
    let sifted = sift(moves, of: node, target: target)
    if sifted.isAnswered { return sifted.best }
    var best = sifted.best
    for index in ConnectFourStack.start(ply: node.ply)..<sifted.end {
      let move = stack.candidate(at: index)
      let after = node.playing(move.cell, threats: move.threats)
      let value = 0 &- bound(after, target: 1 &- target, isSifted: true)
      if isStopped { return 0 }
      if value >= target { return value }
      best = max(best, value)
    }
    return best
  }

  /// Whether one of the moves leaves the other side no move that does not lose.
  @inline(__always) private static func hasWinningMove(_ moves: UInt64, of node: ConnectFourNode) -> Bool {
    var rest = moves
    while rest != 0 {
      let cell = rest & (0 &- rest)
      rest ^= cell
      if node.playing(cell).movesThatDoNotLose == 0 { return true }
    }
    return false
  }

  /// Makes candidates of the moves whose worth is not known at once.
  @inline(__always) private func sift(_ moves: UInt64, of node: ConnectFourNode, target: Int32) -> Sifted {
    let start = ConnectFourStack.start(ply: node.ply)
    var sifted = Sifted(end: start, best: 0 &- ConnectFourScore.infinity, isAnswered: false)
    for index in 0..<look(at: moves, of: node) {
      let glimpse = stack.glimpse(at: index)
      let after = node.playing(glimpse.cell)
      if after.movesThatDoNotLose == 0 {
        return Sifted(end: start, best: ConnectFourScore.winsLater(ply: node.ply), isAnswered: true)
      }
      if let answer = Self.answer(of: after, target: 1 &- target, glance: glimpse.glance) {
        if answer <= 0 &- target { return Sifted(end: start, best: 0 &- answer, isAnswered: true) }
        sifted.best = max(sifted.best, 0 &- answer)
        continue
      }
      stack.insert(
        .init(cell: glimpse.cell, threats: after.theirThreats, rank: after.promise), start: start,
        end: sifted.end)
      sifted.end &+= 1
    }
    return sifted
  }

  /// Answers as `bound` without a search, when the strategies or the table tell.
  @inline(__always) private static func answer(
    of node: ConnectFourNode, target: Int32, glance: ConnectFourTable.Glance
  ) -> Int32? {
    if let bound = ConnectFourParity.bound(node, target: target) { return bound }
    guard let known = glance.bounds else { return nil }
    if known.lower >= target { return known.lower }
    return known.upper < target ? known.upper : nil
  }

  /// Reads what the table has of each move, from the middle column outwards, before any of it is looked at.
  /// - Returns: how many moves there are.
  @inline(__always) private func look(at moves: UInt64, of node: ConnectFourNode) -> Int {
    var columns = Self.columnOrder
    var count = 0
    while columns != 0 {
      let cell = moves & ConnectFourBits.column(Int(columns & 0xF))
      columns &>>= 4
      if cell == 0 { continue }
      let glance: ConnectFourTable.Glance =
        node.ply < Self.lookupPlies ? table.glance(at: table.place(node.key(after: cell))) : .none
      stack.note(.init(cell: cell, glance: glance), at: count)
      count &+= 1
    }
    return count
  }

  /// Looks whether the search is over, and gives the table room when the search has outgrown it.
  private mutating func isOver() -> Bool {
    if isStopped { return true }
    wasCancelled = nodes < limit && isCancelled()
    isStopped = nodes >= limit || wasCancelled
    if isStopped { return true }
    if table.canGrow, nodes >= table.enoughNodes { table.grow() }
    pause = min(limit, nodes &+ Self.pauseNodes)
    if table.canGrow { pause = min(pause, table.enoughNodes) }
    return false
  }
}

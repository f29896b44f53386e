import Games

/// One run of the solver: null-window alpha-beta without allocation, over a table and a stack that it
/// borrows.
@safe struct ConnectFourSearch {
  /// A move worth searching, with what it makes.
  struct Candidate {
    var cell: UInt64
    /// Cells where the mover's stones complete a line once the move is played.
    var threats: UInt64
    /// The higher, the sooner it is searched.
    var rank: Int32
  }

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
  private let candidates: UnsafeMutablePointer<Candidate>
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
  /// - Parameter candidates: seven for each of 42 plies, for this search alone while it lasts.
  init(
    table: ConnectFourTable, candidates: UnsafeMutablePointer<Candidate>, limit: UInt64,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.table = table
    unsafe self.candidates = unsafe candidates
    self.limit = limit
    self.isCancelled = isCancelled
    pause = min(limit, Self.pauseNodes, UInt64(table.count))
  }

  /// Whether the position is worth at least `target` to the side to move.
  /// - Returns: a proven lower bound that is at least `target`, or a proven upper bound that is less.
  mutating func bound(_ node: ConnectFourNode, target: Int32) -> Int32 {
    if nodes >= pause && isOver() { return 0 }
    nodes &+= 1
    let moves = node.movesThatDoNotLose
    if moves == 0 { return ConnectFourScore.losesNext(ply: node.ply) }
    let highest = ConnectFourScore.winsLater(ply: node.ply)
    if highest < target { return highest }
    let lowest = ConnectFourScore.losesLater(ply: node.ply)
    if lowest >= target { return lowest }
    if moves & (moves &- 1) == 0 { return 0 &- bound(node.playing(moves), target: 1 &- target) }
    if let bound = ConnectFourParity.bound(node, target: target) { return bound }
    if node.ply > Self.tablePlies { return best(of: moves, in: node, target: target) }
    // A table that grows meanwhile leaves this place in a part that nobody reads any more.
    let place = table.place(node.key)
    var known = table.bounds(at: place) ?? .init(lower: lowest, upper: highest)
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
    for index in Int(node.ply) &* 7..<sifted.end {
      // SAFETY: `index` is within the seven candidates of this ply.
      let move = unsafe candidates[index]
      let value = 0 &- bound(node.playing(move.cell, threats: move.threats), target: 1 &- target)
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
    var sifted = Sifted(end: Int(node.ply) &* 7, best: 0 &- ConnectFourScore.infinity, isAnswered: false)
    var columns = Self.columnOrder
    while columns != 0 {
      let cell = moves & ConnectFourBits.column(Int(columns & 0xF))
      columns &>>= 4
      if cell == 0 { continue }
      let after = node.playing(cell)
      if after.movesThatDoNotLose == 0 {
        return Sifted(end: 0, best: ConnectFourScore.winsLater(ply: node.ply), isAnswered: true)
      }
      if node.ply < Self.lookupPlies, let known = table.bounds(at: table.place(after.key)) {
        if known.upper <= 0 &- target { return Sifted(end: 0, best: 0 &- known.upper, isAnswered: true) }
        if known.lower > 0 &- target {
          sifted.best = max(sifted.best, 0 &- known.lower)
          continue
        }
      }
      insert(
        Candidate(cell: cell, threats: after.theirThreats, rank: after.promise), ply: node.ply,
        end: sifted.end)
      sifted.end &+= 1
    }
    return sifted
  }

  /// Puts a move among the candidates, behind those of the same rank.
  @inline(__always) private func insert(_ move: Candidate, ply: Int32, end: Int) {
    let start = Int(ply) &* 7
    var index = end
    // SAFETY: at most seven moves a ply, each inserted once, so `index` stays within this ply's seven.
    while index > start, unsafe candidates[index &- 1].rank < move.rank {
      unsafe candidates[index] = unsafe candidates[index &- 1]
      index &-= 1
    }
    unsafe candidates[index] = move
  }

  /// Looks whether the search is over, and gives the table room when the search has outgrown it.
  private mutating func isOver() -> Bool {
    if isStopped { return true }
    wasCancelled = nodes < limit && isCancelled()
    isStopped = nodes >= limit || wasCancelled
    if isStopped { return true }
    if table.canGrow, nodes >= UInt64(table.count) { table.grow() }
    pause = min(limit, nodes &+ Self.pauseNodes)
    if table.canGrow { pause = min(pause, UInt64(table.count)) }
    return false
  }
}

import Games

/// One run of the solver: null-window alpha-beta without allocation, over a table and a stack that it borrows.
@safe struct ConnectFourSearch {
  /// A move worth searching, with what it makes.
  struct Candidate {
    var cell: UInt64
    /// Cells where the mover's stones complete a line once the move is played.
    var threats: UInt64
    /// The higher, the sooner it is searched.
    var rank: Int32
  }

  /// Positions between two looks at whether the search is still wanted.
  private static let pauseNodes: UInt64 = 1 << 16
  /// Columns from the middle outwards, four bits each, the first lowest.
  private static let columnOrder: UInt64 = 0x6051423
  /// Positions with fewer stones share their entry with their mirror image.
  private static let mirrorPlies: Int32 = 14
  /// Positions with fewer stones look their moves up in the table before searching any.
  private static let lookupPlies: Int32 = 28
  /// Positions with more stones are not worth an entry.
  private static let tablePlies: Int32 = 37

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
  ///
  /// The position is not over and neither side wins with its next stone.
  /// - Returns: a proven lower bound that is at least `target`, or a proven upper bound that is less.
  mutating func bound(_ board: ConnectFourBoard, target: Int32) -> Int32 {
    let theirs = board.theirs
    return bound(
      mine: board.mine, theirs: theirs, ply: Int32(truncatingIfNeeded: board.ply),
      myThreats: ConnectFourBits.threats(board.mine, occupied: board.occupied),
      theirThreats: ConnectFourBits.threats(theirs, occupied: board.occupied), target: target)
  }

  private mutating func bound(
    mine: UInt64, theirs: UInt64, ply: Int32, myThreats: UInt64, theirThreats: UInt64, target: Int32
  ) -> Int32 {
    if nodes >= pause && isOver() { return 0 }
    nodes &+= 1
    let occupied = mine | theirs
    let moves = Self.movesThatDoNotLose(ConnectFourBits.playable(occupied), theirThreats: theirThreats)
    if moves == 0 { return ConnectFourScore.losesNext(ply: ply) }
    let highest = ConnectFourScore.winsLater(ply: ply)
    if highest < target { return highest }
    let lowest = ConnectFourScore.losesLater(ply: ply)
    if lowest >= target { return lowest }
    if moves & (moves &- 1) == 0 {
      let threats = ConnectFourBits.threats(mine | moves, occupied: occupied | moves)
      return 0
        &- bound(
          mine: theirs, theirs: mine | moves, ply: ply &+ 1, myThreats: theirThreats & ~moves,
          theirThreats: threats, target: 1 &- target)
    }
    if let bound = Self.parityBound(
      mine: mine, theirs: theirs, ply: ply, myThreats: myThreats, theirThreats: theirThreats, target: target)
    {
      return bound
    }
    if ply > Self.tablePlies {
      return best(
        of: moves, mine: mine, theirs: theirs, ply: ply, theirThreats: theirThreats, target: target)
    }
    let place = table.place(Self.key(mine, occupied, ply: ply))
    var known = table.bounds(at: place) ?? .init(lower: lowest, upper: highest)
    if known.lower >= target { return known.lower }
    if known.upper < target { return known.upper }
    let value = best(
      of: moves, mine: mine, theirs: theirs, ply: ply, theirThreats: theirThreats, target: target)
    if isStopped { return 0 }
    if value >= target { known.lower = value } else { known.upper = value }
    table.store(known, at: place)
    return value
  }

  /// A bound that answers the question without a search, by who gets which rows.
  @inline(__always) private static func parityBound(
    mine: UInt64, theirs: UInt64, ply: Int32, myThreats: UInt64, theirThreats: UInt64, target: Int32
  ) -> Int32? {
    if ply & 1 == 0 {
      if target >= -2,
        ConnectFourParity.holdsFirst(mine, second: theirs, threats: theirThreats, below: target)
      {
        return min(target &- 1, 0)
      }
      if target <= 2, ConnectFourParity.firstWins(mine, second: theirs, threats: myThreats, atLeast: target) {
        return max(target, 1)
      }
    } else {
      if target <= 3,
        ConnectFourParity.holdsFirst(theirs, second: mine, threats: myThreats, below: 1 &- target)
      {
        return max(target, 0)
      }
      if target >= -1,
        ConnectFourParity.firstWins(theirs, second: mine, threats: theirThreats, atLeast: 1 &- target)
      {
        return min(target &- 1, -1)
      }
    }
    return nil
  }

  /// Searches the moves, the most promising first, until one is worth `target`.
  @inline(__always) private mutating func best(
    of moves: UInt64, mine: UInt64, theirs: UInt64, ply: Int32, theirThreats: UInt64, target: Int32
  ) -> Int32 {
    let start = Int(ply) &* 7
    var end = start
    var columns = Self.columnOrder
    let occupied = mine | theirs
    var best = 0 &- ConnectFourScore.infinity
    while columns != 0 {
      let cell = moves & ConnectFourBits.column(Int(columns & 0xF))
      columns &>>= 4
      if cell == 0 { continue }
      let threats = ConnectFourBits.threats(mine | cell, occupied: occupied | cell)
      let replies = ConnectFourBits.playable(occupied | cell)
      if Self.movesThatDoNotLose(replies, theirThreats: threats) == 0 {
        return ConnectFourScore.winsLater(ply: ply)
      }
      if ply < Self.lookupPlies {
        let place = table.place(Self.key(theirs, occupied | cell, ply: ply &+ 1))
        if let known = table.bounds(at: place) {
          if known.upper <= 0 &- target { return 0 &- known.upper }
          if known.lower > 0 &- target {
            best = max(best, 0 &- known.lower)
            continue
          }
        }
      }
      insert(cell, threats: threats, from: start, to: end)
      end &+= 1
    }
    for index in start..<end {
      // SAFETY: `index` is within the seven candidates of this ply.
      let candidate = unsafe candidates[index]
      let value =
        0
        &- bound(
          mine: theirs, theirs: mine | candidate.cell, ply: ply &+ 1,
          myThreats: theirThreats & ~candidate.cell, theirThreats: candidate.threats, target: 1 &- target)
      if isStopped { return 0 }
      if value >= target { return value }
      best = max(best, value)
    }
    return best
  }

  /// Puts a move among the candidates, behind those that threaten as much.
  @inline(__always) private func insert(_ cell: UInt64, threats: UInt64, from start: Int, to end: Int) {
    let rank = Int32(truncatingIfNeeded: threats.nonzeroBitCount)
    var index = end
    // SAFETY: at most seven moves a ply, each inserted once, so `index` stays within this ply's seven.
    while index > start, unsafe candidates[index &- 1].rank < rank {
      unsafe candidates[index] = unsafe candidates[index &- 1]
      index &-= 1
    }
    unsafe candidates[index] = Candidate(cell: cell, threats: threats, rank: rank)
  }

  /// The playable cells that do not let the other side win with its next stone.
  @inline(__always) static func movesThatDoNotLose(_ playable: UInt64, theirThreats: UInt64) -> UInt64 {
    var moves = playable
    let forced = playable & theirThreats
    if forced != 0 {
      if forced & (forced &- 1) != 0 { return 0 }
      moves = forced
    }
    return moves & ~(theirThreats &>> 1)
  }

  /// A number of 49 bits for each position; near the empty board one for a position and its mirror image.
  ///
  /// Each column's seven bits are its stones' cells plus those of the side to move, a number for each filling.
  @inline(__always) private static func key(_ mine: UInt64, _ occupied: UInt64, ply: Int32) -> UInt64 {
    let key = mine &+ occupied
    return ply < mirrorPlies ? min(key, ConnectFourBits.mirrored(key)) : key
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
    return isStopped
  }
}

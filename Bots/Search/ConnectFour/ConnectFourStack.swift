/// The moves that one search has before it, in memory that it writes anew at each position.
@safe struct ConnectFourStack {
  /// A move worth searching, with what it makes.
  struct Candidate {
    var cell: UInt64
    /// Cells where the mover's stones complete a line once the move is played.
    var threats: UInt64
    /// The higher, the sooner it is searched.
    var rank: Int32
  }

  /// A move with what the table has at the place of the position after it.
  struct Glimpse {
    var cell: UInt64
    var glance: ConnectFourTable.Glance
  }

  private static var movesAtMost: Int { 7 }
  private static var plies: Int { 42 }

  private let candidates: UnsafeMutablePointer<Candidate>
  private let glimpses: UnsafeMutablePointer<Glimpse>

  /// Room for a search. Whoever makes it calls `free` when it is done.
  init() {
    // SAFETY: seven moves for each of 42 plies, and seven; initialized here, given back by `free` alone.
    unsafe candidates = .allocate(capacity: Self.plies * Self.movesAtMost)
    unsafe candidates.initialize(
      repeating: Candidate(cell: 0, threats: 0, rank: 0), count: Self.plies * Self.movesAtMost)
    unsafe glimpses = .allocate(capacity: Self.movesAtMost)
    unsafe glimpses.initialize(repeating: Glimpse(cell: 0, glance: .none), count: Self.movesAtMost)
  }

  /// Gives the memory back; the stack must not be used afterwards.
  func free() {
    // SAFETY: allocated in `init`; the elements are trivial.
    unsafe candidates.deallocate()
    unsafe glimpses.deallocate()
  }

  /// Where the candidates of a ply start.
  @inline(__always) static func start(ply: Int32) -> Int { Int(ply) &* movesAtMost }

  /// A candidate that was inserted.
  @inline(__always) func candidate(at index: Int) -> Candidate {
    // SAFETY: within the seven of its ply, as `insert`.
    unsafe candidates[index]
  }

  /// Puts a move among a ply's candidates, behind those of the same rank.
  /// - Parameters:
  ///   - start: where the ply's candidates start.
  ///   - end: where those inserted so far end; each of the ply's seven columns is inserted at most once.
  @inline(__always) func insert(_ move: Candidate, start: Int, end: Int) {
    var index = end
    // SAFETY: at most seven moves a ply, each inserted once, so `index` stays within this ply's seven.
    while index > start, unsafe candidates[index &- 1].rank < move.rank {
      unsafe candidates[index] = unsafe candidates[index &- 1]
      index &-= 1
    }
    unsafe candidates[index] = move
  }

  /// A move noted by `note`, by its number among those of the position.
  @inline(__always) func glimpse(at index: Int) -> Glimpse {
    // SAFETY: fewer than seven are before it, as `note`.
    unsafe glimpses[index]
  }

  /// Notes a move of the position at hand.
  /// - Parameter index: how many were noted before it, at most six.
  @inline(__always) func note(_ glimpse: Glimpse, at index: Int) {
    // SAFETY: seven columns have at most seven moves.
    unsafe glimpses[index] = glimpse
  }
}

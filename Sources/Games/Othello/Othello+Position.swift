public import Rules

extension Othello {
  /// The stones on the board, whose move it is, and who began.
  public struct Position: Hashable, Sendable {
    /// Stones of the side to move (of the side that did not move last, once the game is over).
    public private(set) var moverStones: UInt64
    /// Stones of the other side.
    public private(set) var otherStones: UInt64
    /// The side to move; once the game is over, the side that did not move last.
    public private(set) var mover: Seat
    /// The seat that moved first; its stones stood on d5 and e4.
    public let first: Seat
    /// Whether the other side had no move and passed, so that the mover has moved last too.
    public private(set) var isAfterPass = false
    /// The cells that the mover may play; none once the game is over.
    public private(set) var moves: UInt64

    /// The four stones in the middle.
    init(first: Seat) {
      precondition(first.rawValue < 2, "Othello has two seats, \(first) cannot move first")
      moverStones = 1 << 28 | 1 << 35
      otherStones = 1 << 27 | 1 << 36
      mover = first
      self.first = first
      moves = OthelloBits.moves(moverStones, otherStones)
    }

    /// Whether neither side can move.
    public var isOver: Bool { moves == 0 }

    /// Stones of one seat.
    public func stones(of seat: Seat) -> UInt64 { seat == mover ? moverStones : otherStones }

    /// How many stones a seat has.
    public func count(of seat: Seat) -> Int { stones(of: seat).nonzeroBitCount }

    /// Plays a legal cell. The other side passes when it has no move and the mover has.
    mutating func play(_ cell: UInt64) {
      let turned = OthelloBits.turned(by: cell, moverStones, otherStones)
      (moverStones, otherStones) = (otherStones & ~turned, moverStones | turned | cell)
      mover = mover.opponent
      isAfterPass = false
      moves = OthelloBits.moves(moverStones, otherStones)
      guard moves == 0 else { return }
      let again = OthelloBits.moves(otherStones, moverStones)
      guard again != 0 else { return }
      swap(&moverStones, &otherStones)
      mover = mover.opponent
      isAfterPass = true
      moves = again
    }
  }
}

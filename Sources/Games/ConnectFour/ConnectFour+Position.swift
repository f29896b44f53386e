public import Rules

extension ConnectFour {
  /// The stones on the board and who began; `ConnectFourBits` draws the layout of the bits.
  public struct Position: Hashable, Sendable {
    /// Stones of the side to move (of the loser, once somebody has won).
    public private(set) var moverStones: UInt64
    /// Stones of both sides.
    public private(set) var occupied: UInt64
    /// The seat that moved first.
    public let first: Seat

    /// The empty board.
    /// - Parameter first: seat 0 or 1.
    public init(first: Seat) {
      precondition(first.rawValue < 2, "Connect Four has two seats, \(first) cannot move first")
      moverStones = 0
      occupied = 0
      self.first = first
    }

    /// How many stones have been played.
    public var ply: Int { occupied.nonzeroBitCount }

    /// The side to move (the loser, once somebody has won).
    public var mover: Seat { ply & 1 == 0 ? first : first.opponent }

    /// Stones of the side that moved last.
    public var opponentStones: UInt64 { occupied ^ moverStones }

    /// Stones of one seat.
    public func stones(of seat: Seat) -> UInt64 { seat == mover ? moverStones : opponentStones }

    /// Whether the last move completed a line of four.
    public var isWon: Bool { ConnectFourBits.hasFour(opponentStones) }

    /// Whether nobody may move any more.
    public var isOver: Bool { occupied == ConnectFourBits.board || isWon }

    /// Whether a column has room.
    /// - Parameter column: 0 to 6.
    public func hasRoom(_ column: Int) -> Bool {
      ConnectFourBits.playable(occupied) & ConnectFourBits.column(column) != 0
    }

    /// Drops a stone of the side to move into a column that has room.
    mutating func drop(_ column: Int) {
      let opponent = opponentStones
      occupied |= ConnectFourBits.playable(occupied) & ConnectFourBits.column(column)
      moverStones = opponent
    }
  }
}

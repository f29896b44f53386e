public import Rules

extension TicTacToe {
  /// The stones of both seats as nine-bit masks, and who began: seven bytes without heap storage.
  ///
  /// ```
  /// bit 0 1 2
  ///     3 4 5
  ///     6 7 8
  /// ```
  public struct Position: Hashable, Sendable {
    /// The mask of all nine cells.
    static let board: UInt16 = 0b111_111_111

    /// The eight lines: rows from the top, columns from the left, then the two diagonals.
    public static let lines: [UInt16] = [
      0b000_000_111, 0b000_111_000, 0b111_000_000, 0b001_001_001, 0b010_010_010, 0b100_100_100, 0b100_010_001,
      0b001_010_100,
    ]

    /// The seat that moves first.
    public let first: Seat
    private var ownStones: UInt16 = 0
    private var otherStones: UInt16 = 0
    /// How many stones there are: kept, because the seat to move is asked for all the time.
    private var count: UInt8 = 0

    /// The empty board.
    /// - Parameter first: the seat that moves first, 0 or 1.
    init(first: Seat) {
      precondition(first.rawValue < 2, "tic-tac-toe has two seats, \(first) cannot begin")
      self.first = first
    }

    /// How many cells are taken.
    @inline(__always) public var ply: Int { Int(count) }
    /// The taken cells.
    @inline(__always) public var occupied: UInt16 { ownStones | otherStones }
    /// Whether no cell is empty.
    @inline(__always) public var isFull: Bool { occupied == Self.board }
    /// The seat whose turn it would be by the number of stones, also when the game is over.
    @inline(__always) public var seatToMove: Seat { ply % 2 == 0 ? first : first.opponent }

    /// The cells taken by one seat.
    @inline(__always)
    public func stones(of seat: Seat) -> UInt16 { seat == first ? ownStones : otherStones }

    /// The seat whose stone lies on a cell, `nil` for an empty cell.
    public func seat(at cell: Cell) -> Seat? {
      guard occupied & cell.mask != 0 else { return nil }
      return ownStones & cell.mask != 0 ? first : first.opponent
    }

    /// The seat that has a line. Only the last mover can have made one.
    @inline(__always) public var winner: Seat? {
      let last = seatToMove.opponent
      return Self.hasLine(stones(of: last)) ? last : nil
    }

    /// All cells of the winner's lines (one move can complete two), `nil` without a winner.
    public var winningLine: UInt16? {
      guard let winner else { return nil }
      let stones = stones(of: winner)
      return Self.lines.filter { $0 & stones == $0 }.reduce(0, |)
    }

    /// Whether a mask holds one of the eight lines, by shifting the mask along each direction.
    @inline(__always)
    public static func hasLine(_ mask: UInt16) -> Bool {
      let rows = mask & mask >> 1 & mask >> 2 & 0b001_001_001
      let columns = mask & mask >> 3 & mask >> 6 & 0b000_000_111
      let falling = mask & mask >> 4 & mask >> 8 & 0b000_000_001
      let rising = mask & mask >> 2 & mask >> 4 & 0b000_000_100
      return rows | columns | falling | rising != 0
    }

    /// Puts a stone of the seat to move on an empty cell.
    @inline(__always)
    mutating func place(_ cell: Cell) {
      if seatToMove == first { ownStones |= cell.mask } else { otherStones |= cell.mask }
      count += 1
    }
  }
}

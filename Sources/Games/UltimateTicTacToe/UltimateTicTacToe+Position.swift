public import Rules

extension UltimateTicTacToe {
  /// The stones of both seats on nine small boards, which boards are decided, and where the next stone has to go.
  public struct Position: Hashable, Sendable {
    /// A set of cells: nine masks of nine bits, board 0 the lowest.
    typealias Cells = UInt128

    /// The seat that moved first.
    public let first: Seat
    /// The stones of the seat that moved first, and of the other one.
    private var stones = (first: Cells(0), other: Cells(0))
    /// The cells on which nobody can play any more: those with a stone, and those of small boards that are decided.
    private var closed = Cells(0)
    /// How many stones there are.
    private var count: UInt8 = 0
    /// The small boards that each has won.
    private var won = (first: UInt16(0), other: UInt16(0))
    /// Whether the last stone completed a line of small boards.
    private(set) var isWon = false
    /// The small boards on which nobody can play any more: won, or full.
    public private(set) var decided: UInt16 = 0
    /// The small board on which the next stone has to go; `nil` when it may go on any that is not decided.
    public private(set) var target: UInt8?

    /// Nine empty boards.
    init(first: Seat) {
      precondition(first.rawValue < 2, "ultimate tic-tac-toe has two seats, \(first) cannot move first")
      self.first = first
    }

    /// Whether all that is on the table is the same.
    public static func == (one: Self, other: Self) -> Bool {
      one.first == other.first && one.stones == other.stones && one.won == other.won
        && one.decided == other.decided && one.target == other.target
    }

    /// Feeds what tells positions apart into a hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(first)
      hasher.combine(stones.first)
      hasher.combine(stones.other)
      hasher.combine(target)
    }

    /// The seat to move; once the game is over, the seat that did not move last.
    @inline(__always) public var mover: Seat { isFirstNext ? first : first.opponent }

    @inline(__always) private var isFirstNext: Bool { count & 1 == 0 }

    /// A seat's stones on one small board.
    public func stones(of seat: Seat, on board: Int) -> UInt16 {
      Self.cells(seat == first ? stones.first : stones.other, on: board)
    }

    @inline(__always)
    private static func cells(_ cells: Cells, on board: Int) -> UInt16 {
      UInt16(truncatingIfNeeded: cells &>> Cells(truncatingIfNeeded: 9 &* board)) & TicTacToe.Position.board
    }

    /// The small boards that a seat has won.
    public func won(by seat: Seat) -> UInt16 { seat == first ? won.first : won.other }

    /// The seat that has three small boards in a line. Only the last mover can have made one.
    public var winner: Seat? { isWon ? mover.opponent : nil }

    /// The cells of a small board on which the seat to move may play.
    @inline(__always)
    func open(_ board: Int) -> UInt16 {
      target.map { Int($0) == board } ?? true ? ~Self.cells(closed, on: board) & TicTacToe.Position.board : 0
    }

    /// The cells without a stone of all small boards that are not decided.
    @inline(__always) var openCells: Cells { ~closed & (1 << 81 - 1) }

    /// Puts a stone of the seat to move on an open cell.
    @inline(__always)
    mutating func put(_ cell: Int, on board: Int) {
      let stone = Cells(1) &<< Cells(truncatingIfNeeded: 9 &* board &+ cell)
      closed |= stone
      let mine = (isFirstNext ? stones.first : stones.other) | stone
      if isFirstNext { stones.first = mine } else { stones.other = mine }
      let isLine = NineBits(Self.cells(mine, on: board)).hasLine
      if isLine || Self.cells(closed, on: board) == TicTacToe.Position.board {
        decide(board, isWon: isLine)
      }
      count &+= 1
      target = decided &>> UInt16(truncatingIfNeeded: cell) & 1 == 0 ? UInt8(truncatingIfNeeded: cell) : nil
    }

    /// Closes a small board on which the seat to move has put the last stone.
    @inline(__always)
    private mutating func decide(_ board: Int, isWon: Bool) {
      let bit: UInt16 = 1 &<< UInt16(truncatingIfNeeded: board)
      decided |= bit
      closed |= Cells(TicTacToe.Position.board) &<< Cells(truncatingIfNeeded: 9 &* board)
      guard isWon else { return }
      if isFirstNext { won.first |= bit } else { won.other |= bit }
      self.isWon = TicTacToe.Position.hasLine(isFirstNext ? won.first : won.other)
    }
  }
}

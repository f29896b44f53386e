public import Rules

extension UltimateTicTacToe {
  /// The stones of both seats on nine small boards, which boards are decided, and where the next stone has to go.
  public struct Position: Hashable, Sendable {
    /// The stones of one seat: nine masks of nine bits, board 0 the lowest.
    struct Stones: Hashable, Sendable {
      /// Boards 0 to 6 and boards 7 and 8.
      private var low: UInt64 = 0
      private var high: UInt32 = 0

      /// The stones on one small board.
      subscript(board: Int) -> UInt16 {
        let bits = board < 7 ? low >> UInt64(9 * board) : UInt64(high) >> UInt64(9 * (board - 7))
        return UInt16(truncatingIfNeeded: bits) & TicTacToe.Position.board
      }

      mutating func put(_ cell: Int, on board: Int) {
        if board < 7 {
          low |= 1 << UInt64(9 * board + cell)
        } else {
          high |= 1 << UInt32(9 * (board - 7) + cell)
        }
      }
    }

    /// The seat that moved first.
    public let first: Seat
    /// The stones of the seat that moved first, and of the other one.
    private var stones = (first: Stones(), other: Stones())
    /// How many stones there are.
    private var count: UInt8 = 0
    /// The small boards that each has won.
    private var won = (first: UInt16(0), other: UInt16(0))
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
    public var mover: Seat {
      count & 1 == 0 ? first : first.opponent
    }

    /// A seat's stones on one small board.
    public func stones(of seat: Seat, on board: Int) -> UInt16 {
      seat == first ? stones.first[board] : stones.other[board]
    }

    /// The small boards that a seat has won.
    public func won(by seat: Seat) -> UInt16 { seat == first ? won.first : won.other }

    /// The seat that has three small boards in a line. Only the last mover can have made one.
    public var winner: Seat? {
      let last = mover.opponent
      return TicTacToe.Position.hasLine(won(by: last)) ? last : nil
    }

    /// The empty cells of a small board on which the seat to move may play.
    func open(_ board: Int) -> UInt16 {
      guard decided >> UInt16(board) & 1 == 0, target.map({ Int($0) == board }) ?? true else { return 0 }
      return ~(stones.first[board] | stones.other[board]) & TicTacToe.Position.board
    }

    /// The empty cells on which the seat to move may play, of all small boards: nine bits each, board 0 the lowest.
    var openCells: UInt128 {
      var cells = UInt128(0)
      for board in 0..<9 { cells |= UInt128(open(board)) << UInt128(9 * board) }
      return cells
    }

    /// Puts a stone of the seat to move on an open cell.
    mutating func put(_ cell: Int, on board: Int) {
      let isFirst = mover == first
      count += 1
      if isFirst { stones.first.put(cell, on: board) } else { stones.other.put(cell, on: board) }
      let bit: UInt16 = 1 << UInt16(board)
      if TicTacToe.Position.hasLine(isFirst ? stones.first[board] : stones.other[board]) {
        if isFirst { won.first |= bit } else { won.other |= bit }
        decided |= bit
      } else if stones.first[board] | stones.other[board] == TicTacToe.Position.board {
        decided |= bit
      }
      target = decided >> UInt16(cell) & 1 == 0 ? UInt8(truncatingIfNeeded: cell) : nil
    }
  }
}

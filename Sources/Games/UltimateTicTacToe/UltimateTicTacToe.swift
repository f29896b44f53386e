public import Rules

/// Ultimate tic-tac-toe: nine boards of tic-tac-toe that make one big board.
///
/// The cell of a stone says on which small board the other side has to play next: a stone in the top right cell sends
/// it to the top right board. Who is sent to a board that is won or full plays on any other. Three in a row win a small
/// board, three small boards in a row the game. A game without that is a draw when no board is open any more.
public struct UltimateTicTacToe: Rules {
  public static let name = "ultimate-tic-tac-toe"
  public static let version: UInt16 = 1
  public static let title = "Ultimate tic-tac-toe"
  public static let summary =
    "Nine boards in one: your cell says on which board the other side plays; two seats."
  public static let settings: [ParameterDefinition] = []
  public static let canBeDrawn = true

  /// A stone on a cell of a small board.
  public struct Move: Hashable, Sendable {
    /// The small board, from 0 at the top left, row by row.
    public let board: UInt8
    /// The cell on it, likewise.
    public let cell: UInt8

    /// A stone on this cell of this board; `nil` when one of them is not there.
    public init?(board: Int, cell: Int) {
      guard (0..<9).contains(board), (0..<9).contains(cell) else { return nil }
      self.init(UInt8(board), UInt8(cell))
    }

    fileprivate init(_ board: UInt8, _ cell: UInt8) { (self.board, self.cell) = (board, cell) }

    /// Where it lies on the nine by nine cells of all boards, from 0 at the top left.
    fileprivate var column: Int { Int(board) % 3 * 3 + Int(cell) % 3 }
    fileprivate var row: Int { Int(board) / 3 * 3 + Int(cell) / 3 }

    fileprivate init?(column: Int, row: Int) {
      guard (0..<9).contains(column), (0..<9).contains(row) else { return nil }
      self.init(board: row / 3 * 3 + column / 3, cell: row % 3 * 3 + column % 3)
    }
  }

  /// The standard game.
  public init() {}

  /// There is nothing to set, so every name is unknown.
  public init(_ parameters: Parameters) throws(RulesError) {
    if let entry = parameters.entries.first { throw .unknownParameter(entry.name, known: []) }
  }

  public var parameters: Parameters { Parameters() }
  public var seats: Int { 2 }

  public func start(first: Seat) -> Position { Position(first: first) }

  @inline(__always)
  public func turn(in position: Position) -> Turn {
    if let winner = position.winner { return .over(.won(by: winner, of: seats)) }
    return position.decided == TicTacToe.Position.board ? .over(.drawn(of: seats)) : .seat(position.mover)
  }

  @inline(__always)
  public func isLegal(_ move: Move, by seat: Seat, in position: Position) -> Bool {
    seat == position.mover && !position.isWon
      && position.open(Int(move.board)) >> UInt16(move.cell) & 1 == 1
  }

  public func forEachMove(of seat: Seat, in position: Position, _ body: (Move) -> Void) {
    guard seat == position.mover, !position.isWon else { return }
    for board in 0..<9 {
      var cells = position.open(board)
      while cells != 0 {
        body(Move(UInt8(truncatingIfNeeded: board), UInt8(truncatingIfNeeded: cells.trailingZeroBitCount)))
        cells &= cells - 1
      }
    }
  }

  @inline(__always)
  public func randomMove(of seat: Seat, in position: Position, by chance: inout Chance) -> Move {
    if let target = position.target {
      let cells = NineBits(position.open(Int(target)))
      let number = Int(truncatingIfNeeded: chance.below(UInt64(truncatingIfNeeded: cells.count)))
      return Move(target, UInt8(truncatingIfNeeded: cells.place(ofSetBit: number)))
    }
    let cells = position.openCells
    let low = CountedBits(UInt64(truncatingIfNeeded: cells))
    let high = CountedBits(UInt64(truncatingIfNeeded: cells &>> 64))
    let number = Int(truncatingIfNeeded: chance.below(UInt64(truncatingIfNeeded: low.count &+ high.count)))
    let place =
      number < low.count ? low.place(ofSetBit: number) : 64 + high.place(ofSetBit: number &- low.count)
    return Move(UInt8(truncatingIfNeeded: place / 9), UInt8(truncatingIfNeeded: place % 9))
  }

  public func playOut(_ position: inout Position, by chance: inout Chance) -> Int {
    steppedPlayOut(&position, by: &chance)
  }

  @inline(__always)
  public func play(_ move: Move, in position: inout Position) {
    precondition(
      isLegal(move, by: position.mover, in: position),
      "\(Self.name): \(text(of: move)) cannot be played in \(position)")
    position.put(Int(move.cell), on: Int(move.board))
  }

  public func code(of move: Move) -> MoveCode { MoveCode(UInt32(move.board) * 9 + UInt32(move.cell)) }

  public func move(code: MoveCode) -> Move? {
    Int(exactly: code.rawValue).flatMap { Move(board: $0 / 9, cell: $0 % 9) }
  }

  /// The column's letter and the row's number on the big board, as in `e5`; row 1 is the top one.
  public func text(of move: Move) -> String { Self.letter(move.column) + "\(move.row + 1)" }

  /// Reads `e5` and `E5`.
  public func move(text: String) -> Move? {
    let bytes = Array(text.utf8.prefix(3))
    guard bytes.count == 2 else { return nil }
    return Move(column: Int(bytes[0] | 0x20) - 0x61, row: Int(bytes[1]) - 0x31)
  }

  /// 38 bytes: for seat 0 and then for seat 1 its stones on each board as a mask of two bytes, the high byte first; the
  /// seat that began; the board on which the next stone has to go, 9 for any.
  public func encode(_ position: Position) -> [UInt8] {
    let masks = [Seat(0), Seat(1)].flatMap { seat in (0..<9).map { position.stones(of: seat, on: $0) } }
    return masks.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      + [UInt8(truncatingIfNeeded: position.first.rawValue), position.target ?? 9]
  }

  /// The nine boards as one, with the cells labelled that may be played and the stones of boards that are won marked;
  /// under it who has won which boards, and where the next stone goes.
  public func diagram(of position: Position) -> Diagram {
    let board = (0..<9).map { row in
      (0..<9).map { column in Move(column: column, row: row).map { square($0, in: position) } ?? .empty }
    }
    let boards = [Seat(0), Seat(1)].map { seat -> Diagram.Line in
      let names = Self.names.enumerated().filter { position.won(by: seat) >> UInt16($0.offset) & 1 == 1 }
      return "\(seat) \(names.isEmpty ? "none" : names.map(\.element).joined(separator: ", "))"
    }
    var lines: [Diagram.Line] = ["Boards won: \(Diagram.Line.joined(boards, separator: "; "))"]
    if case .seat(let mover) = turn(in: position) {
      let place = position.target.map { "on the board \(Self.names[Int($0)])" } ?? "on any open board"
      lines.append("To play: \(mover), \(place)")
    }
    return Diagram(board: board, columnLabels: (0..<9).map { Self.letter($0) }, lines: lines)
  }

  public func diagram(of position: Position, after last: Move) -> Diagram {
    diagram(of: position).marking(row: last.row, column: last.column)
  }

  private func square(_ move: Move, in position: Position) -> Diagram.Cell {
    for seat in [Seat(0), Seat(1)] {
      guard position.stones(of: seat, on: Int(move.board)) >> UInt16(move.cell) & 1 == 1 else { continue }
      return position.won(by: seat) >> UInt16(move.board) & 1 == 1 ? .marked(seat) : .piece(seat)
    }
    return isLegal(move, by: position.mover, in: position) ? .playable(text(of: move)) : .empty
  }

  /// How the small boards are called.
  private static let names = [
    "top left", "top", "top right", "left", "middle", "right", "bottom left", "bottom", "bottom right",
  ]

  private static func letter(_ column: Int) -> String {
    String(UnicodeScalar(UInt8(truncatingIfNeeded: 0x61 + column)))
  }
}

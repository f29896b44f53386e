public import Rules

/// Tic-tac-toe: three in a row on a board of three by three.
///
/// Cells are coded 0 to 8 from the top left, row by row; people type 1 to 9. A full board without a line is a
/// draw.
public struct TicTacToe: Rules {
  public static let name = "tic-tac-toe"
  public static let version: UInt16 = 1
  public static let title = "Tic-tac-toe"
  public static let summary = "Three in a row on a board of three by three; two seats."
  public static let settings: [ParameterDefinition] = []
  public static let canBeDrawn = true

  /// The rules; there is nothing to set.
  public init() {}

  public init(_ parameters: Parameters) throws(RulesError) {
    if let entry = parameters.entries.first { throw .unknownParameter(entry.name, known: []) }
  }

  public var parameters: Parameters { Parameters() }
  public var seats: Int { 2 }

  public func start(first: Seat) -> Position { Position(first: first) }

  @inline(__always)
  public func turn(in position: Position) -> Turn {
    if let winner = position.winner { return .over(.won(by: winner, of: seats)) }
    return position.isFull ? .over(.drawn(of: seats)) : .seat(position.seatToMove)
  }

  @inline(__always)
  public func isLegal(_ cell: Cell, by seat: Seat, in position: Position) -> Bool {
    waits(for: seat, in: position) && position.occupied & cell.mask == 0
  }

  public func forEachMove(of seat: Seat, in position: Position, _ body: (Cell) -> Void) {
    guard waits(for: seat, in: position) else { return }
    var empty = ~position.occupied & Position.board
    while empty != 0 {
      body(Cell(firstOf: empty))
      empty &= empty - 1
    }
  }

  @inline(__always)
  public func randomMove(of seat: Seat, in position: Position, by chance: inout Chance) -> Cell {
    let empty = NineBits(~position.occupied & Position.board)
    let number = Int(truncatingIfNeeded: chance.below(UInt64(truncatingIfNeeded: empty.count)))
    return Cell(place: empty.place(ofSetBit: number))
  }

  public func playOut(_ position: inout Position, by chance: inout Chance) -> Int {
    steppedPlayOut(&position, by: &chance)
  }

  @inline(__always)
  public func play(_ cell: Cell, in position: inout Position) {
    precondition(
      isLegal(cell, by: position.seatToMove, in: position),
      "\(Self.name): \(cell) cannot be played in \(position)")
    position.place(cell)
  }

  public func play(code: MoveCode, by seat: Seat, in position: inout Position) -> Turn? {
    guard let cell = move(code: code), isLegal(cell, by: seat, in: position) else { return nil }
    position.place(cell)
    return turn(in: position)
  }

  public func code(of cell: Cell) -> MoveCode { MoveCode(UInt32(cell.index)) }

  public func move(code: MoveCode) -> Cell? {
    UInt8(exactly: code.rawValue).flatMap { Cell(index: $0) }
  }

  public func text(of cell: Cell) -> String { "\(cell.index + 1)" }

  public func move(text: String) -> Cell? {
    let bytes = text.utf8
    guard let digit = bytes.first, bytes.count == 1, digit > 0x30 else { return nil }
    return Cell(index: digit - 0x31)
  }

  /// Five bytes: the seat that began, then the stones of seat 0 and of seat 1 as masks, the high byte first.
  public func encode(_ position: Position) -> [UInt8] {
    let masks = [position.stones(of: Seat(0)), position.stones(of: Seat(1))]
    let first = UInt8(truncatingIfNeeded: position.first.rawValue)
    return [first] + masks.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  public func diagram(of position: Position) -> Diagram {
    let line = position.winningLine ?? 0
    let isOver = line != 0 || position.isFull
    return Diagram(
      board: (0..<3).map { row in
        (0..<3).map { column in
          square(Cell(row: row, column: column), in: position, line: line, isOver: isOver)
        }
      })
  }

  public func diagram(of position: Position, after last: Move) -> Diagram {
    diagram(of: position).marking(row: Int(last.index) / 3, column: Int(last.index) % 3)
  }

  private func square(_ cell: Cell, in position: Position, line: UInt16, isOver: Bool) -> Diagram.Cell {
    guard let seat = position.seat(at: cell) else { return isOver ? .empty : .playable(text(of: cell)) }
    return line & cell.mask != 0 ? .marked(seat) : .piece(seat)
  }

  @inline(__always)
  private func waits(for seat: Seat, in position: Position) -> Bool {
    seat == position.seatToMove && position.winner == nil
  }
}

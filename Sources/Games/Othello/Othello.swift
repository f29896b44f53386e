public import Rules

/// Othello on eight by eight cells: a stone turns the other side's stones that it encloses; most stones win.
///
/// A move must turn a stone. A side that has no move passes; it has nothing to choose, so nobody writes a pass down: it
/// follows from the move before it. The game is over when neither side can move.
public struct Othello: Rules {
  public static let name = "othello"
  public static let version: UInt16 = 1
  public static let title = "Othello"
  public static let summary = "Enclose the other side's stones to turn them; most stones win; two seats."
  public static let settings: [ParameterDefinition] = []
  public static let canBeDrawn = true

  /// A stone on a cell.
  public struct Move: Hashable, Sendable {
    /// The cell, from 0 for a1 over 7 for h1 and 8 for a2 to 63 for h8.
    public let cell: UInt8

    /// A stone on this cell; `nil` when the board has no such cell.
    public init?(cell: Int) {
      guard (0..<64).contains(cell) else { return nil }
      self.cell = UInt8(cell)
    }

    fileprivate init(firstOf cells: UInt64) { cell = UInt8(truncatingIfNeeded: cells.trailingZeroBitCount) }

    /// The cell as a bit.
    fileprivate var bit: UInt64 { 1 << UInt64(cell) }
  }

  /// The standard game.
  public init() {}

  /// Othello has no settings, so every name is unknown.
  public init(_ parameters: Parameters) throws(RulesError) {
    if let entry = parameters.entries.first { throw .unknownParameter(entry.name, known: []) }
  }

  public var parameters: Parameters { Parameters() }
  public var seats: Int { 2 }

  public func start(first: Seat) -> Position { Position(first: first) }

  public func turn(in position: Position) -> Turn {
    guard position.isOver else { return .seat(position.mover) }
    let (mine, theirs) = (position.moverStones.nonzeroBitCount, position.otherStones.nonzeroBitCount)
    if mine == theirs { return .over(.drawn(of: seats)) }
    return .over(.won(by: mine > theirs ? position.mover : position.mover.opponent, of: seats))
  }

  public func isLegal(_ move: Move, by seat: Seat, in position: Position) -> Bool {
    seat == position.mover && position.moves & move.bit != 0
  }

  public func forEachMove(of seat: Seat, in position: Position, _ body: (Move) -> Void) {
    guard seat == position.mover else { return }
    var cells = position.moves
    while cells != 0 {
      body(Move(firstOf: cells))
      cells &= cells - 1
    }
  }

  public func play(_ move: Move, in position: inout Position) {
    precondition(
      position.moves & move.bit != 0, "\(Self.name): \(text(of: move)) cannot be played in \(position)")
    position.play(move.bit)
  }

  public func code(of move: Move) -> MoveCode { MoveCode(UInt32(move.cell)) }

  public func move(code: MoveCode) -> Move? { Int(exactly: code.rawValue).flatMap { Move(cell: $0) } }

  /// The empty cells, as bits from a1, on which a stone of `mine` would turn some of `theirs`.
  public static func moves(_ mine: UInt64, _ theirs: UInt64) -> UInt64 { OthelloBits.moves(mine, theirs) }

  /// The column's letter and the row's number, as in `d3`; row 1 is the top one.
  public func text(of move: Move) -> String { Self.text(column: Int(move.cell % 8), row: Int(move.cell / 8)) }

  /// Reads `d3` and `D3`.
  public func move(text: String) -> Move? {
    let bytes = Array(text.utf8.prefix(3))
    guard bytes.count == 2 else { return nil }
    let (column, row) = (Int(bytes[0] | 0x20) - 0x61, Int(bytes[1]) - 0x31)
    guard (0..<8).contains(column), (0..<8).contains(row) else { return nil }
    return Move(cell: 8 * row + column)
  }

  /// 17 bytes: the stones of seat 0 and of seat 1 as masks, a1 the lowest bit, the high byte first; then bit 0 for the
  /// seat to move (once the game is over, the seat that did not move last), bit 1 for the seat that began, bit 2 when
  /// the other side has passed.
  public func encode(_ position: Position) -> [UInt8] {
    let masks = [position.stones(of: Seat(0)), position.stones(of: Seat(1))]
    let flags = position.mover.rawValue | position.first.rawValue << 1 | (position.isAfterPass ? 4 : 0)
    return masks.flatMap { mask in (0..<8).reversed().map { UInt8(truncatingIfNeeded: mask >> (8 * $0)) } }
      + [UInt8(truncatingIfNeeded: flags)]
  }

  /// The board with the cells labelled that may be played; under it how many stones each has, and who passed.
  public func diagram(of position: Position) -> Diagram {
    let board = (0..<8).map { row in (0..<8).map { cell(of: position, column: $0, row: row) } }
    let counts = [Seat(0), Seat(1)].map { seat -> Diagram.Line in "\(seat) \(position.count(of: seat))" }
    var lines: [Diagram.Line] = ["Stones: \(Diagram.Line.joined(counts, separator: ", "))"]
    if position.isAfterPass { lines.append("Passed, without a move: \(position.mover.opponent)") }
    return Diagram(board: board, columnLabels: (0..<8).map { Self.letter($0) }, lines: lines)
  }

  public func diagram(of position: Position, after last: Move) -> Diagram {
    diagram(of: position).marking(row: Int(last.cell) / 8, column: Int(last.cell) % 8)
  }

  private func cell(of position: Position, column: Int, row: Int) -> Diagram.Cell {
    let bit: UInt64 = 1 << UInt64(8 * row + column)
    if position.moverStones & bit != 0 { return .piece(position.mover) }
    if position.otherStones & bit != 0 { return .piece(position.mover.opponent) }
    return position.moves & bit != 0 ? .playable(Self.text(column: column, row: row)) : .empty
  }

  private static func text(column: Int, row: Int) -> String { letter(column) + "\(row + 1)" }

  private static func letter(_ column: Int) -> String {
    String(UnicodeScalar(UInt8(truncatingIfNeeded: 0x61 + column)))
  }
}

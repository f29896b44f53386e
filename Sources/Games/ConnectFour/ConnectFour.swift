public import Rules

/// Connect Four on seven columns of six rows: whoever has four stones in a line wins, a full board is a draw.
public struct ConnectFour: Rules {
  public static let name = "connect-four"
  public static let version: UInt16 = 1
  public static let title = "Connect Four"
  public static let summary = "drop stones into seven columns; four in a line win"
  public static let settings: [ParameterDefinition] = []
  public static let canBeDrawn = true

  /// Dropping a stone into a column.
  public struct Move: Hashable, Sendable {
    /// The column, 0 to 6 from the left.
    public let column: Int

    /// A stone into this column; `nil` when the board has no such column.
    public init?(column: Int) {
      guard (0..<ConnectFourBits.columns).contains(column) else { return nil }
      self.column = column
    }
  }

  /// The standard game.
  public init() {}

  /// Connect Four has no settings, so every name is unknown.
  public init(_ parameters: Parameters) throws(RulesError) {
    if let entry = parameters.entries.first { throw .unknownParameter(entry.name, known: []) }
  }

  public var parameters: Parameters { Parameters() }
  public var seats: Int { 2 }

  public func start(first: Seat) -> Position { Position(first: first) }

  public func turn(in position: Position) -> Turn {
    if position.isWon { return .over(.won(by: position.mover.opponent, of: seats)) }
    if position.occupied == ConnectFourBits.board { return .over(.drawn(of: seats)) }
    return .seat(position.mover)
  }

  public func isLegal(_ move: Move, by seat: Seat, in position: Position) -> Bool {
    seat == position.mover && position.hasRoom(move.column) && !position.isWon
  }

  public func forEachMove(of seat: Seat, in position: Position, _ body: (Move) -> Void) {
    guard seat == position.mover, !position.isWon else { return }
    for column in 0..<ConnectFourBits.columns where position.hasRoom(column) {
      if let move = Move(column: column) { body(move) }
    }
  }

  public func randomMove(of seat: Seat, in position: Position, by chance: inout Chance) -> Move {
    let playable = CountedBits(ConnectFourBits.playable(position.occupied))
    let number = Int(chance.below(UInt64(playable.count)))
    guard let move = Move(column: playable.place(ofSetBit: number) / (ConnectFourBits.rows + 1))
    else { preconditionFailure("no column has room in \(position)") }
    return move
  }

  public func play(_ move: Move, in position: inout Position) {
    precondition(
      position.hasRoom(move.column) && !position.isWon, "\(move) is illegal in \(position)")
    position.drop(move.column)
  }

  public func code(of move: Move) -> MoveCode { MoveCode(UInt32(truncatingIfNeeded: move.column)) }

  public func move(code: MoveCode) -> Move? { Move(column: Int(code.rawValue)) }

  public func text(of move: Move) -> String { String(move.column + 1) }

  public func move(text: String) -> Move? {
    let bytes = Array(text.utf8.prefix(2))
    guard bytes.count == 1 else { return nil }
    return Move(column: Int(bytes[0]) - 0x31)
  }

  /// The seat that moved first in one byte, then the board in eight, most significant first.
  ///
  /// The board has a 1 for each stone of the first mover and a 1 on the lowest empty cell of each column
  /// (the cell above the top row when the column is full), in the layout of `ConnectFourBits`: what lies
  /// above the highest 1 of a column is empty, a 0 below it is a stone of the other side.
  public func encode(_ position: Position) -> [UInt8] {
    let board = position.stones(of: position.first) | (position.occupied &+ ConnectFourBits.bottom)
    return [UInt8(truncatingIfNeeded: position.first.rawValue)]
      + (0..<8).map { UInt8(truncatingIfNeeded: board >> UInt64(8 * (7 - $0))) }
  }
}

public import Rules

/// K in a row: stones on a board of any size, and a line of so many wins (an m,n,k-game).
///
/// With gravity a stone falls to the lowest empty cell of its column. A full board without a line is a draw.
public struct KInARow: Rules {
  public static let name = "k-in-a-row"
  public static let version: UInt16 = 1
  public static let title = "K in a row"
  public static let summary = "So many stones in a line win, on a board of your size; two seats."
  public static let canBeDrawn = true

  public static let settings = [
    ParameterDefinition(name: "width", summary: "number of columns, 3 to 19", standard: "9"),
    ParameterDefinition(name: "height", summary: "number of rows, 3 to 19", standard: "9"),
    ParameterDefinition(
      name: "line",
      summary: "how many in a line win, 3 to the longer side, which is the standard where it is below 5",
      standard: "5"),
    ParameterDefinition(name: "exact", summary: "yes: a longer line does not win; or no", standard: "no"),
    ParameterDefinition(
      name: "gravity", summary: "yes: stones fall down their column; or no", standard: "no"),
  ]

  /// The board, and which lines win on it.
  public let grid: LineGrid
  /// Whether stones fall.
  public let hasGravity: Bool

  public init(_ parameters: Parameters) throws(RulesError) {
    try parameters.check(known: Self.settings)
    let width = try parameters.number("width", in: LineGrid.sides, standard: 9)
    let height = try parameters.number("height", in: LineGrid.sides, standard: 9)
    let longer = max(width, height)
    let line = try parameters.number("line", in: 3...longer, standard: min(5, longer))
    let isExact = try parameters.isSecond("exact", of: ("no", "yes"))
    grid = LineGrid(width: width, height: height, line: line, isExact: isExact)
    hasGravity = try parameters.isSecond("gravity", of: ("no", "yes"))
  }

  public var parameters: Parameters {
    var parameters = Parameters()
    parameters["width"] = "\(grid.width)"
    parameters["height"] = "\(grid.height)"
    parameters["line"] = "\(grid.line)"
    parameters["exact"] = grid.isExact ? "yes" : "no"
    parameters["gravity"] = hasGravity ? "yes" : "no"
    return parameters
  }

  public var seats: Int { 2 }

  /// The stones, and who began.
  public struct Position: Hashable, Sendable {
    /// The stones; those of the seat that began are black.
    public internal(set) var board = StoneBoard()
    /// The seat that moved first.
    public let first: Seat

    init(first: Seat) {
      precondition(first.rawValue < 2, "k-in-a-row has two seats, \(first) cannot move first")
      self.first = first
    }

    /// The seat to move; once the game is over, the seat that did not move last.
    public var mover: Seat { board.isBlackNext ? first : first.opponent }
  }

  /// Where a stone is put: a cell, or with gravity a column's lowest cell for the whole column.
  public typealias Move = LineGrid.Cell

  public func start(first: Seat) -> Position { Position(first: first) }

  @inline(__always)
  public func turn(in position: Position) -> Turn {
    if position.board.isWon { return .over(.won(by: position.mover.opponent, of: seats)) }
    return position.board.count == grid.width * grid.height
      ? .over(.drawn(of: seats)) : .seat(position.mover)
  }

  @inline(__always)
  public func isLegal(_ move: Move, by seat: Seat, in position: Position) -> Bool {
    seat == position.mover && !position.board.isWon && landing(of: move, on: position.board) != nil
  }

  public func forEachMove(of seat: Seat, in position: Position, _ body: (Move) -> Void) {
    guard seat == position.mover, !position.board.isWon else { return }
    if hasGravity {
      for column in 0..<grid.width {
        guard let move = grid.cell(column: column, row: 0), landing(of: move, on: position.board) != nil
        else {
          continue
        }
        body(move)
      }
    } else {
      (grid.cells - position.board.stones).forEach { body(Move(index: $0)) }
    }
  }

  @inline(__always)
  public func randomMove(of seat: Seat, in position: Position, by chance: inout Chance) -> Move {
    hasGravity
      ? chance.element(of: legalMoves(of: seat, in: position))
      : grid.randomEmptyCell(on: position.board, by: &chance)
  }

  public func playOut(_ position: inout Position, by chance: inout Chance) -> Int {
    steppedPlayOut(&position, by: &chance)
  }

  @inline(__always)
  public func play(_ move: Move, in position: inout Position) {
    guard let cell = landing(of: move, on: position.board) else {
      preconditionFailure("\(Self.name): \(text(of: move)) cannot be played in \(position)")
    }
    position.board.put(cell, on: grid)
  }

  /// The cell on which a move's stone comes to lie; `nil` when there is no room for it.
  public func landing(of move: Move, on board: StoneBoard) -> LineGrid.Cell? {
    let empty = grid.cells - board.stones
    if hasGravity {
      guard move.row == 0 else { return nil }
      return (0..<grid.height).lazy.compactMap { grid.cell(column: Int(move.column), row: $0) }
        .first { empty.contains($0.index) }
    }
    return empty.contains(move.index) ? move : nil
  }

  public func code(of move: Move) -> MoveCode { MoveCode(UInt32(truncatingIfNeeded: grid.number(of: move))) }

  public func move(code: MoveCode) -> Move? {
    guard code.rawValue < (hasGravity ? grid.width : grid.width * grid.height) else { return nil }
    return grid.cell(number: Int(code.rawValue))
  }

  /// The cell, as in `h8`; with gravity the number of the column.
  public func text(of move: Move) -> String { hasGravity ? "\(move.column + 1)" : grid.text(of: move) }

  public func move(text: String) -> Move? {
    guard hasGravity else { return grid.cell(text: text) }
    return LineGrid.number(text.utf8.prefix(3)).flatMap { grid.cell(column: $0 - 1, row: 0) }
  }

  /// The seat that began in one byte, then the board as `StoneBoard` has it, the stones of the seat that began first.
  public func encode(_ position: Position) -> [UInt8] {
    [UInt8(truncatingIfNeeded: position.first.rawValue)] + position.board.encoded(on: grid)
  }

  public func diagram(of position: Position) -> Diagram {
    let open = turn(in: position) == .seat(position.mover)
    let stones = position.board.stones
    let playable = hasGravity ? grid.landings(on: stones) : grid.cells - stones
    var diagram = grid.diagram(
      of: position.board, black: position.first, playable: open ? playable : CellSet()
    ) { cell in
      hasGravity ? "\(cell.column + 1)" : grid.text(of: cell)
    }
    if hasGravity {
      diagram.columnLabels = (1...grid.width).map { "\($0)" }
      diagram.rowLabels = []
    }
    return diagram
  }
}

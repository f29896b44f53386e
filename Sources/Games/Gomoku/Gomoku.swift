public import Rules

/// Gomoku: five stones in a line win on a board of 15 by 15; black begins.
///
/// With the opening `swap2`, as tournaments have it since 2009, the seat that moves first puts a black, a white and a
/// black stone anywhere. The other seat takes white (and puts the next stone), takes black, or adds a white and a black
/// stone; then the seat that opened takes a colour. Colours are those of the stones: white moves after an opening.
/// A full board without a line is a draw.
public struct Gomoku: Rules {
  public static let name = "gomoku"
  public static let version: UInt16 = 1
  public static let title = "Gomoku"
  public static let summary = "Five stones in a line win, on a board of 15 by 15; two seats."
  public static let canBeDrawn = true

  public static let settings = [
    ParameterDefinition(
      name: "line", summary: "free: five or more win; exact: five and no more", standard: "free"),
    ParameterDefinition(
      name: "opening", summary: "none; or swap2: one seat puts three stones, the other may choose its colour",
      standard: "none"),
  ]

  /// The board, and which lines win on it.
  public let grid: LineGrid
  /// Whether the game begins with the opening swap2.
  public let hasOpening: Bool

  public init(_ parameters: Parameters) throws(RulesError) {
    try parameters.check(known: Self.settings)
    let isExact = try parameters.isSecond("line", of: ("free", "exact"))
    grid = LineGrid(width: 15, height: 15, line: 5, isExact: isExact)
    hasOpening = try parameters.isSecond("opening", of: ("none", "swap2"))
  }

  public var parameters: Parameters {
    var parameters = Parameters()
    parameters["line"] = grid.isExact ? "exact" : "free"
    parameters["opening"] = hasOpening ? "swap2" : "none"
    return parameters
  }

  public var seats: Int { 2 }

  public func start(first: Seat) -> Position { Position(first: first, hasOpening: hasOpening) }

  @inline(__always)
  public func turn(in position: Position) -> Turn {
    if position.board.isWon { return .over(.won(by: position.mover.opponent, of: seats)) }
    return position.board.count == grid.width * grid.height
      ? .over(.drawn(of: seats)) : .seat(position.mover)
  }

  @inline(__always)
  public func isLegal(_ move: Move, by seat: Seat, in position: Position) -> Bool {
    guard seat == position.mover, !position.board.isWon else { return false }
    guard case .stone(let cell) = move else { return position.offers(move) }
    return position.takesStones && grid.isEmpty(cell, on: position.board)
  }

  public func forEachMove(of seat: Seat, in position: Position, _ body: (Move) -> Void) {
    guard seat == position.mover, !position.board.isWon else { return }
    if position.takesStones {
      (grid.cells - position.board.stones).forEach { body(.stone(LineGrid.Cell(index: $0))) }
    } else {
      for move in Move.choices where position.offers(move) { body(move) }
    }
  }

  @inline(__always)
  public func randomMove(of seat: Seat, in position: Position, by chance: inout Chance) -> Move {
    guard position.takesStones else { return chance.element(of: legalMoves(of: seat, in: position)) }
    return .stone(grid.randomEmptyCell(on: position.board, by: &chance))
  }

  public func playOut(_ position: inout Position, by chance: inout Chance) -> Int {
    steppedPlayOut(&position, by: &chance)
  }

  @inline(__always)
  public func play(_ move: Move, in position: inout Position) {
    precondition(
      isLegal(move, by: position.mover, in: position),
      "\(Self.name): \(text(of: move)) cannot be played in \(position)")
    position.play(move, on: grid)
  }

  /// Cells row by row from the bottom left; then, where there is an opening, white, black and two.
  public func code(of move: Move) -> MoveCode {
    let number =
      switch move {
      case .stone(let cell): grid.number(of: cell)
      case .white: grid.width * grid.height
      case .black: grid.width * grid.height + 1
      case .two: grid.width * grid.height + 2
      }
    return MoveCode(UInt32(truncatingIfNeeded: number))
  }

  public func move(code: MoveCode) -> Move? {
    let cells = grid.width * grid.height
    if code.rawValue < cells { return grid.cell(number: Int(code.rawValue)).map { .stone($0) } }
    return hasOpening ? Move.choices.first { self.code(of: $0) == code } : nil
  }

  /// The cell, as in `h8`, or the word of a choice.
  public func text(of move: Move) -> String {
    if case .stone(let cell) = move { return grid.text(of: cell) }
    return move.word ?? ""
  }

  /// Reads `h8` and `H8`, and the words `white`, `black` and `two` in any case.
  public func move(text: String) -> Move? {
    if let cell = grid.cell(text: text) { return .stone(cell) }
    guard hasOpening, text.utf8.count <= 5 else { return nil }
    return Move.choices.first { $0.word == text.lowercased() }
  }

  /// One byte with the seat that began in bit 0, the seat that has black in bit 1 and the stage above; then the board
  /// as `StoneBoard` has it.
  public func encode(_ position: Position) -> [UInt8] {
    let seats = position.first.rawValue | position.black.rawValue << 1
    return [UInt8(truncatingIfNeeded: seats) | position.stage.rawValue << 2]
      + position.board.encoded(on: grid)
  }

  public func diagram(of position: Position) -> Diagram {
    let isOpen = turn(in: position).outcome == nil && position.takesStones
    let playable = isOpen ? grid.cells - position.board.stones : CellSet()
    var diagram = grid.diagram(of: position.board, black: position.black, playable: playable) {
      grid.text(of: $0)
    }
    diagram.sides = [position.black, position.black.opponent]
    if hasOpening { diagram.lines = words(for: position) }
    return diagram
  }

  /// Who has which colour, or what is to be done in the opening.
  private func words(for position: Position) -> [Diagram.Line] {
    let (mover, next) = (position.mover, position.board.isBlackNext ? "black" : "white")
    return switch position.stage {
    case .play: ["Black: \(position.black); white: \(position.black.opponent)"]
    case .opening: ["To put two black stones and a white one: \(mover); next: \(next)"]
    case .answer:
      [
        "To choose white, black or two: \(mover)",
        "After two, a stone of each colour, to choose: \(mover.opponent)",
      ]
    case .addition: ["To put a stone of each colour: \(mover); next: \(next)"]
    case .choice: ["To choose white or black: \(mover)"]
    }
  }
}

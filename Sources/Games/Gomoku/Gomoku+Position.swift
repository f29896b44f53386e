public import Rules

extension Gomoku {
  /// What is to be done next. Without an opening every move is one of `play`.
  public enum Stage: UInt8, Sendable {
    /// The stones are put in turn.
    case play
    /// The seat that opens puts three stones.
    case opening
    /// The other seat takes a colour, or adds two stones.
    case answer
    /// The other seat adds two stones.
    case addition
    /// The seat that opened takes a colour.
    case choice
  }

  /// The stones, who has which colour, and how far the opening is.
  public struct Position: Hashable, Sendable {
    /// The stones of both colours.
    public private(set) var board = StoneBoard()
    /// What is to be done next.
    public private(set) var stage: Stage
    /// The seat that moved first.
    public let first: Seat
    /// The seat that has the black stones; before a colour is taken, the seat that moved first.
    public private(set) var black: Seat

    init(first: Seat, hasOpening: Bool) {
      precondition(first.rawValue < 2, "gomoku has two seats, \(first) cannot move first")
      (self.first, black) = (first, first)
      stage = hasOpening ? .opening : .play
    }

    /// The seat to move; once the game is over, the seat that did not move last.
    public var mover: Seat {
      switch stage {
      case .play: board.isBlackNext ? black : black.opponent
      case .opening, .choice: first
      case .answer, .addition: first.opponent
      }
    }

    /// Whether the next move puts a stone.
    var takesStones: Bool { stage == .play || stage == .opening || stage == .addition }

    /// Whether the next move may be one that puts no stone.
    func offers(_ move: Move) -> Bool {
      switch move {
      case .stone: false
      case .white, .black: stage == .answer || stage == .choice
      case .two: stage == .answer
      }
    }

    /// Plays a legal move.
    mutating func play(_ move: Move, on grid: LineGrid) {
      switch move {
      case .stone(let cell):
        board.put(cell, on: grid)
        if stage == .opening, board.count == 3 { stage = .answer }
        if stage == .addition, board.count == 5 { stage = .choice }
      case .white: (black, stage) = (mover.opponent, .play)
      case .black: (black, stage) = (mover, .play)
      case .two: stage = .addition
      }
    }
  }

  /// A stone, or what a seat chooses in an opening.
  public enum Move: Hashable, Sendable {
    /// A stone of the next colour on a cell.
    case stone(LineGrid.Cell)
    /// Playing white from here on.
    case white
    /// Playing black from here on.
    case black
    /// Adding a white and a black stone; then the other seat takes a colour.
    case two

    /// Those that put no stone, in the order of their codes.
    static let choices: [Move] = [.white, .black, .two]

    /// What a player types for it; none for a stone.
    var word: String? {
      switch self {
      case .stone: nil
      case .white: "white"
      case .black: "black"
      case .two: "two"
      }
    }
  }
}

import Rules
import SearchBots

/// A game small enough to know by heart: take one to three stones; whoever takes the last one wins.
struct Nim: Evaluated {
  struct Position: Hashable, Sendable {
    var stones: Int
    var mover: Seat
  }

  static let name = "nim"
  static let version: UInt16 = 1
  static let title = "Nim"
  static let summary = "take one to three stones"
  static let settings: [ParameterDefinition] = []

  var stones = 21

  init(stones: Int) { self.stones = stones }
  init(_ parameters: Parameters) throws(RulesError) {}

  var parameters: Parameters { Parameters() }
  var seats: Int { 2 }

  func start(first: Seat) -> Position { Position(stones: stones, mover: first) }

  func turn(in position: Position) -> Turn {
    position.stones == 0 ? .over(.won(by: position.mover.opponent, of: 2)) : .seat(position.mover)
  }

  func isLegal(_ move: Int, by seat: Seat, in position: Position) -> Bool {
    seat == position.mover && (1...3).contains(move) && move <= position.stones
  }

  func forEachMove(of seat: Seat, in position: Position, _ body: (Int) -> Void) {
    for move in 1...3 where isLegal(move, by: seat, in: position) { body(move) }
  }

  func play(_ move: Int, in position: inout Position) {
    position.stones -= move
    position.mover = position.mover.opponent
  }

  func code(of move: Int) -> MoveCode { MoveCode(UInt32(move)) }
  func move(code: MoveCode) -> Int? { (1...3).contains(code.rawValue) ? Int(code.rawValue) : nil }
  func text(of move: Int) -> String { String(move) }
  func move(text: String) -> Int? { Int(text) }
  func encode(_ position: Position) -> [UInt8] {
    [UInt8(position.stones), UInt8(truncatingIfNeeded: position.mover.rawValue)]
  }
  func diagram(of position: Position) -> Diagram { Diagram(lines: ["\(position.stones)"]) }
}

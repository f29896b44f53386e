import Parlor

/// Dare: each round all choose in secret to roll or to bank. A one loses what was rolled; banked points are safe.
struct Dare: Rules {
  static let name = "dare"
  static let version: UInt16 = 1
  static let title = "Dare"
  static let summary = "Roll or bank; who first has enough points wins; three seats."
  static let settings = [
    ParameterDefinition(name: "points", summary: "how many points win, 6 to 100", standard: "20")
  ]

  let points: Int32
  let seats = 3

  init(_ parameters: Parameters) throws(RulesError) {
    for entry in parameters.entries where entry.name != "points" {
      throw .unknownParameter(entry.name, known: ["points"])
    }
    let text = parameters["points"] ?? "20"
    guard let points = Int32(text), "\(points)" == text, (6...100).contains(points) else {
      throw .badParameter(name: "points", value: text, expected: "it takes a number from 6 to 100")
    }
    self.points = points
  }

  var parameters: Parameters {
    var parameters = Parameters()
    parameters["points"] = "\(points)"
    return parameters
  }

  struct Position: Hashable, Sendable {
    var banked: [Int32] = [0, 0, 0]
    var rolled: [Int32] = [0, 0, 0]
    var playing = SeatSet.all(3)
  }

  enum Move: UInt32, CaseIterable, Sendable {
    case roll = 0
    case bank = 1
  }

  func start(first: Seat) -> Position { Position() }

  func turn(in position: Position) -> Turn {
    let isWon = position.banked.contains { $0 >= points }
    return isWon || position.playing.count < 2
      ? .over(Outcome(scores: position.banked)) : .round(position.playing)
  }

  func isLegal(_ move: Move, by seat: Seat, in position: Position) -> Bool {
    turn(in: position).choosing.contains(seat)
  }

  func forEachMove(of seat: Seat, in position: Position, _ body: (Move) -> Void) {
    for move in Move.allCases where isLegal(move, by: seat, in: position) { body(move) }
  }

  var usesChance: Bool { true }

  func resolve(_ moves: [Move?], by chance: inout Chance, in position: inout Position) {
    for seat in position.playing {
      switch moves[seat.index] {
      case .roll:
        let die = Int32(chance.below(6)) + 1
        position.rolled[seat.index] = die == 1 ? 0 : position.rolled[seat.index] + die
      case .bank:
        position.banked[seat.index] += position.rolled[seat.index]
        position.rolled[seat.index] = 0
      case nil: break
      }
    }
  }

  func dropOut(_ seat: Seat, in position: inout Position) {
    position.playing.remove(seat)
    position.banked[seat.index] = -1
    position.rolled[seat.index] = 0
  }

  func code(of move: Move) -> MoveCode { MoveCode(move.rawValue) }
  func move(code: MoveCode) -> Move? { Move(rawValue: code.rawValue) }
  func text(of move: Move) -> String { move == .roll ? "roll" : "bank" }
  func move(text: String) -> Move? { ["roll": Move.roll, "bank": .bank][text] }

  func encode(_ position: Position) -> [UInt8] {
    (position.banked + position.rolled).flatMap { number in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    } + (0..<3).map { position.playing.contains(Seat($0)) ? 1 : 0 }
  }

  func diagram(of position: Position) -> Diagram {
    Diagram(
      lines: (0..<3).map { index in
        let seat = Seat(UInt16(index))
        return position.playing.contains(seat)
          ? "\(seat): \(position.banked[index]) banked, \(position.rolled[index]) at stake"
          : "\(seat) has dropped out"
      })
  }
}

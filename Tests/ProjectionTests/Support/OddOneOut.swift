import Games
import Rules

/// A game of three to sixteen seats that has every kind of turn: all choose, one moves, one chooses while all draw, and
/// chance alone. Whoever chose as nobody else did scores; a die is thrown as well.
struct OddOneOut: Rules {
  static let name = "odd-one-out"
  static let version: UInt16 = 1
  static let title = "Odd one out"
  static let summary = "Choose as nobody else does; three to sixteen seats."
  static let settings = [
    ParameterDefinition(name: "players", summary: "number of seats, 3 to 16", standard: "3"),
    ParameterDefinition(name: "turns", summary: "number of turns, 1 to 12", standard: "4"),
  ]

  /// Rooms' catalog in tests: the games that come along, and this one.
  static let catalog = GameCatalog(
    Games.catalog.definitions + [GameDefinition(OddOneOut.self)], hosted: Games.catalog.hosted)

  struct Position: Hashable {
    var turns = 0
    var mover: UInt16
    var scores: [Int32]
    var playing: SeatSet
  }

  let seats: Int
  let turns: Int

  init(_ parameters: Parameters) throws(RulesError) {
    func number(_ name: String, _ range: ClosedRange<Int>, _ standard: String) throws(RulesError) -> Int {
      let text = parameters[name] ?? standard
      guard let number = Int(text), "\(number)" == text, range.contains(number) else {
        throw .badParameter(name: name, value: text, expected: "it takes a number of \(range)")
      }
      return number
    }
    for entry in parameters.entries where !["players", "turns"].contains(entry.name) {
      throw .unknownParameter(entry.name, known: Self.settings.map(\.name))
    }
    seats = try number("players", 3...16, "3")
    turns = try number("turns", 1...12, "4")
  }

  var parameters: Parameters {
    var parameters = Parameters()
    parameters["players"] = "\(seats)"
    parameters["turns"] = "\(turns)"
    return parameters
  }

  func start(first: Seat) -> Position {
    Position(mover: first.rawValue, scores: [Int32](repeating: 0, count: seats), playing: .all(seats))
  }

  func turn(in position: Position) -> Turn {
    if position.turns >= turns || position.playing.count < 2 {
      return .over(Outcome(scores: position.scores))
    }
    switch position.turns % 4 {
    case 0: return .seat(Seat(position.mover))
    case 1: return .round(position.playing)
    case 2: return .round(.none)
    default: return .round(SeatSet([Seat(position.mover)]))
    }
  }

  func isLegal(_ move: Int, by seat: Seat, in position: Position) -> Bool {
    guard (0...2).contains(move) else { return false }
    let turn = turn(in: position)
    return turn == .seat(seat) || turn.choosing.contains(seat)
  }

  func forEachMove(of seat: Seat, in position: Position, _ body: (Int) -> Void) {
    for move in 0...2 where isLegal(move, by: seat, in: position) { body(move) }
  }

  func play(_ move: Int, in position: inout Position) {
    position.scores[Int(position.mover)] += Int32(move)
    goOn(&position)
  }

  var usesChance: Bool { true }

  func resolve(_ moves: [Int?], by chance: inout Chance, in position: inout Position) {
    let die = Int32(chance.below(6))
    for seat in position.playing {
      let own = moves[seat.index]
      position.scores[seat.index] += own == nil ? die : moves.count { $0 == own } == 1 ? 10 + die : 0
    }
    goOn(&position)
  }

  private func goOn(_ position: inout Position) {
    position.turns += 1
    pass(&position)
  }

  private func pass(_ position: inout Position) {
    repeat {
      position.mover = (position.mover + 1) % UInt16(seats)
    } while !position.playing.contains(
      Seat(position.mover))
  }

  func dropOut(_ seat: Seat, in position: inout Position) {
    position.playing.remove(seat)
    position.scores[seat.index] = -1
    if position.mover == seat.rawValue, !position.playing.isEmpty { pass(&position) }
  }

  func code(of move: Int) -> MoveCode { MoveCode(UInt32(move)) }
  func move(code: MoveCode) -> Int? { (0...2).contains(code.rawValue) ? Int(code.rawValue) : nil }
  func text(of move: Int) -> String { "\(move)" }
  func move(text: String) -> Int? { ["0": 0, "1": 1, "2": 2][text] }

  func encode(_ position: Position) -> [UInt8] {
    [UInt8(position.turns), UInt8(position.mover)]
      + position.scores.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
      + (0..<seats).map { position.playing.contains(Seat(UInt16($0))) ? 1 : 0 }
  }

  func diagram(of position: Position) -> Diagram { Diagram(lines: ["\(position.scores)"]) }
}

import Rules

/// A pile of seven from which seats take one to three, with a bug planted on demand; whoever empties it wins.
///
/// In turn, or, with the setting `together=1`, all at once. How many turns it took nobody is shown.
struct Pile: Rules {
  /// What is wrong with the rules.
  enum Bug: String, CaseIterable, Sendable {
    case none, descendingMoves, laxLegality, anySeat, wrongCode, wrongText, escapeInText, forgottenSetting
    case poorEncoding, richEncoding, endless, missingScore, movesAfterTheEnd, silentSetting, blindView,
      raggedBoard
    case sharpSpectator, poorSight, richSight, deadLabel, deafToFirst, firstMoveAlways, unlistedMove,
      stopsEarly, hiddenDie
  }

  struct Position: Hashable, Sendable {
    var left: Int
    var mover: UInt16
    var plies = 0
    /// The last move, which is no part of the position's identity.
    var last = 0

    static func == (a: Position, b: Position) -> Bool {
      (a.left, a.mover, a.plies) == (b.left, b.mover, b.plies)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(left)
      hasher.combine(plies)
    }
  }

  /// What is seen of a position: all but how many turns it took.
  struct Sight: Hashable, Sendable {
    var shown: Position

    init(_ position: Position) {
      shown = position
      shown.plies = 0
    }
  }

  static let name = "pile"
  static let version: UInt16 = 1
  static let title = "Pile"
  static let summary = "Take one to three; whoever empties the pile wins."
  static let settings = [
    ParameterDefinition(name: "bug", summary: "what is wrong", standard: "none"),
    ParameterDefinition(name: "together", summary: "1 for choices at once", standard: "0"),
  ]

  let bug: Bug
  let isTogether: Bool
  let seats = 2

  init(_ parameters: Parameters) throws(RulesError) {
    for entry in parameters.entries where !Self.settings.contains(where: { $0.name == entry.name }) {
      throw .unknownParameter(entry.name, known: Self.settings.map(\.name))
    }
    guard let bug = Bug(rawValue: parameters["bug"] ?? "none") else {
      throw .badParameter(name: "bug", value: parameters["bug"] ?? "", expected: "it takes the name of a bug")
    }
    let together = parameters["together"] ?? "0"
    guard together == "0" || together == "1" else {
      throw .badParameter(name: "together", value: together, expected: "it takes 0 or 1")
    }
    self.bug = bug
    isTogether = together == "1"
  }

  var parameters: Parameters {
    var parameters = Parameters()
    parameters["bug"] = bug == .forgottenSetting ? "none" : bug.rawValue
    if bug != .silentSetting { parameters["together"] = isTogether ? "1" : "0" }
    return parameters
  }

  func start(first: Seat) -> Position {
    Position(
      left: bug == .forgottenSetting ? 9 : 7, mover: isTogether || bug == .deafToFirst ? 0 : first.rawValue)
  }

  func turn(in position: Position) -> Turn {
    guard position.left == 0 else { return isTogether ? .round(.all(seats)) : .seat(Seat(position.mover)) }
    let outcome = Outcome.won(by: Seat(position.mover ^ 1), of: bug == .missingScore ? 1 : seats)
    return .over(outcome)
  }

  func isLegal(_ move: Int, by seat: Seat, in position: Position) -> Bool {
    guard bug != .laxLegality else { return true }
    return isTurn(of: seat, in: position) && (1...3).contains(move)
      && (bug == .movesAfterTheEnd || isTogether || move <= position.left)
  }

  func forEachMove(of seat: Seat, in position: Position, _ body: (Int) -> Void) {
    guard isTurn(of: seat, in: position) else { return }
    let moves = (1...3).filter { bug == .movesAfterTheEnd || isTogether || $0 <= position.left }
    for move in bug == .descendingMoves ? moves.reversed() : moves { body(move) }
  }

  func randomMove(of seat: Seat, in position: Position, by chance: inout Chance) -> Int {
    let moves = legalMoves(of: seat, in: position)
    let move = chance.element(of: moves)
    return bug == .firstMoveAlways ? moves[0] : bug == .unlistedMove ? move + 1 : move
  }

  func playOut(_ position: inout Position, by chance: inout Chance) -> Int {
    bug == .stopsEarly ? 0 : steppedPlayOut(&position, by: &chance)
  }

  func play(_ move: Int, in position: inout Position) {
    position.plies += 1
    position.last = move
    position.left = bug == .endless ? 7 : max(0, position.left - move)
    position.mover ^= 1
  }

  func resolve(_ moves: [Int?], by chance: inout Chance, in position: inout Position) {
    let moves = moves.compactMap(\.self)
    position.plies += 1
    position.last = moves[0]
    let thrown = bug == .hiddenDie ? chance.element(of: [0, 1]) : 0
    position.left = bug == .endless ? 7 : max(0, position.left - moves[0] - moves[1] - thrown)
  }

  func code(of move: Int) -> MoveCode { MoveCode(bug == .wrongCode ? 1 : UInt32(truncatingIfNeeded: move)) }
  func move(code: MoveCode) -> Int? { (1...4).contains(code.rawValue) ? Int(code.rawValue) : nil }

  func text(of move: Int) -> String { bug == .escapeInText ? "\u{1B}\(move)" : "\(move)" }

  func move(text: String) -> Int? {
    let digits = bug == .escapeInText ? text.drop { $0 == "\u{1B}" } : text[...]
    guard let number = Int(digits), (1...4).contains(number) else { return nil }
    return bug == .wrongText ? 1 : number
  }

  func view(of position: Position, for seat: Seat?) -> Sight {
    var sight = Sight(position)
    if bug == .blindView { sight.shown.left = 0 }
    if bug == .sharpSpectator, seat == nil { sight.shown.plies = position.plies }
    return sight
  }

  func encode(view: Sight) -> [UInt8] {
    let last = UInt8(truncatingIfNeeded: view.shown.last)
    return encode(view.shown).dropFirst(bug == .poorSight ? 1 : 0) + (bug == .richSight ? [last] : [])
  }

  func encode(_ position: Position) -> [UInt8] {
    let left = UInt8(truncatingIfNeeded: position.left)
    switch bug {
    case .poorEncoding: return [left]
    case .richEncoding:
      return [
        left, UInt8(truncatingIfNeeded: position.mover), UInt8(truncatingIfNeeded: position.plies),
        UInt8(truncatingIfNeeded: position.last),
      ]
    default:
      return [left, UInt8(truncatingIfNeeded: position.mover), UInt8(truncatingIfNeeded: position.plies)]
    }
  }

  func diagram(of view: Sight) -> Diagram {
    let label = bug == .deadLabel ? "9" : view.shown.left == 0 ? nil : "1"
    let first = label.map { Diagram.Cell.playable($0) } ?? .empty
    return Diagram(board: [
      [first, .piece(Seat(0))], bug == .raggedBoard ? [.empty] : [.empty, .marked(Seat(1))],
    ])
  }

  private func isTurn(of seat: Seat, in position: Position) -> Bool {
    guard seat.index < seats || bug == .anySeat else { return false }
    if bug == .movesAfterTheEnd { return isTogether || seat.rawValue == position.mover }
    return position.left > 0 && (isTogether || bug == .anySeat || seat.rawValue == position.mover)
  }
}

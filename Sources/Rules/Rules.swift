/// A game: its positions, legal moves, outcomes, and moves to and from text.
///
/// A conforming type is a value that holds the parsed parameters and nothing else. All functions are pure:
/// no clock, no randomness, no floating point, no order taken from a `Dictionary` or `Set`. Positions are
/// values; a game whose search matters keeps them free of heap storage. Programmer's errors (playing an
/// illegal move) trap; what comes from outside is checked with `isLegal` and `move(code:)` first.
public protocol Rules: Hashable, Sendable {
  /// What is on the table, all of it.
  associatedtype Position: Hashable, Sendable
  /// What a seat or a spectator may see of it; the position itself in a game that hides nothing.
  associatedtype View: Hashable, Sendable = Position
  /// One move or choice: a number or a small structure.
  associatedtype Move: Hashable, Sendable

  /// The game's name on the command line and in events: lower-case letters and hyphens.
  static var name: String { get }
  /// The rules' version in events. Changed rules are a new version; the old one keeps replaying old logs.
  static var version: UInt16 { get }
  /// The game's name for people.
  static var title: String { get }
  /// The game in one line.
  static var summary: String { get }
  /// What may be set, in the order of help texts.
  static var settings: [ParameterDefinition] { get }

  /// Whether tournaments rank by the sum of scores rather than by games won.
  static var ranksByScore: Bool { get }
  /// Whether a game may end without a winner, so that two seats that move in turn may agree on that.
  static var canBeDrawn: Bool { get }

  /// Reads settings; those not given have their standard values.
  init(_ parameters: Parameters) throws(RulesError)

  /// Every setting with its value in one canonical spelling; `init` of it gives an equal value.
  var parameters: Parameters { get }
  /// How many seats play.
  var seats: Int { get }

  /// The position before the first move.
  ///
  /// A game whose beginning is left to chance starts with a draw.
  /// - Parameter first: the seat that moves first, where seats move in turn.
  func start(first: Seat) -> Position
  /// Whose choice the position waits for.
  func turn(in position: Position) -> Turn
  /// Whether `seat` may play `move` now. `false` whenever the position does not wait for `seat`.
  func isLegal(_ move: Move, by seat: Seat, in position: Position) -> Bool
  /// Calls `body` with each legal move of `seat`, in ascending order of code.
  func forEachMove(of seat: Seat, in position: Position, _ body: (Move) -> Void)
  /// One of the legal moves of `seat`, all equally likely. It has to have one: else this traps, or says a move that
  /// cannot be played.
  ///
  /// The standard answer lists them; a game that finds one without that has its own.
  func randomMove(of seat: Seat, in position: Position, by chance: inout Chance) -> Move
  /// Plays moves of `randomMove` until the game is over; what chance decides is drawn from the same numbers.
  ///
  /// The standard answer is `steppedPlayOut`. A game whose random games are to be quick says the same in its own
  /// module, where it is compiled into one loop with its rules.
  /// - Returns: how many moves and choices were played.
  func playOut(_ position: inout Position, by chance: inout Chance) -> Int
  /// Plays a legal move of the seat whose turn it is. Traps where the position waits for a round.
  func play(_ move: Move, in position: inout Position)
  /// Plays a round: the legal choices of the seats that choose. Traps in games whose seats move in turn.
  /// - Parameters:
  ///   - moves: by seat number; `nil` for a seat that does not choose.
  ///   - chance: the round's random numbers, which no seat knew when it chose.
  func resolve(_ moves: [Move?], by chance: inout Chance, in position: inout Position)
  /// Whether rounds draw random numbers; where they do not, `chance` is `Chance.none`.
  var usesChance: Bool { get }

  /// Whether `seat` may play the move with this code now; `false` for codes that are no move.
  ///
  /// This and the six below are for hosts that hold games as `any GameState`: what every game gets is compiled
  /// for the game itself, so that it costs such a host one call.
  func isLegal(code: MoveCode, by seat: Seat, in position: Position) -> Bool
  /// Plays the move with this code of the seat whose turn it is.
  /// - Returns: `false`, and nothing changed, when it is not legal.
  func play(code: MoveCode, in position: inout Position) -> Bool
  /// Plays the move with this code of `seat`.
  /// - Returns: whose choice the position then waits for; `nil`, and nothing changed, when it is not legal.
  func play(code: MoveCode, by seat: Seat, in position: inout Position) -> Turn?
  /// The codes of the legal moves of `seat`, ascending.
  func legalCodes(of seat: Seat, in position: Position) -> [MoveCode]
  /// A new game in which `first` moves first.
  func newGame(first: Seat) -> any GameState
  /// What `seat` may see of a game that stands at `position`; `nil` is a spectator.
  func gameView(of position: Position, for seat: Seat?) -> any GameView
  /// Plays a round with the choices of these codes, by seat.
  /// - Returns: `false`, and nothing changed, when one is not legal.
  func resolve(codes: [MoveCode], by chance: Chance, in position: inout Position) -> Bool

  /// What a game is worth that `seat` lost here by anything but the rules: resigned, left, broke the
  /// protocol.
  func forfeit(by seat: Seat, in position: Position) -> Outcome

  /// Takes a seat out of a game of more than two, where at least two others go on: it left, resigned, was ruled out or
  /// broke the protocol. The position never waits for it again.
  func dropOut(_ seat: Seat, in position: inout Position)

  /// The move's code.
  func code(of move: Move) -> MoveCode
  /// The move with this code, `nil` when no position has such a move.
  func move(code: MoveCode) -> Move?
  /// The move as people of the field write it.
  func text(of move: Move) -> String
  /// Reads a move as a person types it, `nil` when it is none. The answer need not be legal.
  func move(text: String) -> Move?

  /// What `seat` may see of the position; `nil` is a spectator. Whose turn it is and its own legal moves a seat is told
  /// besides.
  func view(of position: Position, for seat: Seat?) -> View
  /// The position in canonical bytes: equal positions, equal bytes, on every machine.
  func encode(_ position: Position) -> [UInt8]
  /// What is seen of a position in canonical bytes: equal views, equal bytes, on every machine.
  func encode(view: View) -> [UInt8]
  /// What is seen as a picture that needs no terminal.
  func diagram(of view: View) -> Diagram
  /// The same picture with the piece marked that the last move has put there.
  ///
  /// Games whose positions know the last move mark it by themselves, and games whose moves put no piece have nothing
  /// to mark; both do without this.
  /// - Parameter last: the move that led to the position.
  func diagram(of view: View, after last: Move) -> Diagram
}

extension Rules where View == Position {
  /// A game without hidden information shows everybody everything.
  public func view(of position: Position, for seat: Seat?) -> Position { position }

  /// What is seen is the position, and so are its bytes.
  public func encode(view: Position) -> [UInt8] { encode(view) }
}

extension Rules {
  /// Most games are won or lost.
  public static var ranksByScore: Bool { false }

  /// Most games have a winner.
  public static var canBeDrawn: Bool { false }

  /// The others win.
  public func forfeit(by seat: Seat, in position: Position) -> Outcome {
    Outcome(scores: (0..<seats).map { $0 == seat.index ? 0 : 1 })
  }

  /// Games of two seats end with a forfeit instead.
  public func dropOut(_ seat: Seat, in position: inout Position) {
    preconditionFailure("\(Self.name): of \(seats) seats, \(seat) cannot drop out")
  }

  public func randomMove(of seat: Seat, in position: Position, by chance: inout Chance) -> Move {
    chance.element(of: legalMoves(of: seat, in: position))
  }

  public func diagram(of view: View, after last: Move) -> Diagram { diagram(of: view) }

  public func playOut(_ position: inout Position, by chance: inout Chance) -> Int {
    steppedPlayOut(&position, by: &chance)
  }

  /// `playOut`, a move or a round after the other.
  @inlinable
  public func steppedPlayOut(_ position: inout Position, by chance: inout Chance) -> Int {
    var (moves, current, random) = (0, position, chance)
    defer { (position, chance) = (current, random) }
    while true {
      switch turn(in: current) {
      case .over: return moves
      case .seat(let seat):
        play(randomMove(of: seat, in: current, by: &random), in: &current)
        moves += 1
      case .round(let choosing):
        var choices: [Move?] = []
        for seat in (0..<seats).lazy.map({ Seat(UInt16($0)) }) {
          choices.append(choosing.contains(seat) ? randomMove(of: seat, in: current, by: &random) : nil)
        }
        moves += choosing.count
        resolve(choices, by: &random, in: &current)
      }
    }
  }

  /// Most games leave nothing to chance.
  public var usesChance: Bool { false }

  /// Games whose seats move in turn have nothing to play together.
  public func resolve(_ moves: [Move?], by chance: inout Chance, in position: inout Position) {
    preconditionFailure("\(Self.name): seats move in turn, \(moves.count) choices cannot be played together")
  }

  /// Games with simultaneous choices have no single moves.
  public func play(_ move: Move, in position: inout Position) {
    preconditionFailure("\(Self.name): choices are made together, \(move) cannot be played alone")
  }

  @inlinable
  public func isLegal(code: MoveCode, by seat: Seat, in position: Position) -> Bool {
    guard let move = move(code: code) else { return false }
    return isLegal(move, by: seat, in: position)
  }

  @inlinable
  public func play(code: MoveCode, in position: inout Position) -> Bool {
    guard case .seat(let seat) = turn(in: position), let move = move(code: code),
      isLegal(move, by: seat, in: position)
    else { return false }
    play(move, in: &position)
    return true
  }

  @inlinable
  public func play(code: MoveCode, by seat: Seat, in position: inout Position) -> Turn? {
    guard case .seat(let mover) = turn(in: position), mover == seat, let move = move(code: code),
      isLegal(move, by: seat, in: position)
    else { return nil }
    play(move, in: &position)
    return turn(in: position)
  }

  @inlinable
  public func newGame(first: Seat) -> any GameState { GameOf(rules: self, position: start(first: first)) }

  @inlinable
  public func gameView(of position: Position, for seat: Seat?) -> any GameView {
    ViewOf(rules: self, position: position, seat: seat)
  }

  @inlinable
  public func resolve(codes: [MoveCode], by chance: Chance, in position: inout Position) -> Bool {
    guard case .round(let choosing) = turn(in: position), codes.count == seats else { return false }
    var moves: [Move?] = []
    moves.reserveCapacity(codes.count)
    for (index, code) in codes.enumerated() {
      let seat = Seat(UInt16(truncatingIfNeeded: index))
      let isChoosing = choosing.contains(seat)
      guard isChoosing ? isLegal(code: code, by: seat, in: position) : code == .none else { return false }
      moves.append(isChoosing ? move(code: code) : nil)
    }
    var chance = chance
    resolve(moves, by: &chance, in: &position)
    return true
  }

  @inlinable
  public func legalCodes(of seat: Seat, in position: Position) -> [MoveCode] {
    var codes: [MoveCode] = []
    codes.reserveCapacity(16)
    forEachMove(of: seat, in: position) { codes.append(code(of: $0)) }
    return codes
  }

  /// The text of the move with this code, `?` where no position has such a move.
  func text(code: MoveCode) -> String { move(code: code).map { text(of: $0) } ?? "?" }

  /// The code of the move that a person types.
  func code(text: String) -> MoveCode? { move(text: text).map { code(of: $0) } }

  /// The legal moves of `seat`, in ascending order of code.
  public func legalMoves(of seat: Seat, in position: Position) -> [Move] {
    var moves: [Move] = []
    forEachMove(of: seat, in: position) { moves.append($0) }
    return moves
  }
}

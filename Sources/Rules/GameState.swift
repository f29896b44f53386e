/// A game in progress whose kind is not known when the program is compiled.
///
/// Projections and bots' hosts hold `any GameState`, all of the game; displays and bots get a `GameView` of it.
public protocol GameState: Sendable {
  /// How many seats play.
  var seats: Int { get }
  /// Whose choice the position waits for.
  var turn: Turn { get }
  /// The position in canonical bytes.
  var encoded: [UInt8] { get }

  /// Whether `seat` may play `code` now; `false` for codes that are no move.
  func isLegal(_ code: MoveCode, by seat: Seat) -> Bool
  /// The legal moves of `seat`, ascending.
  func legalMoves(of seat: Seat) -> [MoveCode]
  /// Plays the move of the seat whose turn it is.
  /// - Returns: `false`, and nothing changed, when it is not legal.
  mutating func play(_ code: MoveCode) -> Bool
  /// Plays the move of `seat`.
  /// - Returns: whose choice the position then waits for; `nil`, and nothing changed, when it is not legal.
  mutating func play(_ code: MoveCode, by seat: Seat) -> Turn?
  /// Whether `seat` may open `code` in the round that is on: a legal choice, or `MoveCode.none` where it does not
  /// choose.
  func mayOpen(_ code: MoveCode, by seat: Seat) -> Bool
  /// Plays a round, by seat number: choices, and `MoveCode.none` for seats that do not choose.
  /// - Parameter chance: the round's random numbers; `.none` where `usesChance` is false.
  /// - Returns: `false`, and nothing changed, when one is not legal.
  mutating func resolve(_ codes: [MoveCode], by chance: Chance) -> Bool
  /// Whether rounds of these rules draw random numbers.
  var usesChance: Bool { get }
  /// Whether a game of these rules may end without a winner.
  var canBeDrawn: Bool { get }
  /// What the game is worth when `seat` loses it here by anything but the rules.
  func forfeit(by seat: Seat) -> Outcome
  /// Takes a seat out of a game of more than two, where at least two others go on.
  mutating func dropOut(_ seat: Seat)
  /// The move as text; codes that are no move give `?`.
  func text(of code: MoveCode) -> String
  /// Reads a move as a person types it.
  func code(text: String) -> MoveCode?
  /// What this seat (`nil`: a spectator) may see of it.
  func view(for seat: Seat?) -> any GameView
}

/// A game in progress of known rules.
public struct GameOf<R: Rules>: GameState, Hashable {
  /// The rules with their parameters.
  public let rules: R
  /// The position now.
  public var position: R.Position

  /// A game that stands at `position`.
  @inlinable
  public init(rules: R, position: R.Position) {
    self.rules = rules
    self.position = position
  }

  public var seats: Int { rules.seats }
  public var turn: Turn { rules.turn(in: position) }
  public var canBeDrawn: Bool { R.canBeDrawn }
  public var usesChance: Bool { rules.usesChance }
  public var encoded: [UInt8] { rules.encode(position) }

  public func isLegal(_ code: MoveCode, by seat: Seat) -> Bool {
    rules.isLegal(code: code, by: seat, in: position)
  }

  public func legalMoves(of seat: Seat) -> [MoveCode] { rules.legalCodes(of: seat, in: position) }

  public mutating func play(_ code: MoveCode) -> Bool { rules.play(code: code, in: &position) }

  public mutating func play(_ code: MoveCode, by seat: Seat) -> Turn? {
    rules.play(code: code, by: seat, in: &position)
  }

  public func mayOpen(_ code: MoveCode, by seat: Seat) -> Bool {
    guard case .round(let choosing) = turn, seat.index < seats else { return false }
    return choosing.contains(seat) ? rules.isLegal(code: code, by: seat, in: position) : code == .none
  }

  public mutating func resolve(_ codes: [MoveCode], by chance: Chance) -> Bool {
    rules.resolve(codes: codes, by: chance, in: &position)
  }

  public func forfeit(by seat: Seat) -> Outcome { rules.forfeit(by: seat, in: position) }

  public mutating func dropOut(_ seat: Seat) { rules.dropOut(seat, in: &position) }

  public func text(of code: MoveCode) -> String { rules.text(code: code) }

  public func code(text: String) -> MoveCode? { rules.code(text: text) }

  public func view(for seat: Seat?) -> any GameView { rules.gameView(of: position, for: seat) }
}

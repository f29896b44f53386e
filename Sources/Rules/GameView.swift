/// A game in progress as a seat or a spectator may see it: what displays, bots and snapshots get.
///
/// It gives no position away, so that no display and no bot shows or uses by mistake what the rules hide.
public protocol GameView: Sendable {
  /// The seat that looks; `nil` is a spectator.
  var seat: Seat? { get }
  /// How many seats play.
  var seats: Int { get }
  /// Whose choice the game waits for.
  var turn: Turn { get }
  /// What is seen, in canonical bytes.
  var encoded: [UInt8] { get }
  /// What is seen as a picture.
  var diagram: Diagram { get }
  /// The same with the last move marked; a code that is no move marks nothing.
  func diagram(after last: MoveCode) -> Diagram
  /// The legal moves of the seat that looks, ascending; a spectator has none.
  var legalMoves: [MoveCode] { get }
  /// Whether the seat that looks may play `code` now; `false` for codes that are no move.
  func isLegal(_ code: MoveCode) -> Bool
  /// The move as text; codes that are no move give `?`.
  func text(of code: MoveCode) -> String
  /// Reads a move as a person types it.
  func code(text: String) -> MoveCode?
}

/// What a seat or a spectator may see of a game of known rules.
public struct ViewOf<R: Rules>: GameView {
  /// The rules with their parameters.
  public let rules: R
  public let seat: Seat?
  /// All that is on the table, seen or not. It stays in here.
  @usableFromInline let position: R.Position

  /// What `seat` may see of a game that stands at `position`.
  @inlinable
  public init(rules: R, position: R.Position, seat: Seat?) {
    self.rules = rules
    self.position = position
    self.seat = seat
  }

  /// What is seen: the position itself where the rules hide nothing.
  public var view: R.View { rules.view(of: position, for: seat) }

  public var seats: Int { rules.seats }
  public var turn: Turn { rules.turn(in: position) }
  public var encoded: [UInt8] { rules.encode(view: view) }
  public var diagram: Diagram { rules.diagram(of: view) }

  public func diagram(after last: MoveCode) -> Diagram {
    rules.move(code: last).map { rules.diagram(of: view, after: $0) } ?? diagram
  }

  public var legalMoves: [MoveCode] {
    guard let seat else { return [] }
    return rules.legalCodes(of: seat, in: position)
  }

  public func isLegal(_ code: MoveCode) -> Bool {
    guard let seat else { return false }
    return rules.isLegal(code: code, by: seat, in: position)
  }

  public func text(of code: MoveCode) -> String { rules.text(code: code) }

  public func code(text: String) -> MoveCode? { rules.code(text: text) }
}

public import Rules

/// Memory match (concentration): seats turn up two cards in turn, and keep the pairs that they find.
///
/// Nobody lays the cards out. What lies under a card is drawn jointly when it is first turned up, from what is left:
/// that is the distribution of a shuffled deck, and before it there is nothing that anybody could know.
public struct MemoryMatch: Rules {
  public static let name = "memory-match"
  public static let version: UInt16 = 1
  public static let title = "Memory match"
  public static let summary = "Turn up two cards in turn and keep the pairs; two to eight seats."
  public static let canBeDrawn = true

  /// The numbers of seats that a game may have.
  public static let seatsRange = 2...8
  /// The numbers of cards that a game may have, even ones.
  public static let cardsRange = 8...100

  public static let settings = [
    ParameterDefinition(name: "players", summary: "number of seats, 2 to 8", standard: "2"),
    ParameterDefinition(name: "cards", summary: "number of cards, an even one from 8 to 100", standard: "20"),
  ]

  public let seats: Int
  /// How many cards there are; half as many different faces.
  public let cards: Int

  public init(_ parameters: Parameters) throws(RulesError) {
    try parameters.check(known: Self.settings)
    seats = try parameters.number("players", in: Self.seatsRange, standard: 2)
    cards = try parameters.number("cards", in: Self.cardsRange, standard: 20)
    guard cards.isMultiple(of: 2) else {
      throw .badParameter(
        name: "cards", value: "\(cards)",
        expected:
          "it takes an even number from \(Self.cardsRange.lowerBound) to \(Self.cardsRange.upperBound)")
    }
  }

  public var parameters: Parameters {
    var parameters = Parameters()
    parameters["players"] = "\(seats)"
    parameters["cards"] = "\(cards)"
    return parameters
  }

  /// How many turns in succession may find nothing new before the game is over: two of each seat. Somebody who only
  /// turns up cards that everybody has seen is waiting for the others to err.
  public var limitIdleTurns: Int { 2 * seats }

  public func start(first: Seat) -> Position {
    precondition(first.index < seats, "memory match has \(seats) seats, \(first) cannot move first")
    return Position(cards: cards, seats: seats, first: first)
  }

  public func turn(in position: Position) -> Turn {
    if position.isWaitingForFace { return .round(.none) }
    return isOver(position) ? .over(outcome(of: position)) : .seat(position.mover)
  }

  private func isOver(_ position: Position) -> Bool {
    position.pairsLeft == 0 || position.idleTurns >= limitIdleTurns || position.playing.count < 2
  }

  /// The pairs of each seat; none of a seat that dropped out. A seat that is left alone takes what is on the table.
  private func outcome(of position: Position) -> Outcome {
    let left = position.playing.count == 1 ? position.pairsLeft : 0
    return Outcome(
      scores: (0..<seats).map { index in
        let seat = Seat(UInt16(truncatingIfNeeded: index))
        return position.playing.contains(seat) ? Int32(position.pairs(of: seat) + left) : 0
      })
  }

  /// The others keep their pairs and share what is left; between two, the other takes it all.
  public func forfeit(by seat: Seat, in position: Position) -> Outcome {
    var after = position
    after.dropOut(seat)
    return outcome(of: after)
  }

  public func dropOut(_ seat: Seat, in position: inout Position) { position.dropOut(seat) }

  public func isLegal(_ card: Card, by seat: Seat, in position: Position) -> Bool {
    turn(in: position) == .seat(seat) && card.index < cards && position.isOnTable(card)
      && position.firstUp != card
  }

  public func forEachMove(of seat: Seat, in position: Position, _ body: (Card) -> Void) {
    guard turn(in: position) == .seat(seat) else { return }
    for card in position.cards where position.isOnTable(card) && position.firstUp != card { body(card) }
  }

  public func play(_ card: Card, in position: inout Position) {
    precondition(
      isLegal(card, by: position.mover, in: position),
      "\(Self.name): card \(card.index + 1) cannot be turned up")
    position.turnUp(card)
  }

  public var usesChance: Bool { true }

  /// Draws the face of the card that was turned up last, all cards that were never turned up being equally likely to
  /// have each of the faces that are left.
  public func resolve(_ moves: [Card?], by chance: inout Chance, in position: inout Position) {
    precondition(position.isWaitingForFace, "\(Self.name): there is nothing to draw")
    position.show(chance.element(of: position.facesLeft))
  }

  public func code(of card: Card) -> MoveCode { MoveCode(UInt32(card.index)) }

  public func move(code: MoveCode) -> Card? {
    code.rawValue < UInt32(cards) ? Card(index: UInt8(code.rawValue)) : nil
  }

  /// The card's number, from 1.
  public func text(of card: Card) -> String { "\(card.index + 1)" }

  public func move(text: String) -> Card? {
    guard let number = UInt8(text), "\(number)" == text, number > 0, Int(number) <= cards else { return nil }
    return Card(index: number - 1)
  }

  /// The faces of the cards that were turned up at some time, the seats that took them, the cards in the order in which
  /// they were turned up last, and those that are up; then the seat to move, the seats that play, and the turns in
  /// which nothing new was found.
  public func encode(_ position: Position) -> [UInt8] { position.encoded }

  public func diagram(of position: Position) -> Diagram {
    let isOver = isOver(position)
    let columns = columns
    let board = stride(from: 0, to: cards, by: columns).map { start in
      (start..<start + columns).map { index -> Diagram.Cell in
        guard index < cards else { return .empty }
        return cell(Card(index: UInt8(index)), in: position, isOver: isOver)
      }
    }
    return Diagram(board: board, lines: lines(position))
  }

  /// The columns of the picture: as near to a square as fills all rows, at most ten.
  private var columns: Int {
    let least = (1...10).first { $0 * $0 >= cards } ?? 10
    return (least...10).first { cards.isMultiple(of: $0) } ?? least
  }

  private func cell(_ card: Card, in position: Position, isOver: Bool) -> Diagram.Cell {
    if let owner = position.owner(of: card) { return .piece(owner) }
    if position.isUp(card), let face = position.face(of: card) {
      return .face(text: face.letter, emoji: face.emoji, isMarked: true)
    }
    // A card that is face down.
    if isOver || position.isUp(card) { return .face(text: "?", emoji: "❔", isMarked: position.isUp(card)) }
    return position.isWaitingForFace ? .empty : .playable(text(of: card))
  }

  private func lines(_ position: Position) -> [Diagram.Line] {
    let pairs = (0..<seats).map { index -> Diagram.Line in
      let seat = Seat(UInt16(truncatingIfNeeded: index))
      return position.playing.contains(seat)
        ? "\(seat) \(position.pairs(of: seat))" : "\(seat) has dropped out"
    }
    let left = position.pairsLeft
    return ["Pairs: \(Diagram.Line.joined(pairs, separator: ", ")); on the table: \(left)"]
      + (position.idleTurns >= limitIdleTurns
        ? ["Nobody turned up a new card in \(position.idleTurns) turns: the game is over."] : [])
  }
}

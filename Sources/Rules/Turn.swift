/// Whose choice a position waits for.
public enum Turn: Hashable, Sendable {
  /// One seat moves.
  case seat(Seat)
  /// These seats choose at once and in secret, and every seat has a share in the round's chance; the choices are
  /// played together. A round in which no seat chooses is a draw: chance alone goes on.
  case round(SeatSet)
  /// Nobody: the game is over.
  case over(Outcome)

  /// The outcome, when the game is over.
  public var outcome: Outcome? {
    if case .over(let outcome) = self { outcome } else { nil }
  }

  /// The seats that choose in the round that the position waits for; none where it waits for no round.
  public var choosing: SeatSet {
    if case .round(let choosing) = self { choosing } else { .none }
  }

  /// Whether the position waits for a round.
  public var isRound: Bool {
    if case .round = self { true } else { false }
  }
}

/// A move or choice in 32 bits, as it stands in an event. Each game defines its own codes.
public struct MoveCode: RawRepresentable, Hashable, Comparable, Sendable {
  /// The code.
  public var rawValue: UInt32

  /// The move with this code.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// What stands in a round for a seat that does not choose.
  public static let none = MoveCode(rawValue: 0)

  /// The move with this code.
  public init(_ code: UInt32) { self.rawValue = code }

  /// Orders codes by number.
  public static func < (a: MoveCode, b: MoveCode) -> Bool { a.rawValue < b.rawValue }
}

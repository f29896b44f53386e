/// Whose choice a position waits for.
public enum Turn: Hashable, Sendable {
  /// One seat moves.
  case seat(Seat)
  /// Every seat chooses at once and in secret; the choices are played together.
  case everyone
  /// Nobody: the game is over.
  case over(Outcome)

  /// The outcome, when the game is over.
  public var outcome: Outcome? {
    if case .over(let outcome) = self { outcome } else { nil }
  }
}

/// A move or choice in 32 bits, as it stands in an event. Each game defines its own codes.
public struct MoveCode: RawRepresentable, Hashable, Comparable, Sendable {
  /// The code.
  public var rawValue: UInt32

  /// The move with this code.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The move with this code.
  public init(_ code: UInt32) { self.rawValue = code }

  /// Orders codes by number.
  public static func < (a: MoveCode, b: MoveCode) -> Bool { a.rawValue < b.rawValue }
}

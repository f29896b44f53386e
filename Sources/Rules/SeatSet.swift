/// Some of a game's seats, in ascending order.
public struct SeatSet: Hashable, Sendable, Sequence {
  /// The most seats that a game may have.
  public static let limitSeats = 16

  private var bits: UInt16

  /// No seat.
  public static let none = SeatSet(bits: 0)

  /// The seats 0 up to, not including, `count`.
  /// - Parameter count: from 0 to `limitSeats`.
  public static func all(_ count: Int) -> SeatSet {
    precondition((0...limitSeats).contains(count), "a game has up to \(limitSeats) seats, not \(count)")
    return SeatSet(bits: count == 16 ? .max : (1 << UInt16(count)) - 1)
  }

  private init(bits: UInt16) { self.bits = bits }

  /// These seats, each below `limitSeats`.
  public init(_ seats: [Seat]) {
    self = .none
    for seat in seats { insert(seat) }
  }

  /// Whether no seat is in it.
  public var isEmpty: Bool { bits == 0 }
  /// How many seats are in it.
  public var count: Int { bits.nonzeroBitCount }

  /// The lowest seat in it.
  public var first: Seat? { isEmpty ? nil : Seat(UInt16(bits.trailingZeroBitCount)) }

  /// Whether a seat is in it.
  public func contains(_ seat: Seat) -> Bool {
    seat.index < Self.limitSeats && bits >> seat.rawValue & 1 != 0
  }

  /// Adds a seat below `limitSeats`.
  public mutating func insert(_ seat: Seat) {
    precondition(seat.index < Self.limitSeats, "a game has up to \(Self.limitSeats) seats, not \(seat)")
    bits |= 1 << seat.rawValue
  }

  /// Takes a seat out, if it is in.
  public mutating func remove(_ seat: Seat) {
    if contains(seat) { bits &= ~(1 << seat.rawValue) }
  }

  /// Goes through the seats.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate var left: UInt16

    /// The next seat, or `nil` behind the last.
    public mutating func next() -> Seat? {
      guard left != 0 else { return nil }
      defer { left &= left - 1 }
      return Seat(UInt16(left.trailingZeroBitCount))
    }
  }

  /// The seats in ascending order.
  public func makeIterator() -> Iterator { Iterator(left: bits) }
  /// How many seats are in it.
  public var underestimatedCount: Int { count }
}

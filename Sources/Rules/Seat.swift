/// A place at the table, counted from 0.
public struct Seat: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The place's number, from 0.
  public var rawValue: UInt16

  /// The place with this number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The place with this number.
  public init(_ number: UInt16) { self.rawValue = number }

  /// The place's number as an array index.
  public var index: Int { Int(rawValue) }

  /// Orders seats by number.
  public static func < (a: Seat, b: Seat) -> Bool { a.rawValue < b.rawValue }

  /// The number as people count: the first seat is 1.
  public var description: String { "seat \(Int(rawValue) + 1)" }

  /// The other seat at a table of two.
  public var opponent: Seat { Seat(rawValue ^ 1) }
}

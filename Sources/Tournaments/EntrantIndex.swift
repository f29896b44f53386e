/// An entrant of a tournament by its seed, counted from 0: entrant 0 is the top seed.
package struct EntrantIndex: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The seed's number, from 0.
  package var rawValue: UInt16

  /// The entrant with this number.
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The entrant with this number.
  package init(_ number: UInt16) { self.rawValue = number }

  /// The entrant at this place of an array of entrants, which has at most 4,096.
  init(index: Int) { self.rawValue = UInt16(index) }

  /// The seed's number as an array index.
  package var index: Int { Int(rawValue) }

  /// Orders entrants by seed, the better one first.
  package static func < (a: EntrantIndex, b: EntrantIndex) -> Bool { a.rawValue < b.rawValue }

  /// The seed as people count: the top seed is 1.
  package var description: String { "seed \(Int(rawValue) + 1)" }
}

package import Projection

/// Which rooms need not be in memory, because they are over.
package struct ClosingRule: Sendable {
  /// No room is ever over.
  package static let never = ClosingRule(version: nil) { _ in false }

  /// Which rule this is, where the next start may go by what was found of a room that has no new events: another number
  /// whenever the same events may give another answer. `nil` for a rule by which nothing is stored.
  package let version: UInt8?
  /// Whether a room is over; by what its events amount to, and nothing else.
  package let isOver: @Sendable (RoomState) -> Bool

  package init(version: UInt8?, isOver: @escaping @Sendable (RoomState) -> Bool) {
    self.version = version
    self.isOver = isOver
  }
}

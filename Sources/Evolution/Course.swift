/// How numbers of kinds changed: of a long course some of its moments, equally far from each other.
package struct Course<Number: Sendable>: Sendable {
  /// One moment.
  package struct Moment: Sendable {
    /// The step or generation.
    package let time: Int
    /// A number for each kind.
    package let numbers: [Number]
  }

  /// The moments, the earliest first.
  package private(set) var moments: [Moment] = []
  private let limit: Int
  private var distance = 1

  /// - Parameter limit: how many moments are kept at the most, and one more at the end.
  package init(limit: Int) {
    precondition(limit >= 2, "a course of \(limit) moments")
    self.limit = limit
  }

  /// Takes the next time's numbers; times begin at 0 and are told in order.
  /// - Parameter isLast: whether none follow. The last one is always kept.
  package mutating func take(_ time: Int, _ numbers: [Number], isLast: Bool = false) {
    guard isLast || time.isMultiple(of: distance) else { return }
    moments.append(Moment(time: time, numbers: numbers))
    guard moments.count > limit, !isLast else { return }
    distance *= 2
    moments.removeAll { !$0.time.isMultiple(of: distance) }
  }
}

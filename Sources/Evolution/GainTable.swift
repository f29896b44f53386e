/// What one individual of each kind gains when it meets one of each kind: whole units, none below 0.
package struct GainTable: Hashable, Sendable {
  /// The most that an individual may gain.
  package static let limitGain = 1 << 32
  /// The most kinds that there may be.
  package static let limitKinds = 1 << 10

  /// How many kinds there are.
  package let count: Int
  private let gains: [Int]

  /// - Parameter rows: for each kind what it gains from each.
  package init(_ rows: [[Int]]) {
    precondition(
      (1...Self.limitKinds).contains(rows.count) && rows.allSatisfy { $0.count == rows.count },
      "a table of \(rows.count) kinds")
    gains = rows.flatMap { $0 }
    precondition(gains.allSatisfy { (0...Self.limitGain).contains($0) }, "gains \(gains)")
    count = rows.count
  }

  /// What one of a kind gains from one of another or the same.
  package subscript(kind: Int, other: Int) -> Int { gains[kind * count + other] }
}

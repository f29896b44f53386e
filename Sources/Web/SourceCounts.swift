internal import Network

/// How many connections there are from each address.
///
/// Addresses of this machine are not limited: behind them stands whoever may use it, or a proxy for everybody. Those of
/// the sixth version count by their first 64 bits, of which a household has all.
package struct SourceCounts {
  /// How many more may be connected to be told that there are too many.
  private static let limitTold = 8

  private let limit: Int
  private var counts: [String: Int] = [:]

  /// - Parameter limit: the most of one address.
  package init(limit: Int) { self.limit = limit }

  /// Counts a connection from an address of numbers.
  /// - Returns: whether it may stay, at least until it is told that there are too many.
  package mutating func add(_ address: String) -> Bool {
    guard let source = Address(host: address, port: 0).sourceElsewhere else { return true }
    counts[source, default: 0] += 1
    return counts[source, default: 0] <= limit + Self.limitTold
  }

  /// Counts a connection no more.
  package mutating func remove(_ address: String) {
    guard let source = Address(host: address, port: 0).sourceElsewhere, let count = counts[source] else {
      return
    }
    counts[source] = count > 1 ? count - 1 : nil
  }

  /// Whether there are not too many connections from an address.
  package func isWithinLimit(_ address: String) -> Bool {
    guard let source = Address(host: address, port: 0).sourceElsewhere else { return true }
    return counts[source, default: 0] <= limit
  }

  /// How many addresses are known.
  package var count: Int { counts.count }
}

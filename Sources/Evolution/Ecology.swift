/// An ecology: a population without end in which each kind's share grows with what it gains from all.
///
/// From one generation to the next a share is multiplied by the kind's gain from an individual drawn at random and
/// divided by the mean of that in the population: the replicator in discrete time (Taylor & Jonker, Evolutionarily
/// stable strategies and game dynamics, 1978), as in the ecological tournament of Axelrod's The Evolution of
/// Cooperation, 1984. Shares are floating point: sums, products and quotients in one order, which are the same bits on
/// every machine.
package struct Ecology: Sendable {
  /// Each kind's share.
  package private(set) var shares: [Double]
  /// How many generations have passed.
  package private(set) var generation = 0
  private let table: GainTable

  /// - Parameter weights: in which proportion the kinds begin.
  package init(_ table: GainTable, weights: [Int]) {
    let total = weights.reduce(0, +)
    precondition(
      weights.count == table.count && weights.allSatisfy { $0 >= 0 } && total > 0, "weights \(weights)")
    self.table = table
    shares = weights.map { Double($0) / Double(total) }
  }

  /// Lets one generation pass. Where nobody gains anything, shares stay as they are.
  package mutating func advance() {
    let gains = shares.indices.map { kind in
      shares.indices.reduce(0.0) { $0 + Double(table[kind, $1]) * shares[$1] }
    }
    let mean = shares.indices.reduce(0.0) { $0 + shares[$1] * gains[$1] }
    if mean > 0 { shares = shares.indices.map { shares[$0] * gains[$0] / mean } }
    generation += 1
  }
}

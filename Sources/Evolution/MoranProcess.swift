package import Rules

/// A Moran process: in each step one individual has a child, and one, perhaps its parent, dies for it.
///
/// Who has the child is drawn by fitness, which is what an individual gains from all others; where nobody gains
/// anything, and for who dies, all are equally likely (Moran, Random processes in genetics, 1958; Nowak et al.,
/// Emergence of cooperation and evolutionary stability in finite populations, Nature 428, 2004). All numbers are
/// whole, so the same seed gives the same steps on every machine.
package struct MoranProcess: Sendable {
  /// How many individuals there may be.
  package static let sizes = 2...10_000
  /// In how many of 1,000 births the child may be of another kind than its parent.
  package static let mutations = 0...1_000

  /// How many individuals each kind has.
  package private(set) var counts: [Int]
  /// How many steps were made.
  package private(set) var steps = 0
  /// How many individuals there are at all times.
  package let size: Int
  private let table: GainTable
  private let mutation: Int
  /// What one individual of each kind gains from all others.
  private(set) var fitness: [Int]
  private var chance: Chance

  /// - Parameters:
  ///   - counts: how many individuals each kind has at the start.
  ///   - mutation: in how many of 1,000 births the child is of another kind, all of them equally likely.
  package init(_ table: GainTable, counts: [Int], mutation: Int = 0, chance: Chance) {
    size = counts.reduce(0, +)
    precondition(
      counts.count == table.count && counts.allSatisfy { $0 >= 0 } && Self.sizes.contains(size)
        && Self.mutations.contains(mutation), "a population of \(counts) and mutation \(mutation)")
    self.table = table
    self.counts = counts
    self.mutation = mutation
    self.chance = chance
    fitness = counts.indices.map { kind in
      counts.indices.reduce(-table[kind, kind]) { $0 + counts[$1] * table[kind, $1] }
    }
  }

  /// The kind that all individuals are of, if they are.
  package var fixed: Int? { counts.firstIndex(of: size) }

  /// One birth and one death.
  package mutating func step() {
    let parent = drawParent()
    let child = isMutation() ? drawOther(than: parent) : parent
    let dead = draw(weights: counts, total: size)
    counts[child] += 1
    counts[dead] -= 1
    if child != dead {
      for kind in counts.indices { fitness[kind] += table[kind, child] - table[kind, dead] }
    }
    steps += 1
  }

  private mutating func drawParent() -> Int {
    // A kind without individuals may have a fitness below 0; it has no weight.
    let weights = counts.indices.map { counts[$0] * fitness[$0] }
    let total = weights.reduce(0, +)
    return total == 0 ? draw(weights: counts, total: size) : draw(weights: weights, total: total)
  }

  private mutating func isMutation() -> Bool {
    mutation > 0 && counts.count > 1 && chance.below(1_000) < UInt64(mutation)
  }

  private mutating func drawOther(than kind: Int) -> Int {
    let other = Int(chance.below(UInt64(counts.count - 1)))
    return other < kind ? other : other + 1
  }

  /// A kind by its weight.
  private mutating func draw(weights: [Int], total: Int) -> Int {
    var left = Int(chance.below(UInt64(total)))
    for (kind, weight) in weights.enumerated() {
      if left < weight { return kind }
      left -= weight
    }
    preconditionFailure("the weights \(weights) are less than \(total)")
  }
}

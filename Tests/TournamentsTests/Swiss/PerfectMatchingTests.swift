import TestKit
import Testing

@testable import Tournaments

/// Matchings against all that there are in small graphs.
struct PerfectMatchingTests {
  /// A graph with small weights, so that many matchings weigh the same.
  private struct Graph {
    var count: Int
    var weights: [Int]
    var allowed: [Bool]

    init(count: Int, random: inout SeededGenerator) {
      self.count = count
      weights = Array(repeating: 0, count: count * count)
      allowed = Array(repeating: false, count: count * count)
      let density = Int.random(in: 3...10, using: &random)
      for first in 0..<count {
        for second in first + 1..<max(count, first + 1) {
          set(
            first, second, weight: 2 * Int.random(in: -3...6, using: &random),
            isAllowed: Int.random(in: 0..<10, using: &random) < density)
        }
      }
    }

    mutating func set(_ first: Int, _ second: Int, weight: Int, isAllowed: Bool) {
      for edge in [first * count + second, second * count + first] {
        weights[edge] = weight
        allowed[edge] = isAllowed
      }
    }

    /// The greatest weight of a perfect matching of these vertices.
    func best(_ vertices: [Int]) -> Int? {
      guard let first = vertices.first else { return 0 }
      return vertices.dropFirst().compactMap { other in
        guard allowed[first * count + other] else { return nil }
        return best(vertices.filter { $0 != first && $0 != other }).map {
          $0 + weights[first * count + other]
        }
      }.max()
    }

    var matching: PerfectMatching<WideInteger<2>> {
      let wide = weights.map { value in
        var wide = WideInteger<2>.zero
        wide.add(value, at: 0)
        return wide
      }
      return PerfectMatching(count: count, weighed: count, weights: wide, allowed: allowed)
    }
  }

  private func number(_ value: WideInteger<2>) -> Int { Int(Int64(bitPattern: value.words[0])) }

  private func expectPerfect(_ matching: PerfectMatching<WideInteger<2>>) {
    for vertex in matching.active {
      let mate = matching.mate[vertex]
      #expect(mate >= 0 && matching.mate[mate] == vertex && matching.isAllowed(vertex, mate))
    }
  }

  @Test func isTheHeaviestThereIs() {
    var random = SeededGenerator(state: 1)
    var found = 0
    for _ in 0..<Effort.size(20_000, quick: 1_500) {
      let graph = Graph(count: 2 * Int.random(in: 1...4, using: &random), random: &random)
      var matching = graph.matching
      matching.start(hints: [])
      let best = graph.best(Array(0..<graph.count))
      let isComplete = matching.complete()
      #expect(isComplete == (best != nil))
      guard let best else { continue }
      found += 1
      expectPerfect(matching)
      #expect(number(matching.total) == best)
    }
    #expect(found > 300)
  }

  /// Changes of weights, edges and vertices one after the other.
  @Test func staysTheHeaviestAfterChanges() {
    var random = SeededGenerator(state: 2)
    for _ in 0..<Effort.size(10_000, quick: 800) {
      var graph = Graph(count: 2 * Int.random(in: 2...5, using: &random), random: &random)
      var matching = graph.matching
      matching.start(hints: [])
      guard matching.complete() else { continue }
      for _ in 0..<4 where matching.active.count > 2 {
        let vertex = matching.active.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          let others = matching.active.filter { matching.isAllowed(vertex, $0) }
          let additions = others.map { ($0, Int.random(in: 0...4, using: &random)) }
          matching.prefer(vertex, additions.map { (other: $0.0, value: $0.1) }, bit: 1)
          for (other, value) in additions {
            graph.set(
              vertex, other, weight: graph.weights[vertex * graph.count + other] + 2 * value, isAllowed: true)
          }
        case 1:
          let others = matching.active.filter { $0 != matching.mate[vertex] && Bool.random(using: &random) }
          matching.forbid(vertex, others)
          for other in others where other != vertex { graph.set(vertex, other, weight: 0, isAllowed: false) }
          let isComplete = matching.complete()
          #expect(isComplete)
        default: matching.settle(vertex, matching.mate[vertex])
        }
        expectPerfect(matching)
        #expect(number(matching.total) == graph.best(matching.active))
      }
    }
  }

  @Test func wideNumbersAreNumbers() {
    var random = SeededGenerator(state: 3)
    for _ in 0..<2_000 {
      let (left, right) = (
        Int.random(in: -1_000...1_000, using: &random), Int.random(in: -5...5, using: &random)
      )
      let bit = Int.random(in: 0...100, using: &random)
      var (wide, other) = (WideInteger<3>.zero, WideInteger<3>.zero)
      wide.add(left, at: bit)
      other.add(right, at: bit)
      var sum = WideInteger<3>.zero
      sum.add(left + right, at: bit)
      #expect(wide + other == sum)
      #expect(sum - other == wide)
      #expect((wide < other) == (left < right))
      #expect((wide + wide).half == wide)
      #expect(WideInteger<4>(words: wide.words).words == wide.shifted(by: 0).words + [left < 0 ? .max : 0])
    }
  }
}

/// A perfect matching of greatest weight in a graph, by Edmonds' method of blossoms.
///
/// A matching is perfect when every vertex has a mate. The method keeps a dual value for every vertex and every
/// blossom, such that no allowed edge weighs more than the duals that it is under; an edge of which both are
/// equal is *tight*, and only tight edges are in the matching, which therefore cannot be improved. A search grows
/// one alternating tree from one vertex without a mate until it meets another one (Edmonds 1965; the search of
/// one tree at a time as in Lawler's book of 1976, chapter 6). Weights are even, which keeps all duals whole.
///
/// After a change of the weights of one vertex most of the matching stays, and one or two searches mend it. That
/// is what the steps of a Swiss pairing ask for.
///
/// ```
/// node 0..<count        a vertex, a blossom of one
/// node count...         a blossom: an odd cycle of nodes, its base first
/// ```
struct PerfectMatching<Weight: MatchingWeight> {
  let count: Int
  /// Edges among the first `weighed` vertices have weights; all others weigh nothing.
  let weighed: Int
  /// The vertices that still take part.
  private(set) var active: [Int]
  var weights: [Weight]
  var allowed: [Bool]
  private(set) var mate: [Int]

  var dual: [Weight]
  var top: [Int]
  var nodes: [Node]
  var live: [Int] = []
  var free: [Int] = []

  var label: [Label]
  var entry: [(from: Int, into: Int)]
  var best: [Int]
  var key: [Weight]
  var moved = Weight.zero
  /// Edges that were found to be tight and are not in the tree yet.
  var tight: [(from: Int, into: Int)] = []

  /// What a node is in the tree that grows.
  enum Label: UInt8 {
    case outside
    /// At an even distance from the root: its edges are looked at.
    case even
    case odd
  }

  /// A vertex or a blossom.
  struct Node {
    var parent = -1
    var base: Int
    var dual = Weight.zero
    var members: [Int]
    var children: [Int] = []
    /// The edges of the cycle: from a vertex of child *i* to one of child *i* + 1.
    var links: [(from: Int, to: Int)] = []
  }

  /// The graph, without a matching yet.
  /// - Parameters:
  ///   - count: how many vertices.
  ///   - weights: the even weights, row by row, of the first `weighed` vertices.
  ///   - allowed: which edges there are, row by row of all vertices.
  init(count: Int, weighed: Int, weights: [Weight], allowed: [Bool]) {
    self.count = count
    self.weighed = weighed
    self.weights = weights
    self.allowed = allowed
    active = Array(0..<count)
    mate = Array(repeating: -1, count: count)
    dual = Array(repeating: .zero, count: count)
    top = Array(0..<count)
    nodes = (0..<count).map { Node(base: $0, members: [$0]) }
    label = Array(repeating: .outside, count: count)
    entry = Array(repeating: (-1, -1), count: count)
    best = Array(repeating: -1, count: count)
    key = Array(repeating: .zero, count: count)
  }

  @inline(__always)
  func weight(_ first: Int, _ second: Int) -> Weight {
    first < weighed && second < weighed ? weights[first * weighed + second] : .zero
  }

  func isAllowed(_ first: Int, _ second: Int) -> Bool { allowed[first * count + second] }

  /// What the edges of the matching weigh together.
  var total: Weight {
    var sum = Weight.zero
    for vertex in active where mate[vertex] > vertex { sum += weight(vertex, mate[vertex]) }
    return sum
  }

  mutating func join(_ first: Int, _ second: Int) {
    mate[first] = second
    mate[second] = first
  }

  mutating func part(_ vertex: Int) {
    guard mate[vertex] >= 0 else { return }
    mate[mate[vertex]] = -1
    mate[vertex] = -1
  }

  /// Begins with duals, and tight edges taken as they come, those of `hints` first.
  /// - Parameter duals: such that no edge weighs more than those of its ends; the more edges weigh as much, the less is
  ///   left to search. When not given, half of each vertex's heaviest edge.
  mutating func start(hints: [Int], duals: [Weight]? = nil) {
    if let duals {
      dual = duals
      return match(hints: hints)
    }
    for vertex in active {
      var most = Weight.zero
      var isFirst = true
      for other in active where allowed[vertex * count + other] {
        let weight = weight(vertex, other)
        if isFirst || most < weight { most = weight }
        isFirst = false
      }
      dual[vertex] = most.half
    }
    match(hints: hints)
  }

  /// Takes tight edges as they come, those of `hints` first.
  mutating func match(hints: [Int]) {
    for vertex in active where mate[vertex] < 0 {
      if !hints.isEmpty, isTaken(vertex, hints[vertex]) { continue }
      lower(vertex)
      if !hints.isEmpty, isTaken(vertex, hints[vertex]) { continue }
      for other in active where isTaken(vertex, other) { break }
    }
  }

  /// Goes on from a matching of the same graph.
  mutating func take(active: [Int], mate: [Int]) {
    self.active = active
    self.mate = mate
  }

  /// Takes an edge when it is tight and both ends are free.
  private mutating func isTaken(_ vertex: Int, _ other: Int) -> Bool {
    guard other >= 0, mate[other] < 0, allowed[vertex * count + other],
      dual[vertex] + dual[other] == weight(vertex, other)
    else { return false }
    join(vertex, other)
    return true
  }

  /// The least dual that a vertex may have.
  mutating func lower(_ vertex: Int) {
    var most: Weight?
    for other in active where allowed[vertex * count + other] {
      let least = weight(vertex, other) - dual[other]
      if most.map({ $0 < least }) ?? true { most = least }
    }
    if let most { dual[vertex] = most }
  }

  /// Gives every vertex a mate.
  /// - Returns: whether that is possible.
  mutating func complete() -> Bool {
    for vertex in active where mate[vertex] < 0 {
      guard search(from: vertex) else { return false }
    }
    return true
  }

  /// Adds to the weights of edges of one vertex and mends the matching.
  mutating func prefer(_ vertex: Int, _ additions: [(other: Int, value: Int)], bit: Int) {
    dissolve(vertex)
    part(vertex)
    for (other, value) in additions {
      weights[vertex * weighed + other].add(value, at: bit)
      weights[other * weighed + vertex].add(value, at: bit)
    }
    lower(vertex)
    let isComplete = complete()
    precondition(isComplete, "a matching that was perfect before weights changed is so after it")
  }

  /// Forbids edges of one vertex; the matching is to be completed after it.
  mutating func forbid(_ vertex: Int, _ others: some Sequence<Int>) {
    dissolve(vertex)
    for other in others {
      if mate[vertex] == other { part(vertex) }
      allowed[vertex * count + other] = false
      allowed[other * count + vertex] = false
    }
  }

  /// Takes two mates out of the graph for good.
  mutating func settle(_ first: Int, _ second: Int) {
    dissolve(first)
    dissolve(second)
    part(first)
    part(second)
    join(first, second)
    active.removeAll { $0 == first || $0 == second }
    let isComplete = complete()
    precondition(isComplete, "a perfect matching without two mates is perfect")
  }

  /// Whether the edge may be in a matching of greatest weight: it is tight, or inside a blossom.
  func isPossible(_ first: Int, _ second: Int) -> Bool {
    allowed[first * count + second]
      && (top[first] == top[second] || dual[first] + dual[second] == weight(first, second))
  }
}

/// The exchange between the halves S1 and S2 of a homogeneous bracket that a best matching needs.
///
/// In a matching the better one of each pair ends in S1. So an exchange is told by who is the better one of a
/// pair: a pair within the original S2 moves its better one up, a pair within S1 moves its lower one down, and
/// so does an S1 player who floats. The order of article 4.3 begins with two costs of each pair by its better one: how
/// many move up, and the sum of the numbers in S1. What it says further, who moves, is then settled player by player.
struct SwissExchange {
  /// The players, in their order.
  let remainder: [Int]
  /// How many pairs are made; so many are in S1.
  let pairs: Int

  private var last: Int { remainder.last ?? -1 }
  /// The bits of a number of players.
  private var width: Int { Int.bitWidth - remainder.count.leadingZeroBitCount }

  /// Where each cost has its lowest bit: who is preferred, the sum, the number of exchanges.
  private var places: (order: Int, sum: Int, number: Int) {
    let sum = 1 + width + 1
    return (1, sum, sum + 2 * width + 1)
  }

  /// How many bits the costs take.
  var bits: Int { places.number + width + 1 }

  /// At most so many bits the costs of any exchange among this many players take.
  static func mostBits(players: Int) -> Int {
    SwissExchange(remainder: Array(0..<players), pairs: players / 2).bits
  }

  /// The half S1 after the exchange.
  /// - Parameter base: a best matching of the bracket.
  func upper<Narrow: MatchingWeight, Wide: MatchingWeight>(
    _ base: PerfectMatching<Narrow>, _: Wide.Type
  ) -> [Int] {
    var matching = PerfectMatching<Wide>(base, shift: bits)
    for (place, vertex) in remainder.enumerated() {
      var cost = Wide.zero
      cost.add(-place, at: places.sum)
      if place >= pairs { cost.add(-1, at: places.number) }
      for other in remainder[(place + 1)...] { matching.charge(vertex, other, cost) }
    }
    matching.resume()
    let isComplete = matching.complete()
    precondition(isComplete, "costs leave a perfect matching perfect")
    // The lowest ones of S1 move down first, and then the highest ones of S2 up.
    for place in (0..<pairs).reversed() { settle(place, isUpper: false, &matching) }
    for place in remainder.indices.dropFirst(pairs) { settle(place, isUpper: true, &matching) }
    return remainder.indices.filter { isUpper($0, matching) }.map { remainder[$0] }
  }

  /// Whether a player is the better one of a pair.
  private func isUpper<Weight: MatchingWeight>(_ place: Int, _ matching: PerfectMatching<Weight>) -> Bool {
    let mate = matching.mate[remainder[place]]
    return mate > remainder[place] && mate <= last
  }

  /// Has a player be the better one of a pair, or not, where a best matching allows it; it stays so then.
  private func settle<Weight: MatchingWeight>(
    _ place: Int, isUpper wanted: Bool, _ matching: inout PerfectMatching<Weight>
  ) {
    let vertex = remainder[place]
    let allowed = matching.active.filter { matching.isAllowed(vertex, $0) }
    let lower = allowed.filter { $0 > vertex && $0 <= last }
    let rest = allowed.filter { $0 < vertex || $0 > last }
    func isPossible(_ others: [Int]) -> Bool { others.contains { matching.isPossible(vertex, $0) } }
    guard isPossible(lower), isPossible(rest) else { return }
    if isUpper(place, matching) != wanted {
      matching.prefer(vertex, lower.map { ($0, wanted ? 1 : -1) }, bit: places.order)
    }
    matching.forbid(vertex, isUpper(place, matching) ? rest : lower)
    let isComplete = matching.complete()
    precondition(isComplete, "what was matched may stay matched")
  }
}

extension PerfectMatching {
  /// A matching with room for costs below its weights.
  init<Narrow: MatchingWeight>(_ narrow: PerfectMatching<Narrow>, shift: Int) {
    var narrow = narrow
    narrow.dissolveAll()
    self.init(
      count: narrow.count, weighed: narrow.weighed,
      weights: narrow.weights.map { Weight(words: $0.words).shifted(by: shift) }, allowed: narrow.allowed)
    take(active: narrow.active, mate: narrow.mate)
    for vertex in active { dual[vertex] = Weight(words: narrow.dual[vertex].words).shifted(by: shift) }
  }

  /// Adds a cost, a number that is not above zero, to an edge.
  mutating func charge(_ first: Int, _ second: Int, _ cost: Weight) {
    weights[first * weighed + second] += cost
    weights[second * weighed + first] += cost
  }

  /// Goes on after costs: what is not tight any more is no pair.
  mutating func resume() {
    for vertex in active where mate[vertex] > vertex {
      if dual[vertex] + dual[mate[vertex]] != weight(vertex, mate[vertex]) { part(vertex) }
    }
    match(hints: [])
  }
}

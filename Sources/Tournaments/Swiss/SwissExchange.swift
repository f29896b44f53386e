/// The exchange between the halves S1 and S2 of a homogeneous bracket that a best matching needs.
///
/// In a matching the better one of each pair ends in S1. So an exchange is told by who is the better one of a
/// pair: a pair within the original S2 moves its better one up, a pair within S1 moves its lower one down, and
/// so does an S1 player who floats. The order of article 4.3 is a cost of each pair by its better one.
struct SwissExchange {
  /// The players, in their order.
  let remainder: [Int]
  /// How many pairs are made; so many are in S1.
  let pairs: Int

  private var lower: Int { remainder.count - pairs }
  /// The bits of a number of players.
  private var width: Int { Int.bitWidth - remainder.count.leadingZeroBitCount }

  /// Where each cost has its lowest bit: which go up, which go down, the sum, the number of exchanges.
  private var places: (up: Int, down: Int, sum: Int, number: Int) {
    let down = 1 + lower + width + 1
    let sum = down + pairs + 1
    return (1, down, sum, sum + 2 * width + 1)
  }

  /// How many bits the costs take.
  var bits: Int { places.number + width }

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
    let places = places
    for (place, vertex) in remainder.enumerated() {
      var cost = Wide.zero
      cost.add(-place, at: places.sum)
      if place < pairs {
        cost.add(-1, at: places.down + place)
      } else {
        cost.add(-1, at: places.number)
        cost.add(-1, at: places.up + lower)
        cost.add(1, at: places.up + remainder.count - 1 - place)
      }
      for other in remainder[(place + 1)...] { matching.charge(vertex, other, cost) }
    }
    matching.resume()
    let isComplete = matching.complete()
    precondition(isComplete, "costs leave a perfect matching perfect")
    let inside = Set(remainder)
    return remainder.filter { matching.mate[$0] > $0 && inside.contains(matching.mate[$0]) }
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

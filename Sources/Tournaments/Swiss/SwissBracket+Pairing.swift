extension SwissBracket {
  /// Pairs the bracket: the best candidate by all criteria, the first one of those in the order of article 4.
  /// - Returns: the pairs, as vertices; whoever is not in them floats down.
  func pairs() throws(SwissError) -> [(Int, Int)] {
    let fields = SwissFields(self)
    guard fields.bits + SwissExchange.mostBits(players: bracket) <= WideInteger<32>.width else {
      throw .tooManyScores
    }
    return switch fields.bits {
    case ...WideInteger<2>.width: try pairs(fields, WideInteger<2>.self)
    case ...WideInteger<4>.width: try pairs(fields, WideInteger<4>.self)
    case ...WideInteger<8>.width: try pairs(fields, WideInteger<8>.self)
    case ...WideInteger<16>.width: try pairs(fields, WideInteger<16>.self)
    default: try pairs(fields, WideInteger<32>.self)
    }
  }

  private func pairs<Weight: MatchingWeight>(
    _ fields: SwissFields, _: Weight.Type
  ) throws(SwissError) -> [(Int, Int)] {
    var matching = PerfectMatching<Weight>(
      count: vertices, weighed: weighed, weights: fields.weights(Weight.self), allowed: allowed())
    matching.start(hints: hints(), duals: fields.duals(Weight.self))
    guard matching.complete() else { throw .noPairing }
    if !isSingle, let byeScore, let score = cards[..<bracket].last?.score, byeScore >= score,
      (0..<bracket).count(where: { matching.mate[$0] >= bracket }) == 1
    {
      var single = self
      single.isSingle = true
      return try single.pairs()
    }
    var search = SwissCandidate(bracket: self, matching: matching, fields: fields)
    search.chooseMoved()
    search.chooseOpponents()
    search.chooseRemainder()
    return search.pairs
  }

  /// Whether everybody can be paired.
  func isComplete() -> Bool {
    var matching = PerfectMatching<WideInteger<1>>(
      count: vertices, weighed: 0, weights: [], allowed: allowed())
    matching.start(hints: [])
    return matching.complete()
  }

  /// Those whom each would meet in the first candidate.
  private func hints() -> [Int] {
    var hints = [Int](repeating: -1, count: vertices)
    func pair(_ first: Int, _ second: Int) {
      hints[first] = second
      hints[second] = first
    }
    let residents = bracket - moved
    let upper = min(moved, residents)
    for place in 0..<upper { pair(place, moved + place) }
    let half = (residents - upper) / 2
    for place in 0..<half { pair(moved + upper + place, moved + upper + half + place) }
    let next = (below - bracket) / 2
    for place in 0..<next { pair(bracket + place, bracket + next + place) }
    return hints
  }
}

/// The search for the first one of the best candidates of a bracket.
struct SwissCandidate<Weight: MatchingWeight> {
  let bracket: SwissBracket
  var matching: PerfectMatching<Weight>
  let fields: SwissFields
  var pairs: [(Int, Int)] = []
  private var isPaired: [Bool]

  init(bracket: SwissBracket, matching: PerfectMatching<Weight>, fields: SwissFields) {
    self.bracket = bracket
    self.matching = matching
    self.fields = fields
    isPaired = Array(repeating: false, count: bracket.bracket)
  }

  private func isInside(_ vertex: Int) -> Bool { matching.mate[vertex] < bracket.bracket }

  /// Chooses who of those who have moved down is paired here: article 4.4.
  mutating func chooseMoved() {
    let moved = 0..<bracket.moved
    guard moved.contains(where: { !isInside($0) }), moved.contains(where: isInside) else { return }
    let residents = Array(bracket.moved..<bracket.bracket)
    let others = Array(bracket.bracket..<bracket.vertices)
    for vertex in moved {
      if !isInside(vertex) {
        let options = residents.filter { matching.isAllowed(vertex, $0) }
        guard !options.isEmpty else { continue }
        matching.prefer(vertex, options.map { ($0, 1) }, bit: fields.order)
      }
      matching.forbid(vertex, isInside(vertex) ? others : residents)
      let isComplete = matching.complete()
      precondition(isComplete, "what was matched may stay matched")
    }
  }

  /// Chooses the opponents of those who have moved down: article 4.2.
  mutating func chooseOpponents() {
    for vertex in 0..<bracket.moved where isInside(vertex) {
      choose(vertex, among: (bracket.moved..<bracket.bracket).filter { !isPaired[$0] })
    }
  }

  /// Gives a vertex the first opponent of a list that a best matching may have.
  private mutating func choose(_ vertex: Int, among list: [Int]) {
    let mate = matching.mate[vertex]
    let earlier = list.prefix { $0 != mate }
    if earlier.contains(where: { matching.isPossible(vertex, $0) }) {
      let options = list.filter { matching.isAllowed(vertex, $0) }
      matching.prefer(
        vertex, options.enumerated().map { ($1, options.count - $0) }, bit: fields.order)
    }
    let opponent = matching.mate[vertex]
    matching.settle(vertex, opponent)
    pairs.append((vertex, opponent))
    isPaired[vertex] = true
    isPaired[opponent] = true
  }

  /// Pairs the residents that are left as a homogeneous bracket: articles 4.2 and 4.3.
  mutating func chooseRemainder() {
    let remainder = (bracket.moved..<bracket.bracket).filter { !isPaired[$0] }
    let count = remainder.count(where: isInside) / 2
    guard count > 0 else { return }
    let upper = firstHalf(of: remainder, pairs: count)
    var isUpper = [Bool](repeating: false, count: bracket.bracket)
    for vertex in upper { isUpper[vertex] = true }
    for vertex in upper {
      choose(vertex, among: remainder.filter { $0 > vertex && !isPaired[$0] && !isUpper[$0] })
    }
  }

  /// The half S1 after the first exchange that leaves a best matching; the matching keeps to it then.
  private mutating func firstHalf(of remainder: [Int], pairs: Int) -> [Int] {
    let original = Array(remainder[..<pairs])
    let best = matching.total
    var tried = matching
    if SwissCandidate.restrict(&tried, remainder, upper: original, bracket), tried.total == best {
      matching = tried
      return original
    }
    let upper = exchanged(remainder, pairs: pairs)
    let isComplete = SwissCandidate.restrict(&matching, remainder, upper: upper, bracket)
    precondition(isComplete && matching.total == best, "the exchange was made from a best matching")
    return upper
  }

  /// Forbids what a division into S1 and S2 leaves out, and mends the matching.
  private static func restrict(
    _ matching: inout PerfectMatching<Weight>, _ remainder: [Int], upper: [Int], _ bracket: SwissBracket
  ) -> Bool {
    var isUpper = [Bool](repeating: false, count: bracket.vertices)
    for vertex in upper { isUpper[vertex] = true }
    matching.dissolveAll()
    for (place, vertex) in remainder.enumerated() {
      if isUpper[vertex] { matching.forbid(vertex, bracket.bracket..<bracket.vertices) }
      matching.forbid(vertex, remainder[(place + 1)...].filter { !isUpper[vertex] || isUpper[$0] })
    }
    return matching.complete()
  }

  /// The half S1 after the first exchange that a best matching needs: article 4.3.
  private func exchanged(_ remainder: [Int], pairs: Int) -> [Int] {
    let exchange = SwissExchange(remainder: remainder, pairs: pairs)
    return switch fields.bits + exchange.bits {
    case ...WideInteger<4>.width: exchange.upper(matching, WideInteger<4>.self)
    case ...WideInteger<8>.width: exchange.upper(matching, WideInteger<8>.self)
    case ...WideInteger<16>.width: exchange.upper(matching, WideInteger<16>.self)
    default: exchange.upper(matching, WideInteger<32>.self)
    }
  }
}

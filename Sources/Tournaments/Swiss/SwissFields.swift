/// The places of the criteria in the weight of an edge, and the weights.
///
/// Each criterion is a field of bits, the first one highest. A field has room for the sum over all edges of a
/// matching, so a field never reaches into the one above it, and the greatest weight is the best pairing by C6
/// to C21 in their order. Costs are subtracted and gains added: what many have in common costs nothing to
/// count. Below all of them is room for the order of candidates, and one bit that keeps weights even.
struct SwissFields {
  private(set) var bits = 0
  /// Where the order of candidates has its room.
  let order = 1
  private var places: [Field: Int] = [:]
  private let scores: [Int: Int]
  private let bracket: SwissBracket

  private enum Field: Hashable {
    case pairs
    case nextPairs
    case unplayed
    case imbalance
    case sameColour
    case preference
    case strongPreference
    case downfloat(back: Int)
    case upfloat(back: Int)
    case score(place: Int)
    case nextScore(place: Int)
    case movedFloat(back: Int, place: Int)
    case opponentFloat(back: Int, place: Int)
  }

  init(_ bracket: SwissBracket) {
    self.bracket = bracket
    let width = Int.bitWidth - (2 * bracket.vertices + 2).leadingZeroBitCount
    var distinct: [Int] = []
    for card in bracket.cards[..<min(bracket.moved + 1, bracket.bracket)] where distinct.last != card.score {
      distinct.append(card.score)
    }
    scores = Dictionary(uniqueKeysWithValues: distinct.enumerated().map { ($1, $0) })
    let moved = bracket.cards[..<bracket.moved]
    let residents = bracket.cards[bracket.moved..<bracket.bracket]
    let above = distinct.indices.filter { distinct[$0] > (residents.first?.score ?? .min) }
    var fields: [(Field, Int)] = [(.pairs, width)]
    fields += above.map { (.score(place: $0), width) }
    if bracket.below > bracket.bracket {
      fields.append((.nextPairs, width))
      fields += distinct.indices.map { (.nextScore(place: $0), width) }
    }
    if bracket.isSingle {
      let most = bracket.cards.map(\.unplayed).max() ?? 0
      fields.append((.unplayed, Int.bitWidth - (most + 1).leadingZeroBitCount + 1))
    }
    let all = bracket.cards[..<bracket.bracket]
    if all.contains(where: { $0.strength == .absolute }) {
      fields += [(.imbalance, width), (.sameColour, width)]
    }
    if all.contains(where: { $0.strength > .none }) {
      fields += [(.preference, width), (.strongPreference, width)]
    }
    for back in 0..<2 {
      if residents.contains(where: { $0.floats[back] == .down }) {
        fields.append((.downfloat(back: back), width))
      }
      if !moved.isEmpty, residents.contains(where: { $0.floats[back] == .up }) {
        fields.append((.upfloat(back: back), width))
      }
    }
    for back in 0..<2 {
      for place in above
      where moved.contains(where: { $0.score == distinct[place] && $0.floats[back] == .down }) {
        fields.append((.movedFloat(back: back, place: place), width))
      }
      if !moved.isEmpty, residents.contains(where: { $0.floats[back] == .up }) {
        fields += above.map { (.opponentFloat(back: back, place: $0), width) }
      }
    }
    var bit = order + width
    for (field, width) in fields.reversed() {
      places[field] = bit
      bit += width
    }
    bits = bit + 2
  }

  /// The weights of all edges that have one, row by row.
  func weights<Weight: MatchingWeight>(_: Weight.Type) -> [Weight] {
    let count = bracket.weighed
    var weights = [Weight](repeating: .zero, count: count * count)
    for first in 0..<bracket.below {
      let start = max(first + 1, bracket.moved)
      for second in start..<max(bracket.below, start) {
        guard bracket.compatible.has(bracket.cards[first].index, bracket.cards[second].index) else {
          continue
        }
        let weight: Weight = second < bracket.bracket ? weight(first, second) : nextWeight(first)
        weights[first * count + second] = weight
        weights[second * count + first] = weight
      }
    }
    if bracket.isSingle {
      for first in bracket.cards.indices {
        var weight = Weight.zero
        add(-bracket.cards[first].unplayed, to: .unplayed, of: &weight)
        weights[first * count + bracket.bye] = weight
        weights[bracket.bye * count + first] = weight
      }
    }
    return weights
  }

  /// What each vertex brings to a pair: together no less than any pair weighs, and as much where it costs nothing.
  func duals<Weight: MatchingWeight>(_: Weight.Type) -> [Weight] {
    var duals = [Weight](repeating: .zero, count: bracket.vertices)
    for vertex in 0..<bracket.below {
      guard vertex < bracket.bracket else {
        if let place = places[.nextPairs] { duals[vertex].add(1, at: place - 1) }
        continue
      }
      let card = bracket.cards[vertex]
      if let place = places[.pairs] { duals[vertex].add(1, at: place - 1) }
      let place = vertex < bracket.moved ? scores[card.score] : nil
      if let place { add(1, to: .score(place: place), of: &duals[vertex]) }
      for back in 0..<2 where card.floats[back] == .down {
        let field = place.map { Field.movedFloat(back: back, place: $0) } ?? .downfloat(back: back)
        add(1, to: field, of: &duals[vertex])
      }
    }
    return duals
  }

  private func add<Weight: MatchingWeight>(_ value: Int, to field: Field, of weight: inout Weight) {
    if value != 0, let place = places[field] { weight.add(value, at: place) }
  }

  /// The weight of a pair of the next bracket, of which one may float down from this one.
  private func nextWeight<Weight: MatchingWeight>(_ first: Int) -> Weight {
    var weight = Weight.zero
    add(1, to: .nextPairs, of: &weight)
    if first < bracket.bracket, let place = scores[bracket.cards[first].score] {
      add(1, to: .nextScore(place: place), of: &weight)
    }
    return weight
  }

  /// The weight of a pair of this bracket.
  private func weight<Weight: MatchingWeight>(_ first: Int, _ second: Int) -> Weight {
    let (one, other) = (bracket.cards[first], bracket.cards[second])
    var weight = Weight.zero
    add(1, to: .pairs, of: &weight)
    if one.clashes(with: other) { addColours(one, other, to: &weight) }
    let place = first < bracket.moved ? scores[one.score] : nil
    if let place { add(1, to: .score(place: place), of: &weight) }
    for back in 0..<2 {
      let ups = other.floats[back] == .up ? 1 : 0
      let downs = other.floats[back] == .down ? 1 : 0
      let own = one.floats[back] == .down ? 1 : 0
      if let place {
        add(downs, to: .downfloat(back: back), of: &weight)
        add(-ups, to: .upfloat(back: back), of: &weight)
        add(own, to: .movedFloat(back: back, place: place), of: &weight)
        add(-ups, to: .opponentFloat(back: back, place: place), of: &weight)
      } else {
        add(downs + own, to: .downfloat(back: back), of: &weight)
      }
    }
    return weight
  }

  /// The costs of two who want the same colour: C10 to C13.
  private func addColours<Weight: MatchingWeight>(
    _ one: SwissCard, _ other: SwissCard, to weight: inout Weight
  ) {
    add(-1, to: .preference, of: &weight)
    guard min(one.strength, other.strength) >= .strong else { return }
    guard one.strength == .absolute, other.strength == .absolute else {
      return add(-1, to: .strongPreference, of: &weight)
    }
    if one.isTorn && other.isTorn { add(-1, to: .imbalance, of: &weight) }
    let isRepeated: Bool
    if one.imbalance == other.imbalance {
      isRepeated = one.repeated != nil && one.repeated == other.repeated
    } else {
      let loser = one.imbalance < other.imbalance ? one : other
      isRepeated = loser.repeated != nil && loser.repeated == loser.preference?.opposite
    }
    if isRepeated { add(-1, to: .sameColour, of: &weight) }
  }
}

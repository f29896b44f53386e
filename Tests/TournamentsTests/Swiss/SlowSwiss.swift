@testable import Tournaments

/// The Dutch system as its text has it, for few players: every candidate of a bracket in the order of article 4,
/// each with the failures of C5 to C21, and the first of the best. It knows no matchings and no weights.
struct SlowSwiss {
  let cards: [SwissCard]
  let topScore: Int?

  /// A pairing of one bracket: pairs of places among its players.
  typealias Pairs = [(Int, Int)]

  init(players: [SwissPlayer], rules: SwissRules) {
    let scores = players.map { player in
      player.games.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.points) }
    }
    cards = players.indices.filter { players[$0].isPresent }.map {
      SwissCard($0, of: players, scores: scores, isOdd: !$0.isMultiple(of: 2), rules)
    }.sorted { $0.precedes($1) }
    let over = players.first?.games.count ?? 0
    topScore = over >= rules.rounds - 1 ? over * rules.winPoints / 2 : nil
  }

  /// Pairs and bye, as indices of players, each pair with its lower index first; nil where there is no pairing.
  func pairing() -> (pairs: [[Int]], bye: Int?)? {
    let scores = Set(cards.map(\.score)).sorted()
    let byes: [Int?] = cards.count.isMultiple(of: 2) ? [nil] : scores
    guard let byeScore = byes.first(where: { isCompletable(cards, byeScore: $0) }) else { return nil }
    var pairs: [[Int]] = []
    var moved: [SwissCard] = []
    for score in scores.reversed() {
      let bracket = moved + cards.filter { $0.score == score }
      let below = cards.filter { $0.score < score }
      let best = best(bracket, moved: moved.count, below: below, byeScore: byeScore)
      let paired = Set(best.flatMap { [$0.0, $0.1] })
      pairs += best.map { [bracket[$0.0].index, bracket[$0.1].index].sorted() }
      moved = bracket.indices.filter { !paired.contains($0) }.map { bracket[$0] }
    }
    return (pairs.sorted { $0[0] < $1[0] }, moved.first?.index)
  }

  func mayMeet(_ one: SwissCard, _ other: SwissCard) -> Bool {
    if one.met.contains(other.index) { return false }
    guard one.strength == .absolute, other.strength == .absolute, one.preference == other.preference else {
      return true
    }
    return topScore.map { one.score > $0 || other.score > $0 } ?? false
  }

  /// Whether there is a pairing of all, the bye having this score.
  func isCompletable(_ players: [SwissCard], byeScore: Int?) -> Bool {
    guard let first = players.first else { return true }
    let rest = Array(players.dropFirst())
    if !players.count.isMultiple(of: 2), first.score == byeScore, first.mayHaveBye,
      isCompletable(rest, byeScore: nil)
    {
      return true
    }
    return rest.indices.contains { place in
      guard mayMeet(first, rest[place]) else { return false }
      var others = rest
      others.remove(at: place)
      return isCompletable(others, byeScore: byeScore)
    }
  }

  private func best(_ bracket: [SwissCard], moved: Int, below: [SwissCard], byeScore: Int?) -> Pairs {
    var best: (pairs: Pairs, failures: [Int])?
    for pairs in candidates(bracket.count, moved: moved) {
      guard pairs.allSatisfy({ mayMeet(bracket[$0.0], bracket[$0.1]) }) else { continue }
      let paired = Set(pairs.flatMap { [$0.0, $0.1] })
      let floating = bracket.indices.filter { !paired.contains($0) }
      guard isCompletable(floating.map { bracket[$0] } + below, byeScore: byeScore) else { continue }
      let failures = failures(bracket, moved: moved, pairs, floating, below: below, byeScore: byeScore)
      if best.map({ failures.lexicographicallyPrecedes($0.failures) }) ?? true { best = (pairs, failures) }
    }
    return best?.pairs ?? []
  }

  // MARK: - Candidates in their order

  /// All candidates: of each number of pairs and of those moved down who are paired, in the order of article 4.
  private func candidates(_ count: Int, moved: Int) -> [Pairs] {
    let residents = Array(moved..<count)
    return (0...moved).reversed().flatMap { upper in
      (0...(residents.count / 2)).reversed().flatMap { lower -> [Pairs] in
        guard upper + 2 * lower <= residents.count else { return [] }
        return subsets(Array(0..<moved), upper).flatMap { set in
          arrangements(residents, upper).flatMap { opponents -> [Pairs] in
            let remainder = residents.filter { !opponents.contains($0) }
            return homogeneous(remainder, pairs: lower).map { Array(zip(set, opponents)) + $0 }
          }
        }
      }
    }
  }

  /// Candidates of a homogeneous bracket: exchanges in the order of 4.3, transpositions of each in that of 4.2.
  private func homogeneous(_ players: [Int], pairs: Int) -> [Pairs] {
    let (upper, lower) = (Array(players.prefix(pairs)), Array(players.dropFirst(pairs)))
    var exchanges: [(up: [Int], down: [Int])] = []
    for number in 0...min(upper.count, lower.count) {
      for down in subsets(upper, number) { for up in subsets(lower, number) { exchanges.append((up, down)) } }
    }
    exchanges.sort { left, right in
      if left.up.count != right.up.count { return left.up.count < right.up.count }
      let (one, other) = (left.up.sum - left.down.sum, right.up.sum - right.down.sum)
      if one != other { return one < other }
      let (down, otherDown) = (Array(left.down.reversed()), Array(right.down.reversed()))
      if down != otherDown { return otherDown.lexicographicallyPrecedes(down) }
      return left.up.lexicographicallyPrecedes(right.up)
    }
    return exchanges.flatMap { up, down -> [Pairs] in
      let first = (upper.filter { !down.contains($0) } + up).sorted()
      let second = (lower.filter { !up.contains($0) } + down).sorted()
      return arrangements(second, pairs).map { Array(zip(first, $0)) }
    }
  }

  private func subsets(_ elements: [Int], _ count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    guard let first = elements.first else { return [] }
    let rest = Array(elements.dropFirst())
    return subsets(rest, count - 1).map { [first] + $0 } + subsets(rest, count)
  }

  private func arrangements(_ elements: [Int], _ count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return elements.flatMap { element in
      arrangements(elements.filter { $0 != element }, count - 1).map { [element] + $0 }
    }
  }

  // MARK: - Failures

  private func failures(
    _ bracket: [SwissCard], moved: Int, _ pairs: Pairs, _ floating: [Int], below: [SwissCard], byeScore: Int?
  ) -> [Int] {
    let resident = bracket[moved].score
    let away = floating.map { bracket[$0] }
    var failures = [floating.count] + padded(away.map(\.score), bracket.count)
    failures += nextFailures(away, below: below, byeScore: byeScore)
    if away.count == 1, let byeScore, byeScore >= resident {
      failures.append(away[0].unplayed)
    } else {
      failures.append(0)
    }
    failures += colours(pairs.map { (bracket[$0.0], bracket[$0.1]) })
    let residentsAway = floating.filter { $0 >= moved }.map { bracket[$0] }
    let met = pairs.filter { $0.0 < moved }.map { (bracket[$0.0], bracket[$0.1]) }
    let movedAway = floating.filter { $0 < moved }.map { bracket[$0] }
    for back in 0..<2 {
      failures.append(residentsAway.count { $0.floats[back] == .down })
      failures.append(met.count { $0.1.floats[back] == .up })
    }
    for back in 0..<2 {
      // Who floats again differs by more than anybody who is paired.
      let again = movedAway.filter { $0.floats[back] == .down }.map { $0.score - resident + 100_000 }
      let down = met.filter { $0.0.floats[back] == .down }.map { $0.0.score - resident }
      failures += padded(again + down, bracket.count)
      failures += padded(met.filter { $0.1.floats[back] == .up }.map { $0.0.score - resident }, bracket.count)
    }
    return failures
  }

  private func padded(_ values: [Int], _ count: Int) -> [Int] {
    values.sorted(by: >) + Array(repeating: -1, count: max(0, count - values.count))
  }

  /// C8: the least that the next bracket can fail in C6 and C7.
  private func nextFailures(_ moved: [SwissCard], below: [SwissCard], byeScore: Int?) -> [Int] {
    guard let score = below.first?.score else { return [] }
    let bracket = moved + below.filter { $0.score == score }
    let rest = below.filter { $0.score < score }
    let size = cards.count + 1
    var best: [Int]?
    func walk(_ open: [Int], _ away: [Int]) {
      guard let first = open.first else {
        let floating = away.map { bracket[$0] }
        guard isCompletable(floating + rest, byeScore: byeScore) else { return }
        let failures = [away.count] + padded(floating.map(\.score), size)
        if best.map({ failures.lexicographicallyPrecedes($0) }) ?? true { best = failures }
        return
      }
      let others = open.dropFirst()
      walk(Array(others), away + [first])
      for other in others where other >= moved.count && mayMeet(bracket[first], bracket[other]) {
        walk(others.filter { $0 != other }, away)
      }
    }
    walk(Array(bracket.indices), [])
    return best ?? []
  }

  /// C10 to C13.
  private func colours(_ pairs: [(SwissCard, SwissCard)]) -> [Int] {
    var failures = [0, 0, 0, 0]
    for (one, other) in pairs {
      let higher = one.precedes(other) ? one : other
      let lower = one.precedes(other) ? other : one
      let colour = SwissCard.colour(of: higher, against: lower, initial: .white)
      for (card, colour) in [(higher, colour), (lower, colour.opposite)] {
        let isTop = topScore.map { max(one.score, other.score) > $0 } ?? false
        let difference = card.colours.reduce(0) { $0 + ($1 == .white ? 1 : -1) } + (colour == .white ? 1 : -1)
        if isTop, abs(difference) > 2 { failures[0] += 1 }
        if isTop, card.colours.suffix(2) == [colour, colour] { failures[1] += 1 }
        guard let wish = card.preference, wish != colour else { continue }
        failures[2] += 1
        if card.strength == .strong { failures[3] += 1 }
      }
    }
    return failures
  }
}

extension [Int] {
  fileprivate var sum: Int { reduce(0, +) }
}

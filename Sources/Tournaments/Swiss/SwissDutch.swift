import Events

/// FIDE's Swiss system that is called Dutch, by the rules in force since February 2026: Handbook C.04.3.
///
/// Players are paired bracket by bracket, from the top score down. Of all pairings of a bracket that leave the
/// rest a pairing, the best by the criteria C5 to C21, in their order, is taken, and of equal ones the first in
/// the order of article 4. Here every bracket is a matching of greatest weight whose weights are the criteria
/// (``SwissFields``); the order of candidates is then settled player by player (``SwissCandidate``).
///
/// Where the text leaves a choice: C8 looks at the next bracket alone, at its number of pairs (C6) and the
/// scores that it leaves (C7); C9 counts in brackets that leave exactly one player, who gets the bye; in C18
/// and C20 one who floats again differs by more than anybody who is paired.
package struct SwissDutch: Sendable {
  /// More players than this are refused.
  package static let mostPlayers = Int(Create.limitEntrants)

  private let rules: SwissRules

  /// The system for a tournament.
  package init(rules: SwissRules) { self.rules = rules }

  /// Pairs the coming round.
  /// - Parameter players: everybody by pairing number, each with as many games as rounds are over.
  /// - Returns: the boards in their order, and who has the bye.
  package func pairing(of players: [SwissPlayer]) throws(SwissError) -> SwissPairing {
    guard players.count <= Self.mostPlayers else { throw .tooManyPlayers(players.count) }
    let scores = players.map { player in
      player.games.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.points) }
    }
    var entered = 0
    let all = players.indices.map { index -> SwissCard? in
      let player = players[index]
      if player.isPresent || player.games.contains(where: \.isPaired) { entered += 1 }
      guard player.isPresent else { return nil }
      return SwissCard(index, of: players, scores: scores, isOdd: !entered.isMultiple(of: 2), rules)
    }
    let over = players.first?.games.count ?? 0
    let isLast = over >= rules.rounds - 1
    let topScore = isLast ? over * max(rules.winPoints, rules.drawPoints) / 2 : nil
    let compatible = SwissCompatibility(all, topScore: topScore)
    let cards = all.compactMap { $0 }.sorted { $0.precedes($1) }
    return try pairing(of: cards, compatible)
  }

  private func pairing(
    of cards: [SwissCard], _ compatible: SwissCompatibility
  ) throws(SwissError) -> SwissPairing {
    let byeScore = try byeScore(of: cards, compatible)
    var pairs: [(SwissCard, SwissCard)] = []
    var moved: [SwissCard] = []
    var rest = cards[...]
    while let score = rest.first?.score {
      let residents = rest.prefix { $0.score == score }
      rest = rest.dropFirst(residents.count)
      let next = rest.prefix { $0.score == rest.first?.score }
      let bracket = SwissBracket(
        cards: moved + residents + rest, moved: moved.count, bracket: moved.count + residents.count,
        below: moved.count + residents.count + next.count, byeScore: byeScore, compatible: compatible)
      var isPaired = [Bool](repeating: false, count: bracket.bracket)
      for (first, second) in try bracket.pairs() {
        pairs.append((bracket.cards[first], bracket.cards[second]))
        isPaired[first] = true
        isPaired[second] = true
      }
      moved = (0..<bracket.bracket).filter { !isPaired[$0] }.map { bracket.cards[$0] }
    }
    return SwissPairing(boards: boards(pairs), bye: moved.first?.index)
  }

  /// The least score that somebody with the bye can have: C5, and whether there is a pairing at all.
  private func byeScore(
    of cards: [SwissCard], _ compatible: SwissCompatibility
  ) throws(SwissError) -> Int? {
    var bracket = SwissBracket(
      cards: cards, moved: 0, bracket: 0, below: 0, byeScore: nil, compatible: compatible)
    guard !cards.count.isMultiple(of: 2) else {
      guard bracket.isComplete() else { throw .noPairing }
      return nil
    }
    for card in cards.reversed() where card.score != bracket.byeScore && card.mayHaveBye {
      bracket.byeScore = card.score
      if bracket.isComplete() { return card.score }
    }
    throw .noPairing
  }

  /// The games in the order of boards: by the score of the better one, of the other, and the better one's number.
  private func boards(_ pairs: [(SwissCard, SwissCard)]) -> [SwissPairing.Board] {
    let ordered = pairs.map { $0.precedes($1) ? ($0, $1) : ($1, $0) }.sorted { left, right in
      if left.0.score != right.0.score { return left.0.score > right.0.score }
      if left.1.score != right.1.score { return left.1.score > right.1.score }
      return left.0.number < right.0.number
    }
    return ordered.map { higher, lower in
      let colour = SwissCard.colour(of: higher, against: lower, initial: rules.initialColour)
      return colour == .white
        ? .init(white: higher.index, black: lower.index) : .init(white: lower.index, black: higher.index)
    }
  }
}

extension SwissCard {
  /// Whether it ranks before another one: article 1.2.
  func precedes(_ other: SwissCard) -> Bool {
    score == other.score ? number < other.number : score > other.score
  }
}

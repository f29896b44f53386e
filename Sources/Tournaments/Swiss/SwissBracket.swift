/// One bracket of a Swiss pairing and what is below it, as the vertices of a graph.
///
/// ```
/// moved down | residents | next scoregroup | everybody below | the bye, where the number is odd
/// 0          | moved     | bracket         | weighed         | players
/// ```
struct SwissBracket {
  var cards: [SwissCard]
  /// How many have moved down into the bracket.
  var moved: Int
  /// Where the next scoregroup begins.
  var bracket: Int
  /// Where everybody else begins.
  var below: Int
  /// The score of whoever gets the bye; nil for an even number of players.
  var byeScore: Int?
  /// Who may meet whom, row by row of the indices of cards.
  var compatible: SwissCompatibility
  /// Whether the bracket leaves one player, who then gets the bye: criterion C9 is about these brackets alone.
  var isSingle = false

  var bye: Int { cards.count }
  var vertices: Int { cards.count + (byeScore == nil ? 0 : 1) }
  /// How many vertices have edges that weigh something: where the bye matters, all of them.
  var weighed: Int { isSingle ? vertices : below }

  func isResident(_ vertex: Int) -> Bool { vertex >= moved && vertex < bracket }

  /// The edges that there are: those of the absolute criteria, and none among those who have moved down, who
  /// would have been paired above if that were possible.
  func allowed() -> [Bool] {
    var allowed = [Bool](repeating: false, count: vertices * vertices)
    for first in cards.indices {
      for second in first + 1..<max(cards.count, first + 1) where second >= moved {
        guard compatible.has(cards[first].index, cards[second].index) else { continue }
        allowed[first * vertices + second] = true
        allowed[second * vertices + first] = true
      }
      if cards[first].mayHaveBye, cards[first].score == byeScore {
        allowed[first * vertices + bye] = true
        allowed[bye * vertices + first] = true
      }
    }
    return allowed
  }
}

/// Who may meet whom in a round: the criteria C1 and C3.
struct SwissCompatibility {
  private let count: Int
  private var rows: [Bool]

  init(_ cards: [SwissCard?], topScore: Int?) {
    count = cards.count
    rows = Array(repeating: false, count: count * count)
    let present = cards.compactMap(\.self)
    let places = present.map(\.index)
    for place in places { for other in places where other != place { rows[place * count + other] = true } }
    // tidy: order does not matter because each is only noted
    for card in present { for other in card.met { forbid(card.index, other) } }
    let absolute = present.filter { $0.strength == .absolute }
    for (at, card) in absolute.enumerated() {
      for other in absolute[(at + 1)...] where card.clashes(with: other) {
        if let topScore, max(card.score, other.score) > topScore { continue }
        forbid(card.index, other.index)
      }
    }
  }

  private mutating func forbid(_ first: Int, _ second: Int) {
    rows[first * count + second] = false
    rows[second * count + first] = false
  }

  @inline(__always)
  func has(_ first: Int, _ second: Int) -> Bool { rows[first * count + second] }
}

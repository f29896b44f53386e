import BotKit
import Games
import Rules

/// Remembers the cards that it saw last, and plays the best by them, as if the other remembered as many.
///
/// A bot of a level is not sure of each of them in each turn.
struct MemoryBot: Bot {
  /// How many cards a bot may remember.
  static let limits = 0...100

  /// How many cards it remembers; `nil` for all.
  let limit: Int?
  /// Which level it plays at, of `MemoryLevel.all`; `nil` for a bot that is named by what it remembers.
  let level: Int?
  /// In how many of a hundred moves it remembers one of these cards.
  let sureness: Int

  init(limit: Int?) { (self.limit, level, sureness) = (limit, nil, 100) }

  /// The bot of this level; `nil` where there is none.
  init?(level: Int) {
    guard MemoryLevel.all.indices.contains(level - 1) else { return nil }
    let known = MemoryLevel.all[level - 1]
    (limit, self.level, sureness) = (known.cards, level, known.sureness)
  }

  var declaration: BotDeclaration {
    if let level {
      return BotDeclaration(specification: "level:\(level)", version: MemoryLevel.version, nodeBudget: 0)
    }
    return BotDeclaration(specification: limit.map { "memory:\($0)" } ?? "memory", version: 1, nodeBudget: 0)
  }

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
    guard let game = turn.game as? ViewOf<MemoryMatch> else {
      throw .wrongGame(bot: declaration.specification, game: "another game", players: [])
    }
    var random = turn.randomness.generator()
    let table = Table(game.view, remembered: remembered(game.view.cardsSeen, &random))
    let card = game.view.firstUp.map { table.second(after: $0, &random) } ?? table.first(&random)
    return BotChoice(game.rules.code(of: card))
  }

  private func remembered(
    _ seen: [MemoryMatch.Card], _ random: inout RandomStream
  ) -> [MemoryMatch.Card] {
    let last = Array(seen.suffix(limit ?? .max))
    return sureness == 100 ? last : last.filter { _ in random.below(100) < UInt64(sureness) }
  }

  /// What the bot knows of the table.
  private struct Table {
    private let position: MemoryMatch.Position
    /// The cards that it remembers, without the one that is up.
    private let known: [MemoryMatch.Card]
    /// All others that it may turn up.
    private let unknown: [MemoryMatch.Card]
    /// Whether it remembered the card that is up.
    private let knewFirst: Bool

    init(_ position: MemoryMatch.Position, remembered: [MemoryMatch.Card]) {
      self.position = position
      let up = position.firstUp
      known = remembered.filter { $0 != up }
      unknown = position.cards.filter { position.isOnTable($0) && $0 != up && !remembered.contains($0) }
      knewFirst = remembered.contains { $0 == up }
    }

    private func partner(of card: MemoryMatch.Card) -> MemoryMatch.Card? {
      known.first { $0 != card && position.face(of: $0) == position.face(of: card) }
    }

    /// How many new cards are best in a turn in which no pair is known.
    private var newCards: Int {
      MemoryStrategy.best(pairs: position.pairsLeft, known: min(known.count, position.pairsLeft)).newCards
    }

    func first(_ random: inout RandomStream) -> MemoryMatch.Card {
      if let card = known.first(where: { partner(of: $0) != nil }) { return card }
      return any(isNew: newCards > 0, &random)
    }

    func second(after first: MemoryMatch.Card, _ random: inout RandomStream) -> MemoryMatch.Card {
      if let card = partner(of: first) { return card }
      return any(isNew: !knewFirst && newCards == 2, &random)
    }

    private func any(isNew: Bool, _ random: inout RandomStream) -> MemoryMatch.Card {
      let cards = isNew && !unknown.isEmpty || known.isEmpty ? unknown : known
      precondition(!cards.isEmpty, "memory: no card can be turned up")
      return cards[Int(random.below(UInt64(cards.count)))]
    }
  }
}

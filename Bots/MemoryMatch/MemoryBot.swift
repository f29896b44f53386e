import BotKit
import Games
import Rules

/// Remembers the cards that it saw last, and plays the best by them, as if the other remembered as many.
struct MemoryBot: Bot {
  /// How many cards a bot may remember.
  static let limits = 0...100

  /// How many cards it remembers; `nil` for all.
  let limit: Int?

  var declaration: BotDeclaration {
    BotDeclaration(specification: limit.map { "memory:\($0)" } ?? "memory", version: 1, nodeBudget: 0)
  }

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
    guard let game = turn.game as? ViewOf<MemoryMatch> else {
      throw .wrongGame(bot: "memory", game: "another game", players: [])
    }
    var random = turn.randomness.generator()
    let table = Table(game.view, limit: limit)
    let card = game.view.firstUp.map { table.second(after: $0, &random) } ?? table.first(&random)
    return BotChoice(game.rules.code(of: card))
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

    init(_ position: MemoryMatch.Position, limit: Int?) {
      self.position = position
      let up = position.firstUp
      let remembered = position.cardsSeen.suffix(limit ?? .max)
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

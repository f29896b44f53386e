package import Events
package import Projection
package import Rules

/// An earlier position of a game, as one seat saw it, or as somebody sees it who looks on, with the ply that led to it.
package struct TableStep: Hashable, Sendable, JSONObject {
  /// How many plies were played.
  package var ply = 0
  /// The last of them, as tables have it; at the start it has no event, no seat and no moves.
  package var event: EventID?
  package var seat: Seat?
  package var moves: [String] = []
  package var position = TableView.Position()

  static var fields: [JSONField<Self>] {
    [
      .init("ply", \.ply), .init("event", \.event), .init("seat", \.seat), .init("moves", \.moves),
      .init("position", \.position),
    ]
  }

  init() {}

  /// The JSON form.
  package var json: [UInt8] { JSONFields.text(of: self) }

  /// Some positions of a game. Choices that are not revealed and what chance has not given are in none of them.
  /// - Parameters:
  ///   - counts: how many plies each of them has; no more than there are.
  ///   - create: that of the game's room.
  ///   - seat: who looks.
  /// - Returns: `nil` where the rules are not known here.
  package static func steps(
    _ counts: ClosedRange<Int>, of game: GameRecord, _ create: Create, for seat: Seat?,
    games catalog: GameCatalog
  ) -> [TableStep]? {
    guard let rules = catalog.rules(of: create) else { return nil }
    return game.positions(from: rules.start(first: game.first), after: counts)?.enumerated().map {
      TableStep($1.view(for: seat), ply: counts.lowerBound + $0, of: game)
    }
  }

  private init(_ view: any GameView, ply: Int, of game: GameRecord) {
    let last = ply > 0 ? game.plies[ply - 1] : nil
    self.ply = ply
    event = last?.node
    seat = last?.seat
    moves = last?.texts(in: view) ?? []
    position = TableView.Position(view, after: last)
  }
}

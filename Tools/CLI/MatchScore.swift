import Events
import Peer
import Projection
import Rules
import Terminal

/// Wins, draws and points of a match.
struct MatchScore {
  private(set) var games = 0
  private var wins: [Int]
  /// Those in which the winner moved first.
  private var winsFirst: [Int]
  private var points: [Int64]
  private var draws = 0
  private var rooms: [RoomID] = []
  private let labels: [String]
  /// How many won games end the match.
  private let needed: Int?

  init(_ plan: Household.MatchPlan) {
    needed = plan.wins
    labels = plan.labels
    wins = labels.map { _ in 0 }
    winsFirst = wins
    points = labels.map { _ in 0 }
  }

  mutating func count(_ room: Household.MatchRoom) {
    rooms.append(room.room)
    for game in room.games { count(game) }
  }

  mutating func count(_ game: GameRecord) {
    guard let outcome = game.ending?.outcome else { return }
    games += 1
    for (seat, score) in outcome.scores.enumerated() { points[seat] += Int64(score) }
    guard let winner = outcome.winner else {
      draws += 1
      return
    }
    wins[winner.index] += 1
    if winner == game.first { winsFirst[winner.index] += 1 }
  }

  /// The score so far: of each player the games won when moving first and when not.
  var words: String {
    let players = labels.indices.map { "\(labels[$0]) \(winsFirst[$0])+\(wins[$0] - winsFirst[$0])" }
    return (players + ["drawn \(draws)"]).joined(separator: ", ")
  }

  /// Who has won as many games as end the match.
  private var winner: String? {
    needed.flatMap { needed in wins.firstIndex { $0 >= needed } }.map { labels[$0] }
  }

  /// - Parameter strength: what the games say of the strength of two bots.
  func tell(_ strength: MatchStrength, _ context: Context) throws {
    if context.isJSON {
      try context.object(
        "finished",
        [
          "games": .integer(Int64(games)), "players": .array(labels.map { .string($0) }),
          "wins": .array(wins.map { .integer(Int64($0)) }),
          "wins-first": .array(winsFirst.map { .integer(Int64($0)) }), "draws": .integer(Int64(draws)),
          "scores": .array(points.map { .integer($0) }),
          "target": needed.map { .integer(Int64($0)) } ?? .null, "winner": .optional(winner),
          "elo": labels.count == 2 ? strength.json : .null,
        ])
      return
    }
    var table = TextTable([
      .text("player"), .number("wins"), .number("first").yielding(1), .number("second").yielding(2),
      .number("draws"), .number("losses"), .number("score"),
    ])
    for (seat, label) in labels.enumerated() {
      table.append([
        SafeText(label).text, "\(wins[seat])", "\(winsFirst[seat])", "\(wins[seat] - winsFirst[seat])",
        "\(draws)", "\(games - draws - wins[seat])", "\(points[seat])",
      ])
    }
    try context.table(table)
    if let needed {
      let games = Room.count(games, "game")
      let wins = Room.count(needed, "win")
      try context.console.line(
        winner.map { "\(SafeText($0).text) is the first with \(wins), after \(games)." }
          ?? "Nobody has \(wins) after \(games).")
    }
    if labels.count == 2 {
      for sentence in strength.sentences(labels) { try context.console.paragraph(sentence) }
    }
    if let room = rooms.first {
      let folder = try context.store.folder().shown
      try context.console.paragraph(
        "Stored in \(folder); `parlor replay \(room.short)` shows the first room's games.")
    }
  }
}

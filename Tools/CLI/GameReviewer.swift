import BotKit
import Events
import Platform
import Projection
import Rules
import SearchBots
import Terminal

/// Looks at games move by move, with progress where that takes long.
struct GameReviewer {
  /// How far it looks.
  static let nodes = OptionDefinition.value(
    "nodes", "N", "Look at about so many positions for each move.", standard: "1000000")

  static let depthWords = "how many plies the search looked ahead; null where every move was solved"
  static let valuesWords =
    "for each move that was looked at, the best first: an object with `move`, `value` in the game's own units,"
    + " `end` (whether it is the value of an end that was found, and no estimate) and `proven`"

  private let limitNodes: UInt64
  private let context: Context

  init(_ parsed: ParsedCommand, _ context: Context) throws(UsageError) {
    limitNodes = try parsed.integer("nodes", in: 1...UInt64.max / 4) ?? 1_000_000
    self.context = context
  }

  /// Says where a room's games cannot be looked at.
  static func check(_ room: Room) throws(Failure) {
    let name = room.state.create.rules
    guard !room.isTournament else {
      throw Failure(
        .usage, "\(room.state.room.short) is a tournament; its games are analyzed room by room",
        hint: "`parlor tournament show \(room.state.room.short)` lists its rooms")
    }
    guard SearchBots.analyzedGames.contains(name) else {
      throw Failure(
        .usage, "\(room.title) cannot be analyzed: no search knows it",
        hint: "these games can be: \(SearchBots.analyzedGames.joined(separator: ", "))")
    }
    guard room.rules != nil else {
      throw Failure(
        .dataError, "the rules \(room.title) version \(room.state.create.rulesVersion) are not known here")
    }
  }

  /// What every move of a position is worth.
  func analyze(_ state: any GameState, _ seat: Seat) throws -> PositionAnalysis {
    try SearchBots.analyze(state, seat: seat, nodes: limitNodes, isCancelled: context.isCancelled)
  }

  /// Looks at games, one after the other.
  func reviews(of games: [GameRecord], in room: Room) throws -> [GameReview] {
    let total = games.reduce(0) { $0 + $1.plies.count }
    let line = ProgressLine(
      on: context.console, label: "analyzing", unit: "moves", total: total, now: context.stopwatch)
    defer { line.finish() }
    return try games.map { game in
      var review = GameReview()
      guard let start = room.rules?.start(first: game.first),
        let positions = game.positions(from: start, plies: game.plies.count)
      else { throw Failure(.software, "the line of room \(room.state.room.short) does not replay") }
      for (index, ply) in game.plies.enumerated() {
        try context.checkStop()
        if let seat = ply.seat {
          try review.add(
            ply.codes[0], by: seat, in: positions[index], ply: index + 1, nodes: limitNodes,
            isCancelled: context.isCancelled)
        }
        line.advance()
      }
      return review
    }
  }

  /// How far a search has looked, in words.
  static func words(for analysis: PositionAnalysis) -> String {
    let nodes = Room.count(Int(clamping: analysis.nodes), "position")
    let moves = analysis.isWhole ? "Every move" : "Each move that is worth a search"
    return analysis.depth.map {
      "\(moves) was looked at \($0 == 1 ? "one ply" : "\($0) plies") ahead, \(nodes)."
    }
      ?? "Every move is solved, \(nodes)."
  }

  /// The moves of a position as JSON.
  static func values(_ analysis: PositionAnalysis, _ text: (MoveCode) -> String) -> JSONValue {
    .array(
      analysis.moves.map { move in
        .object([
          "move": .string(text(move.code)), "value": .integer(Int64(move.value)), "end": .bool(move.isEnd),
          "proven": .bool(move.isProven),
        ])
      })
  }
}

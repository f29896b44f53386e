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
    guard !room.isTournament else {
      throw Failure(
        .usage, "\(room.state.room.short) is a tournament; its games are analyzed room by room",
        hint: "`parlor tournament show \(room.state.room.short)` lists its rooms")
    }
    try check(game: room.state.create.rules, title: room.title)
    guard room.rules != nil else {
      throw Failure(
        .dataError, "the rules \(room.title) version \(room.state.create.rulesVersion) are not known here")
    }
  }

  /// Says where no search knows a game.
  static func check(game: String, title: String) throws(Failure) {
    guard SearchBots.analyzedGames.contains(game) else {
      throw Failure(
        .usage, "\(title) cannot be analyzed: no search knows it",
        hint: "these games can be: \(SearchBots.analyzedGames.joined(separator: ", "))")
    }
  }

  /// What every move of a position is worth.
  func analyze(_ state: any GameState, _ seat: Seat) throws -> PositionAnalysis {
    try SearchBots.analyze(state, seat: seat, nodes: limitNodes, isCancelled: context.isCancelled)
  }

  /// Looks at games, one after the other, and hands over each when it is done.
  /// - Parameter at: only the moves before and after the position that so many moves led to; `nil` for all.
  func review(
    _ games: [GameRecord], in room: Room, at: Int? = nil, _ tell: (GameRecord, GameReview) throws -> Void
  ) throws {
    func isWanted(_ ply: Int) -> Bool { at.map { ply == $0 || ply == $0 + 1 } ?? true }
    let total = games.reduce(0) { $0 + $1.plies.indices.dropFirst($1.opening).count { isWanted($0 + 1) } }
    let line = ProgressLine(
      on: context.console, label: "analyzing", unit: "moves", total: total, now: ContinuousClock().stopwatch)
    defer { line.finish() }
    for game in games {
      var review = GameReview()
      guard let start = room.rules?.start(first: game.first),
        let positions = game.positions(from: start, plies: game.plies.count)
      else { throw Failure(.software, "the line of room \(room.state.room.short) does not replay") }
      for (index, ply) in game.plies.enumerated() where index >= game.opening && isWanted(index + 1) {
        try context.checkStop()
        if let seat = ply.seat {
          try review.add(
            ply.codes[0], by: seat, in: positions[index], ply: index + 1, nodes: limitNodes,
            isCancelled: context.isCancelled)
        }
        line.advance()
      }
      try tell(game, review)
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

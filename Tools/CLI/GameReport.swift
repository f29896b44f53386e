import Events
import Projection
import Rules
import SearchBots
import Terminal

/// A game that was looked at move by move, as it is printed.
struct GameReport {
  let room: Room
  let game: GameRecord
  let review: GameReview

  private var name: String { room.state.create.rules }

  // MARK: - Text

  /// Each move with what it was worth, then the losing mistake and how well each side played.
  func lines(_ context: Context) -> [String] {
    let drawing = context.console.output.drawing
    let title = drawing.paint("\(room.title), room \(room.state.room.short), game \(game.number + 1)", .bold)
    var table = TextTable([
      .number("MOVE"), .text("PLAYER"), .text("PLAYS", shrinks: false), .text("WORTH", least: 12),
      .text("BEST", least: 12), .text("", shrinks: false),
    ])
    for step in review.steps {
      table.append(
        [
          "\(step.ply)", room.name(of: step.seat), room.text(of: step.code), worth(step.played, step.ply),
          step.isBest ? "" : best(of: step), step.isMistake ? "mistake" : "",
        ], emphasized: step.isMistake)
    }
    var lines = [title]
    if review.steps.isEmpty { return lines + ["No move was made."] }
    lines += context.lines(of: table)
    if let losingMistake { lines.append(words(losingMistake)) }
    return lines + seats.map(words(for:)) + [""]
  }

  private var seats: [Seat] { room.state.seats.indices.map { Seat(UInt16(clamping: $0)) } }

  private func worth(_ move: PositionAnalysis.Move, _ ply: Int) -> String {
    SearchBots.words(for: move, in: name, after: ply)
  }

  private func best(of step: GameReview.Step) -> String {
    let best = step.analysis.best
    return "\(room.text(of: best.code)), \(worth(best, step.ply))"
  }

  private var losingMistake: GameReview.Step? {
    game.ending?.outcome?.winner.flatMap { review.losingMistake(winner: $0, seats: seats.count) }
  }

  private func words(_ step: GameReview.Step) -> String {
    let move = "move \(step.ply), \(room.name(of: step.seat)) plays \(room.text(of: step.code))"
    if step.isMistake { return "Losing mistake: \(move); \(best(of: step))." }
    let better = step.isBest ? "" : "; best was \(best(of: step))"
    return "The search sees the game lost after \(move)\(better)."
  }

  private func words(for seat: Seat) -> String {
    let play = review.play(of: seat)
    guard let accuracy = play.accuracyPercent else { return "\(room.name(of: seat)): no move." }
    return
      "\(room.name(of: seat)): accuracy \(accuracy) % (\(play.best) of \(Room.count(play.moves, "move")) as good"
      + " as any), \(Room.count(play.mistakes, "mistake"))."
  }

  // MARK: - JSON

  static let move = ObjectDefinition(
    "reviewed", "For each move of a game.",
    [
      "room": "the room's id", "game": "the game's number, from 1", "ply": "how many moves were made with it",
      "seat": "the seat that made it, from 1", "move": "the move as text",
      "best": "the best move as text", "isBest": "whether no other move is worth more",
      "mistake": "whether it gave away a win, or that its player does not lose",
      "depth": GameReviewer.depthWords, "nodes": "how many positions were visited",
      "values": GameReviewer.valuesWords,
    ])

  static let whole = ObjectDefinition(
    "review", "After the moves of a game.",
    [
      "room": "the room's id", "game": "the game's number, from 1",
      "losing": "the `ply` with which the game was lost, as far as the search sees, or null",
      "seats":
        "for each seat an object with `name` (that it gave itself, or null), `moves`, `best`, `mistakes` and `accuracy`"
        + " in whole percents or null",
    ])

  /// Prints the objects.
  func tell(_ context: Context) throws {
    for step in review.steps {
      try context.object(
        "reviewed",
        [
          "room": .string(room.state.room.description), "game": .integer(Int64(game.number + 1)),
          "ply": .integer(Int64(step.ply)), "seat": .integer(Int64(step.seat.index + 1)),
          "move": .string(room.text(of: step.code)), "best": .string(room.text(of: step.analysis.best.code)),
          "isBest": .bool(step.isBest), "mistake": .bool(step.isMistake),
          "depth": step.analysis.depth.map { .integer(Int64($0)) } ?? .null,
          "nodes": .unsigned(step.analysis.nodes),
          "values": GameReviewer.values(step.analysis, room.text(of:)),
        ])
    }
    try context.object(
      "review",
      [
        "room": .string(room.state.room.description), "game": .integer(Int64(game.number + 1)),
        "losing": losingMistake.map { .integer(Int64($0.ply)) } ?? .null,
        "seats": .array(
          seats.map { seat in
            let play = review.play(of: seat)
            return .object([
              "name": .optional(room.state.seats[seat.index]?.profile.name),
              "moves": .integer(Int64(play.moves)),
              "best": .integer(Int64(play.best)), "mistakes": .integer(Int64(play.mistakes)),
              "accuracy": play.accuracyPercent.map { .integer(Int64($0)) } ?? .null,
            ])
          }),
      ])
  }
}

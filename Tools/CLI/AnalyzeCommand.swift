import Events
import Projection
import Rules
import SearchBots
import Terminal

/// `parlor analyze [ROOM] [--game N]` and `parlor analyze GAME POSITION`.
enum AnalyzeCommand: Command {
  static let definition = CommandDefinition(
    "analyze", group: Group.log,
    summary: "Say what each move of a game was worth, which one lost it, and how well each side played.",
    text: [
      "Each move is looked at beside all others of its position: a move that is worth less than the best one stands"
        + " with that one. A mistake gives away a win, or that its player does not lose; the losing mistake is the"
        + " last move where the loser had a choice that did not lose.",
      "Positions of tic-tac-toe and Connect Four are solved where --nodes suffices. Elsewhere a search looks as far"
        + " ahead as it allows: what it says of ends that it finds is certain, or `probably` where it passed over legal"
        + " moves, as in gomoku; a number is an estimate in the game's own units, and may be wrong. A move's worth is"
        + " said for the player who makes it.",
      "Accuracy is the share of moves that were worth as much as the best.",
      "With a game and a position, every move of that position is listed. The position is written as the moves that"
        + " lead to it, as `parlor replay --format moves` prints them; left out, it is the start of the game.",
    ],
    arguments: [
      .init(
        "room",
        "The first digits of a room's id, `last` for the newest (also when it is left out), a bundle file, `-` for one"
          + " on standard input, or a game's name.", isOptional: true, kind: .stored(.rooms, orFile: true)),
      .init("position", "With a game's name: the moves so far.", isOptional: true),
    ],
    options: [
      .value("game", "N", "Only this game of the room, from 1."),
      GameReviewer.nodes,
    ],
    examples: [
      .init("analyze", "The games of the newest room."),
      .init("analyze 3f2a --game 2 --nodes 10000000", "Its second game, looked at for longer."),
      .init("analyze connect-four 4453", "Every move of a position."),
    ],
    exitStatuses: [
      .init(.dataError, "The position is none of the game, or the file is damaged."),
      .init(.noInput, "There is no such room or file."),
      .init(.interrupted, "Interrupted by Ctrl-C."),
    ],
    objects: [GameReport.move, GameReport.whole, position])

  private static let position = ObjectDefinition(
    "analyzed", "For a position.",
    [
      "game": "the game's name", "position": "the moves so far", "seat": "the seat to move, from 1",
      "depth": GameReviewer.depthWords, "nodes": "how many positions were visited",
      "values": GameReviewer.valuesWords,
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let reviewer = try GameReviewer(parsed, context)
    let name = parsed.argument("room") ?? "last"
    if context.games.newest(name) != nil || parsed.argument("position") != nil {
      if parsed.has("game") { throw parsed.badValue("game", "it is for rooms; a position is of one game") }
      return try analyzePosition(name, reviewer, parsed, context)
    }
    let room = try NamedRoom(name, context).room
    try GameReviewer.check(room)
    guard room.state.start != nil else {
      if !context.isJSON {
        try context.console.line(
          "\(room.title), room \(room.state.room.short): \(room.status), no move was made.")
      }
      return .ok
    }
    let games = try ReplayCommand.chosenGames(of: room, parsed)
    try reviewer.review(games, in: room) { game, review in
      let report = GameReport(room: room, game: game, review: review)
      if context.isJSON { try report.tell(context) } else { try context.console.lines(report.lines(context)) }
    }
    return .ok
  }

  private static func analyzePosition(
    _ name: String, _ reviewer: GameReviewer, _ parsed: ParsedCommand, _ context: Context
  ) throws -> ExitStatus {
    let definition = try context.games.game(name, parsed, place: "room")
    try GameReviewer.check(game: name, title: definition.title)
    let text = parsed.argument("position").map { $0 == "start" ? "" : $0 } ?? ""
    let (state, moves) = try SearchBots.played(text, of: definition.rules())
    guard case .seat(let seat) = state.turn else {
      throw Failure(.dataError, "the game is over in this position, so there is no move to look at")
    }
    let analysis = try reviewer.analyze(state, seat)
    if context.isJSON {
      try context.object(
        "analyzed",
        [
          "game": .string(name), "position": .string(text), "seat": .integer(Int64(seat.index + 1)),
          "depth": analysis.depth.map { .integer(Int64($0)) } ?? .null, "nodes": .unsigned(analysis.nodes),
          "values": GameReviewer.values(analysis, state.text(of:)),
        ])
      return .ok
    }
    var table = TextTable([.text("MOVE"), .text("WORTH")])
    for move in analysis.moves {
      table.append([state.text(of: move.code), SearchBots.words(for: move, in: name, after: moves.count + 1)])
    }
    try context.table(table)
    try context.console.line(GameReviewer.words(for: analysis))
    return .ok
  }
}

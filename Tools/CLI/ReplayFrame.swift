import BotKit
import Events
import Projection
import Rules
import SearchBots
import Service
import Terminal

/// One position of a replay.
struct ReplayFrame {
  /// The room.
  let room: Room
  /// The game.
  let game: GameRecord
  /// How many moves were made.
  let ply: Int
  /// The position, as spectators see it.
  let view: any GameView
  /// Whether its move comes with the numbers of the search.
  let isVerbose: Bool
  /// What the game's moves were worth, where somebody asked for it.
  let review: GameReview?

  /// The object of a position.
  static let object = ObjectDefinition(
    "position", "For each position of a game, its start included.",
    [
      "room": "the room's id", "game": "the game's number, from 1", "ply": "how many moves were made",
      "seat": "the seat that made the last one, from 1; null at the start and for choices made together",
      "author": "that seat's public key, or null", "name": "the name that it gave itself, or null",
      "moves": "the last move as text; one for each seat where they choose together; empty at the start",
      "note": "what a bot's search said of it: an object with `value`, `proven`, `nodes`; or null",
      "event": "the event of the move, or null", "opening": "whether the move is of the game's opening",
      "position": "what spectators see, in canonical bytes and hexadecimal",
      "board": "its rows of cells as texts: empty, or the number of the seat whose piece it is",
      "mistake":
        "with --analyze: whether the last move gave away a win, or that its player does not lose; else null",
      "values": "with --analyze, where a move follows: \(GameReviewer.valuesWords); else null",
    ])

  /// The object of a game's end.
  static let endingObject = ObjectDefinition(
    "ending", "After each game that is over.",
    [
      "room": "the room's id", "game": "the game's number, from 1",
      "cause": "`rules`, `resigned`, `left`, `ruled`, `offence`, `forked` or `draw-agreed`",
      "seat": "the seat at its cause, from 1, or null", "winner": "the seat that won, from 1, or null",
      "scores": "the score of each seat; null when the game does not count",
      "level": "`provisional`, `agreed` or `sealed`", "event": "the event that ended it",
    ])

  /// Every position of a game, its start first.
  static func all(
    of game: GameRecord, in room: Room, isVerbose: Bool, review: GameReview?
  ) throws(Failure) -> [ReplayFrame] {
    guard let start = room.rules?.start(first: game.first) else { return [] }
    guard let positions = game.positions(from: start, plies: game.plies.count) else {
      throw Failure(.software, "the line of room \(room.state.room.short) does not replay")
    }
    return positions.enumerated().map {
      ReplayFrame(
        room: room, game: game, ply: $0, view: $1.view(for: nil), isVerbose: isVerbose, review: review)
    }
  }

  /// The most moves of which a position says what they are worth.
  private static let limitWorths = 7

  /// Whether its move is of the game's opening, which nobody in the room chose.
  private var isOpening: Bool { ply > 0 && ply <= game.opening }
  private var last: GameRecord.Ply? { ply > 0 ? game.plies[ply - 1] : nil }

  /// Prints the position.
  func show(_ context: Context) throws {
    if context.isJSON { return try context.object("position", members) }
    let drawing = context.console.output.drawing
    let title = drawing.paint(words(drawing), .bold)
    try context.console.lines(["", title] + board(on: context.console.output))
  }

  /// The position with the move marked that led to it, and without what could be typed: in a replay nobody does.
  var diagram: Diagram {
    var picture =
      last.flatMap { $0.seat == nil ? nil : $0.codes.first }.map { view.diagram(after: $0) } ?? view.diagram
    picture.board = picture.board.map { row in
      row.map { cell in if case .playable = cell { .empty } else { cell } }
    }
    return picture
  }

  /// The position's picture, line by line.
  func board(on channel: Channel) -> [String] {
    let diagram = diagram
    let drawing = BoardDrawing(
      pieces: room.pieces(in: diagram), names: room.state.names, drawing: channel.drawing,
      setsColumns: channel.movesCursor, indent: 2, limitColumns: channel.columns)
    return drawing.lines(diagram)
      + (worths.map { WrappedText.lines($0, columns: channel.limitColumns ?? .max, indent: 2) } ?? [])
  }

  /// What the moves of the position are worth, the best first; `nil` where nobody asked, and at the end.
  var worths: String? {
    guard let step = review?.step(to: ply + 1) else { return nil }
    let shown = step.analysis.moves.prefix(Self.limitWorths).map { move in
      "\(room.text(of: move.code)) \(SearchBots.words(for: move, in: room.state.create.rules, after: ply + 1))"
    }
    return "Worth: \(shown.joined(separator: ", "))\(step.analysis.moves.count > shown.count ? ", …" : "")"
  }

  /// What is said of the last move that was not the best.
  private var verdict: String {
    guard let step = review?.step(to: ply), !step.isBest else { return "" }
    let best = step.analysis.best
    let words = SearchBots.words(for: best, in: room.state.create.rules, after: ply)
    return "; \(step.isMistake ? "a mistake" : "better was"): \(room.text(of: best.code)), \(words)"
  }

  /// Which position this is, and how it came about.
  func words(_ drawing: Drawing) -> String {
    let place = "Game \(game.number + 1)"
    guard let last else {
      if let start = startOfRound { return "\(place), start: \(start)" }
      return "\(place), start: \(room.name(of: game.first)) moves first"
    }
    guard let seat = last.seat else {
      if last.isDraw { return "\(place), move \(ply): drawn by all seats together" }
      let choices = last.texts(in: view).enumerated().compactMap { index, text in
        text.isEmpty ? nil : "\(room.name(of: Seat(UInt16(truncatingIfNeeded: index)))) \(text)"
      }
      return "\(place), round \(ply): \(choices.joined(separator: ", "))"
    }
    let mark = room.mark(of: seat, in: view.diagram, drawing)
    if isOpening { return "\(place), opening, move \(ply): \(mark)\(room.text(of: last.codes[0]))" }
    let move = "\(mark)\(room.name(of: seat)) plays \(room.text(of: last.codes[0]))"
    return "\(place), move \(ply): \(move)\(note(last.note))\(verdict)"
  }

  /// The move as it is typed, or the choices of a round; `nil` at the start and for a draw.
  var moveText: String? {
    guard let last, !last.isDraw else { return nil }
    guard last.seat == nil else { return room.text(of: last.codes[0]) }
    return last.texts(in: view).map { $0.isEmpty ? "-" : $0 }.joined(separator: "/")
  }

  /// What a bot's search said of the move, for players, or in its own numbers.
  private func note(_ note: Action.Note?) -> String {
    guard let note else { return "" }
    if isVerbose { return room.words(for: note) }
    let said = MoveNote(value: note.value, isProven: note.isProven, nodes: note.nodes)
    return " (\(SearchBots.words(for: said, in: room.state.create.rules, after: ply)))"
  }

  /// How a game starts that begins with a round.
  private var startOfRound: String? {
    guard case .round(let choosing) = view.turn else { return nil }
    return choosing.isEmpty ? "chance comes first" : "all seats choose together"
  }

  private var members: [JSONMember] {
    let author = isOpening ? nil : last?.seat.flatMap { room.state.seats[$0.index] }
    let note = last?.note.map { note in
      JSONValue.object([
        "value": .integer(Int64(note.value)), "proven": .bool(note.isProven), "nodes": .unsigned(note.nodes),
      ])
    }
    return place + [
      JSONMember("ply", .integer(Int64(ply))), JSONMember("seat", Self.number(last?.seat)),
      JSONMember("author", .optional(author?.peer.description)),
      JSONMember("name", .optional(author?.profile.name)),
      JSONMember("moves", .array((last?.texts(in: view) ?? []).map { .string($0) })),
      JSONMember("note", note ?? .null),
      JSONMember("event", .optional(isOpening ? nil : last?.node.description)),
      JSONMember("opening", .bool(isOpening)),
      JSONMember("position", .string(view.encoded.hex)), JSONMember("board", board),
      JSONMember("mistake", review?.step(to: ply).map { .bool($0.isMistake) } ?? .null),
      JSONMember(
        "values",
        review?.step(to: ply + 1).map { GameReviewer.values($0.analysis, room.text(of:)) } ?? .null),
    ]
  }

  private var place: [JSONMember] {
    [
      JSONMember("room", .string(room.state.room.description)),
      JSONMember("game", .integer(Int64(game.number + 1))),
    ]
  }

  private var board: JSONValue {
    .array(
      view.diagram.board.map { row in
        .array(
          row.map { cell in
            switch cell {
            case .empty, .playable: ""
            case .piece(let seat), .marked(let seat): .string("\(seat.index + 1)")
            case .face(let text, _, _): .string(text)
            }
          })
      })
  }

  private static func number(_ seat: Seat?) -> JSONValue {
    seat.map { .integer(Int64($0.index + 1)) } ?? .null
  }

  // MARK: - The end of a game

  /// Prints how the game ended, or that it goes on.
  ///
  /// - Parameter seal: the scores of each game that a tournament's organizer wrote down.
  func showEnding(seal: [[Int32]]?, _ context: Context) throws {
    guard let ending = game.ending, let told = TableView.Ending(game) else {
      if !context.isJSON { try context.console.lines(["", endingWords(seal: seal)]) }
      return
    }
    let level = level(ending, seal: seal)
    guard context.isJSON else {
      let words = endingWords(seal: seal)
      return try context.console.lines(["", context.console.output.drawing.paint(words, .bold)])
    }
    let scores = told.scores.map { JSONValue.array($0.map { .integer(Int64($0)) }) }
    try context.object(
      "ending",
      place + [
        JSONMember("cause", .string(told.cause.rawValue)), JSONMember("seat", Self.number(told.seat)),
        JSONMember("winner", Self.number(told.winner)), JSONMember("scores", scores ?? .null),
        JSONMember("level", .string(level)), JSONMember("event", .string(ending.node.description)),
      ])
  }

  /// How the game ended, or that it goes on.
  func endingWords(seal: [[Int32]]?) -> String {
    guard let ending = game.ending else { return "Game \(game.number + 1) goes on." }
    let level = level(ending, seal: seal)
    return "Game \(game.number + 1): \(room.words(for: ending)) (\(level) result)."
  }

  private func level(_ ending: GameRecord.Ending, seal: [[Int32]]?) -> String {
    if let seal, game.number < seal.count, seal[game.number] == ending.outcome?.scores { return "sealed" }
    return game.isAgreed ? "agreed" : "provisional"
  }
}

import Events
import Peer
import Projection
import Rules
import Terminal

/// What a person at a game is shown: who plays, each position once, and the end.
struct PlayView {
  static let objects = [
    ObjectDefinition(
      "game", "At the start.",
      [
        "room": "the room's id, for `--resume`", "game": "the game's name",
        "players": "the players' names, by seat",
        "seat": "your seat, from 1", "first": "the seat that moves first, from 1; null where nobody does",
      ]),
    ObjectDefinition(
      "position", "For each position.",
      [
        "room": "the room's id", "ply": "how many moves were made", "moves": "all moves as texts",
        "turn": "the seat to move, from 1, or `everyone`, or null when the game is over",
        "lines": "the position drawn as lines of text",
      ]),
    ObjectDefinition(
      "result", "At the end.",
      [
        "room": "the room's id", "result": "`won`, `lost`, `drawn` or `void`",
        "scores": "the score of each seat",
        "cause": "`rules`, `resigned`, `left`, `ruled`, `offence` or `forked`",
        "agreed": "whether both sides have signed it",
      ]),
  ]

  private let context: Context
  private let owner: PeerID
  /// The move that led to the position shown last; the room's id for the start of the game.
  private var shown: EventID?

  init(_ context: Context, owner: PeerID) {
    self.context = context
    self.owner = owner
  }

  private var drawing: Drawing { context.console.output.drawing }

  /// Who plays what.
  func announce(_ state: RoomState) throws {
    if context.isJSON {
      return try context.object(
        "game",
        [
          "room": .string(state.room.description), "game": .string(state.create.rules),
          "players": .array(state.seats.map { .string($0?.profile.name ?? "") }),
          "seat": Self.number(state.seat(of: owner)), "first": Self.number(first(of: state)),
        ])
    }
    let title = context.games.definition(state.create.rules, version: state.create.rulesVersion)?.title
    try context.console.line(
      "\(title ?? state.create.rules) — game \(state.room.short), stored in \(try context.folderText())")
    let names = state.seats.indices.map { state.label(of: Seat(UInt8($0)), drawing) }
    var line = names.joined(separator: "  vs  ")
    if let first = first(of: state) {
      line += state.create.starter == .jointDraw ? "   (drawn: " : "   ("
      line += "\(state.label(of: first, drawing)) moves first)"
    }
    try context.console.line(line)
  }

  /// Who moves first; `nil` where everybody chooses at once.
  private func first(of state: RoomState) -> Seat? {
    if case .seat? = state.turn { state.first } else { nil }
  }

  private static func number(_ seat: Seat?) -> JSONValue {
    seat.map { .integer(Int64($0.index + 1)) } ?? .null
  }

  /// Lets the position be shown again.
  mutating func forget() { shown = nil }

  /// Draws the position, once for each: a resignation leaves it as it was.
  mutating func show(_ state: RoomState) throws {
    guard let game = state.currentGame else { return }
    let node = game.plies.last?.node ?? state.room
    guard shown != node else { return }
    shown = node
    if context.isJSON { return try context.object("position", members(state, game)) }
    if let last = game.plies.last { try context.console.line(words(for: last, game, state)) }
    let board = BoardDrawing(
      pieces: state.pieces, names: state.names, drawing: drawing,
      setsColumns: context.console.output.movesCursor, indent: 2)
    try context.console.lines([""] + board.lines(game.state.diagram) + [""])
    if case .everyone = game.state.turn, game.ending == nil, let seat = state.seat(of: owner) {
      let choices = game.state.legalMoves(of: seat).map { game.state.text(of: $0) }
      try context.console.line("Both choose in secret: \(choices.joined(separator: " or ")).")
    }
  }

  private func words(for ply: GameRecord.Ply, _ game: GameRecord, _ state: RoomState) -> String {
    guard let seat = ply.seat else {
      let choices = ply.codes.enumerated().map { index, code in
        "\(state.label(of: Seat(UInt8(truncatingIfNeeded: index)), drawing)) \(game.state.text(of: code))"
      }
      return "Both have chosen: \(choices.joined(separator: ", "))"
    }
    let move = "\(state.label(of: seat, drawing)) played \(game.state.text(of: ply.codes[0]))"
    guard let note = ply.note else { return move }
    return "\(move) (\(note.isProven ? "proven, " : "")value \(note.value), \(note.nodes) positions)"
  }

  private func members(_ state: RoomState, _ game: GameRecord) -> KeyValuePairs<String, JSONValue> {
    let moves = game.plies.flatMap { ply in ply.codes.map { JSONValue.string(game.state.text(of: $0)) } }
    let turn: JSONValue =
      switch game.state.turn {
      case .seat(let seat): Self.number(seat)
      case .everyone: "everyone"
      case .over: nil
      }
    let lines = BoardDrawing(pieces: state.pieces, names: state.names).lines(game.state.diagram)
    return [
      "room": .string(state.room.description), "ply": .integer(Int64(game.plies.count)),
      "moves": .array(moves),
      "turn": turn, "lines": .array(lines.map { .string($0) }),
    ]
  }

  /// How the game ended, from the person's side.
  func tellEnd(_ session: inout Session) throws {
    let state = session.state
    guard let game = state.games.last, let ending = game.ending else { return }
    let own = state.seat(of: owner)
    let verdict =
      switch ending.outcome {
      case nil: "void"
      case let outcome? where outcome.winner == nil: "drawn"
      case let outcome?: outcome.winner == own ? "won" : "lost"
      }
    if context.isJSON {
      return try context.object(
        "result",
        [
          "room": .string(state.room.description), "result": .string(verdict),
          "scores": .array((ending.outcome?.scores ?? []).map { .integer(Int64($0)) }),
          "cause": .string(Room.word(for: ending.cause).word), "agreed": .bool(game.isAgreed),
        ])
    }
    let words =
      switch verdict {
      case "won": drawing.paint("You win!", .green, .bold)
      case "lost": drawing.paint("You lose.", .red, .bold)
      case "drawn": drawing.paint("A draw.", .yellow, .bold)
      default: "The game is void."
      }
    let room = try session.players[0].core.log(of: state.room).map { try Room($0, games: context.games) }
    try context.console.line("\(words)  (\(room?.words(for: ending) ?? ""))")
    try context.console.line("`parlor replay \(state.room.short)` shows it again.")
  }
}

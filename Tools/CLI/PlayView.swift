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
        "referee": "the referee's key, or null",
        "move-limit": "milliseconds for each move, or null", "clock": "milliseconds for a game, or null",
        "increment": "what each move adds to the clock, or null",
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
        "room": "the room's id",
        "result": "`won`, `lost`, `drawn` or `void`; `watched` for who only looks on",
        "scores": "the score of each seat",
        "cause": "`rules`, `resigned`, `left`, `ruled`, `offence`, `forked` or `draw-agreed`",
        "agreed": "whether both sides have signed it",
      ]),
    ObjectDefinition(
      "waiting", "Instead of a result, when the game waits to be resumed.",
      [
        "room": "the room's id, for `--resume`", "ply": "how many moves were made",
        "moves": "all moves as texts",
        "turn": "the seat to move, from 1, or `everyone`",
      ]),
  ]

  /// What there is besides where others play from elsewhere.
  static let remoteObjects =
    objects + [
      ObjectDefinition(
        "room", "Where a game is hosted, or joined before it has begun.",
        [
          "room": "the room's id", "code": "the game's code, for `parlor join`",
          "game": "the game's name", "rematch-of": "the room that it is a rematch of, or null",
        ]),
      ObjectDefinition(
        "chat", "When somebody says something.",
        ["room": "the room's id", "name": "who", "peer": "that peer's key", "text": "the words"]),
      ObjectDefinition(
        "connection", "When the connection with another player is lost, and when it is back.",
        [
          "room": "the room's id", "seat": "the player's seat, from 1", "peer": "that peer's key",
          "connected": "whether it is connected",
        ]),
      ObjectDefinition(
        "undo-request", "When somebody asks to take back a move.",
        ["room": "the room's id", "seat": "who asks, from 1", "ply": "how many moves would be left"]),
      ObjectDefinition(
        "draw-offer", "When somebody offers a draw.",
        ["room": "the room's id", "seat": "who offers, from 1"]),
      ObjectDefinition(
        "draw-declined", "When the other side declines the draw that you offer.", ["room": "the room's id"]),
      ObjectDefinition(
        "clocks", "With each position, where the game has time limits.",
        [
          "room": "the room's id",
          "left":
            "by seat, the milliseconds left by this process's clock, or null where nothing limits the seat now",
        ]),
      ObjectDefinition(
        "time-up", "When a seat's time is up by this process's clock.",
        ["room": "the room's id", "seat": "the seat, from 1"]),
      ObjectDefinition(
        "claim", "When somebody claims that a seat is silent.",
        ["room": "the room's id", "seat": "who claims, from 1", "against": "the silent seat, from 1"]),
      ObjectDefinition(
        "left", "Instead of a result, when the game was closed before the first move.",
        ["room": "the room's id", "peer": "who left", "name": "the name that this peer gave itself"]),
    ]

  let context: Context
  let owner: PeerID
  /// Whether others play from elsewhere.
  let isRemote: Bool
  private var isAnnounced = false
  var hasToldSeats = false
  /// What was said before, or was told.
  var heard: Set<EventID>?
  /// The take-back that was told of.
  var undoRequest: EventID?
  var plies = (game: 0, count: 0)
  /// The draw offers that were told of, and how many plies there were when the own one was made.
  var drawOffers: [RoomState.DrawOffer] = []
  var offerPlies: Int?
  var claims: Set<EventID> = []
  /// What a seat owed when it was told that its time is up.
  var timeUp: [Seat: EventID] = [:]
  /// The move that led to the position shown last; the room's id for the start of the game.
  private var shown: EventID?

  init(_ context: Context, owner: PeerID, isRemote: Bool) {
    self.context = context
    self.owner = owner
    self.isRemote = isRemote
  }

  private var drawing: Drawing { context.console.output.drawing }

  /// Who plays what, once.
  mutating func announce(_ state: RoomState) throws {
    guard !isAnnounced else { return }
    isAnnounced = true
    if context.isJSON {
      return try context.object(
        "game",
        [
          JSONMember("room", .string(state.room.description)),
          JSONMember("game", .string(state.create.rules)),
          JSONMember("players", .array(state.seats.map { .string($0?.profile.name ?? "") })),
          JSONMember("seat", Self.number(state.seat(of: owner))),
          JSONMember("first", Self.number(first(of: state))),
        ] + state.create.limitMembers)
    }
    let title = context.games.definition(state.create.rules, version: state.create.rulesVersion)?.title
    try context.console.paragraph(
      "\(title ?? state.create.rules) — game \(state.room.short), stored in \(try context.folderText())")
    let names = state.seats.indices.map { label(of: Seat(UInt16($0)), state, isFull: true) }
    try context.console.line(names.joined(separator: "  vs  "))
    if let referee = state.referee {
      try context.console.line("Referee \(referee.short): \(state.create.limitWords).")
    }
    if let first = first(of: state) {
      let isOwn = first == state.seat(of: owner)
      let draw = state.create.starter == .jointDraw ? ": so it was drawn" : ""
      try context.console.line("\(isOwn ? "You move" : "\(state.name(of: first)) moves") first\(draw).")
    }
  }

  /// A seat's piece and name. Over the network one's own is “You”, and beside another's name stands, where it is told
  /// who plays, the beginning of the key, because anybody may take any name.
  func label(of seat: Seat, _ state: RoomState, isFull: Bool = false) -> String {
    let label = state.label(of: seat, drawing)
    guard isRemote, let peer = state.seats[seat.index]?.peer else { return label }
    let name = state.name(of: seat)
    if peer == owner { return label.dropLast(name.count) + "You" }
    return isFull ? "\(label) (\(peer.description.prefix(6)))" : label
  }

  /// Who moves first; `nil` where everybody chooses at once.
  private func first(of state: RoomState) -> Seat? {
    if case .seat? = state.turn { state.first } else { nil }
  }

  static func number(_ seat: Seat?) -> JSONValue {
    seat.map { .integer(Int64($0.index + 1)) } ?? .null
  }

  /// Lets the position be shown again.
  mutating func forget() { shown = nil }

  /// Draws the position, once for each: a resignation leaves it as it was.
  /// - Parameters:
  ///   - clocks: this process's clocks, where the game has time limits.
  ///   - now: what the process's clock shows, in milliseconds.
  mutating func show(_ state: RoomState, _ clocks: SeatClocks? = nil, atMilliseconds now: UInt64 = 0) throws {
    guard let game = state.currentGame else { return }
    let node = game.plies.last?.node ?? state.room
    guard shown != node else { return }
    shown = node
    if context.isJSON {
      try context.object("position", members(state, game))
      if let clocks { try tell(clocks, state, atMilliseconds: now) }
      return
    }
    if let last = game.plies.last { try context.console.line(words(for: last, game, state)) }
    let board = BoardDrawing(
      pieces: state.pieces, names: state.names, drawing: drawing,
      setsColumns: context.console.output.movesCursor, indent: 2)
    try context.console.lines([""] + board.lines(game.state.diagram) + [""])
    if case .everyone = game.state.turn, game.ending == nil, let seat = state.seat(of: owner) {
      let choices = game.state.legalMoves(of: seat).map { game.state.text(of: $0) }
      try context.console.line("Both choose in secret: \(choices.joined(separator: " or ")).")
    }
    if let clocks, game.ending == nil { try tell(clocks, state, atMilliseconds: now) }
  }

  private func words(for ply: GameRecord.Ply, _ game: GameRecord, _ state: RoomState) -> String {
    guard let seat = ply.seat else {
      let choices = ply.codes.enumerated().map { index, code in
        "\(label(of: Seat(UInt16(truncatingIfNeeded: index)), state)) \(game.state.text(of: code))"
      }
      return "Both have chosen: \(choices.joined(separator: ", "))"
    }
    let move = "\(label(of: seat, state)) played \(game.state.text(of: ply.codes[0]))"
    guard let note = ply.note else { return move }
    let positions = Room.count(Int(clamping: note.nodes), "position")
    return "\(move) (\(Room.words(forValueOf: note)), \(positions))"
  }

  private func members(_ state: RoomState, _ game: GameRecord) -> [JSONMember] {
    let lines = BoardDrawing(pieces: state.pieces, names: state.names).lines(game.state.diagram)
    return standing(state, game) + [JSONMember("lines", .array(lines.map { .string($0) }))]
  }

  /// Says that the game waits, and how it goes on.
  func tellWaiting(_ state: RoomState, resuming: String) throws {
    guard context.isJSON else {
      let others = state.owing.filter { $0 != state.seat(of: owner) }.map { state.name(of: $0) }
      let whom = others.isEmpty || !isRemote ? "" : " for \(others.joined(separator: " and "))"
      return context.console.note("The game waits\(whom): `parlor \(resuming)` goes on with it.")
    }
    guard let game = state.currentGame else { return }
    try context.object("waiting", standing(state, game))
  }

  private func standing(_ state: RoomState, _ game: GameRecord) -> [JSONMember] {
    let moves = game.plies.flatMap { ply in ply.codes.map { JSONValue.string(game.state.text(of: $0)) } }
    let turn: JSONValue =
      switch game.state.turn {
      case .seat(let seat): Self.number(seat)
      case .everyone: "everyone"
      case .over: nil
      }
    return [
      JSONMember("room", .string(state.room.description)),
      JSONMember("ply", .integer(Int64(game.plies.count))), JSONMember("moves", .array(moves)),
      JSONMember("turn", turn),
    ]
  }

  /// How the game ended, from the person's side.
  func tellEnd(_ state: RoomState) throws {
    if case .closed(let peer) = state.phase { return try tellClosed(by: peer, state) }
    guard let game = state.games.last, let ending = game.ending else { return }
    let own = state.seat(of: owner)
    let verdict =
      switch ending.outcome {
      case _? where own == nil: "watched"
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
    let rest = Self.scores(ending.outcome, own: own) + cause(ending.cause, state, own: own)
    let words =
      switch verdict {
      case "won": drawing.paint("You win\(rest)\(rest.isEmpty ? "!" : ".")", .green, .bold)
      case "lost": drawing.paint("You lose\(rest).", .red, .bold)
      case "watched": watched(ending.outcome, state) + rest + "."
      case "drawn": drawing.paint("A draw\(rest).", .yellow, .bold)
      default: "The game is void\(rest)."
      }
    try context.console.line(words)
    try context.console.line("`parlor replay \(state.room.short)` shows it again.")
  }

  private func watched(_ outcome: Outcome?, _ state: RoomState) -> String {
    outcome?.winner.map { "\(state.label(of: $0, drawing)) wins" } ?? "A draw"
  }

  private func tellClosed(by peer: PeerID, _ state: RoomState) throws {
    let name = state.name(of: peer)
    if context.isJSON {
      return try context.object(
        "left",
        [
          "room": .string(state.room.description), "peer": .string(peer.description), "name": .string(name),
        ])
    }
    try context.console.line(
      "\(peer == owner ? "You" : name) left before the first move: the game is closed.")
  }

  /// The person's score and the other one, where they say more than who won.
  private static func scores(_ outcome: Outcome?, own: Seat?) -> String {
    guard let scores = outcome?.scores, let own, scores.count == 2, scores.indices.contains(own.index),
      !scores.allSatisfy({ (0...1).contains($0) })
    else { return "" }
    return ", \(scores[own.index]) to \(scores[own.opponent.index])"
  }

  /// Why the game ended, where the board does not show it.
  private func cause(_ cause: GameRecord.Cause, _ state: RoomState, own: Seat?) -> String {
    func who(_ seat: Seat) -> String { seat == own ? "you" : state.name(of: seat) }
    return switch cause {
    case .rules: ""
    case .resigned(let seat): ": \(who(seat)) resigned"
    case .left(let seat): ": \(who(seat)) left"
    case .ruled(let seat): ": the referee ruled against \(who(seat))"
    case .offence(let seat): ": \(who(seat)) broke the protocol"
    case .forked(let seat?): ": \(who(seat)) wrote two histories of the room"
    case .drawAgreed: ", by agreement"
    case .forked(nil): ": both sides wrote two histories of the room"
    }
  }
}

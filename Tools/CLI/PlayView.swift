import BotKit
import Events
import Peer
import Rules
import SearchBots
import Service
import Terminal

/// What a person at a game is shown: who plays, each position once, and the end.
struct PlayView {
  static let objects = [
    ObjectDefinition(
      "game", "At the start, and of a series at the start of each game.",
      [
        "room": "the room's id, for `--resume`", "game": "the game's name",
        "number": "which game of the series it is, from 1", "games": "how many it has, at the most",
        "target": "how many of them somebody must win for it to be over before, or null",
        "players": "the players' names, by seat",
        "seat": "your seat, from 1",
        "first": "the seat that moves first, after the opening, from 1; null where nobody does",
        "opening": "the moves from which the game begins, as texts",
        "branch-of": "the room with the position from which it goes on, or null",
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
      "result", "At the end, and of a series at the end of each game.",
      [
        "room": "the room's id",
        "result": "`won`, `lost`, `drawn` or `void`; `watched` when this peer only looks on",
        "scores": "the score of each seat", "wins": "how many games of the series each seat has won",
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
        "seats", "While a table of more than two waits, each time that somebody has taken a seat.",
        [
          "room": "the room's id", "taken": "how many seats are taken", "seats": "how many there are",
          "may-start": "whether `start` begins with those that sit",
        ]),
      ObjectDefinition(
        "out", "When a seat goes out of a game of more than two, which goes on without it.",
        ["room": "the room's id", "seat": "who is out, from 1"]),
      ChatLines.object,
      ObjectDefinition(
        "declined", "When a peer that this one has invited does not come.",
        ["room": "the room's id", "peer": "that peer's key"]),
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
  /// The game of the series that was announced last.
  private var announced: Int?
  private var hasToldSeats = false
  /// What others have said.
  var chat = ChatLines()
  /// The table that was told last of what happens besides moves, in play.
  var told: TableView?
  /// Where this seat offers a draw: the game, and how many moves it had; `nil` once it is told what became of that.
  var offered: (game: Int, plies: Int)?
  /// The other players who were connected when that was told, and those who were once and are no more.
  var connected: Set<PeerID> = []
  var gone: Set<PeerID> = []
  /// What the game waited for when that was told last.
  var awaited: Awaited?
  /// Whether the game waited for its referee when it was looked at last.
  var isRefereeAwaited = false
  /// The position that is drawn while a bot of this process thinks, until the next one takes its place.
  private(set) var drawn: [String] = []
  /// Who has come and what was played elsewhere when the bell was last thought of.
  private var news: News?
  /// How many seats were taken when that was told last, while others are free.
  private var taken = 0
  /// Who is known to have declined to come.
  private var declined: Set<PeerID> = []
  /// The move that led to the position shown last, the room's id for the start of the game; and after how many plies.
  private var shown: (node: EventID, plies: Int)?
  /// Where the game fills the terminal; `nil` where it is told in lines.
  var screen: FullScreen?

  init(_ context: Context) { self.context = context }

  var drawing: Drawing { context.console.output.drawing }

  /// Tells what is new at the table: who plays, what happened besides moves, and the position.
  ///
  /// Whoever comes has heard nothing yet: what was said before that is in the log, and what is said while a game waits
  /// for others is told with its start.
  mutating func tell(_ table: TableView) throws {
    chat.begin(table)
    try wipeDrawing()
    try ring(table)
    guard table.phase != .waiting else {
      try tellSeats(table)
      try tellTaken(table)
      return try tellDeclined(table)
    }
    try announce(table)
    try tellNews(table)
    try show(table)
    try tellTimeUp(table)
    try tellTurn(table)
    told = table
    screen?.update { fill(&$0, table) }
  }

  /// Who does not come of those that were invited; told who has invited them, once of each.
  private mutating func tellDeclined(_ table: TableView) throws {
    guard table.creator.peer == table.peer else { return }
    for invited in table.invited where invited.hasDeclined && declined.insert(invited.peer).inserted {
      if context.isJSON {
        try context.object(
          "declined",
          ["room": .string(table.room.description), "peer": .string(invited.peer.description)])
        continue
      }
      try context.console.paragraph(
        "\(invited.peer.short) declines to come. `parlor invite \(GameCode.of(table.room)) PEER` invites"
          + " somebody else.")
    }
  }

  /// How many sit at a table of more than two, each time that somebody has taken a seat.
  private mutating func tellTaken(_ table: TableView) throws {
    let count = table.seats.count { $0.peer != nil }
    guard table.seats.count > 2, count != taken else { return }
    taken = count
    if context.isJSON {
      return try context.object(
        "seats",
        [
          "room": .string(table.room.description), "taken": .integer(Int64(count)),
          "seats": .integer(Int64(table.seats.count)), "may-start": .bool(table.may.contains(.start)),
        ])
    }
    let start = table.may.contains(.start) ? "; type `start` to begin without the others" : ""
    try context.console.line("\(count) of \(table.seats.count) seats are taken\(start).")
  }

  /// Where the game is to be found, while seats are free; once.
  private mutating func tellSeats(_ table: TableView) throws {
    guard !hasToldSeats else { return }
    hasToldSeats = true
    let code = GameCode.of(table.room)
    if context.isJSON {
      return try context.object(
        "room",
        [
          "room": .string(table.room.description), "code": .string(code), "game": .string(table.game),
          "rematch-of": .optional(table.rematchOf?.description),
        ])
    }
    try context.console.paragraph("\(title(table)) — game \(table.room.short), code \(code)")
    if table.rematchOf != nil {
      try context.console.line("Waiting for the others.")
    } else if table.creator.peer == table.peer {
      try context.console.line(
        "Waiting for somebody to join: `\(try context.store.forOthers("join \(code)"))`, or `parlor lobby`.")
    } else {
      try context.console.line("Waiting for a seat.")
    }
  }

  func title(_ table: TableView) -> String {
    table.title ?? SafeText(table.game, limitColumns: 40).text
  }

  /// Who plays what, once for each game.
  mutating func announce(_ table: TableView) throws {
    let before = announced
    guard before != table.number else { return }
    announced = table.number
    // Nobody moves first where all choose at once.
    let first = table.isOn && table.turn != nil ? table.firstMover : nil
    if context.isJSON {
      return try context.object(
        "game",
        [
          JSONMember("room", .string(table.room.description)), JSONMember("game", .string(table.game)),
          JSONMember("number", .integer(Int64(table.number))),
          JSONMember("games", .integer(Int64(table.games))),
          JSONMember("target", table.target > 0 ? .integer(Int64(table.target)) : .null),
          JSONMember("players", .array(table.seats.map { .string($0.name) })),
          JSONMember("seat", Self.number(table.seat)), JSONMember("first", Self.number(first)),
          JSONMember(
            "opening", .array(table.plies.prefix(table.opening).flatMap(\.moves).map { .string($0) })),
          JSONMember("branch-of", .optional(table.branchOf?.room.description)),
        ] + table.terms.limitMembers)
    }
    if before == nil { try announceRoom(table) }
    if table.games > 1, table.number > 0 {
      try context.console.paragraph("Game \(table.number) of \(length(table)).")
      if before == nil, table.number > 1 { try tellWins(table) }
    }
    if let first {
      let draw = table.isDrawn && table.number == 1 ? ": so it was drawn" : ""
      let mover = first == table.seat ? "You move" : "\(table.name(of: first)) moves"
      let opening = table.opening > 0 ? "The game begins after \(table.openingText). " : ""
      try context.console.line("\(opening)\(mover) first\(draw).")
    }
  }

  private func announceRoom(_ table: TableView) throws {
    try context.console.paragraph(
      "\(title(table)) — game \(table.room.short), stored in \(try context.store.folder().shown)")
    let labels = table.seats.indices.map {
      table.label(of: Seat(UInt16(clamping: $0)), drawing, isFull: true)
    }
    try context.console.line(labels.joined(separator: "  vs  "))
    if table.branchOf != nil { try context.console.line(table.branchWords) }
    if table.hasOpenRounds {
      try context.console.line(
        "Rounds are played in the open: a choice is in the log before the next one is made.")
    }
    if let referee = table.referee {
      try context.console.line("Referee \(referee.short): \(table.terms.limitWords).")
    }
  }

  /// How many games a series has, and how many won ones end it before.
  private func length(_ table: TableView) -> String {
    table.target > 0
      ? "at most \(table.games), first with \(Room.count(table.target, "win"))" : "\(table.games)"
  }

  static func number(_ seat: Seat?) -> JSONValue {
    seat.map { .integer(Int64($0.index + 1)) } ?? .null
  }

  /// Lets the position be shown again.
  mutating func forget() { shown = nil }

  /// Draws the position, once for each: a resignation leaves it as it was.
  mutating func show(_ table: TableView) throws {
    let position = (node: table.plies.last?.event ?? table.room, plies: table.plies.count)
    // An opening has the node of the game before.
    guard table.number > 0, shown.map({ $0 != position }) ?? true else { return }
    // What chance is about to give is shown with it.
    guard context.isJSON || !table.isRound || !table.choosing.isEmpty else { return }
    shown = position
    let diagram = table.position.diagram
    if context.isJSON {
      let lines = BoardDrawing(pieces: table.pieces, names: table.names).lines(diagram)
      try context.object(
        "position", standing(table) + [JSONMember("lines", .array(lines.map { .string($0) }))])
      return try tellClocks(table)
    }
    if table.plies.count > table.opening,
      let last = table.plies.last(where: { $0.moves.contains { !$0.isEmpty } })
    {
      try context.console.line(words(for: last, table))
    }
    // A screen has the position, the clocks and the choices in places of their own.
    guard screen == nil else { return }
    let board = BoardDrawing(
      pieces: table.pieces, names: table.shownNames, drawing: drawing,
      setsColumns: context.console.output.movesCursor, indent: 2,
      limitColumns: context.console.output.columns)
    let lines = [""] + board.lines(diagram) + [""]
    if gives(way: lines, table) {
      drawn = lines
      try context.console.draw(lines)
    } else {
      try context.console.lines(lines)
    }
    if let words = secretChoices(table) { try context.console.line(words) }
    try tellClocks(table)
  }

  /// What all choose from at once; `nil` where this side does not.
  func secretChoices(_ table: TableView) -> String? {
    guard table.isRound, !table.moves.isEmpty else { return nil }
    return "\(all(table)) choose in secret: \(table.moves.map(\.text).joined(separator: " or "))."
  }

  /// Whether a position is drawn in place: a bot of this process is about to answer, and the next one follows.
  private func gives(way lines: [String], _ table: TableView) -> Bool {
    let output = context.console.output
    guard output.movesCursor, table.isOn, !table.isRound, lines.count < output.rows else { return false }
    return table.seats.contains { $0.presence == .here && $0.owes }
  }

  /// Takes away the position that was drawn while a bot thought.
  private mutating func wipeDrawing() throws {
    guard !drawn.isEmpty else { return }
    drawn = []
    try context.console.draw([])
  }

  /// Leaves the position that is drawn where it stands.
  mutating func leaveDrawing() throws {
    guard !drawn.isEmpty else { return }
    drawn = []
    try context.console.leaveDrawing()
  }

  /// Rings the bell when somebody has sat down, or has moved, elsewhere.
  private mutating func ring(_ table: TableView) throws {
    let now = News(table)
    defer { news = now }
    guard context.rings, let news, now.isMore(than: news) else { return }
    try context.console.ring()
  }

  private func all(_ table: TableView) -> String { table.seats.count == 2 ? "Both" : "All" }

  private func words(for ply: TableView.Ply, _ table: TableView) -> String {
    guard let seat = ply.seat else {
      let choices = ply.moves.enumerated().compactMap { index, move in
        move.isEmpty ? nil : "\(table.label(of: Seat(UInt16(clamping: index)), drawing)) \(move)"
      }
      return "\(all(table)) have chosen: \(choices.joined(separator: ", "))"
    }
    let move = "\(table.label(of: seat, drawing)) played \(ply.moves.joined())"
    guard let note = ply.note else { return move }
    guard context.isVerbose else {
      let said = MoveNote(
        value: Int32(clamping: note.value), isProven: note.isProven, nodes: UInt64(clamping: note.nodes))
      return "\(move) (\(SearchBots.words(for: said, in: table.game, after: table.plies.count)))"
    }
    let value = Room.words(forValue: note.value, isProven: note.isProven)
    return "\(move) (\(value), \(Room.count(note.nodes, "node")))"
  }

  /// Says that the game waits, and how it goes on.
  func tellWaiting(_ table: TableView, resuming: String) throws {
    guard context.isJSON else {
      let others = zip(table.names, table.seats).filter { $1.owes && $1.isElsewhere }.map(\.0)
      let whom = others.isEmpty ? "" : " for \(others.joined(separator: " and "))"
      return context.console.note("The game waits\(whom): `parlor \(resuming)` goes on with it.")
    }
    if table.number > 0 { try context.object("waiting", standing(table)) }
  }

  private func standing(_ table: TableView) -> [JSONMember] {
    [
      JSONMember("room", .string(table.room.description)),
      JSONMember("ply", .integer(Int64(table.plies.count))),
      JSONMember("moves", .array(table.plies.flatMap(\.moves).filter { !$0.isEmpty }.map { .string($0) })),
      JSONMember("turn", table.isRound ? "everyone" : Self.number(table.turn)),
    ]
  }

  /// How a game ended, from the person's side.
  /// - Parameter isLast: whether no other game of a series follows.
  func tellEnd(_ table: TableView, isLast: Bool) throws {
    if table.phase == .closed, isLast { return try tellClosed(table) }
    guard let ending = table.ending else { return }
    let verdict =
      if table.seat == nil {
        "watched"
      } else if ending.scores == nil {
        "void"
      } else {
        Self.result(ending, of: table.seat)
      }
    if context.isJSON {
      return try context.object(
        "result",
        [
          "room": .string(table.room.description), "result": .string(verdict),
          "scores": .array((ending.scores ?? []).map { .integer(Int64($0)) }),
          "wins": .array(table.seats.map { .integer(Int64($0.wins)) }),
          "cause": .string(ending.cause.rawValue), "agreed": .bool(ending.isAgreed),
        ])
    }
    let rest = Self.scores(ending, own: table.seat) + cause(ending, table)
    let words =
      switch verdict {
      case "won": drawing.paint("You win\(rest)\(rest.isEmpty ? "!" : ".")", .green, .bold)
      case "lost": drawing.paint("You lose\(rest).", .red, .bold)
      case "watched":
        (ending.winner.map { "\(table.label(of: $0, drawing)) wins" } ?? "A draw") + rest + "."
      case "drawn": drawing.paint("A draw\(rest).", .yellow, .bold)
      default: "The game is void\(rest)."
      }
    try context.console.line(words)
    try tellWins(table)
    guard isLast else { return }
    if table.seat != nil, table.awaitsSignatures {
      let others = table.seats.indices.filter { table.seats[$0].isElsewhere }
      let who = others.count == 1 ? table.label(of: Seat(UInt16(clamping: others[0])), drawing) : "Somebody"
      try context.console.paragraph(
        "\(who) has not signed this result yet. It counts for ratings when that has come, as while `parlor serve`"
          + " runs.")
    }
    try context.console.paragraph("`parlor replay \(table.room.short)` shows it again.")
  }

  /// Who has won how many games of a series.
  private func tellWins(_ table: TableView) throws {
    guard table.games > 1 else { return }
    let wins = table.seats.indices.map {
      "\(table.label(of: Seat(UInt16(clamping: $0)), drawing)) \(table.seats[$0].wins)"
    }
    try context.console.line("Games won: \(wins.joined(separator: ", ")).")
  }

  private func tellClosed(_ table: TableView) throws {
    guard let peer = table.leaver else { return }
    let name = table.name(of: peer)
    if context.isJSON {
      return try context.object(
        "left",
        [
          "room": .string(table.room.description), "peer": .string(peer.description), "name": .string(name),
        ])
    }
    try context.console.line(
      "\(peer == table.peer ? "You" : name) left before the first move: the game is closed.")
  }

  /// How a game ended for a seat: with more than two, who has less than the best has lost, whoever shares that.
  private static func result(_ ending: TableView.Ending, of own: Seat?) -> String {
    if let winner = ending.winner { return winner == own ? "won" : "lost" }
    guard let scores = ending.scores, let own, scores.indices.contains(own.index) else { return "drawn" }
    return scores[own.index] == scores.max() ? "drawn" : "lost"
  }

  /// The person's score and the other one, where they say more than who won.
  private static func scores(_ ending: TableView.Ending, own: Seat?) -> String {
    guard let scores = ending.scores, let own, scores.count == 2, scores.indices.contains(own.index),
      !scores.allSatisfy({ (0...1).contains($0) })
    else { return "" }
    return ", \(scores[own.index]) to \(scores[own.opponent.index])"
  }

  /// Why the game ended, where the board does not show it.
  private func cause(_ ending: TableView.Ending, _ table: TableView) -> String {
    let who = ending.seat.map { $0 == table.seat ? "you" : table.name(of: $0) }
    return switch ending.cause {
    case .rules: ""
    case .resigned: ": \(who ?? "") resigned"
    case .left: ": \(who ?? "") left"
    case .ruled: ": the referee ruled against \(who ?? "")"
    case .offence: ": \(who ?? "") broke the protocol"
    case .forked: ": \(who ?? "both sides") wrote two histories of the room"
    case .drawAgreed: ", by agreement"
    }
  }
}

import EventLog
import Events
import Peer
import Pictures
import Platform
import Projection
import Rules
import SearchBots
import Service
import Terminal
import Tournaments

/// `parlor replay [ROOM] [--game N] [--at PLY] [--speed X]`.
enum ReplayCommand: Command {
  static let definition = CommandDefinition(
    "replay", group: Group.log,
    summary: "Show every position of a room's games, with each move and its author.",
    text: [
      "The games of a room come one after the other. Moves that were taken back are not shown. Of a"
        + " tournament the rooms of its pairings are listed, to be replayed one by one.",
      "On a terminal one position is shown at a time, unless --at, --speed, --plain or --json is given. Keys:"
        + " right, space, Enter or n goes on, left, Backspace or p goes back, up and down or [ and ] go to another"
        + " game, Home and End or g and G to its first and last position; q, Ctrl-D or Ctrl-C ends.",
      "A result is provisional until every seat has signed it, then agreed; sealed, when the tournament's"
        + " organizer has written it down.",
    ],
    arguments: [
      .init(
        "room",
        "The first digits of a room's id, `last` for the newest (also when it is left out), a bundle file, or"
          + " `-` for one on standard input.",
        isOptional: true, kind: .stored(.rooms, orFile: true))
    ],
    options: [
      .value("game", "N", "Only this game of the room, from 1."),
      .value("at", "PLY", "Only the position after so many moves, 0 for the start."),
      .value("speed", "X", "Show X moves a second, such as 2 or 0.5, instead of all at once."),
      Context.plain, Context.verbose,
      .flag(
        "analyze",
        "Say what the moves of each position are worth, and which was better: see `parlor analyze`."),
      GameReviewer.nodes,
      .value(
        "format", "FORMAT",
        "`svg` prints a picture, which moves unless --at chooses one position; `cast` a recording of a terminal, for"
          + " asciinema; `moves` the moves alone, a line for each game: columns of Connect Four, a transcript of"
          + " Othello",
        standard: "text", kind: .choice(["text", "svg", "cast", "moves"])),
    ],
    examples: [
      .init("replay", "The newest room."),
      .init("replay 3f2a --game 2 --speed 1", "Its second game, a move a second."),
      .init("replay game.parlor --at 7", "The position after the seventh move, from a file."),
      .init("replay last --format svg > game.svg", "A picture that moves, for a browser."),
      .init("replay last --format moves --game 1", "Its moves, as other programs read them."),
    ],
    exitStatuses: [
      .init(.noInput, "There is no such room or file."),
      .init(.interrupted, "Interrupted by Ctrl-C."),
    ],
    objects: [ReplayFrame.object, ReplayFrame.endingObject, ReplayPairing.object] + [ChatLines.object]
      + RoundsView.objects)

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let named = try NamedRoom(parsed.argument("room") ?? "last", context)
    let room = named.room
    if room.isTournament { return try ReplayPairing.list(named, context) }
    if room.state.hosted?.rules != nil { return try replayRounds(of: room, parsed, context) }
    guard room.rules != nil else {
      let rules = "\(room.title) version \(room.state.create.rulesVersion)"
      throw Failure(.dataError, "the rules \(rules) are not known here, so the room cannot be replayed")
    }
    guard room.state.start != nil else {
      try showUnstarted(room, context)
      return .ok
    }
    let games = try chosenGames(of: room, parsed)
    let at: Int? = try parsed.integer("at", in: 0...10_000)
    for game in games { try check(at, in: game, parsed) }
    let pause = try pauseMilliseconds(parsed)
    let seal = try seal(of: named, context)
    let reviews = try reviews(of: games, in: room, at: at, parsed, context)
    if let lines = try picture(
      of: room, games, reviews, at: at, milliseconds: pause ?? 1_000, seal, parsed, context)
    {
      try context.console.data(lines)
      return .ok
    }
    if !context.isJSON { try context.console.lines(heading(of: room, context)) }
    if isStepped(parsed, context),
      let steps = try ReplaySteps(
        room, games, reviews, seal: seal, isVerbose: context.isVerbose, context.console)
    {
      return try steps.run(context.interrupts)
    }
    for (game, review) in zip(games, reviews) {
      let frames = try ReplayFrame.all(
        of: game, in: room, isVerbose: context.isVerbose, review: review)
      try await show(frames, at: at, pause: pause, seal: seal, context)
    }
    return .ok
  }

  /// What the moves of each game were worth, with `--analyze`; `nil` for each without it.
  private static func reviews(
    of games: [GameRecord], in room: Room, at: Int?, _ parsed: ParsedCommand, _ context: Context
  ) throws -> [GameReview?] {
    let reviewer = try GameReviewer(parsed, context)
    guard parsed.has("analyze") else { return games.map { _ in nil } }
    try GameReviewer.check(room)
    var reviews: [GameReview?] = []
    try reviewer.review(games, in: room, at: at) { reviews.append($1) }
    return reviews
  }

  /// The most positions of a picture: more than people look at, and little enough for a browser.
  private static let limitPictured = 2_000

  /// The games as a picture or a recording; `nil` for text.
  private static func picture(
    of room: Room, _ games: [GameRecord], _ reviews: [GameReview?], at: Int?, milliseconds: Int,
    _ seal: [[Int32]]?, _ parsed: ParsedCommand, _ context: Context
  ) throws -> [String]? {
    guard let format = parsed.text("format"), format != "text" else { return nil }
    if context.isJSON { throw parsed.badValue("format", "--json prints objects; leave out one of the two") }
    if format == "moves" {
      return try games.map { game in
        let frames = try ReplayFrame.all(of: game, in: room, isVerbose: false, review: nil)
        return MoveList.line(frames.prefix { $0.ply <= at ?? .max }, of: room.state.create.rules)
      }
    }
    var frames: [GamePicture.Frame] = []
    for (game, review) in zip(games, reviews) {
      for frame in try ReplayFrame.all(
        of: game, in: room, isVerbose: context.isVerbose, review: review)
      where at == nil || at == frame.ply {
        let ending = frame.ply == game.plies.count ? ". \(frame.endingWords(seal: seal))" : ""
        let (words, diagram) = (frame.words(Drawing()) + ending, frame.diagram)
        frames.append(
          GamePicture.Frame(caption: words, diagram: diagram, pieces: room.pieces(in: diagram)))
      }
    }
    guard !frames.isEmpty, frames.count <= limitPictured else {
      throw Failure(
        .usage, "the games have \(frames.count) positions, and a picture has at most \(limitPictured)",
        hint: "`--game N` takes one of them")
    }
    let picture = GamePicture(
      title: "\(room.title), room \(room.state.room.short)", names: room.state.names, frames: frames)
    return format == "svg"
      ? picture.svg(milliseconds: milliseconds) : picture.cast(milliseconds: milliseconds)
  }

  /// Shows hosted rounds as those who looked on saw them.
  private static func replayRounds(
    of room: Room, _ parsed: ParsedCommand, _ context: Context
  ) throws -> ExitStatus {
    if parsed.text("format") != "text" {
      throw parsed.badValue("format", "pictures are made of games; rounds are shown as text")
    }
    for option in ["game", "at", "speed"] where parsed.has(option) {
      throw parsed.badValue(option, "it is for games; rounds are shown from the first to the last")
    }
    let events = room.log.graph.events
    guard var projection = RoomProjection(create: events[0], catalog: context.games) else {
      return .dataError
    }
    var view = RoundsView(context, isLive: false)
    // What lies behind a fork of the host's feed never was.
    let fork = room.log.graph.forks[room.state.creator] ?? .max
    for event in events where event.author != room.state.creator || event.sequence < fork {
      projection.apply(event)
      try view.tell(TableView(projection.state, for: .none, games: context.games))
    }
    try view.tellEnd(TableView(room.state, for: .none, games: context.games))
    return .ok
  }

  /// Whether somebody steps through the positions.
  private static func isStepped(_ parsed: ParsedCommand, _ context: Context) -> Bool {
    guard !context.isJSON, parsed.text("at") == nil, parsed.text("speed") == nil else { return false }
    return context.fillsTerminal
  }

  private static func showUnstarted(_ room: Room, _ context: Context) throws {
    guard !context.isJSON else { return }
    try context.console.line(
      "\(room.title), room \(room.state.room.short): \(room.status), no move was made.")
  }

  /// The games that `--game` chooses, all without it.
  static func chosenGames(of room: Room, _ parsed: ParsedCommand) throws(UsageError) -> [GameRecord] {
    let count = max(1, room.state.games.count)
    guard let number: Int = try parsed.integer("game", in: 1...count) else { return room.state.games }
    return room.state.games.filter { $0.number == number - 1 }
  }

  private static func pauseMilliseconds(_ parsed: ParsedCommand) throws(UsageError) -> Int? {
    guard let text = parsed.text("speed") else { return nil }
    guard let speed = Double(text), (0.01...1000).contains(speed) else {
      throw parsed.badValue("speed", "moves a second are a number from 0.01 to 1000")
    }
    return Int((1000 / speed).rounded())
  }

  private static func heading(of room: Room, _ context: Context) -> [String] {
    let drawing = context.console.output.drawing
    // Pieces that may change hands are named with the positions alone.
    let start = room.rules?.start(first: Seat(0)).view(for: nil).diagram ?? Diagram()
    var lines = [drawing.paint("\(room.title), room \(room.state.room.short)", .bold)]
    if let branch = room.state.create.branchOf {
      lines.append("It goes on from \(Room.words(for: branch)).")
    }
    for (index, occupant) in room.state.seats.enumerated() {
      guard let occupant else { continue }
      let seat = Seat(UInt16(truncatingIfNeeded: index))
      let mark = start.sides.isEmpty ? room.mark(of: seat, in: start, drawing) : ""
      lines.append(
        "\(seat): \(mark)\(room.name(of: seat))\(Room.words(for: occupant.profile.bot))")
    }
    return lines
  }

  /// The scores of each game that the organizer wrote down; `nil` outside of a tournament.
  private static func seal(of named: NamedRoom, _ context: Context) throws -> [[Int32]]? {
    guard let store = named.store,
      case .games(let id, _, _) = named.room.state.create.purpose, id.isSome
    else { return nil }
    do throws(LogError) {
      let tournament = try store.tournament(byWords: id, context.games)
      return tournament?.rooms.first { $0.room == named.room.state.room }?.games
    } catch {
      guard case .unknownRoom = error else { throw error }
      return nil
    }
  }

  private static func show(
    _ frames: [ReplayFrame], at: Int?, pause: Int?, seal: [[Int32]]?, _ context: Context
  ) async throws {
    for frame in frames where at == nil || at == frame.ply {
      if let pause, frame.ply > 0, at == nil { try wait(pause, context) }
      try context.checkStop()
      try frame.show(context)
    }
    if at == nil { try frames.last?.showEnding(seal: seal, context) }
  }

  private static func check(_ at: Int?, in game: GameRecord, _ parsed: ParsedCommand) throws(UsageError) {
    guard let at, at > game.plies.count else { return }
    throw parsed.badValue(
      "at", "game \(game.number + 1) has \(Room.count(game.plies.count, "move")); take a number up to that")
  }

  /// Waits for so long, or until somebody asks to stop.
  private static func wait(_ milliseconds: Int, _ context: Context) throws {
    _ = try Descriptor.waitReadable([context.interrupts.stop], timeoutMilliseconds: milliseconds)
  }
}

extension Room {
  /// What stands for a seat on the board with a space after it; empty where the game has no pieces.
  func mark(of seat: Seat, in diagram: Diagram, _ drawing: Drawing) -> String {
    let pieces = pieces(in: diagram)
    guard seat.index < pieces.count else { return "" }
    return "\(BoardDrawing(pieces: pieces, drawing: drawing).piece(of: seat, in: diagram).text) "
  }
}

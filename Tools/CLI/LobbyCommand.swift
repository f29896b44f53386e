import Events
import Projection
import Rules
import Service
import Terminal

/// `parlor lobby`: the games that wait for players.
enum LobbyCommand: Command {
  static let definition = CommandDefinition(
    "lobby", group: Group.network, summary: "List the games and tournaments nearby with a free seat, live.",
    text: [
      "A game is listed while its host is connected, until its seats are taken, it is closed, or the host is gone."
        + " On a terminal the list is drawn anew with each change until Ctrl-C; elsewhere each change is a line."
    ],
    options: [
      .flag("once", "Print the list as it is and end; with --connect, when those peers have answered."),
      EarlierGames.option(mayGoOn: false),
    ]
      + NetworkOptions.definitions,
    examples: [
      .init("lobby", "live, until Ctrl-C"),
      .init("lobby --once --json --connect 192.168.0.7:4141", "what is open there, for a program"),
    ],
    objects: [
      NetworkOptions.listeningObject, EarlierGames.object,
      .init(
        "open", "For each game, when it appears.",
        [
          "room": "the room's id", "code": "the code for `parlor join`", "game": "the game's name",
          "host": "the name that the host gave itself", "peer": "the host's public key",
          "bot": "what the host plays as a bot, or null", "own": "whether it is this peer's own game",
          "invited": "whether the host has invited this peer",
          "tournament": "whether it is a tournament, for `parlor tournament join`",
          "games": "how many games the series, or each pairing, has, or null for hosted rounds",
          "wins": "how many of them a player must win for it to be over before, or null",
          "referee": "the referee's key, or null",
          "move-limit": "milliseconds for each move, or null", "clock": "milliseconds for a game, or null",
          "increment": "what each move adds to the clock, or null",
        ]),
      .init(
        "gone", "For each game that was listed, when it is not open any more.", ["room": "the room's id"]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    try await Sitting.open(parsed, context) { sitting in
      let service = sitting.service
      var refusals = Refusals(try NetworkOptions.addresses(parsed))
      try await EarlierGames(sitting: sitting).settle()
      if parsed.has("once") {
        guard try await sitting.inquiry.firstAnswers() else { return .interrupted }
        try await refusals.tell(service, context.console)
        try list(try await games(service), context)
        return .ok
      }
      return try await watch(service, sitting.input, &refusals, context)
    }
  }

  /// The games, sorted as they are shown: by game, host and id.
  private static func games(_ service: any Service) async throws -> [OpenGame] {
    var games: [OpenGame] = []
    for room in try await service.openGames() {
      guard let state = try await service.state(of: room), state.hasFreeSeat(for: service.peer) else {
        continue
      }
      games.append(OpenGame(state, for: service.peer))
    }
    return games.sorted { $0.order.lexicographicallyPrecedes($1.order) }
  }

  private static func watch(
    _ service: any Service, _ input: TableInput, _ refusals: inout Refusals, _ context: Context
  ) async throws -> ExitStatus {
    do { try await follow(service, input, &refusals, context) } catch {
      try context.console.leaveDrawing()
      throw error
    }
    try context.console.leaveDrawing()
    return .interrupted
  }

  private static func follow(
    _ service: any Service, _ input: TableInput, _ refusals: inout Refusals, _ context: Context
  ) async throws {
    let isDrawn = !context.isJSON && context.console.output.movesCursor
    var shown: [OpenGame]?
    var peers: Int?
    repeat {
      try await refusals.tell(service, context.console)
      let now = try await games(service)
      let connected = Set(try await service.neighbours().filter { $0.state == .connected }.map(\.peer)).count
      defer { (shown, peers) = (now, connected) }
      if isDrawn {
        if now != shown || connected != peers { try draw(now, peers: connected, context) }
      } else if now != shown {
        try tell(from: shown ?? [], to: now, isFirst: shown == nil, context)
      }
    } while try await input.change().isChange
  }

  /// Draws the list in the place of the one before, as much of it as the terminal shows.
  private static func draw(_ games: [OpenGame], peers: Int, _ context: Context) throws {
    let others = peers == 0 ? "No other peer is here yet" : "\(Room.count(peers, "other peer")) here"
    try context.console.draw(
      lines(games, context), foot: "\(others); Ctrl-C ends.", all: "`parlor lobby --once` lists all")
  }

  private static func list(_ games: [OpenGame], _ context: Context) throws {
    if context.isJSON { return try tell(from: [], to: games, isFirst: true, context) }
    try context.console.lines(lines(games, context))
  }

  /// The list for people.
  private static func lines(_ games: [OpenGame], _ context: Context) -> [String] {
    let output = context.console.output
    func wrapped(_ text: String) -> [String] {
      WrappedText.lines(
        context.console.pasteable(text), columns: output.limitColumns ?? .max, keepsCommands: true)
    }
    guard !games.isEmpty else { return wrapped(empty) }
    var table = TextTable([
      .text("CODE", shrinks: false), .text("GAME"), .text("HOST"), .text("").yielding(1),
    ])
    for game in games { table.append(game.cells) }
    let hasTournament = games.contains(where: \.isTournament)
    return table.lines(limitColumns: output.limitColumns, drawing: output.drawing)
      + wrapped(
        "`parlor join CODE` takes a seat\(hasTournament ? ", `parlor tournament join CODE` enters a tournament" : "")."
      )
  }

  private static let empty =
    "No game is open nearby. `parlor host tic-tac-toe` opens one, and whoever looks here sees it."

  /// One line for each change.
  private static func tell(
    from old: [OpenGame], to new: [OpenGame], isFirst: Bool, _ context: Context
  ) throws {
    for game in old where !new.contains(where: { $0.room == game.room }) {
      if context.isJSON {
        try context.object("gone", ["room": .string(game.room.description)])
      } else {
        try context.console.line("gone  \(game.words)")
      }
    }
    for game in new where !old.contains(game) {
      if context.isJSON {
        try context.object("open", game.members)
      } else {
        try context.console.line("open  \(game.words)")
      }
    }
    if isFirst, new.isEmpty, !context.isJSON { try context.console.paragraph(empty) }
  }
}

/// A game with a free seat, as the lobby shows it.
struct OpenGame: Hashable {
  let room: RoomID
  private let game: String
  private let host: String
  private let peer: PeerID
  private let bot: String?
  private let isOwn: Bool
  private let isInvited: Bool
  private let create: Create
  /// How many places of a tournament are taken; `nil` of a game.
  private let entrants: Int?

  init(_ state: RoomState, for peer: PeerID) {
    room = state.room
    game = state.create.rules
    host = state.create.profile.name
    self.peer = state.creator
    bot = state.create.profile.bot?.specification
    isOwn = state.creator == peer
    isInvited = state.invited.contains(peer)
    create = state.create
    entrants = state.isTournament ? state.seats.count { $0 != nil } : nil
  }

  var isTournament: Bool { entrants != nil }

  var order: [String] { [game, host, room.description] }

  /// The host as people know it: the name it gave itself, safe to print, and the beginning of its key.
  private var shownHost: String {
    let name = SafeText(host, limitColumns: 32).text
    let digits = peer.description.prefix(6)
    return name.isEmpty ? String(digits) : "\(name) (\(digits))"
  }

  private var note: String {
    let kind = isOwn ? "your own" : isInvited ? "invites you" : bot == nil ? "" : "a bot"
    let referee =
      create.referee.isSome && (!isTournament || Terms(create).hasLimits)
      ? "referee \(create.referee.description.prefix(6)): \(Terms(create).limitWords)" : ""
    return [kind, tournament, series, referee].filter { !$0.isEmpty }.joined(separator: "; ")
  }

  private var tournament: String {
    guard let entrants, case .tournament(_, _, _, let title) = create.purpose else { return "" }
    let words = "tournament, \(entrants) of \(create.seats) there"
    return title.isEmpty ? words : "\(SafeText(title, limitColumns: 24).text): \(words)"
  }

  /// How long it is, where that is more than one game.
  private var series: String {
    guard !create.isHosted, !isTournament, create.games > 1 else { return "" }
    let games = Room.count(Int(create.games), "game")
    guard create.target > 0 else { return games }
    let wins = "first with \(Room.count(Int(clamping: create.target), "win"))"
    return create.games == Create.limitGames ? wins : "\(wins), \(games) at the most"
  }

  var cells: [String] { [GameCode.of(room), game, shownHost, note] }

  var words: String { cells.filter { !$0.isEmpty }.joined(separator: "  ") }

  var members: [JSONMember] {
    [
      JSONMember("room", .string(room.description)), JSONMember("code", .string(GameCode.of(room))),
      JSONMember("game", .string(game)), JSONMember("host", .string(host)),
      JSONMember("peer", .string(peer.description)), JSONMember("bot", .optional(bot)),
      JSONMember("own", .bool(isOwn)), JSONMember("invited", .bool(isInvited)),
      JSONMember("tournament", .bool(isTournament)),
      JSONMember("games", create.isHosted ? .null : .integer(Int64(create.games))),
      JSONMember("wins", create.target > 0 ? .integer(Int64(create.target)) : .null),
    ] + Terms(create).limitMembers
  }
}

extension Console {
  /// Draws lines in the place of those before, as many as the terminal shows, and one below.
  /// - Parameter all: what shows the rest, in words.
  func draw(_ lines: [String], foot: String, all: String) throws(ConsoleError) {
    let room = max(3, output.rows - 2)
    var shown = lines
    if lines.count > room {
      let hidden = lines.count - room + 1
      shown =
        lines.prefix(room - 1) + [
          pasteable("… and \(Room.count(hidden, "more line")): \(all).")
        ]
    }
    try draw(shown + WrappedText.lines(foot, columns: output.columns))
  }
}

import Events
import Peer
import Platform
import Projection
import Service
import Terminal
import Tournaments

/// `parlor tournament open`.
enum TournamentOpenCommand: Command {
  static let definition = CommandDefinition(
    "tournament open", group: Group.tournaments,
    summary: "Let entrants come to a tournament of one's own, start it, and see it to its end.",
    text: [
      "Shows who enters. At a terminal `start` starts with those that are there, `standings` shows how it stands, and"
        + " `quit` leaves; `parlor tournament start` does it from elsewhere. `admit NAME` lets somebody in that asks"
        + " after the start (`parlor tournament admit --help`). From then on this peer rules on time"
        + " limits, writes down results as tables end, and shows them; where it has a seat itself it opens its tables.",
      "`parlor serve` does the same duties without showing anything. Stopped or killed, it goes on where it was. While"
        + " no process of the organizer's runs, games go on between players, and what both sign counts; rounds of a"
        + " swiss or ladder wait for it.",
    ],
    arguments: [Self.argument],
    options: [
      .value("start-at", "N", "Start by itself when so many have entered.")
    ] + [Context.noBell, Context.plain, Context.verbose] + NetworkOptions.definitions,
    examples: [
      .init("tournament open last --listen 0.0.0.0:4141", "until it is over"),
      .init("tournament open KTQWXZ --start-at 8", "starts with the eighth entrant"),
    ],
    exitStatuses: [
      .init(.ok, "It is over."), .init(.interrupted, "It was stopped; the same command goes on."),
    ],
    objects: [NetworkOptions.listeningObject] + FollowedTournament.objects + PlayView.remoteObjects)

  static let argument = ArgumentDefinition(
    "room", "The tournament's code, its id, the id's first digits, or `last` for the newest one here.",
    kind: .stored(.tournaments))

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let wanted = try parsed.integer("start-at", in: 2...Int(Create.limitEntrants))
    let name = try RoomName.tournament(parsed, context.store)
    return try await Sitting.open(parsed, context) { sitting in
      guard let state = try await sitting.tournament(name) else { return .interrupted }
      let service = sitting.service
      guard state.creator == service.peer else {
        throw ServiceError.refused(
          "the tournament is another peer's: `parlor tournament join` enters it, `parlor tournament watch` looks on"
        )
      }
      try await service.attend(state.room)
      var followed = FollowedTournament(sitting, state.room)
      guard try await waitForStart(&followed, at: wanted) else { return .interrupted }
      if state.seat(of: service.peer) != nil {
        return try await followed.play(
          at: try NetworkOptions.addresses(parsed), resuming: "tournament open \(GameCode.of(state.room))")
      }
      return try await see(&followed)
    }
  }

  /// Lets entrants come until the tournament has started.
  /// - Returns: `false` when it was asked to stop.
  private static func waitForStart(_ followed: inout FollowedTournament, at wanted: Int?) async throws -> Bool
  {
    var isTold = false
    while try await followed.look() == nil {
      let state = try await followed.service.state(of: followed.room)
      let isCalled = state?.start != nil || state?.seeding != nil
      if let wanted, let state, !isCalled, state.seats.count(where: { $0 != nil }) >= wanted {
        _ = try await followed.service.perform(.act(followed.room, .start))
        continue
      }
      if !isTold, Descriptor.input.isTerminal, !followed.context.isJSON {
        followed.context.console.note(
          "Type `start` when all are there; `quit` leaves, and the same command goes on.")
      }
      isTold = true
      guard try await listen(nil, followed) else { return false }
    }
    return true
  }

  /// Shows results to the end.
  private static func see(_ followed: inout FollowedTournament) async throws -> ExitStatus {
    while true {
      guard let tournament = try await followed.look() else { return .interrupted }
      if tournament.state.isComplete, let status = try await followed.end(tournament) { return status }
      guard try await listen(tournament, followed) else { return .interrupted }
    }
  }

  /// Waits for a line or a change, and does what the line says.
  /// - Returns: `false` when it is to end.
  private static func listen(_ tournament: TournamentRoom?, _ followed: FollowedTournament) async throws
    -> Bool
  {
    guard Descriptor.input.isTerminal else { return try await followed.wait() }
    guard case .line(let line) = try await followed.sitting.input.next() else { return true }
    guard case .line(let text) = line else { return false }
    let words = text.trimmingBlanks.split(separator: " ", maxSplits: 1).map(String.init)
    if words.first?.lowercased() == "admit" {
      await admit(words.dropFirst().first ?? "", followed)
      return true
    }
    switch text.trimmingBlanks.lowercased() {
    case "": break
    case "start": try await followed.sitting.attempt(.act(followed.room, .start))
    case "quit", "exit": return false
    case "standings": if let tournament { try followed.tellStandings(tournament) }
    default: followed.context.console.report(error: "type `start`, `admit NAME`, `standings` or `quit`")
    }
    return true
  }

  /// Lets in whom a line names; what is wrong with that is said.
  private static func admit(_ name: String, _ followed: FollowedTournament) async {
    do {
      _ = try await TournamentAdmitCommand.admit(name, to: followed.room, followed.service)
    } catch let failure as Failure {
      followed.context.console.report(error: failure.words ?? "", hint: failure.hint)
    } catch {
      followed.context.console.report(error: "\(error)")
    }
  }
}

/// `parlor tournament start`.
enum TournamentStartCommand: Command {
  static let definition = CommandDefinition(
    "tournament start", group: Group.tournaments,
    summary: "Start a tournament of one's own with the entrants that are there.",
    text: [
      "Seeds are the order of entry. Where they are drawn (`tournament create --seeding draw`) the command calls the"
        + " entrants: each that is there answers and draws by itself, and the tournament starts when all have. The same"
        + " command again goes on without those who do not answer; they stay out.",
      "After the start nobody can enter, but for a round robin, gauntlet, swiss or ladder with places left, whose"
        + " organizer lets them in: `parlor tournament admit`.",
    ],
    arguments: [TournamentOpenCommand.argument],
    examples: [.init("tournament start last", "The newest tournament.")],
    exitStatuses: [.init(.usage, "It cannot start yet, as the message says.")],
    objects: [
      .init(
        "started", "When that is stored.", ["id": "the tournament's room", "entrants": "the names, by seed"]),
      .init(
        "called", "When the entrants are called to draw the seeds, or the organizer has opened its part.",
        [
          "called": "how many were called", "answered": "how many have answered",
          "drawn": "how many have opened their parts",
        ]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    try await context.usingTournament(parsed) { service, state in
      let room = state.room
      _ = try await service.perform(.act(room, .start))
      let now = try await service.state(of: room) ?? state
      if let seeding = now.seeding {
        try tell(seeding, room, context)
        return .ok
      }
      let names = now.seats.compactMap { $0?.profile.name }
      if context.isJSON {
        try context.object(
          "started",
          ["id": .string(room.description), "entrants": .array(names.map { .string($0) })])
      } else {
        try context.console.line("The tournament has started with \(Room.count(names.count, "entrant")).")
      }
      return .ok
    }
  }

  /// Tells where a draw of seeds stands.
  private static func tell(_ seeding: SeedingDraw, _ room: RoomID, _ context: Context) throws {
    if context.isJSON {
      return try context.object("called", FollowedTournament.members(of: seeding))
    }
    try context.console.line(FollowedTournament.words(on: seeding))
    context.console.note(
      "It starts by itself while `parlor tournament open` or `parlor serve` runs here;"
        + " `parlor tournament start \(room.short)` goes on without those who are silent.")
  }
}

extension Context {
  /// Does something with the tournament that a command names, by whichever process has the data folder.
  func usingTournament(
    _ parsed: ParsedCommand, _ body: (any Service, RoomState) async throws -> ExitStatus
  ) async throws -> ExitStatus {
    try store.require()
    let name = try RoomName.tournament(parsed, store)
    let service = try await folderService(parsed)
    return try await service.untilDone {
      guard let room = try await service.room(named: name),
        let state = try await service.state(of: room), state.isTournament
      else {
        throw Failure(
          .noInput, "there is no such tournament here", hint: "`parlor tournament list` lists them")
      }
      return try await body(service, state)
    }
  }
}

/// `parlor tournament watch`.
enum TournamentWatchCommand: Command {
  static let definition = CommandDefinition(
    "tournament watch", group: Group.tournaments, summary: "Look on while a tournament is played elsewhere.",
    text: [
      "On a terminal the bracket, or the list of pairings, and the standings are drawn anew as things happen, until the"
        + " end or Ctrl-C, with what is being played and about how long the rest takes. Elsewhere a result is a line."
    ],
    arguments: [TournamentOpenCommand.argument], options: NetworkOptions.definitions,
    examples: [.init("tournament watch KTQWXZ --connect 192.168.0.7:4141", "from the peer there")],
    exitStatuses: [.init(.ok, "It is over.")],
    objects: [NetworkOptions.listeningObject] + FollowedTournament.objects)

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let name = try RoomName.tournament(parsed, context.store)
    return try await Sitting.open(parsed, context) { sitting in
      guard let state = try await sitting.tournament(name) else { return .interrupted }
      let isDrawn = !context.isJSON && context.console.output.movesCursor
      var followed = FollowedTournament(sitting, state.room, drawsResults: isDrawn)
      repeat {
        guard let tournament = try await followed.look() else { continue }
        if isDrawn { try await followed.draw(tournament) }
        guard tournament.state.isComplete else { continue }
        try followed.tellEnd(tournament)
        return .ok
      } while try await followed.wait()
      try context.console.leaveDrawing()
      return .interrupted
    }
  }
}

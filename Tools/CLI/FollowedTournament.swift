import EventLog
import Events
import Network
import Peer
import Projection
import Rules
import Service
import Terminal
import Tournaments

/// Somebody's following of a tournament whose games are played at its entrants' own tables: tells who enters, each
/// result as it comes, and the end.
struct FollowedTournament {
  let sitting: Sitting
  let room: RoomID
  /// How many entrants were told.
  private var entrants = 0
  /// Whether it was looked at.
  private var hasSeenEntry = false
  /// Where the draw of seeds stood when it was told last.
  private var seeding: SeedingDraw?
  /// Who was told to ask to come in after the start: so many at most, as anybody may ask.
  private var asking: Set<EventID> = []
  private static let limitAsking = 64
  /// How many there may be, as was said when it was created.
  private var places = 0
  private var hasStarted = false
  /// Whether how it stands is drawn, and results are not told a line each.
  private let drawsResults: Bool
  private var pace = Pace()
  private let now: @Sendable () -> Int64
  private let memory = PairingRoomMemory()
  /// How many pairings that are played are drawn.
  private static let limitPlaying = 8
  /// The results that were told. In which order they count changes while they come in.
  private var told: Set<PairingResult> = []

  static let objects = [
    ObjectDefinition(
      "entered", "When an entrant has a seat, before the start or later.",
      [
        "entrant": "its name", "peer": "its public key", "bot": "which bot it is; null for a person",
        "entrants": "how many there are", "places": "how many there may be",
      ]),
    ObjectDefinition(
      "drawing", "While seeds are drawn, when somebody has answered the organizer's call or has drawn.",
      [
        "called": "how many were called", "answered": "how many have answered",
        "drawn": "how many have opened their parts",
      ]),
    ObjectDefinition(
      "asked", "When somebody asks its organizer to come in after the start.",
      ["entrant": "the name", "peer": "the public key", "bot": "which bot it is; null for a person"]),
    ObjectDefinition(
      "started", "When it has started.", ["id": "the tournament's room", "entrants": "the names, by seed"]),
    TournamentObjects.decided,
    ObjectDefinition(
      "reopened", "When a result counts no longer: the organizer has taken its ruling back.",
      ["pairing": "the pairing, such as `M3`", "attempt": "1, or more for a decider"]),
    TournamentObjects.finished,
  ]

  init(_ sitting: Sitting, _ room: RoomID, drawsResults: Bool = false) {
    self.sitting = sitting
    self.room = room
    self.drawsResults = drawsResults
    now = ContinuousClock().stopwatch
  }

  var context: Context { sitting.context }
  var service: any Service { sitting.service }

  /// Looks at the tournament, and tells what is new.
  /// - Returns: it, once it has started.
  mutating func look() async throws -> TournamentRoom? {
    guard let state = try await service.state(of: room) else { throw PeerError.unknownRoom(room) }
    if case .closed = state.phase { throw ServiceError.refused("the tournament was closed before it began") }
    try tellEntrants(state)
    try tellSeeding(state)
    guard state.start != nil, let tournament = try service.tournament(room, memory) else { return nil }
    let view = TournamentView(tournament: tournament, context: context)
    if !hasStarted {
      hasStarted = true
      if context.isJSON {
        try context.object(
          "started",
          ["id": .string(room.description), "entrants": .array(tournament.labels.map { .string($0) })])
      } else {
        try context.console.line("The tournament has started.\(drawsResults ? "" : " \(view.heading)")")
      }
    }
    if !drawsResults { try tellResults(view) }
    return tournament
  }

  private mutating func tellSeeding(_ state: RoomState) throws {
    guard let now = state.seeding, now != seeding else { return }
    seeding = now
    guard context.isJSON else { return try context.console.line(Self.words(on: now)) }
    try context.object("drawing", Self.members(of: now))
  }

  /// Where a draw of seeds stands, for scripts.
  static func members(of seeding: SeedingDraw) -> KeyValuePairs<String, JSONValue> {
    [
      "called": .integer(Int64(seeding.called.count)), "answered": .integer(Int64(seeding.answered.count)),
      "drawn": .integer(Int64(seeding.drawn.count)),
    ]
  }

  /// Where a draw of seeds stands, in words.
  static func words(on seeding: SeedingDraw) -> String {
    seeding.isOpened
      ? "Seeds are drawn: \(seeding.drawn.count) of \(seeding.answered.count) have opened their parts."
      : "Seeds are drawn: \(seeding.answered.count) of \(seeding.called.count) entrants have answered."
  }

  private mutating func tellEntrants(_ state: RoomState) throws {
    let seated = state.seats.compactMap { $0 }
    places = state.places
    // Who comes later than the start is told of all at once; and where seeds are drawn not all are there any more.
    if state.start != nil, !hasSeenEntry || !hasStarted && state.create.drawsSeeds {
      entrants = seated.count
    }
    hasSeenEntry = true
    for occupant in seated.dropFirst(entrants) {
      entrants += 1
      if context.isJSON {
        try context.object(
          "entered",
          [
            "entrant": .string(occupant.profile.name), "peer": .string(occupant.peer.description),
            "bot": .optional(occupant.profile.bot?.specification), "entrants": .integer(Int64(entrants)),
            "places": .integer(Int64(places)),
          ])
      } else {
        let name = SafeText(occupant.profile.name, limitColumns: 40).text
        try context.console.line("\(name) has entered: \(entrants) of \(places).")
      }
    }
    if state.start != nil, state.creator == service.peer { try tellRequests(state) }
  }

  /// Tells the organizer who asks to come in after the start, each once.
  private mutating func tellRequests(_ state: RoomState) throws {
    for request in state.openRequests where asking.count < Self.limitAsking {
      guard asking.insert(request.id).inserted else { continue }
      if context.isJSON {
        try context.object("asked", TournamentAdmitCommand.members(of: request))
      } else {
        let command = "parlor tournament admit \(room.short) \(request.peer.description.prefix(6))"
        try context.console.line(
          context.console.pasteable(
            "\(TournamentAdmitCommand.label(request)) asks to come in: `\(command)` lets it."))
      }
    }
  }

  /// Tells the results that are new, also those that follow from a withdrawal; for people each pairing once, as it
  /// stands by now.
  private mutating func tellResults(_ view: TournamentView) throws {
    let tournament = view.tournament
    let rooms = context.isJSON ? view.rooms : [:]
    let reopened = told.subtracting(tournament.state.known.flatMap(\.results))
    told.subtract(reopened)
    for result in reopened.sorted(by: { ($0.pairing, $0.attempt) < ($1.pairing, $1.attempt) }) {
      if context.isJSON {
        try context.object(
          "reopened",
          ["pairing": .string(result.pairing.description), "attempt": .integer(Int64(result.attempt) + 1)])
      } else {
        try context.console.line("\(view.line(result.pairing)) The ruling was taken back.")
      }
    }
    for record in tournament.state.known {
      let news = record.results.filter { !told.contains($0) }
      guard !news.isEmpty else { continue }
      told.formUnion(news)
      guard context.isJSON else {
        try context.console.line(view.line(record.pairing.number))
        continue
      }
      for result in news {
        guard let attempt = record.pairing.attempt(Int(result.attempt)) else { continue }
        // Those of a pairing count one after the other; a walkover that follows from a withdrawal has none.
        let room = rooms[record.pairing.number]?.dropFirst(Int(result.attempt)).first
        try TournamentObjects.tell(
          attempt, result.games.map(\.scores), in: room ?? .none, tournament, context)
      }
    }
  }

  /// Tells the standings so far.
  func tellStandings(_ tournament: TournamentRoom) throws {
    guard !context.isJSON else { return }
    let view = TournamentView(tournament: tournament, context: context)
    let state = tournament.state
    try context.console.lines(
      ["After \(state.decidedCount) of \(state.pairingCount) pairings:"] + view.standings() + [""])
  }

  /// Draws how the tournament stands in the place of what was drawn before, with what is being played.
  mutating func draw(_ tournament: TournamentRoom) async throws {
    let view = TournamentView(tournament: tournament, context: context)
    let state = tournament.state
    let left =
      pace.left(state.decidedCount, of: state.pairingCount, atMilliseconds: now())
      .map { ", about \(DurationText.text(milliseconds: $0)) left" } ?? ""
    try context.console.draw(
      [view.heading] + (try await playing(tournament, view)) + [""] + view.bracket() + [""]
        + view.standings(),
      foot: "\(state.decidedCount) of \(state.pairingCount) pairings are decided\(left); Ctrl-C ends.",
      all: "`parlor tournament show \(room.short)` shows all")
  }

  /// The pairings that are being played at their entrants' tables, a line each; the first ones.
  private func playing(_ tournament: TournamentRoom, _ view: TournamentView) async throws -> [String] {
    let tables = PlayersTables(try service.store.rooms(of: room))
    var lines: [String] = []
    for attempt in tournament.state.ready.prefix(Self.limitPlaying) {
      guard let table = tables.table(of: attempt, in: tournament),
        let state = try await service.state(of: table), state.phase == .playing, let game = state.currentGame
      else { continue }
      let names = attempt.entrants.map(view.label).joined(separator: " – ")
      let number = attempt.games > 1 ? "game \(state.games.count) of \(attempt.games), " : ""
      lines.append("\(attempt.pairing.number) \(names): \(number)\(Room.count(game.plies.count, "move"))")
    }
    return lines
  }

  /// Tells the end, and leaves when the organizer knows of it as well.
  /// - Returns: `nil` where it goes on: the organizer has taken back what had ended it.
  func end(_ tournament: TournamentRoom) async throws -> ExitStatus? {
    try tellEnd(tournament)
    return try await Self.leave(tournament, service, context)
  }

  /// Tells the end.
  func tellEnd(_ tournament: TournamentRoom) throws {
    let view = TournamentView(tournament: tournament, context: context)
    if context.isJSON { return try context.object("finished", try view.summary()) }
    try context.console.leaveDrawing()
    let standing = drawsResults ? [] : view.bracket() + [""] + view.standings()
    try context.console.lines([""] + standing + view.remarks() + [""])
    try context.console.paragraph(view.champion)
    try context.console.line("Standings digest \(try tournament.standingsDigest())")
  }

  /// Waits for something to happen.
  /// - Returns: `false` when it was asked to stop.
  func wait() async throws -> Bool { try await sitting.input.change().isChange }
}

extension FollowedTournament {
  /// Plays this peer's pairings, each at its table when the other side has come, to the end of the tournament.
  /// - Parameters:
  ///   - addresses: where others were said to be.
  ///   - resuming: what goes on with it, as a command line without the program.
  mutating func play(at addresses: [Address], resuming: String) async throws -> ExitStatus {
    var awaited: PairingAttempt?
    // How many results there were when it was told last that the next round waits.
    var told: Int?
    while true {
      if let tournament = try await look() {
        guard tournament.entrants.contains(where: { $0.peer == service.peer }) else {
          throw ServiceError.refused("the seeds were drawn without this peer, which has no place now")
        }
        if tournament.state.isComplete {
          guard let status = try await end(tournament) else { continue }
          return status
        }
        let next = tournament.attempts(of: service.peer, all: false).first
        if let next, let table = try service.table(of: next, in: tournament),
          try await service.state(of: table)?.phase == .playing
        {
          awaited = nil
          tell(next, tournament, "You play")
          var play = PlayTable(
            context, NetworkGame(service, table, at: addresses, resuming: resuming), sitting.input)
          switch try await play.play() {
          case .over, .left: continue
          case .quit: return .ok
          case .interrupted: return .interrupted
          }
        }
        if let next, next != awaited { tell(next, tournament, "Waiting for") }
        let isWaiting = tournament.waitsForOrganizer && told != tournament.state.decidedCount
        if isWaiting, try await !service.neighbours().contains(where: { $0.peer == tournament.organizer }) {
          told = tournament.state.decidedCount
          context.console.note(TournamentView.waiting)
        }
        awaited = next
      }
      guard try await wait() else {
        context.console.note("The seat stays: `parlor \(resuming)` goes on.")
        return .interrupted
      }
    }
  }

  /// Tells whom this peer plays, or waits for.
  private func tell(_ attempt: PairingAttempt, _ tournament: TournamentRoom, _ words: String) {
    let view = TournamentView(tournament: tournament, context: context)
    let others = attempt.entrants.filter { tournament.entrants[$0.index].peer != service.peer }
    context.console.note("\(words) \(others.map(view.label).joined()) in \(attempt.pairing.number).")
  }
}

extension Sitting {
  /// The tournament of a name that ``RoomName/tournament(_:_:)`` has read, as soon as it is here.
  /// - Returns: `nil` when it was asked to stop.
  func tournament(_ name: String) async throws -> RoomState? {
    guard let state = try await arrival(of: name) else { return nil }
    guard state.isTournament else {
      throw ServiceError.refused("that is no tournament: `parlor join \(name)` joins a game")
    }
    return state
  }
}

extension FollowedTournament {
  /// How long whoever has played in a tournament that is over waits for its organizer.
  private static let organizerSeconds = 30

  /// Waits, but not for ever, until the organizer has said its last word on a tournament that is over here. Where it is
  /// cut off when the last result comes, it hears of that from nobody once those who hold the result are gone.
  /// - Returns: `nil` where it goes on: the organizer has taken back what had ended it.
  static func leave(
    _ tournament: TournamentRoom, _ service: any Service, _ context: Context
  ) async throws -> ExitStatus? {
    // The process that has the data folder stays, and tells it.
    guard let service = service as? PeerService else { return .ok }
    let begin = ContinuousClock.now
    var isTold = false
    // Of what the rooms of the games say nothing changes any more.
    while let state = try await service.state(of: tournament.room),
      !tournament.isEnded(by: state.tournamentWords)
    {
      guard !context.interrupts.isStopRequested else { return .interrupted }
      if await service.isClosed { break }
      // What the process has noted may be older than what is stored, by which it was found to be over.
      if try await !service.isComplete(tournament.room),
        try service.tournament(tournament.room)?.state.isComplete == false
      {
        context.console.note("The tournament goes on: its organizer has taken a ruling back.")
        return nil
      }
      guard begin.duration(to: .now) < .seconds(organizerSeconds) else {
        context.console.note(
          "The organizer has not heard of the end; the same command tells it when it is back.")
        break
      }
      if !isTold, begin.duration(to: .now) > .seconds(2) {
        isTold = true
        context.console.note("The organizer has not heard of the end yet: waiting for it; Ctrl-C leaves.")
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    return .ok
  }
}

import Events
import Peer
import Projection
import Service
import Terminal
import Tournaments

/// `parlor tournament join`.
enum TournamentJoinCommand: Command {
  static let definition = CommandDefinition(
    "tournament join", group: Group.tournaments,
    summary: "Enter a tournament, and play its pairings as they come.",
    text: [
      "Asks for a seat, waits for the start, and opens the table of each pairing when the other side is there. Between"
        + " games it shows the others' results. Who has a seat goes on with the same command, whatever ended the last"
        + " one; the seat stays. `parlor tournament withdraw` gives it up.",
      "A round robin, gauntlet, swiss or ladder that has started takes more entrants while it has places: they ask in"
        + " the same way, and the organizer lets them in with `parlor tournament admit`.",
      "At the end it stays until the organizer has heard of that, for 30 s at most; started again, it stays once more.",
      "Who enters agrees to the tournament's organizer and its time limits: it rules by its own clock when a player's"
        + " time is up, and decides what the players do not.",
    ],
    arguments: [TournamentOpenCommand.argument],
    options: [Context.noBell, Context.plain, Context.verbose] + ProfileWish.options
      + NetworkOptions.definitions,
    examples: [
      .init("tournament join KTQWXZ --connect 192.168.0.7:4141 --name Ada", "from the peer there"),
      .init("tournament join KTQWXZ", "from peers nearby"),
    ],
    exitStatuses: [
      .init(.ok, "The tournament is over, or waits to be gone on with."),
      .init(.negative, "There is no seat: it is full or over, has started and takes nobody, or is for bots."),
      .init(.interrupted, "It was stopped; the same command goes on."),
    ],
    objects: [NetworkOptions.listeningObject] + FollowedTournament.objects + PlayView.remoteObjects)

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let wish = try ProfileWish(parsed, context.console)
    let name = try RoomName.tournament(parsed, context.store)
    return try await Sitting.open(parsed, context) { sitting in
      guard let state = try await sitting.tournament(name) else { return .interrupted }
      let service = sitting.service
      guard state.creator != service.peer else {
        throw ServiceError.refused(
          "it is this peer's own tournament: `parlor tournament open` goes on with it")
      }
      guard try await enter(state, wish.profile(of: service.peer), sitting) else {
        return .interrupted
      }
      try await service.attend(state.room)
      var followed = FollowedTournament(sitting, state.room)
      return try await followed.play(
        at: try NetworkOptions.addresses(parsed), resuming: "tournament join \(GameCode.of(state.room))")
    }
  }

  /// Asks for a seat where this peer has none, and waits for the answer.
  /// - Returns: `false` when it was asked to stop.
  private static func enter(
    _ state: RoomState, _ profile: Profile, _ sitting: Sitting
  ) async throws -> Bool {
    let (context, service) = (sitting.context, sitting.service)
    guard state.seat(of: service.peer) == nil else { return true }
    guard state.phase == .waiting || state.lateSeats > 0 else {
      throw ServiceError.refused("the tournament has started without this peer, or is closed")
    }
    guard state.create.bots.admission != .required else {
      throw ServiceError.refused("the tournament is for bots: `parlor bot BOT --game GAME --tournament CODE`")
    }
    let terms = Terms(state.create)
    if terms.hasLimits { context.console.note("Time: \(terms.limitWords).") }
    let organizer = state.name(of: state.creator)
    let byHand = state.start == nil ? "" : " It has started: \(organizer) decides who still comes in."
    context.console.note("Asking \(organizer) for a seat; Ctrl-C takes that back.\(byHand)")
    _ = try await service.perform(.join(state.room, seat: Create.noSeat, profile, terms: terms))
    while let now = try await service.state(of: state.room) {
      if now.seat(of: service.peer) != nil { return true }
      guard now.phase == .waiting && now.seats.contains(nil) || now.takesLateEntrants else {
        try await sitting.withdraw(from: state.room)
        throw ServiceError.refused(
          "there is no seat any more: the tournament is full, has started, or is over")
      }
      guard try await sitting.input.change().isChange else {
        try await sitting.withdraw(from: state.room)
        return false
      }
    }
    return false
  }
}

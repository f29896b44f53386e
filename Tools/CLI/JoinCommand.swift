import Events
import Games
import Projection
import Rules
import Service
import Terminal

/// `parlor join`: a seat in somebody's game, or on with a game of one's own.
enum JoinCommand: Command {
  static let definition = CommandDefinition(
    "join", group: Group.network, summary: "Join a game, or go on with one, and play it.",
    text: [
      "Waits until the game has come from another peer. Where this peer has a seat in it already, it goes on from"
        + " the position in the log."
    ],
    arguments: [.init("room", "The game's code of six letters, its id, or the id's first digits.")],
    options: Context.profileOptions + Context.networkOptions,
    examples: [
      .init("join KTQWXZ --connect 192.168.0.7:4141", "the game with this code, from the peer there"),
      .init("join 3fa2 --emoji Dogs", "the game whose id begins so"),
    ],
    exitStatuses: [
      .init(.ok, "The game is over, or waits to be resumed."),
      .init(.negative, "Somebody else has the seat, or it is for others."),
    ],
    objects: [Context.listeningObject] + PlayView.remoteObjects)

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let name = parsed.argument("room") ?? ""
    var profile = try context.profile(parsed)
    let service = try await context.service(parsed)
    return try await context.using(service) {
      let input = try await TableInput(context.interrupts, following: service)
      guard let state = try await context.arrival(of: name, parsed, service, input) else {
        return .interrupted
      }
      guard try await seated(state, &profile, context, service, input) else { return .interrupted }
      return try await context.sit(at: state.room, parsed, service, input)
    }
  }

  /// Asks for a seat where this peer has none, and waits for the answer.
  /// - Returns: `false` when it was asked to stop.
  private static func seated(
    _ state: RoomState, _ profile: inout Profile, _ context: Context, _ service: any Service,
    _ input: TableInput
  ) async throws -> Bool {
    let me = service.peer
    guard state.creator != me, state.seat(of: me) == nil else { return true }
    // The host was first to choose its piece.
    let wishes = EmojiTeam.pieces(wanted: [state.create.profile.emoji, profile.emoji])
    if !profile.emoji.isEmpty { profile.emoji = wishes[1] }
    _ = try await service.perform(.join(state.room, seat: Create.noSeat, profile))
    while true {
      guard let state = try await service.state(of: state.room) else { return false }
      if state.seat(of: me) != nil { return true }
      guard state.phase == .waiting, state.seats.contains(nil) else {
        try await context.withdraw(from: state.room, service)
        if case .closed = state.phase { throw ServiceError.refused("the game was closed before it began") }
        throw ServiceError.refused("the seat is taken: somebody else was quicker")
      }
      guard case .changed = try await input.change() else {
        try await context.withdraw(from: state.room, service)
        return false
      }
    }
  }
}

extension Context {
  /// A game, as soon as it is here.
  /// - Returns: `nil` when it was asked to stop.
  func arrival(
    of name: String, _ parsed: ParsedCommand, _ service: any Service, _ input: TableInput
  ) async throws -> RoomState? {
    var hasTold = false
    var refusals = Refusals(try addresses(parsed))
    while true {
      if let room = try await service.room(named: name), let state = try await service.state(of: room) {
        return state
      }
      if !hasTold { console.note("Waiting for the game \(SafeText(name, limitColumns: 70).text) to come.") }
      hasTold = true
      try await refusals.tell(service, console)
      guard case .changed = try await input.change() else { return nil }
    }
  }
}

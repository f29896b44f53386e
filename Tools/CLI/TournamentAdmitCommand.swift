import Events
import Peer
import Projection
import Service
import Terminal
import Tournaments

/// `parlor tournament admit ROOM NAME`.
enum TournamentAdmitCommand: Command {
  static let definition = CommandDefinition(
    "tournament admit", group: Group.tournaments,
    summary: "Let somebody into a tournament of one's own that has started.",
    text: [
      "A round robin, gauntlet, swiss or ladder that was created with more places than entrants came takes others after"
        + " its start. They ask with `parlor tournament join` or `parlor bot`, and the organizer decides. Who is let in"
        + " has the next seed. In a round robin it meets all others, in a gauntlet the first one, in rounds behind the"
        + " first ones. In a swiss or ladder it plays from the next round on, and has gained nothing in the rounds"
        + " before; on a ladder it stands last.",
      "Without NAME the command shows who asks.",
    ],
    arguments: [
      TournamentOpenCommand.argument,
      .init(
        "name", "The name, or first digits of the key, of one who asks.", isOptional: true),
    ],
    examples: [
      .init("tournament admit last", "Who asks to come in."),
      .init("tournament admit last Ada", "Ada has the next seed, and plays."),
    ],
    exitStatuses: [.init(.usage, "Nobody can come in, or nobody of that name asks; nothing was written.")],
    objects: [
      .init(
        "asking", "One for each who asks, without NAME.",
        ["entrant": "the name", "peer": "the public key", "bot": "which bot it is; null for a person"]),
      .init(
        "admitted", "When that is stored.",
        [
          "id": "the tournament's room", "entrant": "the name", "peer": "the public key",
          "entrants": "how many there are now",
        ]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    try await context.usingTournament(parsed) { service, state in
      let room = state.room
      guard let entrant = parsed.argument("name") else {
        try show(state, context)
        return .ok
      }
      let admitted = try await admit(entrant, to: room, service)
      let entrants = try await service.state(of: room)?.seats.count ?? 0
      if context.isJSON {
        try context.object(
          "admitted",
          [
            "id": .string(room.description), "entrant": .string(admitted.profile.name),
            "peer": .string(admitted.peer.description), "entrants": .integer(Int64(entrants)),
          ])
      } else {
        try context.console.line(
          "\(label(admitted)) is let in: \(Room.count(entrants, "entrant"))."
        )
      }
      return .ok
    }
  }

  private static func show(_ state: RoomState, _ context: Context) throws {
    for request in state.start == nil ? [] : state.openRequests {
      if context.isJSON {
        try context.object("asking", members(of: request))
      } else {
        try context.console.line(label(request))
      }
    }
    guard !context.isJSON, state.start == nil || state.openRequests.isEmpty else { return }
    context.console.note(
      state.start == nil
        ? "It has not started: whoever asks gets a seat by itself while `parlor tournament open` or"
          + " `parlor serve` runs." : "Nobody asks to come in.")
  }

  /// Who asks, for scripts.
  static func members(of request: RoomState.OpenRequest) -> KeyValuePairs<String, JSONValue> {
    [
      "entrant": .string(request.profile.name), "peer": .string(request.peer.description),
      "bot": .optional(request.profile.bot?.specification),
    ]
  }

  /// Who asks, for people: the name and the first digits of the key.
  static func label(_ request: RoomState.OpenRequest) -> String {
    "\(SafeText(request.profile.name, limitColumns: 40).text) (\(request.peer.description.prefix(6)))"
  }

  /// Lets in whom a name, or the first digits of a key, means among those who ask.
  /// - Throws: `Failure` where that has no effect.
  static func admit(
    _ name: String, to room: RoomID, _ service: any Service
  ) async throws -> RoomState.OpenRequest {
    guard let state = try await service.state(of: room) else { throw PeerError.unknownRoom(room) }
    if let tournament = try service.tournament(room)?.state, !tournament.takesEntrants, state.lateSeats > 0 {
      throw Failure(.usage, "no round is left in which somebody new could play")
    }
    let asking = state.openRequests.filter {
      $0.profile.name == name || !name.isEmpty && $0.peer.description.hasPrefix(name.lowercased())
    }
    guard let request = asking.first, asking.count == 1 else {
      let labels = (asking.isEmpty ? state.openRequests : asking).map(label)
      throw Failure(
        .usage,
        asking.isEmpty
          ? "nobody asks to come in as “\(SafeText(name, limitColumns: 40).text)”"
          : "\(asking.count) ask to come in as “\(SafeText(name, limitColumns: 40).text)”",
        hint: labels.isEmpty
          ? "they ask with `parlor tournament join \(GameCode.of(room))`"
          : "the first digits of the key say who is meant: \(labels.prefix(8).joined(separator: ", "))")
    }
    _ = try await service.perform(.admit(room, request.peer))
    return request
  }
}

import Events
import Projection
import Service
import Terminal

/// `parlor invite`: asks a peer to come to a game.
enum InviteCommand: Command {
  /// How long an answer is waited for.
  static let limitSeconds = 30

  static let definition = CommandDefinition(
    "invite", group: Group.network, summary: "Invite a peer to a game of this one, and wait for the answer.",
    text: [
      "The peer sees the invitation in `parlor lobby`, accepts with `parlor join` and declines with `parlor decline`."
        + " Without an answer in time the invitation stands; the game can be joined as long as it is open."
    ],
    arguments: [
      RoomName.gameArgument,
      .init("peer", "The peer's public key, or its first digits when it is connected."),
    ],
    options: [
      .value("seconds", "N", "How long an answer is waited for.", standard: "\(limitSeconds)")
    ] + NetworkOptions.definitions,
    examples: [.init("invite KTQWXZ 3fa2b1", "the connected peer whose key begins so")],
    exitStatuses: [
      .init(.ok, "The peer comes."), .init(.negative, "The peer declines, or does not answer in time."),
    ],
    objects: [
      NetworkOptions.listeningObject,
      .init(
        "answer", "At the end.",
        [
          "room": "the room's id", "peer": "the peer's public key",
          "answer": "`accepted`, `declined` or `none`",
        ]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let limit = try parsed.integer("seconds", in: 1...86_400) ?? limitSeconds
    let name = try RoomName.game(parsed, context.store)
    let service = try await context.service(parsed)
    let inquiry = Inquiry(context: context, parsed: parsed, service: service)
    return try await service.untilDone {
      let input = try await TableInput(context.interrupts, following: service)
      guard
        let state = try await inquiry.game(name),
        let peer = try await invited(inquiry)
      else { return .interrupted }
      let room = try await service.perform(.invite(state.room, peer))
      let clock = ContinuousClock()
      let end = clock.now + .seconds(limit)
      let timer = Task {
        try await Task.sleep(until: end)
        await input.noteChange()
      }
      defer { timer.cancel() }
      while true {
        if let answer = try await answer(of: peer, room, service) {
          return try tell(answer, peer, room, context)
        }
        guard clock.now < end else { return try tell("none", peer, room, context) }
        guard try await input.change().isChange else { return .interrupted }
      }
    }
  }

  /// Whom the argument means.
  private static func invited(_ inquiry: Inquiry) async throws -> PeerID? {
    let (parsed, service) = (inquiry.parsed, inquiry.service)
    let name = parsed.argument("peer") ?? ""
    if let peer = PeerID(hex: name) { return peer }
    guard try await inquiry.firstAnswers() else { return nil }
    let here = try await service.neighbours().compactMap { $0.state == .connected ? $0.peer : nil }
    let meant = here.filter { $0.description.hasPrefix(name.lowercased()) }
    guard let peer = meant.first, meant.count == 1 else {
      throw parsed.badArgument(
        "peer", meant.isEmpty ? "no connected peer's key begins so" : "several connected peers' keys begin so"
      )
    }
    return peer
  }

  private static func answer(
    of peer: PeerID, _ room: RoomID, _ service: any Service
  ) async throws -> String? {
    guard let state = try await service.state(of: room) else { return nil }
    if state.seat(of: peer) != nil || state.openRequests.contains(where: { $0.peer == peer }) {
      return "accepted"
    }
    return try await service.hasDeclined(peer, room) ? "declined" : nil
  }

  private static func tell(
    _ answer: String, _ peer: PeerID, _ room: RoomID, _ context: Context
  ) throws -> ExitStatus {
    if context.isJSON {
      try context.object(
        "answer",
        [
          "room": .string(room.description), "peer": .string(peer.description), "answer": .string(answer),
        ])
    } else {
      let words =
        switch answer {
        case "accepted": "\(peer.short) comes."
        case "declined": "\(peer.short) declines."
        default: "\(peer.short) has not answered in time; the invitation stands."
        }
      try context.console.line(words)
    }
    return answer == "accepted" ? .ok : .negative
  }
}

/// `parlor decline`: tells who has invited this peer that it does not come.
enum DeclineCommand: Command {
  static let definition = CommandDefinition(
    "decline", group: Group.network, summary: "Decline an invitation to a game.",
    arguments: [RoomName.gameArgument],
    options: NetworkOptions.definitions,
    examples: [.init("decline KTQWXZ", "whoever has invited this peer is told")],
    exitStatuses: [.init(.negative, "Nobody has invited this peer to that game.")],
    objects: [
      NetworkOptions.listeningObject, .init("declined", "When it is stored.", ["room": "the room's id"]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let name = try RoomName.game(parsed, context.store)
    let service = try await context.service(parsed)
    let inquiry = Inquiry(context: context, parsed: parsed, service: service)
    return try await service.untilDone {
      guard let state = try await inquiry.game(name) else { return .interrupted }
      let room = try await service.perform(.decline(state.room))
      if context.isJSON { try context.object("declined", ["room": .string(room.description)]) }
      return try await inquiry.firstAnswers() ? .ok : .interrupted
    }
  }
}

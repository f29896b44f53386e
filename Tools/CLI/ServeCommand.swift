import Events
import Games
import Network
import Peer
import Projection
import Rules
import Service
import Terminal
import Web

/// `parlor serve`: a peer in the foreground, for others and for this user's other commands.
enum ServeCommand: Command {
  static let definition = CommandDefinition(
    "serve", group: Group.network, summary: "Keep this peer on the network until it is stopped.",
    text: [
      "Passes on the games that it holds, and does what they ask of this peer by the rules. Prints which peers come"
        + " and go, and what it rules as the referee of games with time limits.",
      "With --web, programs that know nothing of Parlor play tic-tac-toe through WebSockets (Docs/SOCKET.md), against"
        + " each other or somebody who joins their game here. This peer keeps a key for each of them, and every game"
        + " is stored and can be replayed. The standard address is for programs on this machine; others come in where"
        + " an address says so, such as 0.0.0.0:8181, and anybody there may play.",
    ],
    options: [
      .value(
        "web", "ADDRESS", "Let programs play through WebSockets at this address, [HOST:]PORT.",
        bare: WebSettings.standardAddress.description),
      .flag(
        "archive",
        "Hold rooms of later editions too, which this program cannot read, so that others can get them here."),
      EarlierGames.option(mayGoOn: false),
    ] + Context.networkOptions,
    examples: [
      .init("serve --listen 0.0.0.0:4141", "until Ctrl-C"),
      .init("serve --web", "and tic-tac-toe for programs at ws://127.0.0.1:8181/game"),
      .init("serve --connect 192.168.0.7:4141", "connected to the peer there"),
    ],
    objects: [
      Context.listeningObject, EarlierGames.object,
      .init("web", "With --web, where sockets are.", ["url": "what a client connects to"]),
      .init(
        "neighbour", "When a peer comes or goes.",
        [
          "peer": "its public key", "address": "where it is seen",
          "state": "`connected` or `not connected`",
        ]),
      .init(
        "ruling", "When this peer, as a game's referee, has ruled that a seat's time is up.",
        [
          "room": "the game's room", "seat": "the seat it has ruled against, from 1",
          "player": "the name of who sits there", "peer": "that player's public key",
          "limit": "what the time was up by: `move-limit` or `clock`",
        ]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let web = try settings(parsed)
    let service = try await context.peerService(parsed, keepsArchive: parsed.has("archive"))
    return try await context.using(service) {
      guard let web else { return try await serve(parsed, context, service) }
      let sockets = TicTacToeSockets(service, web, rules: try GameDefinition(TicTacToe.self).rules())
      do {
        try context.tellSockets(try await sockets.open())
        let status = try await serve(parsed, context, service)
        await sockets.close()
        return status
      } catch {
        await sockets.close()
        throw error
      }
    }
  }

  private static func settings(_ parsed: ParsedCommand) throws -> WebSettings? {
    guard let text = parsed.text("web") else { return nil }
    do throws(NetworkError) { return try WebSettings(text) } catch {
      throw parsed.badValue("web", "sockets are at PORT or HOST:PORT, such as 8181 or 0.0.0.0:8181")
    }
  }

  private static func serve(
    _ parsed: ParsedCommand, _ context: Context, _ service: PeerService
  ) async throws -> ExitStatus {
    let input = try await TableInput(context.interrupts, following: service)
    _ = try await context.settleEarlier(parsed, service, input)
    var here: [NeighbourStatus] = []
    var refusals = Refusals(try context.addresses(parsed))
    repeat {
      if let failure = await service.failure() { throw failure }
      try await refusals.tell(service, context.console)
      let now = await service.neighbours().filter { $0.state == .connected }
      for status in here where !now.contains(where: { $0.peer == status.peer }) {
        try context.tell(status, "not connected")
      }
      for status in now where !here.contains(where: { $0.peer == status.peer }) {
        try context.tell(status, "connected")
      }
      here = now
      for ruling in try await service.takeRulings() {
        if let state = try await service.state(of: ruling.room) { try context.tell(ruling, state) }
      }
    } while try await input.change().isChange
    return .interrupted
  }
}

extension Context {
  fileprivate func tell(_ status: NeighbourStatus, _ state: String) throws {
    guard let peer = status.peer else { return }
    guard isJSON else { return try console.line("\(peer.short) at \(status.address): \(state)") }
    try object(
      "neighbour",
      [
        "peer": .string(peer.description), "address": .string(status.address.description),
        "state": .string(state),
      ])
  }

  fileprivate func tellSockets(_ address: Address) throws {
    let url = "ws://\(address)\(TicTacToeSockets.path)"
    guard isJSON else { return try console.line("Sockets: \(url)") }
    try object("web", ["url": .string(url)])
  }

  fileprivate func tell(_ ruling: ToldRuling, _ state: RoomState) throws {
    guard isJSON else { return try console.line(ruling.words(state)) }
    let player = state.seats[ruling.seat.index]
    try object(
      "ruling",
      [
        "room": .string(ruling.room.description), "seat": .integer(Int64(ruling.seat.index + 1)),
        "player": .optional(player?.profile.name), "peer": .optional(player?.peer.description),
        "limit": .string(ruling.limit.rawValue),
      ])
  }
}

extension ToldRuling {
  /// The ruling for people.
  func words(_ state: RoomState) -> String {
    let reason =
      switch limit {
      case .move: "no move within \(Terms.duration(UInt64(state.create.moveLimitMilliseconds)))"
      case .clock: "the clock has run out"
      }
    return "Game \(room.short): ruled against \(state.name(of: seat)), seat \(seat.index + 1): \(reason)."
  }
}

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
      "It takes in rooms that name it, that were asked for here, or that two of its neighbours want, so that two"
        + " peers which are connected to it alone meet; and of each peer a few games that can be joined.",
      "With --web, people play on a page that a browser opens (Docs/PAGE.md), and programs that know nothing of"
        + " Parlor through WebSockets (Docs/SOCKET.md): any game by the"
        + " sub-protocol parlor.1, and tic-tac-toe by a smaller one. This peer keeps a key for each of them, and every"
        + " game is stored and can be replayed. The standard address is for this machine; others"
        + " come in where an address says so, such as 0.0.0.0:8181, and anybody there may play.",
      "Who brings the token that is printed acts as you. It lies in the data folder, in the file "
        + OwnerToken.fileName + ", and is printed on a terminal and with --json only.",
      WebOptions.text,
    ],
    options: [
      .value(
        "web", "ADDRESS",
        "Serve the page, and let programs play through WebSockets, at this address, [HOST:]PORT.",
        bare: WebSettings.standardAddress.description)
    ] + WebOptions.definitions + [
      .flag(
        "archive",
        "Hold all rooms that it may have, also those of later editions, which this program cannot read, so that"
          + " others can get them here."),
      .value(
        "quota", "SIZE",
        "Keep at most so much of rooms of others: a number of bytes, or with K, M or G. Beyond, of the host that"
          + " brought most those go that were not used for longest; rooms with something of yours stay.",
        standard: "1G"),
      EarlierGames.option(mayGoOn: false),
    ] + NetworkOptions.definitions,
    examples: [
      .init("serve --listen 0.0.0.0:4141", "until Ctrl-C"),
      .init("serve --web", "and games in browsers at http://127.0.0.1:8181"),
      .init(
        "serve --web 0.0.0.0:8181 --certificate certificate.pem --private-key key.pem",
        "and games over TLS, from other machines too"),
      .init("serve --connect 192.168.0.7:4141", "connected to the peer there"),
      .init(
        "serve --relay nats://relay.example.org",
        "public games also with peers whose networks do not reach this one"),
    ],
    objects: objects)

  static let objects: [ObjectDefinition] = [
    NetworkOptions.listeningObject, EarlierGames.object,
    .init(
      "web", "Where the page and its sockets are; of `serve` with --web alone.",
      [
        "page": "what a browser opens", "url": "what a client connects to",
        "token": "with which a client acts as this peer's owner",
      ]),
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
  ]

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let web = try settings(parsed, context)
    guard let quota = SizeText.bytes(parsed.text("quota") ?? "1G") else {
      throw parsed.badValue("quota", "a size is a number of bytes, or with K, M or G behind it, as 500M")
    }
    let service = try await context.peerService(
      parsed, keepsArchive: parsed.has("archive"), limitStrangersBytes: quota)
    return try await service.untilDone {
      guard let web else { return try await serve(parsed, context, service) }
      return try await serve(parsed, context, service, at: web) { _, _ in }
    }
  }

  /// Keeps a peer on the network and serves the page and its sockets.
  /// - Parameter opened: told where the page is.
  static func serve(
    _ parsed: ParsedCommand, _ context: Context, _ service: PeerService, at web: WebSettings,
    opened: (_ page: String, OwnerToken) throws -> Void
  ) async throws -> ExitStatus {
    let token = try OwnerToken(folder: try context.store.folder().path)
    let sockets = WebSockets(
      service, web, token: token, ticTacToe: try GameDefinition(TicTacToe.self).rules(),
      games: context.games, bots: context.bots)
    do {
      let place = try await sockets.open()
      try opened(try tellSockets(place, isSecure: web.certificate != nil, token, context), token)
      let status = try await serve(parsed, context, service)
      await sockets.close()
      return status
    } catch {
      await sockets.close()
      throw error
    }
  }

  private static func settings(_ parsed: ParsedCommand, _ context: Context) throws -> WebSettings? {
    if let text = parsed.text("web") { return try WebOptions.settings(parsed, context, at: text) }
    for option in WebOptions.definitions where parsed.givenOptions.contains(option.name) {
      throw parsed.badValue(option.name, "it is for the page and its sockets: give --web too")
    }
    return nil
  }

  private static func serve(
    _ parsed: ParsedCommand, _ context: Context, _ service: PeerService
  ) async throws -> ExitStatus {
    let input = try await TableInput(context.interrupts, following: service)
    let sitting = Sitting(context: context, parsed: parsed, service: service, input: input)
    try await EarlierGames(sitting: sitting).settle()
    var here: [NeighbourStatus] = []
    var refusals = Refusals(try NetworkOptions.addresses(parsed))
    repeat {
      if let failure = await service.failure() { throw failure }
      try await refusals.tell(service, context.console)
      let now = await service.neighbours().filter { $0.state == .connected }
      for status in here where !now.contains(where: { $0.peer == status.peer }) {
        try tell(status, "not connected", context)
      }
      for status in now where !here.contains(where: { $0.peer == status.peer }) {
        try tell(status, "connected", context)
      }
      here = now
      for ruling in try await service.takeRulings() {
        if let state = try await service.state(of: ruling.room) { try tell(ruling, state, context) }
      }
    } while try await input.change().isChange
    return .interrupted
  }

  private static func tell(_ status: NeighbourStatus, _ state: String, _ context: Context) throws {
    guard let peer = status.peer else { return }
    guard context.isJSON else {
      return try context.console.line("\(peer.short) at \(status.address): \(state)")
    }
    try context.object(
      "neighbour",
      [
        "peer": .string(peer.description), "address": .string(status.address.description),
        "state": .string(state),
      ])
  }

  /// Says where the page and its sockets are.
  /// - Returns: where the page is.
  private static func tellSockets(
    _ address: Address, isSecure: Bool, _ token: OwnerToken, _ context: Context
  ) throws -> String {
    let url = "\(isSecure ? "wss" : "ws")://\(address)\(WebSockets.path)"
    // Where it waits at all addresses, a browser here opens one of them.
    let isAnywhere = ["0.0.0.0", "::"].contains(address.host)
    let here = isAnywhere ? Address(host: "127.0.0.1", port: address.port) : address
    let page = "\(isSecure ? "https" : "http")://\(here)/"
    guard context.isJSON else {
      try context.console.line("Page: \(page)")
      try context.console.line("Sockets: \(url)")
      // Not into a file that others may read.
      if context.console.output.isTerminal { try context.console.line("Token of the owner: \(token.text)") }
      return page
    }
    try context.object("web", ["page": .string(page), "url": .string(url), "token": .string(token.text)])
    return page
  }

  private static func tell(_ ruling: ToldRuling, _ state: RoomState, _ context: Context) throws {
    guard context.isJSON else { return try context.console.line(ruling.words(state)) }
    let player = state.seats[ruling.seat.index]
    try context.object(
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

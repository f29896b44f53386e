import Events
import Network
import Service
import Terminal

/// `parlor serve`: a peer in the foreground, for others and for this user's other commands.
enum ServeCommand: Command {
  static let definition = CommandDefinition(
    "serve", group: Group.network, summary: "Keep this peer on the network until it is stopped.",
    text: [
      "Passes on the games that it holds, and does what they ask of this peer by the rules. Prints which peers come"
        + " and go."
    ],
    options: [
      .flag(
        "archive",
        "Hold rooms of later editions too, which this program cannot read, so that others can get them here.")
    ] + Context.networkOptions,
    examples: [
      .init("serve --listen 0.0.0.0:4141", "until Ctrl-C"),
      .init("serve --connect 192.168.0.7:4141", "connected to the peer there"),
    ],
    objects: [
      Context.listeningObject,
      .init(
        "neighbour", "When a peer comes or goes.",
        [
          "peer": "its public key", "address": "where it is seen",
          "state": "`connected` or `not connected`",
        ]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let service = try await context.peerService(parsed, keepsArchive: parsed.has("archive"))
    return try await context.using(service) {
      let input = try await TableInput(context.interrupts, following: service)
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
      } while try await input.change().isChange
      return .interrupted
    }
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
}

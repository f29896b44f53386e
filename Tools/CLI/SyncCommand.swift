import Events
import Network
import Platform
import Service
import Terminal

/// `parlor sync`: one exchange with one peer.
enum SyncCommand: Command {
  static let definition = CommandDefinition(
    "sync", group: Group.network, summary: "Bring this log and a peer's up to date with each other, once.",
    text: [
      "All that the peer may share comes here. The peer takes what it wants: rooms that name it, or that somebody"
        + " else who is connected to it wants, and everything with serve --archive.",
      "Ends when both hold all of that, and it is stored on both sides; or when nothing more has come or gone for 30"
        + " seconds. What has come is kept in any case.",
      "What no honest peer sends is refused: the room and the event are named, and the exchange ends. Rooms of later"
        + " editions are named and not taken.",
    ],
    arguments: [.init("address", "Where the peer is: HOST:PORT.")],
    options: NetworkOptions.definitions.filter { $0.name == "key" },
    examples: [.init("sync 192.168.0.7:4141", "everything from there, and there what that peer wants")],
    exitStatuses: [
      .init(.ok, "Both hold the same."), .init(.negative, "The connection ended before that."),
      .init(.dataError, "What the peer sent is refused, and its connection was ended."),
      .init(.unavailable, "The peer cannot be reached."),
      .init(.temporary, "The peer is there, and nothing more comes or goes."),
    ],
    objects: [
      .init(
        "synced", "At the end.",
        [
          "address": "where the peer is", "peer": "its public key",
          "events": "how many events came from there",
          "complete": "whether both hold the same",
        ])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let text = parsed.argument("address") ?? ""
    let address: Address
    do throws(NetworkError) { address = try Address(text) } catch {
      throw parsed.badArgument("address", error.description)
    }
    let service = try await context.peerService(parsed, listens: false, wantsEverything: true)
    return try await service.untilDone {
      let input = TableInput(context.interrupts)
      await input.follow(await service.pulses())
      await service.found(address)
      return try await exchange(with: address, service, input, context)
    }
  }

  private static func exchange(
    with address: Address, _ service: PeerService, _ input: TableInput, _ context: Context
  ) async throws -> ExitStatus {
    let clock = Task {
      while true {
        try await Task.sleep(for: .seconds(1))
        await input.noteChange()
      }
    }
    defer { clock.cancel() }
    var exchange = Exchange()
    var notices = EditionNotices()
    while true {
      guard let status = await service.surroundings.status(of: address) else {
        throw ServiceError.gone("it has stopped")
      }
      let events = await service.exchange().storedEvents
      var isEqual = false
      if status.state == .connected, let peer = status.peer {
        isEqual = await service.surroundings.isEqual(with: peer)
      }
      let refusal = await service.surroundings.refusal(at: address)
      let found = await service.exchange()
      let standing = exchange.note(
        status, refusal: refusal, isEqual: isEqual, came: events, went: found.sentEvents,
        atMilliseconds: MonotonicClock.milliseconds)
      await notices.tell(service, context.console)
      if let end = try end(standing, events, barred: found.barredFeeds, at: address, context) { return end }
      context.console.show(
        status: standing == .underWay
          ? "\(events) events, \(found.missingFeeds) feeds under way" : "connecting to \(address)")
      guard try await input.change().isChange else {
        context.console.clearStatus()
        return .interrupted
      }
    }
  }

  /// Tells how it ended; `nil` while it goes on.
  private static func end(
    _ standing: Exchange.Standing, _ events: Int, barred: Int, at address: Address, _ context: Context
  ) throws -> ExitStatus? {
    switch standing {
    case .connecting, .underWay: return nil
    case .complete(let peer):
      context.console.clearStatus()
      return try tell(address, peer, events, isComplete: true, context)
    case .idle(let peer):
      context.console.clearStatus()
      try tell(address, peer, events, isComplete: false, context)
      throw Failure(
        .temporary,
        "\(address): the peer is there, but nothing more has come or gone for"
          + " \(Exchange.patienceMilliseconds / 1_000) seconds",
        hint: barred == 0
          ? "what has come is stored; try again later"
          : "what has come is stored; of \(Room.count(barred, "feed")) nothing more is taken, because their authors"
            + " have as much here as one may have")
    case .refused(let peer, let reason):
      context.console.clearStatus()
      try tell(address, peer, events, isComplete: false, context)
      throw Failure(
        .dataError, "\(address): peer \(peer.short) is refused: \(reason)",
        hint: "what came before is stored; `parlor log verify` there finds what is wrong")
    case .ended(let peer, let reason):
      context.console.clearStatus()
      context.console.note(reason ?? "the connection ended")
      return try tell(address, peer, events, isComplete: false, context)
    case .unreachable(let reason): throw Failure(.unavailable, Refusals.words(reason, at: address))
    }
  }

  @discardableResult private static func tell(
    _ address: Address, _ peer: PeerID, _ events: Int, isComplete: Bool, _ context: Context
  ) throws -> ExitStatus {
    if context.isJSON {
      try context.object(
        "synced",
        [
          "address": .string(address.description), "peer": .string(peer.description),
          "events": .integer(Int64(events)), "complete": .bool(isComplete),
        ])
    } else {
      let count = Room.count(events, "event")
      let end = isComplete ? "Both hold the same now" : "The exchange is not complete"
      try context.console.line("\(end): \(count) came from \(peer.short).")
    }
    return isComplete ? .ok : .negative
  }
}

import Events
import Network
import Platform
import Service
import Terminal

/// `parlor peers`: who is connected.
enum PeersCommand: Command {
  static let definition = CommandDefinition(
    "peers", group: Group.network,
    summary: "List the peers and addresses that this one knows, and how they stand.",
    text: [
      "Asks the process that has the data folder, such as `parlor serve`; without one, the command connects itself,"
        + " and lists the peers that answer."
    ],
    options: Context.networkOptions,
    examples: [.init("peers", "the peers that are connected with `parlor serve`")],
    objects: [
      Context.listeningObject,
      .init(
        "peer", "For each.",
        [
          "peer": "its public key, or null where nobody has answered",
          "address": "where it is seen or looked for",
          "state": "`not connected`, `connecting` or `connected`",
          "reason": "why it is not connected, or null",
        ]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let service = try await context.service(parsed)
    return try await context.using(service) {
      guard try await context.firstAnswers(service, parsed) else { return .interrupted }
      let neighbours = try await service.neighbours()
      var table = TextTable([
        .text("PEER", shrinks: false), .text("ADDRESS"), .text("STATE", shrinks: false),
        .text("WHY").yielding(1),
      ])
      for status in neighbours {
        if context.isJSON {
          try context.object("peer", members(of: status))
        } else {
          table.append([
            status.peer?.short ?? "–", status.address.description, status.state.words,
            SafeText(status.reason ?? "").text,
          ])
        }
      }
      if context.isJSON { return .ok }
      guard !neighbours.isEmpty else {
        try context.console.line("No peer is known here. `--connect HOST:PORT` names one.")
        return .ok
      }
      try context.table(table)
      return .ok
    }
  }

  private static func members(of status: NeighbourStatus) -> [JSONMember] {
    [
      JSONMember("peer", .optional(status.peer?.description)),
      JSONMember("address", .string(status.address.description)),
      JSONMember("state", .string(status.state.words)), JSONMember("reason", .optional(status.reason)),
    ]
  }
}

extension Context {
  /// Waits until each address that is tried has answered, well or badly, and who has answered holds the same as this
  /// peer: then what can be known is known. Where peers nearby are looked for, they have a moment to be found. What is
  /// not known after a while is not waited for.
  /// - Returns: `false` when it was asked to stop.
  func firstAnswers(_ service: any Service, _ parsed: ParsedCommand) async throws -> Bool {
    guard let here = service as? PeerService else { return true }
    let pulses = TableInput(interrupts)
    await pulses.follow(await here.pulses())
    // At a relay nobody knows when all who are there have answered.
    let isRelayed = try NATSOptions.relay.settings(parsed) != nil
    let answers = FirstAnswers(
      looksNearby: isRelayed || !parsed.has("no-discovery"), atMilliseconds: MonotonicClock.milliseconds)
    let timer = Task {
      for moment in [answers.beginMilliseconds, answers.endMilliseconds] {
        while MonotonicClock.milliseconds < moment {
          try await Task.sleep(for: .milliseconds(moment - MonotonicClock.milliseconds))
        }
        await pulses.noteChange()
      }
    }
    let looking = Task {
      await here.lookAround.wait()
      await pulses.noteChange()
    }
    defer {
      timer.cancel()
      looking.cancel()
    }
    while true {
      let hasLooked = here.lookAround.isDone && !isRelayed
      let neighbours = await here.neighbours()
      var equal: Set<PeerID> = []
      for peer in neighbours.compactMap(\.peer) where await here.surroundings.isEqual(with: peer) {
        equal.insert(peer)
      }
      let standing = answers.standing(
        neighbours, equal: equal, hasLookedAround: hasLooked, atMilliseconds: MonotonicClock.milliseconds)
      if standing == .late, !Task.isCancelled { console.note("Not everybody has answered in time.") }
      if standing != .waiting {
        // What has come is to be taken notice of before it is asked for.
        await here.settle()
        return true
      }
      guard try await pulses.change().isChange else { return false }
    }
  }
}

import Events
import Network
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
    options: NetworkOptions.definitions,
    examples: [.init("peers", "the peers that are connected with `parlor serve`")],
    objects: [
      NetworkOptions.listeningObject,
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
    let inquiry = Inquiry(context: context, parsed: parsed, service: service)
    return try await service.untilDone {
      guard try await inquiry.firstAnswers() else { return .interrupted }
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

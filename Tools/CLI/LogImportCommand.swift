import EventLog
import Events
import Service
import Terminal

/// `parlor log import FILE`.
enum LogImportCommand: Command {
  static let definition = CommandDefinition(
    "log import", group: Group.log, summary: "Take a room from a bundle file into the log.",
    text: [
      "Everything is checked first: ids, chains, signatures, order and digest. What does not hold is refused"
        + " whole. Doing it again changes nothing. Where `serve` or another command has the folder, it takes the room"
        + " and passes it on."
    ],
    arguments: [.init("file", "A bundle file; `-` for standard input.", kind: .file)],
    examples: [.init("log import game.parlor", "Take a room that somebody exported.")],
    exitStatuses: [
      .init(.dataError, "The file is no whole bundle; nothing was taken."),
      .init(.temporary, "Another process writes the log now, and takes nothing from others."),
    ],
    objects: [
      .init(
        "imported", "Once.",
        [
          "room": "the room's id", "events": "how many events the file holds",
          "new": "how many of them were not here", "forks": "how many feeds of the room are forked",
        ])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let path = parsed.argument("file") else { preconditionFailure("\(parsed.name) has a file") }
    // All of it is read first: a file that is no bundle makes no store.
    let content = try context.withBundle(path) { try BundleContent($0) }
    let taken = try await context.withStore {
      let (log, marks) = try context.markedWriter()
      // Whoever made the bundle has the room too.
      try marks.noteSharing()
      return try log.take(content)
    } through: { client, log in
      try await client.reserve(content.room)
      let taken = try BundleImport(content, into: log)
      if let change = taken.change { try await client.commit([change]) }
      await client.close()
      return taken
    }
    let new = taken.change?.entries.count ?? 0
    if context.isJSON {
      try context.object(
        "imported",
        [
          "room": .string(taken.room.description), "events": .integer(Int64(taken.events)),
          "new": .integer(Int64(new)), "forks": .integer(Int64(taken.forks.count)),
        ])
    } else {
      let news = new == 0 ? "all of them here already" : new == taken.events ? "all new" : "\(new) new"
      try context.console.line(
        "Room \(taken.room.short): \(Room.count(taken.events, "event")), \(news).")
    }
    return .ok
  }
}

import EventLog
import Events
import Service
import Terminal

/// `parlor log import FILE`.
enum LogImportCommand: Command {
  static let definition = CommandDefinition(
    "log import", group: Group.log, summary: "Take the rooms of a file into the log.",
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
        "imported", "For each room.",
        [
          "room": "the room's id", "events": "how many events the file holds of it",
          "new": "how many of them were not here", "forks": "how many feeds of the room are forked",
        ])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let path = parsed.argument("file") else { preconditionFailure("\(parsed.name) has a file") }
    switch try LogFile(path, context.store) {
    case .bundle(let reader):
      // All of it is read first: a file that is no bundle makes no store.
      let content = try BundleContent(reader)
      try await take(content, context) { () throws(BundleError) in nil }
    case .tournament(let reader):
      guard let first = try reader.next() else { preconditionFailure("a tournament's file has a room") }
      do { try await take(first, context) { () throws(BundleError) in try reader.next() } } catch {
        throw Self.failure(error, whole: reader.rooms.count)
      }
    }
    return .ok
  }

  /// Takes a room, which was checked to its end, and those that follow, one by one.
  private static func take(
    _ first: BundleContent, _ context: Context, next: () throws(BundleError) -> BundleContent?
  ) async throws {
    var taken = 0
    do {
      try await context.store.writing {
        let (log, marks) = try context.store.markedWriter()
        // Whoever made the file has the rooms too.
        try marks.noteSharing()
        var content: BundleContent? = first
        while let one = content {
          try show(try log.take(one), context)
          taken += 1
          try context.checkStop()
          content = try next()
        }
      } through: { client, log in
        var content: BundleContent? = first
        while let one = content {
          try await client.reserve(one.room)
          let prepared = try BundleImport(one, into: log)
          if let change = prepared.change { try await client.commit([change]) }
          try show(prepared, context)
          taken += 1
          try context.checkStop()
          content = try next()
        }
        await client.close()
      }
    } catch {
      guard taken > 0 else { throw error }
      throw Stopped(taken: taken, error: error)
    }
  }

  /// An import of several rooms that ended before the last.
  private struct Stopped: Error {
    /// How many rooms were taken.
    let taken: Int
    let error: any Error
  }

  private static func failure(_ error: any Error, whole: Int) -> any Error {
    guard let stopped = error as? Stopped else { return error }
    let failure = Failure(stopped.error)
    guard let words = failure.words else { return failure }
    let rooms = stopped.taken == 1 ? "the first room was" : "the first \(stopped.taken) rooms were"
    return Failure(
      failure.status, "\(words); \(rooms) taken of the \(whole) that the file names", hint: failure.hint)
  }

  private static func show(_ taken: BundleImport, _ context: Context) throws(ConsoleError) {
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
  }
}

import EventLog
import Events
import Peer
import Platform
import Service
import Terminal

/// `parlor log prune`.
enum LogPruneCommand: Command {
  static let definition = CommandDefinition(
    "log prune", group: Group.log,
    summary: "Forget rooms of others, those first that were not used for longest.",
    text: [
      "Only rooms go into which neither you nor your bots have written. They are forgotten as by `parlor log forget`."
        + " A room was used when something of it was stored last.",
      "With --to rooms go until all rooms of others together take at most so much; with --older only those go that were"
        + " not used for so long; with both, as many of these as it takes.",
    ],
    options: [
      .value("to", "SIZE", "Keep at most so much of others' rooms: a number of bytes, or with K, M or G."),
      .value("older", "SPAN", "Only rooms that were not used for so long: a number with s, m, h or d."),
      .flag("dry-run", "Forget nothing; list what would be forgotten."),
    ],
    examples: [
      .init("log prune --older 90d --dry-run", "what has not been used for 90 days"),
      .init("log prune --to 500M", "at most 500 MiB of others' rooms stay"),
      .init("log prune --to 0", "no room of others stays"),
    ],
    exitStatuses: [.init(.usage, "Neither --to nor --older is given, or one of them is no size or span.")],
    objects: [
      .init(
        "prunable", "With --dry-run, for each room that would be forgotten, in that order.",
        [
          "room": "the room's id", "events": "how many events it has",
          "bytes": "what they take as they are stored",
          "used": "when it was used last, in milliseconds since 1970",
        ]), LogForgetCommand.object,
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let pruning = try pruning(parsed)
    guard let log = try context.store.readerIfAny() else {
      if !context.isJSON { try context.console.line("There is nothing here to be forgotten.") }
      return .ok
    }
    let rooms = try pruning.rooms(of: log, owner: try owner(context), context.games)
    log.close()
    guard !parsed.has("dry-run") else {
      try tell(rooms, context)
      return .ok
    }
    try await LogForgetCommand.forget(rooms, .strangers, parsed, context)
    return .ok
  }

  /// The key of the data folder, if it has one.
  private static func owner(_ context: Context) throws -> SigningKey? {
    let folder = try context.store.folder().path
    do throws(IdentityError) { return try Identity.load(folder: folder) } catch {
      guard case .missing = error else { throw error }
      return nil
    }
  }

  private static func pruning(_ parsed: ParsedCommand) throws -> Pruning {
    var pruning = Pruning()
    if let text = parsed.text("to") {
      guard let bytes = SizeText.bytes(text) else {
        throw parsed.badValue("to", "a size is a number of bytes, or with K, M or G behind it, as 500M")
      }
      pruning.limitBytes = bytes
    }
    if let text = parsed.text("older") {
      guard let span = SizeText.milliseconds(text) else {
        throw parsed.badValue("older", "a span is a number with s, m, h or d behind it, as 90d")
      }
      let now = WallClock.milliseconds()
      pruning.before = now - min(now, span)
    }
    guard pruning.limitBytes != nil || pruning.before != nil else {
      throw Failure(
        .usage, "it is not said what may go",
        hint: "give --to SIZE or --older SPAN; `--to 0` means all rooms of others")
    }
    return pruning
  }

  private static func tell(_ rooms: [Pruning.Candidate], _ context: Context) throws {
    var table = TextTable([
      .text("ROOM", shrinks: false), .number("EVENTS"), .number("BYTES"), .text("USED", shrinks: false),
    ])
    for room in rooms {
      if context.isJSON {
        try context.object(
          "prunable",
          [
            "room": .string(room.room.description), "events": .integer(Int64(room.events)),
            "bytes": .integer(Int64(room.bytes)), "used": .unsigned(room.used),
          ])
      } else {
        table.append([
          room.room.short, "\(room.events)", "\(room.bytes)", WallClock.text(milliseconds: room.used),
        ])
      }
    }
    guard !context.isJSON else { return }
    guard !rooms.isEmpty else { return try context.console.line("Nothing would be forgotten.") }
    try context.table(table)
    let bytes = rooms.reduce(0) { $0 + $1.bytes }
    context.console.note("\(Room.count(rooms.count, "room")), \(SizeText.text(bytes)), would be forgotten.")
  }
}

import BotKit
import EventLog
import Events
import Peer
import Platform
import Projection
import Rules
import Terminal
import Tournaments

/// `parlor audit [ROOM] [--all] [--with COMMAND]… [--seconds N]`.
enum AuditCommand: Command {
  static let definition = CommandDefinition(
    "audit", group: Group.log,
    summary: "Play bots' moves again, and name those that they would not have made.",
    text: [
      "A bot declares its name, version, seed and budget where it takes its seat. So its moves follow from the log:"
        + " each that stands is chosen again by the bot of this program, from what its seat saw, and compared. Choices"
        + " that were hidden are compared once they are shown. A move whose note speaks of more nodes than were"
        + " declared is named too. Of a tournament the rooms of all its games are audited.",
      "A bot that is a command and declares itself recomputable (Docs/LINE-PROTOCOL.md) is asked again where --with"
        + " gives its command: then it chooses for the seats whose bot the log calls so. A command that only the log"
        + " names is never started. The command must be of the version and budget that the log has.",
      "Not checked, with the reason: moves of people, of bots that this program does not have, of bots of another"
        + " version or budget, and of rooms that do not tell where their bots' random numbers come from: those of a"
        + " tournament whose room is not here, and of a match that does not say which of its rooms they are."
        + " Moves that were taken back are counted and not looked at."
        + " Whether events are genuine is what `parlor log verify` checks.",
      "A bot may think as long for a move as --seconds says; past that, the rest of its moves in that room is not"
        + " checked.",
    ],
    arguments: [
      .init(
        "room",
        "The first digits of a room's id, `last` for the newest (also when it is left out), a bundle file, or"
          + " `-` for one on standard input.",
        isOptional: true, kind: .stored(.rooms, orFile: true))
    ],
    options: [
      .flag("all", "Audit every room of the log."),
      .value("seconds", "N", "How long a bot may think for one move.", standard: "60"),
      .value(
        "with", "COMMAND", "Start this command for the seats whose bot the log calls so.", repeats: true,
        kind: .file),
    ] + BotOptions.definitions,
    examples: [
      .init("audit", "The newest room."),
      .init("audit game.parlor", "A file that somebody sent."),
      .init("audit --all", "All rooms."),
      .init("audit game.parlor --with './mybot.py --depth 3'", "A game of a bot that is a command."),
    ],
    exitStatuses: [
      .init(.ok, "Everything agrees that could be checked."),
      .init(
        .negative,
        "A bot would not have made a move, or says that it took more nodes than it declares, or a command of --with"
          + " did not play all its moves again."),
      .init(.dataError, "The file is no bundle, or a room of the log is damaged."),
      .init(
        .noInput, "There is no such room, file or log, or no seat whose bot is called as a command of --with."
      ),
      .init(.unavailable, "A command of --with cannot be started, or does not play the game."),
      .init(.interrupted, "Interrupted by Ctrl-C."),
    ],
    objects: AuditReport.objects)

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let seconds: Int = try parsed.integer("seconds", in: 1...1_000_000) else {
      preconditionFailure("\(parsed.name) has a limit")
    }
    let name = parsed.argument("room")
    var audit = AuditRun(
      context, limitMilliseconds: UInt64(seconds) * 1_000, programs: try programs(parsed, context))
    if parsed.has("all") {
      if name != nil { throw parsed.badValue("all", "it means all rooms; leave out the one") }
      audit.store = try context.store.reader()
      let rooms = try audit.store?.rooms(limit: nil).map(\.room) ?? []
      try audit.audit(rooms)
      return try audit.conclude()
    }
    let named = try NamedRoom(name ?? "last", context)
    // The tournament of a file may be in the log.
    audit.store = try named.store ?? context.store.readerIfAny(tells: false)
    if named.room.isTournament {
      guard let store = named.store else {
        throw Failure(
          .noInput, "the file holds a tournament, and not the rooms of its games",
          hint: "`parlor log import` takes files into the log; `parlor audit ID` audits a tournament there")
      }
      try audit.audit(try store.rooms(of: named.room.state.room).map(\.room).sorted())
    } else {
      try audit.audit(named.room)
    }
    return try audit.conclude()
  }

  /// The commands that may be started, by what the log calls them.
  private static func programs(_ parsed: ParsedCommand, _ context: Context) throws -> [AuditRun.Program] {
    try parsed.texts("with").map { typed in
      guard BotCatalog.isCommand(typed) else {
        throw parsed.badValue("with", "it takes the command of a bot, with a slash in it, such as ./mybot.py")
      }
      return AuditRun.Program(typed: typed, name: try context.ownBots.name(of: typed))
    }
  }
}

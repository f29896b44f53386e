import BotKit
import EventLog
import Events
import Peer
import Platform
import Projection
import Rules
import Terminal
import Tournaments

/// `parlor audit [ROOM] [--all] [--seconds N]`.
enum AuditCommand: Command {
  static let definition = CommandDefinition(
    "audit", group: Group.log,
    summary: "Play bots' moves again, and name those that they would not have made.",
    text: [
      "A bot declares its name, version, seed and budget where it takes its seat. So its moves follow from the log:"
        + " each that stands is chosen again by the bot of this program, from what its seat saw, and compared. Choices"
        + " that were hidden are compared once they are shown. A move whose note speaks of more nodes than were"
        + " declared is named too. Of a tournament the rooms of all its games are audited.",
      "Not checked, with the reason: moves of people, of bots that this program does not have (programs that speak"
        + " by lines are never started for this), of bots of another version or budget, and of rooms that do not tell"
        + " where their bots' random numbers come from: those of a tournament whose room is not here, and of a match"
        + " that does not say which of its rooms they are. Moves that were taken back are counted and not looked at."
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
    ],
    examples: [
      .init("audit", "The newest room."),
      .init("audit game.parlor", "A file that somebody sent."),
      .init("audit --all", "All rooms."),
    ],
    exitStatuses: [
      .init(.ok, "Everything agrees that could be checked."),
      .init(.negative, "A bot would not have made a move, or says that it took more nodes than it declares."),
      .init(.dataError, "The file is no bundle, or a room of the log is damaged."),
      .init(.noInput, "There is no such room, file or log."),
      .init(.interrupted, "Interrupted by Ctrl-C."),
    ],
    objects: AuditReport.objects)

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let seconds: Int = try parsed.integer("seconds", in: 1...1_000_000) else {
      preconditionFailure("\(parsed.name) has a limit")
    }
    let name = parsed.argument("room")
    var audit = AuditRun(context, limitMilliseconds: UInt64(seconds) * 1_000)
    if parsed.has("all") {
      if name != nil { throw parsed.badValue("all", "it means all rooms; leave out the one") }
      audit.store = try context.reader()
      let rooms = try audit.store?.rooms(limit: nil).map(\.room) ?? []
      try audit.audit(rooms)
      return try audit.conclude()
    }
    let named = try context.namedRoom(name ?? "last")
    // The tournament of a file may be in the log.
    audit.store = try named.store ?? context.readerIfAny(tells: false)
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
}

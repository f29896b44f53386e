import EventLog
import Events
import Projection
import Rules
import Terminal

/// `parlor log show ROOM`.
enum LogShowCommand: Command {
  static let definition = CommandDefinition(
    "log show", group: Group.log, summary: "Show every event of a room.",
    text: [
      "Events come in the order in which this log took them in, each after all that it names: its author's event"
        + " before, and those in the column AFTER, of which it shows the first. One that has no effect says why."
    ],
    arguments: [
      .init(
        "room", "The first digits of a room's id, `last` for the newest, or a bundle file.",
        kind: .stored(.rooms, orFile: true))
    ],
    examples: [
      .init("log show last", "What happened in the newest room."),
      .init("log show 3f2a --json", "The same of another one, for a program."),
    ],
    exitStatuses: [.init(.noInput, "There is no such room or file.")],
    objects: [
      .init(
        "event", "For each event.",
        [
          "id": "the event's id", "room": "the room's id", "author": "the author's public key",
          "name": "the name that the author gave itself",
          "sequence": "its place in the author's feed, from 1", "kind": "what it does, as in the protocol",
          "words": "what it says, in words", "previous": "the author's event before, or null",
          "parents": "the other events that it names", "signed": "whether it has a signature of its own",
          "verdict": "`effective`, or in one word why it has no effect",
          "reason": "the same in words, or null",
          "time": "milliseconds since 1970 by the author's clock",
          "body": "its canonical bytes, in hexadecimal",
        ])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let name = parsed.argument("room") else { preconditionFailure("\(parsed.name) has a room") }
    var room = try NamedRoom(name, context).room
    let verdicts = room.verdicts()
    if context.isJSON {
      for (entry, verdict) in zip(room.log.entries, verdicts) {
        try context.object("event", members(of: entry, verdict.verdict, in: room))
      }
      return .ok
    }
    var table = TextTable([
      .number("#"), .prose("SAYS"), .text("AUTHOR", least: 16), .text("EVENT", shrinks: false),
      .text("KIND", shrinks: false).yielding(3), .number("SEQ").yielding(2), .text("AFTER").yielding(1),
    ])
    for (index, pair) in zip(room.log.entries, verdicts).enumerated() {
      table.append(cells(of: pair.0.event, index: index, pair.1.verdict, in: room))
    }
    try context.pages(
      ["\(room.title), room \(room.state.room.short), \(room.status)"] + context.lines(of: table))
    return .ok
  }

  private static func cells(of event: Event, index: Int, _ verdict: Verdict, in room: Room) -> [String] {
    let effect = verdict == .effective ? "" : " — no effect: \(verdict.words)"
    return [
      "\(index + 1)", room.words(for: event) + effect, room.name(of: event.author), event.id.short,
      event.kindName,
      "\(event.sequence)", after(event),
    ]
  }

  /// What it names besides its author's event before; of more than one the first, and how many more.
  private static func after(_ event: Event) -> String {
    guard let first = event.parents.first else { return "" }
    return first.short + (event.parents.count > 1 ? " +\(event.parents.count - 1)" : "")
  }

  private static func members(of entry: RoomLog.Entry, _ verdict: Verdict, in room: Room) -> [JSONMember] {
    let event = entry.event
    return [
      JSONMember("id", .string(event.id.description)), JSONMember("room", .string(event.room.description)),
      JSONMember("author", .string(event.author.description)),
      JSONMember("name", .string(room.rawName(of: event.author))),
      JSONMember("sequence", .unsigned(event.sequence)), JSONMember("kind", .string(event.kindName)),
      JSONMember("words", .string(room.words(for: event))),
      JSONMember("previous", .optional(event.previous.isSome ? event.previous.description : nil)),
      JSONMember("parents", .array(event.parents.map { .string($0.description) })),
      JSONMember("signed", .bool(entry.signature != nil)), JSONMember("verdict", .string("\(verdict)")),
      JSONMember("reason", .optional(verdict == .effective ? nil : verdict.words)),
      JSONMember("time", .unsigned(event.wallTime)), JSONMember("body", .string(event.body.hex)),
    ]
  }
}

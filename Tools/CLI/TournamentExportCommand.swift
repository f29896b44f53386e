import EventLog
import Events
import Terminal
import Tournaments

/// `parlor tournament export [ID] --output FILE`.
enum TournamentExportCommand: Command {
  static let definition = CommandDefinition(
    "tournament export", group: Group.tournaments,
    summary: "Write a tournament and all its games to one file that anybody can check.",
    text: [
      "The file holds the tournament's room and the rooms of its games, with every event and signature. It appears"
        + " whole or not at all. `tournament verify` proves it, and `log import` takes it on another machine.",
      "Games that are not here are not in the file; it is said on standard error which they are.",
    ],
    arguments: [RoomName.tournamentArgument],
    options: BundleOutput.options,
    examples: [
      .init("tournament export --output cup.parlor", "Keep the newest tournament in a file."),
      .init(
        "tournament export last --output - | ssh other parlor log import -", "Copy one to another machine."),
    ],
    exitStatuses: [
      .init(.noInput, "There is no such tournament."),
      .init(.cannotCreate, "The file is there already, cannot be created, or would lie in the data folder."),
    ],
    objects: [
      .init(
        "exported", "Once, unless the file goes to standard output.",
        [
          "id": "the tournament's room", "rooms": "how many rooms were written",
          "events": "how many events they have", "path": "the file",
          "missing": "the games that are not here: objects with `pairing`, `attempt` and `room`",
        ])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let log = try context.store.reader()
    let room = try RoomName(parsed.argument("id") ?? "last").tournament(in: log, context.games).room
    let writer = try TournamentFileWriter(room, in: log)
    let output = try BundleOutput(parsed, context)
    let progress = ProgressLine(
      on: context.console, label: "writing", unit: "rooms", total: writer.rooms.count,
      now: ContinuousClock().stopwatch)
    defer { progress.finish() }
    var events = 0
    try output.write { sink in
      try sink(writer.heading)
      for number in writer.rooms.indices {
        try context.checkStop()
        let part = try writer.part(number)
        try sink(part.bytes)
        events += part.events
        progress.advance(to: number + 1)
      }
    }
    progress.finish()
    for result in writer.missing {
      context.console.note(
        "Not in the file: room \(result.room.short) of \(PairingNumber(result.pairing)), attempt"
          + " \(Int(result.attempt) + 1), which is not here.")
    }
    guard let path = output.file else { return .ok }
    if context.isJSON {
      try context.object("exported", members(of: writer, events: events, path))
    } else {
      let counts = "\(Room.count(writer.rooms.count, "room")), \(Room.count(events, "event"))"
      try context.console.line("Tournament \(room.short), \(counts), written to \(SafeText(path).text).")
    }
    return .ok
  }

  private static func members(of writer: TournamentFileWriter, events: Int, _ path: String) -> [JSONMember] {
    let missing = writer.missing.map { result in
      JSONValue.object([
        "pairing": .string("\(PairingNumber(result.pairing))"),
        "attempt": .integer(Int64(result.attempt) + 1), "room": .string(result.room.description),
      ])
    }
    return [
      JSONMember("id", .string(writer.rooms[0].description)),
      JSONMember("rooms", .integer(Int64(writer.rooms.count))),
      JSONMember("events", .integer(Int64(events))), JSONMember("path", .string(path)),
      JSONMember("missing", .array(missing)),
    ]
  }
}

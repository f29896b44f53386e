import EventLog
import Events
import Platform
import Terminal

/// `parlor log export ROOM --output FILE`.
enum LogExportCommand: Command {
  static let definition = CommandDefinition(
    "log export", group: Group.log, summary: "Write a room to a bundle file that anybody can check.",
    text: [
      "The file holds every event and signature of one room. It appears whole or not at all."
        + " A tournament's games are rooms of their own: export them too."
    ],
    arguments: [Context.roomArgument],
    options: [
      .value("output", "FILE", "Where to write; `-` for standard output.", isRequired: true, kind: .file),
      .flag("force", "Replace the file when it is there."),
    ],
    examples: [
      .init("log export last --output game.parlor", "Keep the newest room in a file."),
      .init("log export 3f2a --output - | ssh other parlor log import -", "Copy a room to another machine."),
    ],
    exitStatuses: [
      .init(.noInput, "There is no such room."),
      .init(.cannotCreate, "The file is there already, cannot be created, or would lie in the data folder."),
    ],
    objects: [
      .init(
        "exported", "Once, unless the bundle goes to standard output.",
        ["room": "the room's id", "events": "how many events were written", "path": "the file"])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let name = parsed.argument("room"), let path = parsed.text("output") else {
      preconditionFailure("\(parsed.name) has a room and an output")
    }
    let log = try context.reader()
    let room = try log.load(try context.roomID(name, in: log), verify: true)
    let writer = try BundleWriter(room, network: log.network)
    if path != "-" { try context.dataFolder().checkOutside(path) }
    try FolderMarks.noteExport(try context.dataFolder().path)
    guard path != "-" else {
      if context.console.output.isTerminal {
        throw parsed.badValue("output", "a bundle is not text; redirect the output, or name a file")
      }
      try writer.write(to: Bundle.sink(.output, name: "standard output"))
      return .ok
    }
    do {
      try write(writer, to: path, replaces: parsed.has("force"))
    } catch let error as FileError where error.isTaken && !parsed.has("force") {
      throw Failure(error.exitStatus, error.description, hint: "`--force` replaces an ordinary file")
    }
    if context.isJSON {
      try context.object(
        "exported",
        [
          "room": .string(room.room.description), "events": .integer(Int64(room.entries.count)),
          "path": .string(path),
        ])
    } else {
      let events = Room.count(room.entries.count, "event")
      try context.console.line("Room \(room.room.short), \(events), written to \(SafeText(path).text).")
    }
    return .ok
  }

  private static func write(_ writer: BundleWriter, to path: String, replaces: Bool) throws {
    if replaces, let status = FileStatus(at: path), status.kind != .file {
      throw Failure(.cannotCreate, "cannot create \(SafeText(path).text): it is no ordinary file")
    }
    do {
      let file = try NewFile(path, replaces: replaces)
      try writer.write(to: Bundle.sink(file.descriptor, name: SafeText(path).text))
      try file.keep()
    } catch let error as SystemError { throw FileError(.creating, error) }
  }
}

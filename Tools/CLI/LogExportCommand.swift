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
        + " A tournament's games are rooms of their own: `tournament export` writes them with it."
    ],
    arguments: [RoomName.argument],
    options: BundleOutput.options,
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
    guard let name = parsed.argument("room") else { preconditionFailure("\(parsed.name) has a room") }
    let log = try context.store.reader()
    let room = try log.load(try RoomName(name).id(in: log), verify: true)
    let writer = try BundleWriter(room, network: log.network)
    let output = try BundleOutput(parsed, context)
    try output.write { sink in try writer.write(to: sink) }
    guard let path = output.file else { return .ok }
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
}

/// Where a command writes a bundle, or a tournament's file: whole or not at all.
struct BundleOutput {
  /// The options of such a command.
  static let options: [OptionDefinition] = [
    .value("output", "FILE", "Where to write; `-` for standard output.", isRequired: true, kind: .file),
    .flag("force", "Replace the file when it is there."),
  ]

  /// The file; `nil` for standard output.
  let file: String?
  private let replaces: Bool

  /// Where the options say; the data folder is told that something of it leaves.
  init(_ parsed: ParsedCommand, _ context: Context) throws {
    guard let path = parsed.text("output") else { preconditionFailure("\(parsed.name) has an output") }
    file = path == "-" ? nil : path
    replaces = parsed.has("force")
    if file == nil, context.console.output.isTerminal {
      throw parsed.badValue("output", "a bundle is not text; redirect the output, or name a file")
    }
    if let file { try context.store.folder().checkOutside(file) }
    try FolderMarks.noteExport(try context.store.folder().path)
  }

  /// Has `body` write it.
  func write(_ body: (_ sink: ([UInt8]) throws(BundleError) -> Void) throws -> Void) throws {
    guard let file else { return try body(Bundle.sink(.output, name: "standard output")) }
    try OutputFile(path: file, replaces: replaces).write { try body(Bundle.sink($0, name: $1)) }
  }
}

/// A file that a command writes: whole or not at all.
struct OutputFile {
  let path: String
  let replaces: Bool

  /// Has `body` write it.
  /// - Parameter body: is given where to write, and a name for words.
  func write(_ body: (Descriptor, String) throws -> Void) throws {
    do {
      if replaces, let status = FileStatus(at: path), status.kind != .file {
        throw Failure(.cannotCreate, "cannot create \(SafeText(path).text): it is no ordinary file")
      }
      do {
        let new = try NewFile(path, replaces: replaces)
        try body(new.descriptor, SafeText(path).text)
        try new.keep()
      } catch let error as SystemError { throw FileError(.creating, error) }
    } catch let error as FileError where error.isTaken && !replaces {
      throw Failure(error.exitStatus, error.description, hint: "`--force` replaces an ordinary file")
    }
  }
}

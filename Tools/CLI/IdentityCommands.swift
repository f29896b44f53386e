import EventLog
import Events
import Terminal

/// The object of both commands.
private let identityObject = ObjectDefinition(
  "identity", "Once.",
  ["peer": "the public key, 64 hexadecimal digits", "path": "the file that holds the secret"])

/// `parlor identity show`.
enum IdentityShowCommand: Command {
  static let definition = CommandDefinition(
    "identity show", group: Group.program, summary: "Show this user's public key.",
    examples: [.init("identity show", "The key that signs this user's events.")],
    exitStatuses: [.init(.noInput, "There is no identity yet.")], objects: [identityObject])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let folder = try context.store.folder()
    try show(try Identity.load(folder: folder.path), in: folder, context)
    return .ok
  }

  /// Shows a key and where it lies.
  fileprivate static func show(
    _ key: SigningKey, in folder: DataFolder, _ context: Context
  ) throws(ConsoleError) {
    let path = "\(folder.path)/\(Identity.fileName)"
    if context.isJSON {
      try context.object("identity", ["peer": .string(key.peer.description), "path": .string(path)])
    } else {
      try context.console.lines(["peer \(key.peer)", "file \(SafeText(path).text)"])
    }
  }
}

/// `parlor identity create`.
enum IdentityCreateCommand: Command {
  static let definition = CommandDefinition(
    "identity create", group: Group.program, summary: "Create this user's key.",
    text: [
      "The secret lies in the data folder, readable by this user alone. Nothing overwrites it. Commands that"
        + " need an identity create one by themselves."
    ],
    examples: [.init("identity create", "Create the key before the first game.")],
    exitStatuses: [.init(.cannotCreate, "There is an identity already.")], objects: [identityObject])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let folder = try context.store.folder()
    try folder.create()
    try FolderMarks.noteBirth(folder.path)
    try IdentityShowCommand.show(try Identity.create(folder: folder.path), in: folder, context)
    return .ok
  }
}

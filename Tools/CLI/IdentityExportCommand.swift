import EventLog
import Events
import Platform
import Terminal

/// `parlor identity export FILE`.
enum IdentityExportCommand: Command {
  static let definition = CommandDefinition(
    "identity export", group: Group.program, summary: "Write this user's key to a file, under a passphrase.",
    text: [
      "The file is for `parlor identity import` on another machine, or to be kept. It holds the key alone and no game:"
        + " `parlor sync` or `parlor log export` brings those. Whoever has the file and the passphrase is this user,"
        + " and whoever has the file can try passphrases, so take a long one. It is asked for twice.",
      "One key is for one machine at a time. Two that are on a network at once write nothing into games that others"
        + " have, and two that cannot hear of each other may contradict each other.",
    ],
    arguments: [.init("file", "Where to write; `-` for standard output.", kind: .file)],
    options: [PassphraseInput.option],
    examples: [
      .init("identity export ada.identity", "Ask for a passphrase, and keep the key in a file."),
      .init(
        "identity export - >/media/stick/ada.identity",
        "Write where a file cannot be linked, as on many sticks."),
    ],
    exitStatuses: [
      .init(.usage, "The passphrase is empty, was not typed twice alike, or cannot be asked for."),
      .init(.noInput, "There is no identity yet."),
      .init(.cannotCreate, "The file is there already, or cannot be created."),
    ],
    objects: [
      .init(
        "exported", "Once, unless the key goes to standard output.",
        ["peer": "the public key, 64 hexadecimal digits", "path": "the file"])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let path = parsed.argument("file") else { preconditionFailure("\(parsed.name) has a file") }
    let key = try Identity.load(folder: try context.store.folder().path)
    // Nobody is to think of a passphrase for nothing.
    if path != "-" { try context.store.folder().checkOutside(path) }
    if path != "-", FileSystem.exists(path) {
      throw Failure(.cannotCreate, "\(SafeText(path).text) is there already, and is never replaced")
    }
    var passphrase = try PassphraseInput(interrupts: context.interrupts).passphrase(parsed, isNew: true)
    defer { passphrase.wipe() }
    if passphrase.count < Self.shortBytes {
      context.console.note(
        "This passphrase is short: whoever has the file can try short ones one after the other.")
    }
    let bytes = try IdentityExport(of: key, passphrase: passphrase).bytes
    guard path != "-" else {
      do { try Descriptor.output.write(bytes) } catch { throw ConsoleError.failed(error) }
      return .ok
    }
    do throws(SystemError) {
      let file = try NewFile(path, replaces: false, mode: 0o600)
      try file.descriptor.write(bytes, path: path)
      try file.keep()
    } catch { throw FileError(.creating, error) }
    if context.isJSON {
      try context.object("exported", ["peer": .string(key.peer.description), "path": .string(path)])
    } else {
      try context.console.lines(["peer \(key.peer)", "file \(SafeText(path).text)"])
    }
    return .ok
  }

  /// Shorter passphrases, in bytes, are written about.
  private static let shortBytes = 12
}

import EventLog
import Events
import Platform
import Terminal

/// `parlor identity import FILE`.
enum IdentityImportCommand: Command {
  static let definition = CommandDefinition(
    "identity import", group: Group.program,
    summary: "Take this user's key from a file of `identity export`.",
    text: [
      "The data folder must have no key yet; one that is there is never replaced. Where it is the same key, nothing is"
        + " changed, and the file and the passphrase are checked.",
      "The key may have games elsewhere. New ones are played at once; a game from before is brought by `parlor sync`,"
        + " `join` or `log import`, and is written to when the peers of its other seats have shown what they hold of"
        + " it.",
    ],
    arguments: [.init("file", "The exported key; `-` for standard input.", kind: .file)],
    options: [PassphraseInput.option],
    examples: [
      .init("identity import ada.identity", "Ask for the passphrase, and be the same peer here."),
      .init(
        "identity import ada.identity --passphrase-file secret", "Ask nobody, as a script does."),
    ],
    exitStatuses: [
      .init(.negative, "It is another passphrase than the file was made with; nothing was changed."),
      .init(.usage, "The passphrase is empty, or cannot be asked for."),
      .init(.dataError, "The file is no whole exported key; nothing was changed."),
      .init(.cannotCreate, "The data folder has another key already."),
      .init(.temporary, "Another process uses the data folder now."),
    ],
    objects: [
      .init(
        "imported", "Once.",
        [
          "peer": "the public key, 64 hexadecimal digits", "path": "the file that holds the secret",
          "new": "whether it was not here before",
        ])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let path = parsed.argument("file") else { preconditionFailure("\(parsed.name) has a file") }
    guard path != "-" || parsed.text("passphrase-file") != "-" else {
      throw parsed.badValue("passphrase-file", "standard input is the exported key")
    }
    let exported = try IdentityExport(try read(path))
    let folder = try context.store.folder()
    let present = try present(in: folder)
    if let present, present != exported.peer { throw taken(folder, by: present, exported.peer) }
    var passphrase = try PassphraseInput(interrupts: context.interrupts).passphrase(parsed, isNew: false)
    defer { passphrase.wipe() }
    var seed = try exported.open(passphrase: passphrase)
    defer { seed.wipe() }
    if present == nil {
      try folder.create()
      _ = try Identity.adopt(seed, folder: folder.path)
    }
    return try tell(exported.peer, in: folder, isNew: present == nil, context)
  }

  private static func read(_ path: String) throws -> [UInt8] {
    do {
      guard path != "-" else { return try readAll(.input, "standard input") }
      let file = try OpenFile.reading(path)
      return try readAll(file.descriptor, path)
    } catch let error as SystemError { throw FileError(.reading, error) }
  }

  /// All bytes of an open file, or as many as are too many.
  private static func readAll(_ file: Descriptor, _ path: String) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= IdentityExport.limitBytes {
      let more = try file.readSome(limitBytes: IdentityExport.limitBytes + 1, path: path)
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  private static func present(in folder: DataFolder) throws -> PeerID? {
    do throws(IdentityError) { return try Identity.load(folder: folder.path).peer } catch {
      guard case .missing = error else { throw error }
      return nil
    }
  }

  private static func taken(_ folder: DataFolder, by present: PeerID, _ peer: PeerID) -> Failure {
    Failure(
      .cannotCreate,
      "\(SafeText(folder.path).text) has the key of peer \(present.short) already, and the file names peer"
        + " \(peer.short); nothing was changed",
      hint: "`--data DIR` or PARLOR_HOME names another data folder, which each key needs")
  }

  private static func tell(
    _ peer: PeerID, in folder: DataFolder, isNew: Bool, _ context: Context
  ) throws -> ExitStatus {
    let path = "\(folder.path)/\(Identity.fileName)"
    if context.isJSON {
      try context.object(
        "imported", ["peer": .string(peer.description), "path": .string(path), "new": .bool(isNew)])
    } else {
      try context.console.lines(["peer \(peer)", "file \(SafeText(path).text)"])
      context.console.note(
        isNew
          ? "This key is here now. Let it be used on one machine at a time."
          : "This key was here already, and nothing was changed; the file and the passphrase are right.")
    }
    return .ok
  }
}

import Platform
import Terminal

/// `parlor manual FOLDER`.
enum ManualCommand: Command {
  static let definition = CommandDefinition(
    "manual", group: Group.program, summary: "Write the manual pages of all commands into a folder.",
    text: [
      "One page for the program and one for each command, in section 1, as `man` reads them. They say what `help` says."
        + " The folder is made where it is missing, and pages that are there are replaced."
    ],
    arguments: [.init("folder", "Where the pages go.", kind: .folder)],
    examples: [
      .init("manual ~/.local/share/man/man1", "For this user: `man parlor-play` finds its page then."),
      .init("manual pages && man -l pages/parlor.1", "Into a folder of this folder, and read one."),
    ],
    exitStatuses: [.init(.cannotCreate, "The folder or a page cannot be written.")],
    objects: [.init("page", "For each page.", ["path": "its file"])])

  /// All pages.
  static var pages: [ManPages.Page] {
    ManPages(
      Commands.table, version: Parlor.version,
      variables: [
        "PARLOR_HOME": "The folder of log and identity, where --data names none.",
        "XDG_DATA_HOME": "Without either, the folder is `parlor` in this one, or in `~/.local/share`.",
        "PARLOR_NETWORK": "The network to keep to, where --network names none.",
        "NO_COLOR": "When it is set to anything, nothing is printed in colour.",
        "TERM": "With `dumb` nothing is drawn in place.",
      ]
    ).pages
  }

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let folder = parsed.argument("folder") else { preconditionFailure("\(parsed.name) has a folder") }
    let pages = pages
    do {
      try FileSystem.makePrivateFolder(folder)
      for page in pages {
        let path = "\(folder)/\(page.file)"
        let file = try NewFile(path, replaces: true)
        try file.descriptor.write(Array((page.lines.joined(separator: "\n") + "\n").utf8), path: path)
        try file.keep()
        if context.isJSON { try context.object("page", ["path": .string(path)]) }
      }
    } catch let error as SystemError { throw FileError(.creating, error) }
    if !context.isJSON {
      try context.console.line("\(pages.count) pages written to \(SafeText(folder).text).")
    }
    return .ok
  }
}

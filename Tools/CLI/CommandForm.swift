import Platform
import Terminal

/// How commands that the program prints are written, so that they can be pasted as they stand: by the name that it was
/// started by, with the data folder and the network of this command.
struct CommandForm: Sendable {
  private let program: String
  private let options: String

  /// - Parameters:
  ///   - name: the word that the program was started by.
  ///   - path: the folders that a shell looks for programs in, as in `PATH`.
  ///   - parsed: the command that was understood; `nil` before there is one.
  init(startedBy name: String, path: String, _ parsed: ParsedCommand? = nil) {
    program = Self.quoted(Self.shortest(name, path: path))
    options = ["data", "network"].map { option in
      parsed?.text(option).map { " --\(option) \(Self.quoted($0))" } ?? ""
    }.joined()
  }

  /// A command as it can be pasted.
  /// - Parameter command: begins with `parlor`.
  func text(_ command: String) -> String {
    let words = command.split(separator: " ").dropFirst()
    guard let first = words.first else { return program }
    let isOfFolder = !Self.anywhere.contains(String(first)) && !words.contains("--help")
    return ([Substring(program)] + words).joined(separator: " ") + (isOfFolder ? options : "")
  }

  /// Commands that need neither a data folder nor a network.
  private static let anywhere: Set<String> = ["help", "games", "bots", "version", "completions", "solve"]

  /// The last part of a path where a shell finds the same program by it.
  private static func shortest(_ name: String, path: String) -> String {
    guard let slash = name.lastIndex(of: "/"), let own = FileStatus(at: name) else { return name }
    let last = String(name[name.index(after: slash)...])
    let found = path.split(separator: ":").lazy.compactMap { FileStatus(at: "\($0)/\(last)") }.first
    return found?.number == own.number ? last : name
  }

  /// A word as a shell reads it back.
  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "_-./:@%+=,".utf8.contains(byte)
      }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}

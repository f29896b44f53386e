import BotKit
import Games
import Platform
import Rules
import Terminal

/// What somebody is asked who starts the program at a terminal without saying what for: the answers make the words of a
/// command, which are shown before it runs.
struct Menu {
  /// One line of a menu.
  private struct Item {
    /// What is typed besides its number.
    let name: String
    let text: String
  }

  private let console: Console
  private var reader: LineReader

  /// A menu at this terminal.
  init(_ console: Console, _ interrupts: Interrupts) {
    self.console = console
    reader = LineReader(.input, stop: interrupts.stop)
  }

  /// Whether somebody sits there who can be asked.
  static func isWanted(_ words: [String], on console: Console) -> Bool {
    words.isEmpty && Descriptor.input.isTerminal && console.output.isTerminal
  }

  private static let items = [
    Item(name: "play", text: "Play against a bot"), Item(name: "host", text: "Host a game for others"),
    Item(name: "join", text: "Join somebody's game"), Item(name: "watch", text: "Watch a game"),
    Item(name: "replay", text: "Replay the newest game"),
    Item(name: "tournaments", text: "Tournaments of bots"), Item(name: "help", text: "See all commands"),
    Item(name: "quit", text: "Leave"),
  ]

  /// Asks until there is a command.
  /// - Returns: its words; `nil` when nothing is wanted.
  mutating func choose() throws -> [String]? {
    try console.lines([
      "Parlor: games against bots, with others, and tournaments.", "Type a number or a word.", "",
    ])
    guard let name = try choice(of: Self.items), let words = try words(for: name) else { return nil }
    let command = words.map(CommandForm.quoted).joined(separator: " ")
    try console.lines(["", console.pasteable("`parlor \(command)`"), ""])
    return words
  }

  private mutating func words(for name: String) throws -> [String]? {
    switch name {
    case "play", "host": return try game().map { [name, $0] }
    case "join":
      guard let code = try answer("The game's code, or Enter to see open games: ") else { return nil }
      return code.isEmpty ? ["lobby"] : ["join", "--", code]
    case "watch":
      guard let code = try answer("The game's code: ") else { return nil }
      return code.isEmpty ? nil : ["watch", "--", code]
    case "replay": return ["replay"]
    case "tournaments": return try tournament()
    case "help": return ["help"]
    default: return nil
    }
  }

  private mutating func game() throws -> String? {
    try console.line()
    return try choice(of: Games.catalog.definitions.map { Item(name: $0.name, text: $0.title) })
  }

  private mutating func tournament() throws -> [String]? {
    try console.line()
    let chosen = try choice(of: [
      Item(name: "run", text: "Run a bracket of bots"), Item(name: "list", text: "List the tournaments here"),
    ])
    guard chosen == "run" else { return chosen.map { ["tournament", $0] } }
    return try game().map { ["tournament", "run", "--game", $0, "--entrants", Self.entrants(of: $0)] }
  }

  /// Bots that play a game, the strongest first, four at the most.
  static func entrants(of game: String) -> String {
    let families = OwnBots.known.families(playing: game).filter { $0.name != "level" }
    // Searches are listed with the strongest last, strategies of the literature with the best known first.
    let strongest = families.count > 16 ? Array(families.prefix(4)) : families.suffix(4).reversed()
    let names = strongest.map { family in
      let needsArgument = family.argument?.hasPrefix("[") == false
      return needsArgument ? "\(family.name):4" : family.name
    }
    return names.joined(separator: ",")
  }

  /// Shows items until one of them is chosen.
  /// - Returns: its name; `nil` when nothing more comes.
  private mutating func choice(of items: [Item]) throws -> String? {
    let columns = console.output.columns
    let width = items.reduce(0) { max($0, $1.name.count) } + 8
    // Where a name leaves no place beside it, the text goes on below.
    let indent = width + 16 <= columns ? width : 8
    try console.lines(
      items.enumerated().flatMap { index, item in
        WrappedText.lines(
          item.text, columns: columns, indent: indent,
          first: "  \(DisplayWidth.fit(String(index + 1), columns: 2, align: .trailing))  \(item.name)")
      } + [""])
    while let answer = try answer("Your choice: ") {
      let word = answer.lowercased()
      if let number = Int(word), items.indices.contains(number - 1) { return items[number - 1].name }
      let found = items.filter { $0.name == word || !word.isEmpty && $0.name.hasPrefix(word) }
      if let exact = found.first(where: { $0.name == word }) ?? (found.count == 1 ? found.first : nil) {
        return exact.name
      }
      if ["q", "quit", "exit"].contains(word) { return nil }
      let near = Spelling.near(word, among: items.map(\.name))
      console.report(
        error: "“\(SafeText(answer, limitColumns: 40))” is none of them",
        hint: near.isEmpty
          ? "a number from 1 to \(items.count), or a name" : "did you mean \(near.joined(separator: " or "))?"
      )
    }
    return nil
  }

  /// One line without blanks around it; `nil` when nothing more comes.
  private mutating func answer(_ question: String) throws -> String? {
    while true {
      switch try reader.ask(question, on: console) {
      case .line(let line): return line.trimmingBlanks
      case .tooLong, .notText: console.report(error: "that line is too long, or no text")
      case .end, .interrupted, .timedOut:
        console.note("")
        return nil
      }
    }
  }
}

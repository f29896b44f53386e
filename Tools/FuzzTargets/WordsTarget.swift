import BotKit
import Events
import Games
import JSON
import Rules
import Terminal
import Web

/// What people type and what others wrote for people: command lines, moves, settings, names, JSON.
enum WordsTarget {
  static func run(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    switch first % 5 {
    case 0: commandLine(rest)
    case 1: moves(rest)
    case 2: parameters(rest)
    case 3: json(rest)
    default: safeText(rest)
    }
  }

  /// What others send as JSON.
  private static func json(_ bytes: [UInt8]) {
    do throws(JSONError) {
      let value = try JSONValue(parsing: bytes)
      if case .object(let members) = value {
        let again = try JSONValue(parsing: Array(JSONLine(members).text.utf8))
        Fuzz.promise(again == value, "what is read as JSON is written as something else: \(value)")
      }
    } catch { Fuzz.promise(error.line > 0 && error.column > 0, "\(error) has no place") }
    do throws(TableRequest.Refusal) { _ = try TableRequest(bytes) } catch {
      Fuzz.promise(!error.words.isEmpty, "a request is refused without a word")
    }
    do throws(TicTacToeMessage.Refusal) {
      let message = try TicTacToeMessage(bytes)
      let again = try TicTacToeMessage(Array(message.text.utf8))
      Fuzz.promise(again == message, "a message is written as another one: \(message)")
    } catch { Fuzz.promise(!error.words.isEmpty, "a message is refused without a word") }
  }

  private static let table = CommandTable(
    program: "parlor", summary: "Play.",
    commands: [
      CommandDefinition(
        "play", group: "Play", summary: "Play a game.",
        arguments: [ArgumentDefinition("game", "The game.", kind: .proposal(["tic-tac-toe"]))],
        options: [
          .value("seat", "SEAT", "Where you sit.", standard: "first", kind: .choice(["first", "second"])),
          .value("seed", "N", "The seed.", standard: "0"),
          .value("set", "PARAMETER=VALUE", "A setting.", repeats: true),
        ]),
      CommandDefinition(
        "log export", group: "Log", summary: "Write rooms.",
        arguments: [
          ArgumentDefinition("file", "Where to.", kind: .file),
          ArgumentDefinition("id", "Rooms.", isOptional: true, repeats: true),
        ],
        options: [.flag("force", "Overwrite."), .value("players", "A,B", "Bots.", isRequired: true)]),
    ],
    globals: [.flag("json", "JSON."), .value("data", "DIR", "The folder.", kind: .folder)])

  /// Words with line feeds between them.
  private static func commandLine(_ bytes: [UInt8]) {
    let words = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    do throws(UsageError) {
      guard case .command(let command) = try table.parse(words) else { return }
      switch command.name {
      case "play": _ = try command.integer("seed", in: UInt64.min...UInt64.max)
      default: _ = try command.list("players")
      }
      _ = command.has("json")
    } catch { _ = SafeText(error.description) }
  }

  /// Text that a game takes for a move is the move of its own text, and its code leads back to it.
  private static func moves(_ bytes: [UInt8]) {
    var choices = ByteChoices(bytes)
    guard let definition = choices.pick(Games.catalog.definitions) else { return }
    let text = String(decoding: choices.rest(), as: UTF8.self)
    do throws(RulesError) {
      let state = try definition.rules().start(first: Seat(0))
      guard let code = state.code(text: text) else { return }
      Fuzz.promise(
        state.code(text: state.text(of: code)) == code, "\(definition.name): a move's text is another's")
      _ = state.isLegal(code, by: Seat(0))
    } catch { Fuzz.fail("the standard settings of \(definition.name) are refused: \(error)") }
  }

  /// Settings are refused or canonical, and so are the rules that they give.
  private static func parameters(_ bytes: [UInt8]) {
    guard let parameters = Parameters(encoded: bytes) else { return }
    Fuzz.promise(parameters.encoded == bytes, "settings written again are others")
    for definition in Games.catalog.definitions {
      do throws(RulesError) {
        let rules = try definition.rules(parameters)
        let again = try definition.rules(rules.parameters)
        Fuzz.promise(again.parameters == rules.parameters, "\(definition.name): settings have two spellings")
        _ = rules.start(first: Seat(0)).view(for: nil).diagram
      } catch { _ = error.description }
    }
  }

  /// Safe text is one line without control characters, and made safe again it stays as it is.
  private static func safeText(_ bytes: [UInt8]) {
    let limit = Int(bytes.first ?? 0)
    let safe = SafeText(bytes: bytes.dropFirst(), limitColumns: limit)
    Fuzz.promise(safe.columns <= limit, "a text of \(safe.columns) columns, where \(limit) fit")
    Fuzz.promise(
      !safe.text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) },
      "a control character in safe text")
    Fuzz.promise(SafeText(safe.text, limitColumns: limit) == safe, "safe text is not safe")
    let name = Profile(name: String(decoding: bytes, as: UTF8.self)).name
    Fuzz.promise(name.utf8.count <= Profile.limitNameBytes, "a name over its limit")
  }
}

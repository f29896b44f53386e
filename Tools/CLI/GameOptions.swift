import BotKit
import Events
import Games
import Projection
import Rules
import Service
import Terminal

/// How commands are told which game is meant.
enum GameOptions {
  /// `--set PARAMETER=VALUE`, the same for every command that creates a game.
  static let settings = OptionDefinition.value(
    "set", "PARAMETER=VALUE", "A setting of the game; `parlor games NAME` lists them.", repeats: true)

  /// The names of the games, for completion.
  static let gameNames = ValueKind.proposal(Games.catalog.definitions.map(\.name))

  /// The names of the games and of what is hosted, for completion.
  static let tableNames = ValueKind.proposal(
    Games.catalog.definitions.map(\.name) + Games.catalog.hosted.map(\.name))
}

extension GameCatalog {
  /// The game that an argument names.
  func game(_ name: String, _ parsed: ParsedCommand, place: String = "game") throws(UsageError)
    -> GameDefinition
  {
    guard let found = newest(name) else { throw parsed.badArgument(place, unknownGame(name)) }
    return found
  }

  /// The game that an option names.
  func game(_ name: String, _ parsed: ParsedCommand, option: String) throws(UsageError) -> GameDefinition {
    guard let found = newest(name) else { throw parsed.badValue(option, unknownGame(name)) }
    return found
  }

  private func unknownGame(_ name: String) -> String {
    if newestHosted(name) != nil {
      return "one peer hosts it with `parlor host \(name)`, and the others play by `parlor join CODE`"
    }
    let names = definitions.map(\.name) + hosted.map(\.name)
    let near = Spelling.near(name, among: names)
    guard near.isEmpty else { return "did you mean \(near.joined(separator: " or "))?" }
    return "the games are \(names.joined(separator: ", "))"
  }

  /// The rules that a table is played by; `nil` where they are not known here.
  func rules(of table: TableView) throws -> (any GameRules)? {
    var parameters = Parameters()
    for setting in table.settings { parameters[setting.name] = setting.value }
    return try definition(table.game, version: UInt16(clamping: table.version))?.rules(parameters)
  }
}

extension GameDefinition {
  /// Its rules with the settings of the command line.
  func rules(_ parsed: ParsedCommand) throws -> any GameRules {
    let parameters = try Parameters(parsed)
    return try Parameters.explained(name) { () throws(RulesError) in try rules(parameters) }
  }
}

extension HostedDefinition {
  /// Its rules with the settings of the command line.
  /// - Parameter others: settings that have options of their own.
  func rules(
    _ parsed: ParsedCommand, also others: [(name: String, value: String)] = []
  ) throws -> any HostedRules {
    var parameters = try Parameters(parsed)
    for (name, value) in others {
      guard Parameters.isValue(Array(value.utf8)) else {
        throw parsed.badValue(name, "it is no value of a setting")
      }
      guard parameters[name] == nil else { throw parsed.badValue(name, "\(name) is set twice") }
      parameters[name] = value
    }
    return try Parameters.explained(self.name) { () throws(RulesError) in try rules(parameters) }
  }
}

extension Parameters {
  /// What `--set` says.
  init(_ parsed: ParsedCommand) throws {
    self.init()
    for setting in parsed.texts("set") {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw parsed.badValue("set", "write it as PARAMETER=VALUE")
      }
      guard self[parts[0]] == nil else { throw parsed.badValue("set", "\(parts[0]) is set twice") }
      self[parts[0]] = parts[1]
    }
  }

  /// What rules are made, or why they cannot be.
  fileprivate static func explained<Made>(_ game: String, _ make: () throws(RulesError) -> Made) throws
    -> Made
  {
    do throws(RulesError) { return try make() } catch {
      var words = error.description
      if case .unknownParameter(let name, let known) = error {
        let near = Spelling.near(name, among: known)
        if !near.isEmpty {
          words = "the game has no setting “\(name)”; did you mean \(near.joined(separator: " or "))?"
        }
      }
      throw Failure(.usage, words, hint: "`parlor games \(game)` lists the settings")
    }
  }
}

extension Scope {
  /// Who may hold a room.
  init(_ parsed: ParsedCommand, standard: Scope = .local) {
    self =
      switch parsed.text("scope") {
      case "local"?: .local
      case "public"?: .open
      case "invited"?: .invited
      default: standard
      }
  }
}

extension RandomSource {
  /// A seed from the system's generator, for games whose seed nobody gave.
  static func drawnSeed() -> UInt64 {
    SigningKey.randomSeed().prefix(8).reduce(0) { $0 << 8 | UInt64($1) } >> 1
  }
}

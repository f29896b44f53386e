import BotKit
import EventLog
import Events
import Games
import LineBots
import Rules
import Service
import Terminal

extension Context {
  /// `--set PARAMETER=VALUE`, the same for every command that creates a game.
  static let settings = OptionDefinition.value(
    "set", "PARAMETER=VALUE", "A setting of the game; `parlor games NAME` lists them.", repeats: true)

  /// The names of the games, for completion.
  static let gameNames = ValueKind.proposal(Games.catalog.definitions.map(\.name))

  /// The names of bots, for completion.
  static let botNames = ValueKind.proposal(catalogOfBots.families.map(\.name))

  /// The same, any number of them with commas between.
  static let botLists = ValueKind.list(
    catalogOfBots.families.map(\.name) + catalogOfBots.collections.map(\.name))

  /// The names of the games and of what is hosted, for completion.
  static let tableNames = ValueKind.proposal(
    Games.catalog.definitions.map(\.name) + Games.catalog.hosted.map(\.name))

  /// The rules of a game with the settings of the command line.
  func rules(_ definition: GameDefinition, _ parsed: ParsedCommand) throws -> any GameRules {
    let parameters = try settings(parsed)
    return try explained(definition.name) { () throws(RulesError) in try definition.rules(parameters) }
  }

  /// The rules of a game of hosted rounds with the settings of the command line.
  /// - Parameter others: settings that have options of their own.
  func rules(
    _ definition: HostedDefinition, _ parsed: ParsedCommand, also others: [(name: String, value: String)] = []
  ) throws -> any HostedRules {
    var parameters = try settings(parsed)
    for (name, value) in others {
      guard Parameters.isValue(Array(value.utf8)) else {
        throw parsed.badValue(name, "it is no value of a setting")
      }
      guard parameters[name] == nil else { throw parsed.badValue(name, "\(name) is set twice") }
      parameters[name] = value
    }
    return try explained(definition.name) { () throws(RulesError) in try definition.rules(parameters) }
  }

  /// What `--set` says.
  private func settings(_ parsed: ParsedCommand) throws -> Parameters {
    var parameters = Parameters()
    for setting in parsed.texts("set") {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw parsed.badValue("set", "write it as PARAMETER=VALUE")
      }
      guard parameters[parts[0]] == nil else { throw parsed.badValue("set", "\(parts[0]) is set twice") }
      parameters[parts[0]] = parts[1]
    }
    return parameters
  }

  /// What rules are made, or why they cannot be.
  private func explained<Made>(_ game: String, _ make: () throws(RulesError) -> Made) throws -> Made {
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

  /// Who may hold a room.
  func scope(_ parsed: ParsedCommand, standard: Scope = .local) throws -> Scope {
    switch parsed.text("scope") {
    case "local"?: .local
    case "public"?: .open
    case "invited"?: .invited
    default: standard
    }
  }

  /// The rules that a table is played by; `nil` where they are not known here.
  func rules(of table: TableView) throws -> (any GameRules)? {
    var parameters = Parameters()
    for setting in table.settings { parameters[setting.name] = setting.value }
    return try games.definition(table.game, version: UInt16(clamping: table.version))?.rules(parameters)
  }

  /// What the log calls a bot that this user names.
  /// - Parameter settings: its own, if it is a command.
  func botName(_ typed: String, _ settings: LineBotSettings = LineBotSettings()) throws(BotError) -> String {
    guard BotCatalog.isCommand(typed) else { return typed }
    return try lineBots.specification(of: typed, settings)
  }

  /// A bot that this user names, as the log calls it.
  /// - Throws: when it is no bot that plays this game.
  func checkedBot(
    _ typed: String, _ settings: LineBotSettings = LineBotSettings(), for rules: any GameRules
  ) throws(Failure) -> String {
    let game = rules.definition.name
    do throws(BotError) {
      let name = try botName(typed, settings)
      let bot = try ownBots.bot(name, for: rules)
      if BotCatalog.isCommand(name) { return name }
      // As the log calls it: who goes on with a game finds no other name there.
      let declared = bot.declaration
      return try bots.name(of: declared.specification, version: declared.version, for: rules)
    } catch {
      if case .unavailable = error { throw unavailable(typed, error) }
      var words = error.description
      if let collection = bots.collections.first(where: { $0.name == typed }) {
        let use = "only where bots of \(collection.game) may be more than one"
        throw Failure(
          .usage, "“\(typed)” stands for \(collection.members.count) bots, \(use)",
          hint: "`parlor bots --game \(collection.game)` lists them one by one")
      }
      if case .unknownBot(let name, _) = error {
        let known = bots.families(playing: game).map(\.name)
        let near = Spelling.near(name, among: known)
        words =
          "no bot “\(name)” is known here; "
          + (near.isEmpty
            ? "\(game) is played by \(BotError.list(known))"
            : "did you mean \(near.joined(separator: " or "))?")
      }
      throw Failure(.usage, words, hint: "`parlor bots --game \(game)` lists the bots that play it")
    }
  }

  /// What is said of a command that is no bot here.
  func unavailable(_ command: String, _ error: BotError) -> Failure {
    Failure(
      .unavailable, error.description,
      hint: "`parlor bot check \(CommandForm.quoted(command))` tells all that it does wrong")
  }

  /// A seed from the system's generator, for games whose seed nobody gave.
  func drawSeed() -> UInt64 {
    SigningKey.randomSeed().prefix(8).reduce(0) { $0 << 8 | UInt64($1) } >> 1
  }

  /// A clock that only goes forward, in milliseconds.
  var stopwatch: @Sendable () -> Int64 {
    let clock = ContinuousClock()
    let start = clock.now
    return {
      let (seconds, attoseconds) = start.duration(to: clock.now).components
      return seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000
    }
  }
}

import BotKit
import LineBots
import MemoryMatchBots
import Platform
import PrisonersDilemmaBots
import Rules
import SearchBots
import Terminal

/// The bots that this user may name: those that this program knows, and commands.
struct OwnBots: Sendable {
  /// What commands say that take bots.
  static let text =
    "A bot may be a program in any language: a command with a slash in it, such as ./mybot.py. It speaks the protocol "
    + "of Docs/LINE-PROTOCOL.md. Engines that speak another protocol are gtp:COMMAND and nboard:COMMAND for othello, "
    + "and gomocup:COMMAND for gomoku (Docs/ENGINES.md). A bot that goes wrong loses that game alone."

  /// What commands print of bots that are commands.
  static let object = ObjectDefinition(
    "line-bot", "At the end, for each bot that is a command and lost a game by what it did wrong.",
    [
      "bot": "what the log calls it",
      "faults": "objects with `name`, the fault, and `games`, how many it cost",
      "restarts": "how often it was started again",
      "ignored-quit": "how often it went on after it was told to quit",
    ])

  /// The names of bots, for completion.
  static let names = ValueKind.proposal(known.families.map(\.name))

  /// The same, any number of them with commas between.
  static let lists = ValueKind.list(
    known.families.map(\.name) + known.collections.map(\.name))

  /// The bots that this program knows by name.
  static var known: BotCatalog {
    BotCatalog(
      SearchBots.families + PrisonersDilemmaBots.families + MemoryMatchBots.families,
      collections: PrisonersDilemmaBots.collections)
  }

  /// The bots that are commands.
  let commands: LineBots

  init(_ parsed: ParsedCommand, _ console: Console) throws(UsageError) {
    let limits = try BotOptions.settings(parsed).limits(over: LineBotLimits())
    commands = LineBots(limits: limits, home: CurrentProcess.variable("HOME")) { console.tell($0) }
  }

  /// The bots that this program knows and those that are commands, for whom this user names.
  var catalog: BotCatalog {
    BotCatalog(Self.known) { [commands] (specification, rules) throws(BotError) in
      try commands.bot(specification, for: rules)
    }
  }

  /// What the log calls a bot that this user names.
  /// - Parameter settings: its own, if it is a command.
  func name(of typed: String, _ settings: LineBotSettings = LineBotSettings()) throws(BotError) -> String {
    guard BotCatalog.isCommand(typed) else { return typed }
    return try commands.specification(of: typed, settings)
  }

  /// A bot that this user names, as the log calls it.
  /// - Throws: when it is no bot that plays this game.
  func checked(
    _ typed: String, _ settings: LineBotSettings = LineBotSettings(), for rules: any GameRules
  ) throws(Failure) -> String {
    let game = rules.definition.name
    do throws(BotError) {
      let name = try self.name(of: typed, settings)
      let bot = try catalog.bot(name, for: rules)
      if BotCatalog.isCommand(name) { return name }
      // As the log calls it: who goes on with a game finds no other name there.
      let declared = bot.declaration
      return try Self.known.name(of: declared.specification, version: declared.version, for: rules)
    } catch {
      if case .unavailable = error { throw Self.unavailable(typed, error) }
      var words = error.description
      if let collection = Self.known.collections.first(where: { $0.name == typed }) {
        let use = "only where bots of \(collection.game) may be more than one"
        throw Failure(
          .usage, "“\(typed)” stands for \(collection.members.count) bots, \(use)",
          hint: "`parlor bots --game \(collection.game)` lists them one by one")
      }
      if case .unknownBot(let name, _) = error {
        let known = Self.known.families(playing: game).map(\.name)
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
  static func unavailable(_ command: String, _ error: BotError) -> Failure {
    Failure(
      .unavailable, error.description,
      hint: "`parlor bot check \(CommandForm.quoted(command))` tells all that it does wrong")
  }

  /// Ends the bots that are commands, and tells what has become of them where something went wrong.
  func end(_ context: Context) {
    commands.close()
    for (bot, tally) in commands.tallies {
      let name = SafeText(bot).text
      let games = tally.faults.reduce(0) { $0 + $1.count }
      if games > 0 {
        let kinds = tally.faults.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
        let starts = tally.restarts == 0 ? "" : " It was started again \(Room.count(tally.restarts, "time"))."
        tell(bot, tally, context)
        context.console.note("The bot \(name) gave up \(Room.count(games, "game")): \(kinds).\(starts)")
      }
      if tally.ignoredQuit > 0 {
        context.console.note("The bot \(name) went on after it was told to quit, and was ended.")
      }
    }
  }

  private func tell(_ bot: String, _ tally: LineBot.Tally, _ context: Context) {
    guard context.isJSON else { return }
    do throws(ConsoleError) {
      try context.object(
        "line-bot",
        [
          "bot": .string(bot),
          "faults": .array(
            tally.faults.map { .object(["name": .string($0.name), "games": .integer(Int64($0.count))]) }),
          "restarts": .integer(Int64(tally.restarts)), "ignored-quit": .integer(Int64(tally.ignoredQuit)),
        ])
    } catch { context.console.note(error.description) }
  }
}

extension Console {
  /// How many of the last lines that a bot wrote to standard error are shown.
  private static let limitErrorLines = 5

  /// Tells what a bot has done wrong, the first time that it does so.
  func tell(_ report: LineBot.Report) {
    guard report.isFirst else { return }
    let name = SafeText(report.bot).text
    if report.costsGame {
      note("The bot \(name) \(SafeText(report.fault.words).text). It loses this game.")
    }
    let lines = Self.lastLines(of: report.errors)
    guard !lines.isEmpty else { return }
    note("What it wrote last to standard error:")
    for line in lines { note("  \(SafeText(line, limitColumns: 200).text)") }
  }

  /// The last lines of what a bot wrote to standard error.
  static func lastLines(of errors: [UInt8]) -> [String] {
    String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(limitErrorLines).map {
      String($0)
    }
  }
}

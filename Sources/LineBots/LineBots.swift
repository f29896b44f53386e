package import BotKit
internal import Platform
package import Rules

/// The line bots of a process: each command is started once for a game, whoever plays it.
package final class LineBots: Sendable {
  /// A command by what the log calls it, with what is said of it alone.
  private struct Named: Sendable {
    let name: String
    let command: BotCommandLine
    let settings: LineBotSettings
  }

  private struct State: Sendable {
    /// In the order in which they were named.
    var commands: [Named] = []
    var bots: [(key: [String], bot: LineBot)] = []
  }

  private let limits: LineBotLimits
  private let home: String?
  private let report: @Sendable (LineBot.Report) -> Void
  private let state = Guarded(State())

  /// - Parameters:
  ///   - limits: what a bot may have of which nothing else is said.
  ///   - home: this user's home folder, for commands that begin with `~/`.
  ///   - report: is told of each fault.
  package init(
    limits: LineBotLimits = LineBotLimits(), home: String? = nil,
    report: @escaping @Sendable (LineBot.Report) -> Void = { _ in }
  ) {
    (self.limits, self.home, self.report) = (limits, home, report)
  }

  /// What the log calls the bot of a command.
  /// - Parameter settings: what is said of it alone. The same command with other settings is another bot.
  package func specification(
    of text: String, _ settings: LineBotSettings = LineBotSettings()
  ) throws(BotError) -> String {
    let command = try command(text)
    let name: String? = state.withLock { state in
      let names = (1...limitParts).map { command.specification(parts: $0) }
      let numbered = (2...limitNumber).map { command.specification(number: $0) }
      for name in names + numbered {
        guard let known = state.commands.first(where: { $0.name == name }) else {
          state.commands.append(Named(name: name, command: command, settings: settings))
          return name
        }
        if known.command == command, known.settings == settings { return name }
      }
      return nil
    }
    guard let name else {
      throw .unavailable(
        bot: command.specification(),
        reason: "is one of more than \(limitNumber) that the log would call the same")
    }
    return name
  }

  private func command(_ text: String) throws(BotError) -> BotCommandLine {
    guard !text.hasSuffix(BotCommandLine.ellipsis) else {
      throw .unavailable(
        bot: text, reason: "has a command that is too long for the log, which does not say how to start it")
    }
    guard let command = BotCommandLine(text, home: home) else {
      throw .unavailable(bot: text, reason: "has a command in which a quote is not closed, or no word stands")
    }
    return command
  }

  /// The bot that the log calls so, to be asked again for moves that it played.
  ///
  /// A log comes from strangers: only a command is started whose name was asked for (`specification(of:)`).
  package func bot(
    playingAgain specification: String, for rules: any GameRules
  ) throws(BotError) -> any Bot {
    try checkNamed(specification)
    return BotPlayingAgain(bot: try lineBot(specification, for: rules))
  }

  /// The bot that somebody else calls so, to play: only a command is started whose name was asked for.
  package func bot(named specification: String, for rules: any GameRules) throws(BotError) -> any Bot {
    try checkNamed(specification)
    return try lineBot(specification, for: rules)
  }

  private func checkNamed(_ specification: String) throws(BotError) {
    guard state.withLock({ state in state.commands.contains { $0.name == specification } }) else {
      throw .unknownBot(specification, known: [])
    }
  }

  /// The bot that the log calls so, or of a command.
  package func bot(_ specification: String, for rules: any GameRules) throws(BotError) -> any Bot {
    try lineBot(specification, for: rules)
  }

  private func lineBot(_ specification: String, for rules: any GameRules) throws(BotError) -> LineBot {
    let known = state.withLock { state in state.commands.first { $0.name == specification } }
    let named =
      if let known { known } else {
        Named(
          name: try self.specification(of: specification), command: try command(specification),
          settings: LineBotSettings())
      }
    let key = [named.name, rules.definition.name, String(decoding: rules.parameters.encoded, as: UTF8.self)]
    if let known = state.withLock({ state in state.bots.first { $0.key == key }?.bot }) { return known }
    let bot: LineBot
    do throws(LineBotFault) {
      bot = try LineBot(
        named.command, as: named.name, for: rules, limits: named.settings.limits(over: limits), report: report
      )
    } catch { throw .unavailable(bot: named.name, reason: error.words) }
    state.withLock { $0.bots.append((key, bot)) }
    return bot
  }

  /// What has become of all bots, by what the log calls them, in the order in which they were started.
  package var tallies: [(bot: String, tally: LineBot.Tally)] {
    state.withLock { state in state.bots.map { ($0.bot.declaration.specification, $0.bot.tally) } }
  }

  /// Ends all that runs.
  package func close() { for (_, bot) in state.withLock(\.bots) { bot.close() } }
}

/// A line bot that is asked for what it has played.
private struct BotPlayingAgain: Bot {
  let bot: LineBot
  var declaration: BotDeclaration { bot.declaration }

  func choose(_ turn: BotTurn) throws(BotError) -> BotChoice { try bot.chooseAgain(turn) }
}

/// How many parts of a path tell two commands apart at the most.
private let limitParts = 8
/// How many commands are told apart by a number at the most.
private let limitNumber = 99

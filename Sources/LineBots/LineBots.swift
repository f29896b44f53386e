package import BotKit
internal import Platform
package import Rules

/// The line bots of a process: each command is started once for a game, whoever plays it.
package final class LineBots: Sendable {
  private struct State: Sendable {
    /// Commands by what the log calls them, in the order in which they were named.
    var commands: [(name: String, command: BotCommandLine)] = []
    var bots: [(key: [String], bot: LineBot)] = []
  }

  private let limits: LineBotLimits
  private let home: String?
  private let report: @Sendable (LineBot.Report) -> Void
  private let state = Guarded(State())

  /// - Parameters:
  ///   - home: this user's home folder, for commands that begin with `~/`.
  ///   - report: is told of each fault.
  package init(
    limits: LineBotLimits = LineBotLimits(), home: String? = nil,
    report: @escaping @Sendable (LineBot.Report) -> Void = { _ in }
  ) {
    (self.limits, self.home, self.report) = (limits, home, report)
  }

  /// What the log calls the bot of a command.
  package func specification(of text: String) throws(BotError) -> String {
    let command = try command(text)
    return state.withLock { state in
      let names = (1...limitParts).map { command.specification(parts: $0) }
      let numbered = (2...99).map { command.specification(number: $0) }
      for name in names + numbered {
        guard let known = state.commands.first(where: { $0.name == name }) else {
          state.commands.append((name, command))
          return name
        }
        if known.command == command { return name }
      }
      return command.specification()
    }
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

  /// The bot that the log calls so, or of a command.
  package func bot(_ specification: String, for rules: any GameRules) throws(BotError) -> any Bot {
    let named = state.withLock { state in state.commands.first { $0.name == specification }?.command }
    let command = if let named { named } else { try self.command(specification) }
    let name = named == nil ? try self.specification(of: specification) : specification
    let key = [name, rules.definition.name, String(decoding: rules.parameters.encoded, as: UTF8.self)]
    if let known = state.withLock({ state in state.bots.first { $0.key == key }?.bot }) { return known }
    let bot: LineBot
    do throws(LineBotFault) {
      bot = try LineBot(command, as: name, for: rules, limits: limits, report: report)
    } catch { throw .unavailable(bot: name, reason: error.words) }
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

/// How many parts of a path tell two commands apart at the most.
private let limitParts = 8

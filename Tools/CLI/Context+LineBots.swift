import LineBots
import Terminal

extension Context {
  /// What commands say that take bots.
  static let commandBots =
    "A bot may be a program in any language: a command with a slash in it, such as ./mybot.py. It speaks the protocol "
    + "of Docs/LINE-PROTOCOL.md. Engines that speak another protocol are gtp:COMMAND and nboard:COMMAND for othello, "
    + "and gomocup:COMMAND for gomoku (Docs/ENGINES.md). A bot that goes wrong loses that game alone."

  /// What commands print of bots that are commands.
  static let lineBotObject = ObjectDefinition(
    "line-bot", "At the end, for each bot that is a command and lost a game by what it did wrong.",
    [
      "bot": "what the log calls it",
      "faults": "objects with `name`, the fault, and `games`, how many it cost",
      "restarts": "how often it was started again",
      "ignored-quit": "how often it went on after it was told to quit",
    ])

  private func tellObject(_ bot: String, _ tally: LineBot.Tally) {
    guard isJSON else { return }
    do throws(ConsoleError) {
      try object(
        "line-bot",
        [
          "bot": .string(bot),
          "faults": .array(
            tally.faults.map { .object(["name": .string($0.name), "games": .integer(Int64($0.count))]) }),
          "restarts": .integer(Int64(tally.restarts)), "ignored-quit": .integer(Int64(tally.ignoredQuit)),
        ])
    } catch { console.note(error.description) }
  }

  /// Ends the bots that are commands, and tells what has become of them where something went wrong.
  func endLineBots() {
    lineBots.close()
    for (bot, tally) in lineBots.tallies {
      let name = SafeText(bot).text
      let games = tally.faults.reduce(0) { $0 + $1.count }
      if games > 0 {
        let kinds = tally.faults.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
        let starts = tally.restarts == 0 ? "" : " It was started again \(Room.count(tally.restarts, "time"))."
        tellObject(bot, tally)
        console.note("The bot \(name) gave up \(Room.count(games, "game")): \(kinds).\(starts)")
      }
      if tally.ignoredQuit > 0 {
        console.note("The bot \(name) went on after it was told to quit, and was ended.")
      }
    }
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

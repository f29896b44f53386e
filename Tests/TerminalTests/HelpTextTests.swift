import Terminal
import Testing

@Suite struct HelpTextTests {
  private func text(_ path: [String], columns: Int = 80) -> String {
    HelpText(Sample.table, columns: columns).lines(path).joined(separator: "\n")
  }

  @Test func whatIsForOneThingAloneStandsUnderAHeadingOfItsOwn() {
    let options: [OptionDefinition] = [
      .flag("late", "Of games.").for("games"), .flag("all", "Of all."),
      .flag("deep", "Of a quiz.").for("a quiz"),
      .flag("early", "Of games.").for("games"),
    ]
    func headings(_ options: [OptionDefinition]) -> [String] {
      let table = CommandTable(
        program: "parlor", summary: "Plays.",
        commands: [CommandDefinition("host", group: "Play", summary: "Open a game.", options: options)],
        globals: [])
      let lines = HelpText(table, columns: 80).lines(["host"])
      return lines.drop { !$0.hasPrefix("Options") }.prefix { !$0.hasPrefix("Options of every") }
        .filter { !$0.isEmpty }
    }
    #expect(
      headings(options) == [
        "Options:", "  --all  Of all.", "Options for games:", "  --late   Of games.", "  --early  Of games.",
        "Options for a quiz:", "  --deep  Of a quiz.",
      ])
    #expect(headings([options[0]]) == ["Options for games:", "  --late  Of games."])
  }

  @Test func overview() {
    #expect(
      text([]) == """
        Play games with people and bots, peer to peer.

        Usage:
          parlor COMMAND [OPTIONS]

        Play:
          play GAME              Play a game against a bot, move by move, on this
                                 terminal.
          match GAME             Let bots play.

        Log:
          log list               List the rooms.
          log export FILE [ID…]  Write rooms into a file.

        Options of every command:
          --json      Print one JSON object a line.
          --data DIR  The data folder.
          --no-color  Print without colour.
          -h, --help  Show help and what else the command takes.

        `parlor help COMMAND` says more and shows examples.
        """)
  }

  @Test func oneCommand() {
    #expect(
      text(["play"]) == """
        Play a game against a bot, move by move, on this terminal.

        Usage:
          parlor play GAME [--against BOT] [--seat SEAT] [--seed N]
              [--set PARAMETER=VALUE…]

        Type the number of a square: it's that easy. `undo` takes your last move back,
        `resign` gives up.

        Arguments:
          GAME  The game to play.

        Options:
          --against BOT          Who plays against you. Default: solver.
          --seat SEAT            Where you sit. One of: first, second, random. Default:
                                 first.
          --seed N               The seed of the bot's random numbers.
          --set PARAMETER=VALUE  A setting of the game. May be given more than once.

        Options of every command:
          --json      Print one JSON object a line.
          --data DIR  The data folder.
          --no-color  Print without colour.
          -h, --help  Show help and what else the command takes.

        Exit status:
          75  Another process writes this log.

        Examples:
          parlor play tic-tac-toe --seat second
              Lets the bot begin.
        """)
  }

  @Test func aGroupOfCommands() {
    #expect(
      text(["log"]) == """
        Usage:
          parlor log COMMAND [OPTIONS]

        Log:
          log list               List the rooms.
          log export FILE [ID…]  Write rooms into a file.

        Options of every command:
          --json      Print one JSON object a line.
          --data DIR  The data folder.
          --no-color  Print without colour.
          -h, --help  Show help and what else the command takes.

        `parlor help log COMMAND` says more and shows examples.
        """)
  }

  @Test func narrow() {
    #expect(
      text(["play"], columns: 40) == """
        Play a game against a bot, move by move,
        on this terminal.

        Usage:
          parlor play GAME [--against BOT]
              [--seat SEAT] [--seed N]
              [--set PARAMETER=VALUE…]

        Type the number of a square: it's that
        easy. `undo` takes your last move back,
        `resign` gives up.

        Arguments:
          GAME  The game to play.

        Options:
          --against BOT  Who plays against you.
                         Default: solver.
          --seat SEAT    Where you sit. One of:
                         first, second, random.
                         Default: first.
          --seed N       The seed of the bot's
                         random numbers.
          --set PARAMETER=VALUE
                         A setting of the game.
                         May be given more than
                         once.

        Options of every command:
          --json      Print one JSON object a
                      line.
          --data DIR  The data folder.
          --no-color  Print without colour.
          -h, --help  Show help and what else
                      the command takes.

        Exit status:
          75  Another process writes this log.

        Examples:
          parlor play tic-tac-toe --seat second
              Lets the bot begin.
        """)
  }

  @Test func everyWidthIsKept() {
    for columns in 32...120 {
      for path in [[], ["play"], ["match"], ["log"], ["log", "list"], ["log", "export"]] {
        let lines = HelpText(Sample.table, columns: columns).lines(path)
        #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= columns }, "\(path) \(columns)")
        #expect(lines.allSatisfy { $0.last != " " })
      }
    }
  }

  @Test func wrapping() {
    #expect(WrappedText.lines("", columns: 10) == [""])
    #expect(WrappedText.lines("a b c d", columns: 3) == ["a b", "c d"])
    #expect(WrappedText.lines("longerthanthat b", columns: 5) == ["longerthanthat", "b"])
    #expect(WrappedText.lines("a b", columns: 9, indent: 4, first: "--x") == ["--x a b"])
    #expect(WrappedText.lines("a b", columns: 9, indent: 4, first: "--long") == ["--long", "    a b"])
    #expect(WrappedText.lines("", columns: 9, indent: 4, first: "--x") == ["--x"])
    #expect(WrappedText.lines("日本 日本", columns: 8) == ["日本", "日本"])
    #expect(WrappedText.lines("日本 日本", columns: 9) == ["日本 日本"])
  }
}

import Foundation
import TestKit
import Testing

/// Games that fill a terminal, as somebody sees them who types at one of a size.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Script.isThere, Script.missing))
struct TerminalScreenTests {
  static let sizes = [(36, 20), (80, 24), (120, 40)]

  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func play(
    _ words: String = "tic-tac-toe --against greedy --seat first", _ size: (Int, Int) = (80, 24),
    _ environment: [String: String] = [:]
  ) throws -> Sitting {
    try Sitting(
      command: "exec PARLOR play \(words) --data data", home: home, environment: environment,
      size: (size.0, size.1))
  }

  /// Waits until it is asked for a move while so many moves stand in the news.
  private func expectAsked(_ sitting: Sitting, _ shows: String...) throws {
    try sitting.wait("the question, and \(shows)") { screen in
      screen.last == "Your move:" && shows.allSatisfy { text in screen.contains { $0.contains(text) } }
    }
  }

  /// The end of a run, the terminal after it, and whether it is as it was before.
  private func end(_ sitting: Sitting, status: Int32 = 0) throws -> TerminalEmulator {
    let run = try sitting.run.finish()
    #expect(run.status == status, "\(run.output.suffix(400))")
    let terminal = try sitting.view.look(at: sitting.run)
    #expect(!terminal.isSecondShown && terminal.isCursorShown && !terminal.reportsMouse)
    #expect(terminal.unknown.isEmpty, "\(terminal.unknown)")
    if try sitting.run.output().contains("\u{1B}[?1049h") { #expect(terminal.updates > 0) }
    return terminal
  }

  @Test(arguments: sizes) func aGameIsPlayedOnOneScreen(_ columns: Int, _ rows: Int) throws {
    let sitting = try play("tic-tac-toe --against greedy --seat first --seed 1", (columns, rows))
    try expectAsked(sitting, "│ 7  │ 8  │ 9  │")
    let start = try sitting.screen()
    #expect(start.count == rows && start[0].hasPrefix("Tic-tac-toe — game "))
    #expect(start[rows - 2] == "It is your turn." && start.contains { $0.contains("▸ 🐱 You  to move") })
    // By its name, and by cursor keys: one up from the middle.
    try sitting.run.type("5\n")
    try expectAsked(sitting, "🐱 You played 5", "🐶 greedy played ")
    let second = try sitting.screen()
    #expect(second.contains { $0.contains("🐱") && $0.contains("│ 4  │") || $0.contains("│ 6  │") })
    #expect(second.count { $0.contains("┌────┬") } == 1)
    try sitting.run.type("resign\n")
    try sitting.wait("the question") { $0.last == "Give the game up? [y/N]" }
    try sitting.run.type("y\n")
    try sitting.run.wait(for: "the end") {
      try sitting.screen().contains { $0.hasPrefix("Play again? [y/N]") }
    }
    try sitting.run.type("n\n")
    // What is left is a record in lines: who played, the last position once, and the result.
    let record = try end(sitting).record
    #expect(record.count { $0.contains("┌────┬") } == 1, "\(record.joined(separator: "\n"))")
    for words in ["🐱 You  vs  🐶 greedy", "🐶 greedy played ", "You lose: you resigned.", "shows it again."] {
      #expect(record.contains { $0.contains(words) }, "\(words): \(record.joined(separator: "\n"))")
    }
    #expect(!record.contains { $0.contains("Your move") || $0.contains("It is your turn.") })
  }

  @Test func cursorKeysAndAMouseChooseASquare() throws {
    let sitting = try play()
    try expectAsked(sitting, "│ 5  │")
    #expect(try sitting.view.look(at: sitting.run).reportsMouse)
    try sitting.run.type("\u{1B}[A")
    try sitting.expectShown("│>5 <│")
    try sitting.run.type("\u{1B}[D\u{1B}[A")
    try sitting.expectShown("│>1 <│")
    try sitting.run.type("\r")
    try expectAsked(sitting, "You played 1", "greedy played ")
    // The mouse finds another free square; once chosen, a second click plays it.
    let screen = try sitting.screen()
    let free = try #require((2...9).first { number in screen.contains { $0.contains("│ \(number)  │") } })
    let row = try #require(screen.firstIndex { $0.contains("│ \(free)  ") })
    let column = 3 + (free - 1) % 3 * 5 + 2
    try sitting.run.type("\u{1B}[<0;\(column);\(row + 1)M\u{1B}[<0;\(column);\(row + 1)m")
    try sitting.expectShown(">\(free) <")
    try sitting.run.type("\u{1B}[<0;\(column);\(row + 1)M")
    try sitting.expectShown("You played \(free)")
    try sitting.run.type("quit\n")
    _ = try end(sitting)
  }

  /// Where letters are the pieces, it stands beside the names who has which.
  @Test(arguments: sizes) func lettersStandBesideNames(_ columns: Int, _ rows: Int) throws {
    let sitting = try play("ultimate-tic-tac-toe --against greedy --seat first", (columns, rows))
    try expectAsked(sitting, "▸ X You  to move", "  O greedy")
    try sitting.run.type("e5\n")
    try expectAsked(sitting, "X You played e5", "O greedy played ")
    #expect(try sitting.screen().contains { $0.contains("X") && !$0.contains("You") })
    try sitting.run.type("quit\n")
    _ = try end(sitting)
  }

  /// A board as tall as the terminal keeps the labels by which moves are named.
  @Test func aTallBoardKeepsItsLabels() throws {
    let sitting = try play("gomoku --against greedy --seat first", (36, 20))
    try expectAsked(sitting, "a b c d e f g h i j k l m n o", "  15  ·", "▸ X You  to move", "O greedy")
    try sitting.run.type("h8\n")
    // The bot may answer anywhere, also in the same row.
    try sitting.wait("the stone on h8") { screen in
      screen.contains { $0.hasPrefix("   8  ") && $0.dropFirst(20).first == "X" }
    }
    try expectAsked(sitting, "a b c d e f g h i j k l m n o")
    try sitting.run.type("quit\n")
    _ = try end(sitting)
  }

  /// Tab, the line before, corrections; a mistake is told without losing what stands there.
  @Test func linesAreEdited() throws {
    let sitting = try play("othello --against greedy --seat first")
    try expectAsked(sitting, "│ d3 │")
    try sitting.run.type("d4\u{7F}3")
    try sitting.wait("the line") { $0.last == "Your move: d3" }
    try sitting.run.type("\u{1}x\u{5}y")
    try sitting.wait("the line") { $0.last == "Your move: xd3y" }
    try sitting.run.type("\n")
    try sitting.expectShown("“xd3y” is no move here")
    try sitting.run.type("\u{10}\u{15}f\t\n")
    try expectAsked(sitting, "You played f5")
    try sitting.run.type("res\t\n")
    try sitting.wait("the question") { $0.last == "Give the game up? [y/N]" }
    try sitting.run.type("n\nquit\n")
    _ = try end(sitting)
  }

  /// What a bot's search says, for players, and in numbers for who asks.
  @Test(arguments: [false, true]) func notesAreInWordsUnlessNumbersAreAskedFor(_ isVerbose: Bool) throws {
    let sitting = try play(
      "tic-tac-toe --against solver --seat first \(isVerbose ? "--verbose" : "")", (120, 40))
    try expectAsked(sitting, "│ 5  │")
    try sitting.run.type("5\n")
    try expectAsked(sitting, "solver played ")
    let line = try #require(try sitting.screen().first { $0.contains("solver played ") })
    #expect(line.contains("(at best a draw)") == !isVerbose)
    #expect(line.contains("(value 0, proven, ") == isVerbose)
    try sitting.run.type("quit\n")
    _ = try end(sitting)
  }

  @Test func anotherSizeIsDrawnAtOnce() throws {
    let sitting = try play("connect-four --against greedy --seat first")
    try expectAsked(sitting, "┌────┬────┬────┬────┬────┬────┬────┐")
    try sitting.run.type("4")
    try sitting.wait("the line") { $0.last == "Your move: 4" }
    for (columns, rows) in [(36, 20), (120, 40), (40, 12), (80, 24)] {
      try sitting.resize(columns: columns, rows: rows)
      try sitting.wait("\(columns) by \(rows)") { screen in
        screen.count == rows && screen.last == "Your move: 4" && screen[rows - 2] == "It is your turn."
      }
    }
    try sitting.run.type("\n")
    try expectAsked(sitting, "You played 4")
    try sitting.run.type("quit\n")
    _ = try end(sitting)
  }

  /// Ctrl-C, Ctrl-D and signals: the terminal is as it was, and it is said how the game goes on.
  @Test(arguments: ["\u{3}", "\u{4}", "TERM"]) func theTerminalIsAsBefore(_ how: String) throws {
    let sitting = try Sitting(
      command:
        "trap : INT TERM; sh -c 'echo process $$; exec \(try #require(Program.path)) play tic-tac-toe --against greedy"
        + " --seat first --data data'; echo status $?; stty -a",
      home: home, size: (80, 24))
    try expectAsked(sitting, "│ 5  │")
    try sitting.run.type("half a line")
    try sitting.wait("the line") { $0.last == "Your move: half a line" }
    if how == "TERM" {
      let number = try #require(try sitting.run.output().firstMatch(of: #/process ([0-9]+)/#)).1
      kill(try #require(Int32(number)), SIGTERM)
    } else {
      // Ctrl-D ends where the line is empty.
      try sitting.run.type(how == "\u{4}" ? "\u{15}\u{4}" : how)
    }
    let terminal = try end(sitting)
    let record = terminal.record.joined(separator: "\n")
    #expect(record.contains("\nstatus \(how == "\u{4}" ? 0 : 130)\n"), "\(record)")
    #expect(record.contains("The game waits: `parlor play --resume "), "\(record)")
    #expect(record.contains(" icanon ") && record.contains(" echo "), "\(record)")
    #expect(record.count { $0 == "┌" } == 1, "\(record)")
  }

  /// What is asked for, or where a screen cannot be drawn.
  @Test(
    arguments: [
      ("--plain", [:], (80, 24)), ("", ["TERM": "dumb"], (80, 24)), ("", [:], (29, 24)), ("", [:], (80, 11)),
    ]
      as [(String, [String: String], (Int, Int))])
  func plainLinesAreStillThere(_ words: String, _ environment: [String: String], _ size: (Int, Int)) throws {
    let sitting = try play("tic-tac-toe --against greedy --seat first \(words)", size, environment)
    try sitting.expect("Your move: ")
    try sitting.run.type("5\n")
    try sitting.expect("Your move: ", times: 2)
    try sitting.run.type("quit\n")
    #expect(try end(sitting).record.contains { $0.contains("You played 5") })
    #expect(try !sitting.run.output().contains("\u{1B}[?1049h"))
  }

  /// Ctrl-Z gives the terminal to the shell, and `fg` goes on with what was typed.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "skipped: there is no bash"))
  func itCanBeStoppedAndGoesOn() throws {
    try home.write(
      "job",
      Data(
        """
        set -m
        '\(try #require(Program.path))' play tic-tac-toe --against greedy --seat first --data data
        echo stopped $?
        read answer
        fg
        echo status $?

        """.utf8))
    let sitting = try Sitting(
      command: "exec bash job", home: home, environment: ["SHELL": "/bin/bash"], size: (80, 24))
    try expectAsked(sitting, "│ 5  │")
    try sitting.run.type("say x")
    try sitting.wait("the line") { $0.last == "Your move: say x" }
    try sitting.run.type("\u{1A}")
    try sitting.expectShown("stopped 148")
    #expect(try !sitting.view.look(at: sitting.run).isSecondShown)
    try sitting.run.type("go\n")
    try sitting.wait("the line") { $0.last == "Your move: say x" }
    try sitting.run.type("\u{15}quit\n")
    #expect(try end(sitting).record.contains("status 0"))
  }
}

/// People at two terminals.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Script.isThere, Script.missing))
struct SharedScreenTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func start(_ words: String, _ size: (Int, Int)) throws -> Sitting {
    try Sitting(words, home: home, size: (size.0, size.1))
  }

  /// Each side sees the same game, on terminals of different sizes, and loses nothing that it types.
  @Test func peoplePlayAndTalk() throws {
    let alice = try start("host tic-tac-toe --seat first --name Alice --data a", (80, 24))
    // What is typed before the game begins is there when it has.
    let code = try alice.code()
    try alice.run.type("say hel")
    let bob = try start("join \(code) --name Bob --data b --connect \(try alice.address())", (36, 20))
    try alice.wait("the line") { $0.last == "Your move: say hel" }
    try bob.wait("the turn of Alice") { $0.contains("▸ 🐱 Alice  thinks") && $0.last == ">" }
    try bob.run.type("say hé")
    try bob.wait("the line") { $0.last == "> say hé" }
    try alice.run.type("lo\n")
    try bob.wait("the words") { $0.contains("Alice: hello") && $0.last == "> say hé" }
    try bob.run.type("llo\n")
    try alice.expectShown("Bob: héllo")
    try alice.run.type("5\n")
    try bob.wait("the question") { $0.last == "Your move:" && $0.contains("It is your turn.") }
    try alice.wait("the turn of Bob") { screen in
      screen.contains("It is the turn of 🐶 Bob.") && screen.contains { $0.contains("▸ 🐶 Bob  thinks") }
    }
    try bob.run.type("undo\n")
    try bob.expectShown("no move of yours")
    try alice.run.type("undo\n")
    try bob.expectShown("🐱 Alice  wants a take-back")
    try bob.run.type("agree\n")
    try alice.expectShown("You took back 1 move.")
    try bob.kill9()
    try alice.wait("that Bob is away") { $0.contains { $0.contains("🐶 Bob  away since ") } }
    try alice.run.type("quit\n")
    #expect(try alice.run.finish().status == 0)
    let record = try alice.view.look(at: alice.run).record
    #expect(record.contains { $0.contains("goes on with it.") }, "\(record)")
  }

  /// Names and words of others are shown, and do nothing.
  @Test func whatOthersSayDoesNotSteerTheScreen() throws {
    let evil = "\u{1B}[2J\u{1B}]0;t\u{7}\u{1B}[?1049l\u{202E}\u{9B}31m\u{200B}\r"
    let alice = try start("host tic-tac-toe --seat first --name Alice --data a", (80, 24))
    let bob = try NetworkRun(
      ["join", try alice.code(), "--name", "Bob\(evil)", "--connect", try alice.address()], data: "b",
      home: home)
    try alice.wait("the question") { $0.last == "Your move:" }
    try bob.run.type("say one\(evil)two \(String(repeating: "e\u{301}\u{302}\u{303}日🐱 ", count: 12))\n")
    try alice.expectShown("one")
    let terminal = try alice.view.look(at: alice.run)
    #expect(terminal.isSecondShown && terminal.bells <= 2, "\(terminal.bells)")
    #expect(terminal.picture[0].hasPrefix("Tic-tac-toe — game ") && terminal.picture.last == "Your move:")
    #expect(terminal.picture.contains { $0.contains("│ 7  │ 8  │ 9  │") })
    for bad in ["\u{1B}]", "\u{202E}", "\u{9B}", "\u{200B}"] {
      #expect(try !alice.run.output().contains(bad))
    }
    try alice.run.type("quit\n")
    #expect(try alice.run.finish().status == 0)
    #expect(try alice.view.look(at: alice.run).unknown.isEmpty)
  }

  /// Who looks on sees the same, and what is typed there is gone: the shell reads only what comes after.
  @Test(arguments: ["q", "\u{3}", ""]) func whoLooksOnTypesNothing(_ key: String) throws {
    let alice = try start("host tic-tac-toe --seat first --name Alice --data a", (80, 24))
    let (code, address) = (try alice.code(), try alice.address())
    let bob = try start("join \(code) --name Bob --data b --connect \(address)", (36, 20))
    let carol = try Sitting(
      command:
        "trap : INT; PARLOR watch \(code) --data c --connect \(address) --no-discovery; echo status $?;"
        + " read line; echo \"read $line\"", home: home, size: (120, 40))
    try carol.wait("the players") { screen in
      screen.contains { $0.contains("▸ 🐱 Alice  thinks") } && screen.last == "q ends"
    }
    try alice.run.type("5\n")
    try carol.wait("the move") { screen in
      screen.contains { $0.contains("🐱 Alice played 5") } && screen.contains { $0.contains("▸ 🐶 Bob") }
    }
    #expect(try carol.screen().count { $0.contains("┌────┬") } == 1)
    try carol.run.type("rm -r x\n5\n")
    try bob.wait("the question") { $0.last == "Your move:" }
    if key.isEmpty {
      try bob.run.type("resign\nresign\n")
    } else {
      try carol.run.type(key)
    }
    try carol.expectShown("status \(key == "\u{3}" ? 130 : 0)")
    try carol.run.type("clean\n")
    #expect(try carol.run.finish().status == 0)
    let terminal = try carol.view.look(at: carol.run)
    #expect(terminal.record.contains("read clean") && !terminal.isSecondShown, "\(terminal.record)")
    #expect(terminal.record.count { $0.contains("┌────┬") } == 1)
    #expect(terminal.record.contains("🐱 Alice wins: Bob resigned.") == key.isEmpty)
  }

  /// Clocks run on the screen by themselves.
  @Test func clocksAreShownAndRun() throws {
    let referee = try NetworkRun(["serve"], data: "r", home: home)
    let address = try referee.address()
    let key = try #require(
      try Program.run("identity", "show", "--data", "r", "--json", home: home).objects().first?["peer"]
        as? String)
    let alice = try start(
      "host tic-tac-toe --seat first --name Alice --data a --clock 5+3 --referee \(key) --connect \(address)",
      (80, 24))
    let bob = try start(
      "join \(try alice.code()) --name Bob --data b --connect \(address) --connect \(try alice.address())"
        + " --accept-referee \(key)", (36, 20))
    for sitting in [alice, bob] {
      try sitting.wait("both clocks") { screen in
        ["Alice", "You", "Bob"].count { name in
          screen.contains { $0.contains(name) && $0.contains(#/[45]:[0-9][0-9]/#) }
        } == 2
      }
    }
    // Nothing happens at the table but time.
    let shown = try bob.screen()
    try bob.wait("another time") { $0 != shown && $0.contains { $0.contains("Alice") } }
    for sitting in [alice, bob] {
      try sitting.run.type("quit\n")
      #expect(try sitting.run.finish().status == 0)
    }
  }
}

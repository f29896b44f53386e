import Foundation
import TestKit
import Testing

/// What commands say about mistakes and about games that stop.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct WordsTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  func play(_ words: [String], _ input: String) throws -> Program.Finished {
    try Program.start(["play", "--data", "data"] + words, home: home, input: Data(input.utf8)).finish()
  }

  static let game = ["tic-tac-toe", "--against", "greedy", "--seat", "first"]

  @Test func aTakeBackAndAWordAreTold() throws {
    let run = try play(Self.game, "5\nundo\nsay hello\u{1B}\n1\nresign\nresign\n")
    #expect(run.status == 0, "\(run.errors)")
    for words in [
      "You move first.\n", "You took back 2 moves.\n", "You: hello\u{FFFD}\n", "You lose: you resigned.\n",
    ] { #expect(run.output.contains(words), "\(words): \(run.output)") }
  }

  /// A command that is printed goes on where it was printed: in this folder, on this network, by this name.
  @Test func commandsCanBePasted() throws {
    let place = ["--data", "my data", "--network", "it's night"]
    let first = try Program.start(
      ["play"] + Self.game + place, home: home, input: Data("5\n".utf8)
    ).finish()
    let command = try #require(first.errors.firstMatch(of: #/waits: `(.*)` goes on with it/#)).1
    #expect(command.hasSuffix(" --data 'my data' --network 'it'\\''s night'"), "\(command)")
    let run = try Dialogue(["-c", String(command)], home: home, program: "/bin/sh")
    try run.type("quit\n")
    let end = try run.finish()
    #expect(end.status == 0 && end.output.contains("stored in my data"), "\(end.errors)")
    try FileManager.default.createSymbolicLink(
      atPath: home.file("other"), withDestinationPath: #require(Program.path))
    let link = try Dialogue(["-c", "./other log lisst"], home: home, program: "/bin/sh")
    #expect(try link.finish().errors.contains("see `./other help log`"))
    let help = try Program.start(["log", "lisst"], home: home).finish()
    #expect(help.errors.contains("see `parlor help log`"), "\(help.errors)")
  }

  /// Help at a table names what can be done there: what was chosen at once is never taken back.
  @Test func helpAtATableIsAboutItsGame() throws {
    for (game, has) in [("tic-tac-toe", true), ("prisoners-dilemma", false), ("memory-match", false)] {
      let run = try Program.run(
        "play", game, "--against", game == "prisoners-dilemma" ? "tit-for-tat" : "random", "--seed", "1",
        "--data",
        game, home: home, input: Data((game == "memory-match" ? "1\nhelp\n" : "help\n").utf8))
      #expect(run.output.contains("  resign          give up"), "\(run.output)")
      #expect(run.output.contains("  undo  ") == has, "\(game): \(run.output)")
    }
  }

  /// With --json whatever goes wrong is an object with a code that stays.
  @Test func errorsAreObjectsToo() throws {
    func error(_ words: String..., input: String = "") throws -> [String: Any] {
      let run = try Program.start(words + ["--json", "--data", "data"], home: home, input: Data(input.utf8))
        .finish()
      let line = try #require(run.errors.split(separator: "\n").last { $0.hasPrefix("{") }, "\(run.errors)")
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["type"] as? String == "error")
      let error = try #require(object["error"] as? [String: Any])
      #expect(Set(error.keys) == ["code", "message", "hint", "exit"])
      if let exit = error["exit"] as? Int { #expect(exit == Int(run.status)) }
      return error
    }
    #expect(try error("log", "lisst")["code"] as? String == "usage")
    #expect(try error("log", "show", "ffff")["code"] as? String == "not-found")
    #expect(try error("play", "chess")["exit"] as? Int == 64)
    #expect(try error("log", "import", "none.parlor")["code"] as? String == "not-found")
    let refused = try error("play", "tic-tac-toe", "--seat", "first", input: "quti\nquit\n")
    #expect(refused["code"] as? String == "refused" && refused["exit"] is NSNull)
    #expect(refused["hint"] as? String == "did you mean quit?")
  }

  /// An argument that is not there is said to be missing, and no value of a switch is made up.
  @Test func whatIsNotThereIsNotQuoted() throws {
    let missing = try play([], "")
    #expect(
      missing.status == 64 && missing.errors.contains("GAME is missing: say which one"), "\(missing.errors)")
    let help = try Program.run("play", "--help", home: home).output.split { $0.isWhitespace }.joined(
      separator: " ")
    #expect(help.contains("the second seat. One of: first, second, random. Default: random."), "\(help)")
    #expect(help.contains("256 when not given. Default: 1."), "\(help)")
  }

  /// A solo game takes words from another terminal when it waits; while it is played the answer says where to type.
  @Test func onesOwnSoloGameTakesWords() throws {
    let run = try Dialogue(["play", "--data", "data", "--json"] + Self.game, home: home)
    try run.wait(for: "the board") { try !run.objects("position").isEmpty }
    let room = try #require(try run.objects("game").first?["room"] as? String)
    let refused = try Program.run("chat", room, "hello", "--no-discovery", "--data", "data", home: home)
    #expect(refused.status == 75 && refused.errors.contains("type `say TEXT` there"), "\(refused.errors)")
    try run.type("quit\n")
    #expect(try run.finish().status == 0)
    for name in [room, "last"] {
      let said = try Program.run(
        "chat", name, "hello", "--no-discovery", "--data", "data", "--json", home: home)
      #expect(said.status == 0, "\(said.errors)")
      #expect(try said.objects().last?["text"] as? String == "hello")
      #expect(try said.objects().last?["room"] as? String == room)
    }
    let empty = try Program.run("chat", "last", "hello", "--no-discovery", "--data", "other", home: home)
    #expect(empty.status == 66 && empty.errors.contains("no store"), "\(empty.errors)")
  }

  /// What is no text is refused: a network or a folder that was not meant must not be taken instead.
  @Test(arguments: [
    ("PARLOR_NETWORK=$(printf '\\377') ", "log list --data data", 78, "PARLOR_NETWORK"),
    ("PARLOR_HOME=$(printf 'a\\377') ", "log list", 78, "PARLOR_HOME"),
    ("XDG_DATA_HOME=$(printf '/a\\377') ", "log list", 78, "XDG_DATA_HOME"),
    ("HOME=$(printf '/a\\377') ", "log list", 78, "HOME"),
    ("HOME=$(printf '/a\\377') ", "log list --data data", 0, "no store"),
    ("", "log list --data data --network $(printf '\\377')", 64, "word 6 of the command line is not UTF-8"),
    ("", "log list --data $(printf '\\377')", 64, "word 4 of the command line is not UTF-8"),
  ]) func whatIsNoTextIsRefused(_ environment: String, _ words: String, _ status: Int, _ said: String) throws
  {
    let program = try #require(Program.path)
    let run = try Dialogue(
      ["-c", "\(environment)exec '\(program)' \(words)"], home: home, program: "/bin/sh",
      environment: ["LC_ALL": "C"]
    ).finish()
    #expect(Int(run.status) == status && run.errors.contains(said), "\(run.status): \(run.errors)")
  }

  @Test func aSharedFirstPlaceHasNoChampion() throws {
    let run = try Program.run(
      "tournament", "run", "--game", "tic-tac-toe", "--format", "round-robin", "--entrants",
      "solver,solver,solver",
      "--data", "data", home: home)
    #expect(
      run.output.contains("The first place is shared by solver, solver#2 and solver#3."), "\(run.output)")
    #expect(!run.output.contains("Champion"))
    let shown = try Program.run("tournament", "standings", "--data", "data", "--json", home: home).objects()
    #expect(shown.first?["champion"] is NSNull)
  }

  @Test func whatCannotBeDoneIsAnsweredAndAGameMayBeLeft() throws {
    let run = try play(Self.game, "5\nclaim\nagree\ndecline\nundo\ndraw\n5\nleave\nleave\n")
    #expect(run.status == 0, "\(run.errors)")
    for words in [
      "the game has no referee", "nobody asks to take back a move", "the other side offers no draw",
    ] { #expect(run.errors.contains(words), "\(words): \(run.errors)") }
    #expect(run.output.contains("The draw is declined.\n"))
    #expect(run.output.contains("You lose: you left.\n"))
  }

  @Test func aGameThatStopsSaysSoLast() throws {
    let run = try play(Self.game + ["--json"], "5\n")
    let last = try #require(try run.objects().last)
    #expect(last["type"] as? String == "waiting")
    #expect((last["moves"] as? [String])?.first == "5")
    #expect(last["turn"] as? Int == 1)
  }

  @Test func lastIsTheNewestGameThatWaits() throws {
    let waiting = try #require(try play(Self.game + ["--json"], "5\n").objects().first?["room"] as? String)
    _ = try play(Self.game, "resign\nresign\n")
    _ = try Program.run(
      "match", "tic-tac-toe", "--players", "random,greedy", "--data", "data", home: home)
    let resumed = try play(["--resume", "last", "--json"], "resign\nresign\n")
    #expect(try resumed.objects().first?["room"] as? String == waiting)
    let none = try play(["--resume", "last"], "")
    #expect(none.status == 66)
    #expect(none.errors.contains("no game of yours waits"))
  }

  @Test func namesOfBotsAndSettingsAreGuessed() throws {
    let bot = try play(["tic-tac-toe", "--against", "sovler"], "")
    #expect(bot.status == 64)
    #expect(bot.errors.contains("did you mean solver?"), "\(bot.errors)")
    #expect(try play(["tic-tac-toe", "--against", "zzzz"], "").errors.contains("played by random, greedy"))
    let setting = try play(["prisoners-dilemma", "--set", "round=5"], "")
    #expect(setting.status == 64)
    #expect(setting.errors.contains("did you mean rounds?"), "\(setting.errors)")
    #expect(setting.errors.contains("parlor games prisoners-dilemma"))
    #expect(try play(Self.game + ["--name", "  "], "").status == 64)
    #expect(try home.tree().isEmpty)
  }

  @Test func endlessLinesEndASolve() throws {
    let run = try Program.run("solve", "connect-four", "--file", "/dev/zero", home: home)
    #expect(run.status == 65)
    #expect(run.errors.contains("line 1 of the file: it is longer than"))
  }

  @Test func aFileNamedLikeARoomIsPointedTo() throws {
    _ = try play(Self.game, "resign\nresign\n")
    try home.write("abcdef", Data())
    let run = try Program.run("replay", "abcdef", "--data", "data", home: home)
    #expect(run.status == 66)
    #expect(run.errors.contains("`./abcdef`"), "\(run.errors)")
    #expect(try Program.run("log", "list", home: home, environment: ["HOME": "here"]).status == 78)
  }
}

import Events
import Foundation
import Service
import Terminal
import TestKit
import Testing

/// What the three shells propose of what is stored; a shell that is not installed here is left out.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct CompletionTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  static let shells = Shell.allCases.filter { path($0) != nil }

  static func path(_ shell: Shell) -> String? {
    ["/usr/bin", "/bin", "/usr/local/bin"].map { "\($0)/\(shell.rawValue)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// A name that would make a file wherever a shell took it for more than text.
  static let hostile = "$(touch got)`touch got`';touch got;\"\\ %F{red}:x"

  /// What a shell proposes for the last word of a line, whose words are written as they are typed.
  func proposals(_ shell: Shell, _ words: [String], environment: [String: String] = [:]) throws -> [String] {
    let program = try #require(Self.path(shell))
    try home.write("script", Data(try Program.run("completions", shell.rawValue, home: home).output.utf8))
    let quoted = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
    let driver =
      switch shell {
      case .bash:
        """
        set -eu; source ./script
        COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)
        _parlor \(words[0]); printf '%s\\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"}
        """
      case .zsh:
        """
        compdef() { : }; _files() { : }; _describe() { print -rl -- "${(@P)@[-1]}" }
        source ./script
        words=(\(quoted)); CURRENT=\(words.count); _parlor
        """
      case .fish:
        "source ./script; complete -C '\(words.joined(separator: " ").replacing("'", with: "\\'"))'"
      }
    let options = shell == .bash ? ["--norc"] : shell == .zsh ? ["-f"] : ["--no-config"]
    let run = try Dialogue(options + ["-c", driver], home: home, program: program, environment: environment)
      .finish()
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  /// The words alone.
  func words(_ shell: Shell, _ line: [String], environment: [String: String] = [:]) throws -> [String] {
    try proposals(shell, line, environment: environment).map {
      String($0.prefix { $0 != "\t" && $0 != ":" })
    }
  }

  /// Begins a game that waits, and tells its room.
  func begin(_ data: String, name: String = "Ada") throws -> String {
    let run = try Program.run(
      "play", "tic-tac-toe", "--against", "greedy", "--seat", "first", "--name", name, "--data", data,
      "--json",
      home: home, input: Data("5\n".utf8))
    let room = try run.objects().first?["room"] as? String
    return String(try #require(room, "\(run.errors)").prefix(10))
  }

  @Test(arguments: Self.shells) func roomsTournamentsAndCodes(_ shell: Shell) throws {
    let match = try Program.run(
      "match", "tic-tac-toe", "--players", "random,greedy", "--data", "my data", "--json", home: home)
    let over = try #require(try match.objects().first?["room"] as? String).prefix(10)
    let waits = try begin("my data")
    let cup = try Program.run(
      "tournament", "run", "--game", "tic-tac-toe", "--entrants", "random,greedy", "--data", "my data",
      "--json",
      home: home)
    let tournament = try #require(
      try Program.run("tournament", "list", "--data", "my data", "--json", home: home).objects().first?["id"]
        as? String, "\(cup.errors)"
    ).prefix(10)
    let codes = try Program.run(
      "lobby", "--once", "--no-discovery", "--data", "my data", "--json", home: home)
    #expect(codes.status == 0, "\(codes.errors)")

    for place in [["--data", "'my data'"], ["--data", "my\\ data"]] {
      let rooms = try words(shell, ["parlor", "log", "show"] + place + [""])
      #expect(rooms.contains("last"), "\(rooms)")
      #expect(Set(rooms).isSuperset(of: [String(over), waits, String(tournament)]), "\(rooms)")
    }
    let begun = try words(shell, ["parlor", "log", "show", "--data", "'my data'", String(over.prefix(4))])
    #expect(begun.contains(String(over)), "\(begun)")
    let unfinished = try words(shell, ["parlor", "play", "--data", "'my data'", "--resume", ""])
    #expect(Set(unfinished) == ["last", waits])
    let tournaments = try words(shell, ["parlor", "tournament", "show", "--data", "'my data'", ""])
    #expect(Set(tournaments) == ["last", String(tournament)])
    let games = try words(shell, ["parlor", "chat", "--data", "'my data'", ""])
    #expect(games.count == 2 && games.contains { $0.wholeMatch(of: #/[GHJKMNPQRSTVWXYZ]{6}/#) != nil })
    // Nobody can sit down in any of them.
    #expect(try words(shell, ["parlor", "join", "--data", "'my data'", ""]) == ["last"])
    #expect(try words(shell, ["parlor", "bots", "--game", "conn"]).contains("connect-four"))
  }

  @Test(arguments: Self.shells) func codesOfGamesWithAFreeSeat(_ shell: Shell) throws {
    let host = try NetworkRun(["host", "tic-tac-toe", "--name", "Alice"], data: "data", home: home)
    let id = try #require(Bytes32(hex: host.room()))
    let code = GameCode.of(RoomID(id))
    for environment in [["PARLOR_HOME": "data"], [:]] {
      let place = environment.isEmpty ? ["--data", "data"] : []
      let seats = try words(shell, ["parlor", "join"] + place + [""], environment: environment)
      #expect(Set(seats) == ["last", code])
    }
    host.run.kill9()
  }

  /// Whoever presses Tab sees nothing of what cannot be read, and nothing is written.
  @Test(arguments: Self.shells) func nothingIsProposedWhereNothingCanBeRead(_ shell: Shell) throws {
    for line in [["parlor", "join", "--data", "none", ""], ["parlor", "join", "--data", "file", ""]] {
      try home.write("file", Data([1]))
      #expect(try words(shell, line) == ["last"])
    }
    _ = try begin("data")
    try home.write("data/log/data.mdb", Data(repeating: 0x41, count: 100_000))
    #expect(try words(shell, ["parlor", "log", "show", "--data", "data", ""]).contains("last"))
    #expect(try words(shell, ["./parlor", "join", ""]) == ["last"])
    let network = ["parlor", "join", "--data", "data", "--network", "'  '", ""]
    #expect(try words(shell, network) == ["last"])
    #expect(try home.tree().allSatisfy { !$0.path.hasPrefix("none") })
  }

  /// Names of others, and what stands in the line, are text.
  @Test(arguments: Self.shells) func hostileWordsStayText(_ shell: Shell) throws {
    let room = try begin("data", name: Self.hostile)
    let shown = try proposals(shell, ["parlor", "replay", "--data", "data", ""])
    #expect(shown.contains { $0.hasPrefix(room) }, "\(shown)")
    if shell != .bash { #expect(shown.contains { $0.contains("$(touch got)") }, "\(shown)") }
    for place in ["$(touch got)", "`touch got`", "'$(touch got)'", "\"$(touch got)\""] {
      _ = try proposals(shell, ["parlor", "replay", "--data", place, ""])
      _ = try proposals(shell, ["parlor", "replay", "--data", "data", place])
    }
    #expect(try !home.tree().contains { $0.path.contains("got") })
  }

  /// Each bot of a list is completed, at the shell's own prompt; what stands before it is text.
  @Test(.enabled(if: Script.isThere), arguments: Self.shells) func eachBotOfAListIsCompleted(_ shell: Shell)
    throws
  {
    try home.write("script", Data(try Program.run("completions", shell.rawValue, home: home).output.utf8))
    let (start, load) =
      switch shell {
      case .bash: ("bash --norc", "source ./script")
      case .zsh: ("zsh -f -i", "autoload -U compinit; compinit -u -D; source ./script")
      case .fish: ("fish --no-config", "source ./script")
      }
    let sitting = try Sitting(
      command: "exec \(start)", home: home, environment: ["PS1": "> ", "SHELL": "/bin/sh"], size: (120, 30))
    try sitting.run.type("\(load); echo rea''dy\r")
    try sitting.expect("ready")
    for (typed, completed) in [
      ("parlor match tic-tac-toe --players gree\tran\t", nil),
      ("parlor match tic-tac-toe --players greedy,ran\t", "--players greedy,random"),
      ("parlor match tic-tac-toe --players lookahead:4,ran\t", "--players lookahead:4,random"),
      ("parlor play tic-tac-toe --against '$(touch got)',sol\t", nil),
      ("parlor tournament run --entrants random,greedy,solv\t", "--entrants random,greedy,solver"),
    ] as [(String, String?)] {
      try sitting.run.type(typed)
      if let completed { try sitting.expectShown(completed) }
      // Ctrl-U: the line goes.
      try sitting.run.type("\u{15}echo do''ne \(typed.count)\r")
      try sitting.expectShown("done \(typed.count)")
    }
    try sitting.kill9()
    #expect(try !home.tree().contains { $0.path.contains("got") })
  }

  /// The same with the shell's own completion, on a terminal.
  @Test(.enabled(if: Script.isThere && Self.path(.zsh) != nil)) func hostileNamesStayTextOnATerminal() throws
  {
    let room = try begin("data", name: Self.hostile)
    _ = try begin("data", name: "Bob")
    try home.write("script", Data(try Program.run("completions", "zsh", home: home).output.utf8))
    let zsh = try Sitting(
      command: "exec zsh -f -i", home: home, environment: ["PS1": "> ", "PARLOR_HOME": "data"],
      size: (100, 30))
    try zsh.expect("> ")
    try zsh.run.type("autoload -U compinit; compinit -u -D; source ./script; echo rea''dy\r")
    try zsh.expect("ready")
    try zsh.run.type("parlor log show \t")
    try zsh.expect(room)
    try zsh.expect("$(touch got)")
    try zsh.kill9()
    #expect(try !home.tree().contains { $0.path.contains("got") })
  }
}

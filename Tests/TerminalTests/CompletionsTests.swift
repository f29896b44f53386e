import Terminal
import Testing

@Suite struct CompletionsTests {
  private func script(_ shell: Shell, _ table: CommandTable = Sample.table) -> String {
    table.completions(for: shell).joined(separator: "\n") + "\n"
  }

  /// A command that takes arguments and has another one below it.
  private static let nested = CommandTable(
    program: "parlor", summary: "s",
    commands: [
      CommandDefinition(
        "bot", group: "g", summary: "s",
        arguments: [ArgumentDefinition("bot", "b", kind: .proposal(["solver", "random"]))],
        options: [.flag("seed", "s")]),
      CommandDefinition(
        "bot check", group: "g", summary: "s", arguments: [ArgumentDefinition("command", "c", kind: .file)],
        options: [.flag("game", "g")]),
    ], globals: [])

  /// A shell that is not installed here cannot check its script; the others do.
  @Test(arguments: Shell.allCases.filter { Programs.installed($0.rawValue) != nil })
  func theShellItselfAcceptsTheScript(shell: Shell) throws {
    let program = try #require(Programs.installed(shell.rawValue))
    let check = shell == .fish ? ["--no-execute"] : ["-n"]
    for table in [Sample.table, Self.nested] {
      let run = try Programs.run(program, check, input: script(shell, table))
      #expect(run.status == 0)
      #expect(run.errors == "")
    }
  }

  /// What bash proposes for the last of these words.
  private func proposals(_ words: [String], _ table: CommandTable = Sample.table) throws -> [String] {
    let bash = try #require(Programs.installed("bash"))
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let body = """
      set -eu
      COMP_WORDS=(parlor \(quoted)); COMP_CWORD=\(words.count)
      _parlor
      for proposal in ${COMPREPLY[@]+"${COMPREPLY[@]}"}; do echo "$proposal"; done
      """
    let run = try Programs.run(bash, ["--norc", "-s"], input: script(.bash, table) + body)
    #expect(run.status == 0)
    #expect(run.errors == "")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test func bashProposesWhatFits() throws {
    let cases: [([String], [String])] = [
      ([""], ["play", "match", "log", "help"]), (["l"], ["log"]), (["log", ""], ["list", "export"]),
      (["--json", "log", "ex"], ["export"]), (["play", ""], ["tic-tac-toe", "connect-four"]),
      (["play", "--s"], ["--seat", "--seed", "--set"]),
      (["play", "--seat", ""], ["first", "second", "random"]),
      (["play", "--seat", "=", "f"], ["first"]), (["play", "--seat", "first", "c"], ["connect-four"]),
      (["--data", "play", "m"], ["match"]),
      (["log", "list", "--"], ["--json", "--data", "--no-color", "--help"]),
      (["play", "x", "--against", "s"], ["solver"]), (["unheard", "of", ""], []),
    ]
    for (words, expected) in cases { #expect(try proposals(words) == expected, "\(words)") }
    #expect(try proposals(["log", "export", "/usr/bi"]).contains("/usr/bin"))
    #expect(try proposals(["--data", "/usr/bi"]).contains("/usr/bin"))
  }

  @Test func bashProposesCommandsBelowOneThatTakesArguments() throws {
    #expect(Self.nested.faults == [])
    let cases: [([String], [String])] = [
      (["bot", ""], ["solver", "random", "check"]), (["bot", "--"], ["--seed", "--help"]),
      (["bot", "check", "--"], ["--game", "--help"]),
    ]
    for (words, expected) in cases { #expect(try proposals(words, Self.nested) == expected, "\(words)") }
    #expect(try proposals(["bot", "check", "/usr/bi"], Self.nested).contains("/usr/bin"))
  }

  @Test func quotesInTextStayText() {
    #expect(script(.zsh).contains(#"'--force:Overwrite the file.'"#))
    #expect(script(.zsh).contains(#"'play:Play a game against a bot, move by move, on this terminal.'"#))
    #expect(script(.fish).contains(#"-d 'Write rooms into a file.'"#))
    let table = CommandTable(
      program: "p", summary: "s",
      commands: [CommandDefinition("x", group: "g", summary: #"it's: a \ thing"#)], globals: [])
    #expect(table.completions(for: .zsh).joined().contains(#"'x:it'\''s\: a \\ thing'"#))
    #expect(table.completions(for: .fish).joined().contains(#"-d 'it\'s: a \\ thing'"#))
  }
}

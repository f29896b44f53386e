import Foundation
import TestKit
import Testing

/// The table as programs read it.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct DescribedCommandsTests {
  @Test func allCommandsAreDescribed() throws {
    let home = try TemporaryFolder()
    let headings = try PackageFolder.text("Docs/COMMANDS.md").matches(of: /\n### parlor (.+)\n/).map(\.1)
    #expect(try DescribedCommand.all().map(\.name).sorted() == headings.map(String.init).sorted())
    let told = try Program.run("help", "play", "--json", home: home).objects()
    let (play, all) = (try #require(told.first), try #require(told.last))
    let options = try #require(play["options"] as? [[String: Any]])
    let common = try #require(all["options"] as? [[String: Any]])
    let help = try Program.run("help", "play", home: home).output
    let shown = help.matches(of: /\n  (?:-\w, )?--([-\w]+)/).map { String($0.1) }
    #expect(shown == (options + common).compactMap { $0["name"] as? String }, "\(help)")
    let seat = try #require(options.first { $0["name"] as? String == "seat" })
    #expect(
      seat["choices"] as? [String] == ["first", "second", "random"] && seat["standard"] as? String == "random"
    )
    let some = try Program.run("log", "--help", "--json", home: home).objects()
    #expect(some.dropLast().allSatisfy { ($0["name"] as? String)?.hasPrefix("log ") == true })
    #expect(some.last?["type"] as? String == "options")
  }
}

/// Names that commands promise to know.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct NewestRoomTests {
  /// What the commands are given besides.
  private static let others = [
    "chat": ["hello"], "invite": ["abcdef", "--seconds", "1"], "branch": ["--at", "1"],
    "tournament rule": ["--disqualify", "greedy", "--reason", "none"], "tournament withdraw": ["greedy"],
    "log export": ["--output", "out.parlor"], "tournament export": ["--output", "all.parlor"],
  ]

  /// Where help says that `last` can be given it names the newest tournament or room: at a tournament that is over, all
  /// these commands say what they have to say of it, and end. Those that change what is the newest come last.
  @Test func lastIsKnownWhereItIsPromised() throws {
    let commands = try DescribedCommand.all().filter {
      $0.arguments.first?.summary.contains("`last`") == true
    }
    #expect(commands.contains { $0.name == "tournament watch" } && commands.count > 20)
    let home = try TemporaryFolder()
    let made = try Program.run(
      "tournament", "run", "--game", "tic-tac-toe", "--entrants", "greedy,random", "--seed", "1", home: home)
    #expect(made.status == 0, "\(made.errors)")
    let changing = ["branch", "log forget"]
    let kept = commands.filter { !changing.contains($0.name) }
    for command in kept + commands.filter({ changing.contains($0.name) }) {
      var words = command.path + ["last"] + (Self.others[command.name] ?? [])
      if command.options.contains("listen") { words += ["--listen", "127.0.0.1:0", "--no-discovery"] }
      let run = try Program.start(words, home: home).finish()
      #expect([0, 1, 64].contains(run.status), "\(words): \(run.status)\n\(run.output)\n\(run.errors)")
      if command.path.first == "tournament" {
        #expect(!run.errors.contains("no tournament"), "\(run.errors)")
      }
    }
  }
}

/// The manual pages of the real program.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct ManualTests {
  @Test func everyCommandHasAPage() throws {
    let home = try TemporaryFolder()
    let folder = home.file("made/man1")
    let written = try Program.run("manual", folder, "--json", home: home).objects()
    let names = try DescribedCommand.all().map { (["parlor"] + $0.path).joined(separator: "-") + ".1" }
    #expect(written.compactMap { $0["path"] as? String } == (["parlor.1"] + names).map { "\(folder)/\($0)" })
    let page = try String(contentsOfFile: "\(folder)/parlor-log-list.1", encoding: .utf8)
    #expect(page.hasPrefix(".TH \"PARLOR\\-LOG\\-LIST\" 1 ") && page.contains("\\-\\-data"))
    // What is there is replaced, and what is no file is refused by name.
    try "old".write(toFile: "\(folder)/parlor.1", atomically: false, encoding: .utf8)
    #expect(try Program.run("manual", folder, home: home).status == 0)
    #expect(try String(contentsOfFile: "\(folder)/parlor.1", encoding: .utf8).hasPrefix(".TH"))
    let refused = try Program.run("manual", "\(folder)/parlor.1", home: home)
    #expect(refused.status == 73 && refused.errors.contains("cannot create \(folder)/parlor.1"))
  }
}

/// Every JSON object that commands print has the members that the table says, no more and no fewer.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct ObjectTests {
  @Test func objectsAreAsDocumented() async throws {
    let home = try TemporaryFolder()
    let data = home.file("data")
    do {
      let samples = try Samples(data)
      _ = try samples.fork()
      _ = try await samples.tournament(["greedy", "random"])
      _ = try samples.quiz(isFaulty: true)
      _ = try samples.tapRace()
      _ = try samples.drawing()
      _ = try await samples.match("tic-tac-toe", ["solver", "random"])
    }
    let rooms = try Program.run("log", "list", "--json", "--data", data, home: home).objects()
    let tournament = try #require(rooms.first { $0["kind"] as? String == "tournament" }?["id"] as? String)
    let rounds = rooms.filter { $0["kind"] as? String == "rounds" }.compactMap { $0["id"] as? String }
    try #require(rounds.count == 3)
    var seen: Set<String> = []
    let space = String(repeating: " ", count: 72)
    let report = "001    1\(space) 1.0    1     2 w 1\n001    2\(space) 0.0    2     1 b 0\n"
    try home.write("club.trf", Data(report.utf8))
    let bot = PackageFolder.file("Tests/LineBotsTests/Bots/bot.py").path
    let dilemma =
      "tournament run --game prisoners-dilemma --format round-robin --entrants joss,random --set rounds=2"
    let swiss = "tournament run --game tic-tac-toe --format swiss --entrants greedy,random,greedy"
    for words in [
      ["games"], ["bots"], ["version"], ["help"], ["doctor"], ["manual", "pages"], ["identity", "show"],
      ["identity", "export", "key", "--passphrase-file", "-"],
      ["identity", "import", "key", "--passphrase-file", "-"], ["log", "list"], ["log", "show", "last"],
      ["log", "verify"], ["log", "export", "last", "--output", "a.parlor"], ["log", "import", "a.parlor"],
      ["analyze"], ["analyze", "tic-tac-toe", "51"], ["replay"], ["replay", tournament],
      ["replay", rounds[0]], ["replay", rounds[1]], ["replay", rounds[2]],
      ["solve", "tic-tac-toe", "--file", "values"],
      ["play", "tic-tac-toe", "--seat", "first"], ["play", "prisoners-dilemma"],
      ["match", "tic-tac-toe", "--players", "greedy,random"], ["branch", "last", "--at", "2"],
      dilemma.split(separator: " ").map(String.init), ["tournament", "matrix"],
      ["dilemma", "moran", "--entrants", "joss,random"], ["dilemma", "ecology", "--entrants", "joss,random"],
      swiss.split(separator: " ").map(String.init),
      ["tournament", "rule", "last", "--disqualify", "random", "--reason", "why"],
      ["tournament", "export", "--output", "cup.parlor"], ["tournament", "verify"], ["tournament", "list"],
      ["tournament", "resume", tournament], ["tournament", "show"], ["tournament", "standings"],
      ["tournament", "bracket"], ["tournament", "check", "club.trf"], ["ratings"], ["audit"],
      ["log", "forget", "last"], ["tournament", "create", "--game", "tic-tac-toe"],
      ["bot", "check", bot, "--game", "tic-tac-toe"],
    ] {
      try home.write("values", Data("12 1\n".utf8))
      let moves = Data((1...9).map { "\($0)\n" }.joined().utf8)
      let run = try Program.start(words + ["--json", "--data", data], home: home, input: moves).finish()
      #expect(run.status == 0, "\(words): \(run.errors)")
      let (command, objects) = (try DescribedCommand.of(words), try run.objects())
      try command.check(objects)
      seen.formUnion(objects.map { "\(command.name).\($0["type"] ?? "")" })
    }
    #expect(try Self.described().subtracting(seen) == Self.unseen)
  }

  /// The objects of commands that speak with nobody; those of others are held to the table by
  /// `NetworkRun.checkObjects`.
  private static func described() throws -> Set<String> {
    let alone = try DescribedCommand.all().filter { command in
      command.group != "Play with others" && !command.options.contains("connect")
    }
    return Set(alone.flatMap { command in command.members.keys.map { "\(command.name).\($0)" } })
  }

  /// What those commands do not print: a finished tournament decides nothing more, an identity is never made twice,
  /// nothing here is of strangers (`ForgetCommandTests`), no bot here is a command (`LineBotProgramTests`), all are
  /// honest (`AuditTests`), nobody withdraws (`TournamentRuleTests`), nobody enters a tournament
  /// (`TournamentPartyTests`), and there is no queue (`QueueTests`).
  private static let unseen: Set = [
    "identity create.identity", "tournament resume.decided", "log prune.prunable", "log prune.forgotten",
    "play.line-bot", "branch.line-bot", "branch.waiting", "match.line-bot", "tournament run.line-bot",
    "tournament resume.line-bot", "audit.difference", "tournament withdraw.ruled",
    "tournament start.started", "tournament start.called", "tournament admit.asking",
    "tournament admit.admitted", "worker.job", "worker.returned",
  ]
}

import Foundation
import TestKit
import Testing

/// Bots that are programs in Python, at the real program's commands.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct LineBotProgramTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    let bot = PackageFolder.file("Tests/LineBotsTests/Bots/bot.py")
    try home.write("mybot.py", try Data(contentsOf: bot))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.file("mybot.py"))
  }

  private func run(_ words: [String], input: String = "") throws -> Program.Finished {
    try Program.start(words + ["--data", "data"], home: home, input: Data(input.utf8)).finish()
  }

  @Test func aMatchGoesOnWhateverABotDoes() throws {
    let good = try run([
      "match", "connect-four", "--players", "./mybot.py,random", "--games", "4", "--json",
    ])
    #expect(good.status == 0, "\(good.errors)")
    #expect(try good.objects().last?["players"] as? [String] == ["./mybot.py", "random"])
    #expect(!good.errors.contains("gave up"))
    let bad = try run([
      "match", "connect-four", "--players", "./mybot.py dies 3,random", "--games", "4", "--json",
    ])
    #expect(bad.status == 0, "\(bad.errors)")
    let told = try bad.objects()
    #expect(told.last { $0["type"] as? String == "finished" }?["wins"] as? [Int] == [0, 4])
    let tally = try #require(told.last { $0["type"] as? String == "line-bot" })
    try DescribedCommand.of(["match"]).check([tally])
    #expect(tally["restarts"] as? Int == 3 && tally["bot"] as? String == "./mybot.py dies 3")
    #expect((tally["faults"] as? [[String: Any]])?.first?["games"] as? Int == 4)
    // Once, and at the end how often.
    #expect(bad.errors.components(separatedBy: "ended with status 3. It loses this game.").count == 2)
    #expect(bad.errors.contains("Traceback: there is no hope"))
    #expect(bad.errors.contains("gave up 4 games: ended 4. It was started again 3 times."))
    let verified = try run(["log", "verify"])
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
  }

  @Test func theSameSeedGivesTheSameMatch() throws {
    func moves() throws -> [[String]] {
      let match = [
        "match", "othello", "--players", "./mybot.py,random", "--games", "3", "--seed", "9", "--json",
      ]
      return try run(match).objects().compactMap { $0["moves"] as? [String] }
    }
    #expect(try moves().count == 3)
    #expect(try moves() == moves())
  }

  @Test func aPersonPlaysOneAndGoesOnLater() throws {
    let play = ["play", "tic-tac-toe", "--against", "./mybot.py", "--seat", "first", "--json"]
    let begun = try run(play, input: "5\n9\nquit\n")
    #expect(begun.status == 0, "\(begun.errors)")
    let ended = try run(["play", "--resume", "last", "--json"], input: "3\n7\n")
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(try ended.objects().last?["result"] as? String == "won")
  }

  @Test func aPersonWinsWhenTheBotGivesUp() throws {
    let play = ["play", "tic-tac-toe", "--against", "./mybot.py illegal", "--seat", "first", "--json"]
    let ended = try run(play, input: "5\n")
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(try ended.objects().last { $0["result"] != nil }?["result"] as? String == "won")
    #expect(ended.errors.contains("played no such move, which is not legal. It loses this game."))
  }

  @Test func aTournamentComesToItsEnd() throws {
    let ran = try run([
      "tournament", "run", "--game", "tic-tac-toe", "--format", "round-robin", "--entrants",
      "./mybot.py,./mybot.py rubbish 2,random", "--json",
    ])
    #expect(ran.status == 0, "\(ran.errors)")
    let standings = try #require(
      try ran.objects().last { $0["standings"] != nil }?["standings"] as? [[String: Any]])
    #expect(standings.last?["entrant"] as? String == "./mybot.py rubbish 2")
    #expect(ran.errors.contains("wrote a line that is not in the protocol"))
  }

  @Test func aStoppedTournamentGoesOnWithTheSameBots() throws {
    let entrants = "./mybot.py,./mybot.py none,./mybot.py errors,random"
    let run = try Dialogue(
      [
        "tournament", "run", "--game", "othello", "--format", "round-robin", "--games", "32", "--entrants",
        entrants, "--concurrency", "1", "--json", "--data", "data",
      ], home: home)
    try run.wait(for: "a first result") { try !run.objects("decided").isEmpty }
    run.send(SIGINT)
    // A machine may have been so fast that nothing was left to be stopped.
    guard try run.finish().status == 130 else { return }
    let resumed = try self.run(["tournament", "resume", "last", "--json"])
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try resumed.objects().last?["complete"] as? Bool == true)
    #expect(!resumed.errors.contains("gave up"))
  }

  @Test func whatItWritesIsMadeSafe() throws {
    let match = try run(["match", "tic-tac-toe", "--players", "./mybot.py escapes,random", "--games", "1"])
    #expect(match.status == 0, "\(match.errors)")
    #expect(match.errors.contains("owned") && match.errors.contains("red"))
    let check = try run(["bot", "check", "./mybot.py escapes", "--game", "tic-tac-toe"])
    #expect(check.status == 1 && check.output.contains("owned"))
    for text in [match.errors, match.output, check.errors, check.output] {
      #expect(!text.contains("\u{1B}") && !text.contains("\u{07}"))
    }
  }

  @Test func anEngineWithAProtocolOfItsOwnPlays() throws {
    let engine = PackageFolder.file("Tests/LineBotsTests/Bots/engine.py")
    try home.write("engine.py", try Data(contentsOf: engine))
    for (game, name) in [("gomoku", "gomocup"), ("othello", "gtp"), ("othello", "nboard:4")] {
      let command = "\(name):/usr/bin/python3 engine.py \(name.prefix { $0 != ":" })"
      let match = try run(["match", game, "--players", "\(command),random", "--games", "2", "--json"])
      #expect(match.status == 0, "\(match.errors)")
      let players = try match.objects().last?["players"] as? [String]
      #expect(players?.first == command.replacing("/usr/bin/", with: "./"))
      #expect(!match.errors.contains("gave up"))
    }
    let refused = try run(["play", "gomoku", "--against", "gtp:/usr/bin/python3 engine.py gtp"])
    #expect(refused.status == 69 && refused.errors.contains("does not play gomoku"), "\(refused.errors)")
  }

  @Test func whatABotMayHaveIsSaidByOptions() throws {
    let match = ["match", "connect-four", "--games", "1", "--json", "--players"]
    let slow = try run(match + ["./mybot.py slow 2,random", "--move-time", "200"])
    #expect(slow.status == 0 && slow.errors.contains("did not move within 200 ms. It loses this game."))
    let large = try run(match + ["./mybot.py memory 2,random", "--bot-memory", "100M"])
    #expect(large.status == 0 && large.errors.contains("MemoryError"), "\(large.errors)")
    try FileManager.default.createDirectory(atPath: home.file("bots"), withIntermediateDirectories: false)
    try FileManager.default.moveItem(atPath: home.file("mybot.py"), toPath: home.file("bots/there.py"))
    let place = ["./there.py place,random", "--bot-folder", "bots", "--bot-env", "COLOUR=green"]
    let there = try run(match + place)
    #expect(there.status == 0 && there.errors.contains("/bots green "), "\(there.errors)")
    for (option, value) in [
      ("--bot-folder", "nowhere"), ("--bot-memory", "many"), ("--bot-memory", "1K"), ("--bot-env", "=x"),
      ("--move-time", "0"), ("--bot-processes", "0"),
    ] {
      let refused = try run(match + ["random,greedy", option, value])
      #expect(refused.status == 64 && refused.errors.contains(option), "\(refused.errors)")
    }
  }

  @Test func itPlaysOverTheNetworkAsAPeerOfItsOwn() throws {
    let bot = try NetworkRun(["bot", "./mybot.py", "--game", "tic-tac-toe"], data: "b", home: home)
    let code = try #require(try bot.first("opened")["code"] as? String)
    let ada = try NetworkRun(
      ["join", code, "--name", "Ada"], data: "a", home: home, connect: [bot])
    try ada.run.type("5\n6\n4\n7\n3\n8\n9\n2\n1\n")
    #expect(["won", "lost", "drawn"].contains(try ada.result()["result"] as? String))
    try bot.first("ended")
    bot.run.send(SIGINT)
    #expect(try bot.run.finish().status == 130)
  }

  @Test func theCheckSaysWhatIsWrong() throws {
    let good = try run(["bot", "check", "./mybot.py", "--game", "tic-tac-toe", "--json"])
    #expect(good.status == 0, "\(good.errors)")
    #expect(try good.objects().last?["right"] as? Bool == true)
    let bad = try run(["bot", "check", "./mybot.py dies 2", "--game", "tic-tac-toe"])
    #expect(bad.status == 1, "\(bad.errors)")
    #expect(bad.output.contains("wrong: game, tic-tac-toe: it ended with status 3"))
    #expect(bad.output.contains("    standard error: Traceback: there is no hope\n"))
    #expect(bad.output.hasSuffix("Something is wrong.\n"))
    let missing = try run(["bot", "check", "./nobody.py"])
    #expect(missing.status == 1 && missing.output.contains("it cannot be started: No such file"))
    #expect(!FileManager.default.fileExists(atPath: home.file("data")))
  }

  /// A bot that is a command is started again by an audit if somebody names it, and never else.
  @Test func anAuditAsksTheCommandThatSomebodyNames() throws {
    let bot = "./mybot.py pure 1 told"
    let match = ["match", "connect-four", "--games", "3", "--players"]
    #expect(try run(match + ["\(bot),random"]).status == 0)
    let told = try Data(contentsOf: URL(fileURLWithPath: home.file("told")))
    let alone = try run(["audit"])
    #expect(
      alone.status == 0 && alone.output.contains("it is a program") && !alone.output.contains("--with ."))
    #expect(try Data(contentsOf: URL(fileURLWithPath: home.file("told"))) == told)
    let again = try run(["audit", "--with", bot, "--json"])
    let sums = try again.objects().last
    #expect(again.status == 0 && sums?["moves"] as? Int == sums?["checked"] as? Int, "\(again.errors)")
    #expect(sums?["differing"] as? Int == 0 && sums?["unplayed"] as? Int == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: home.file("told"))) != told)
    for (variable, words) in [
      ("DOES=code", "was played; the bot plays"), ("DOES=resigns", "the bot gives up the game"),
      (#"SAYS={"version": 8}"#, "it is version 7, and version 8 is here"),
      (#"SAYS={"nodes": 9}"#, "it declares 500 nodes, and the bot that is here 9"),
      (#"SAYS={"recomputable": false}"#, "does not declare itself recomputable"),
      ("DOES=dies", "cannot play: it ended with status 3"),
    ] {
      let found = try run(["audit", "--with", bot, "--bot-env", variable])
      #expect(found.status == 1 && found.output.contains(words), "\(variable): \(found.output)")
      #expect(found.errors.contains("no hope") == (variable == "DOES=dies"))
      #expect(found.output.contains("differ") == ["DOES=code", "DOES=resigns"].contains(variable))
    }
    #expect(try run(["audit", "--with", bot, "--bot-env", "SAYS=["]).status == 69)
    let other = try run(["audit", "--with", "./mybot.py pure 2 told"])
    #expect(other.status == 66 && other.errors.contains("no seat that was audited has a bot"))
    #expect(try run(["audit", "--with", "random"]).status == 64)
  }

  @Test func aCommandThatIsNoBotIsRefusedBeforeAnythingIsPlayed() throws {
    for (command, words) in [
      ("./nobody.py", "No such file or directory"), ("./mybot.py exits", "ended with status 1"),
      ("./mybot.py other", "does not play othello"), ("./mybot.py 'open", "a quote is not closed"),
    ] {
      let refused = try run(["match", "othello", "--players", "random,\(command)"])
      #expect(refused.status == 69 && refused.errors.contains(words), "\(refused.errors)")
      #expect(refused.output.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: home.file("data")))
  }
}

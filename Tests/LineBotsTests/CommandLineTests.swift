import BotKit
import LineBots
import Testing

@Suite struct CommandLineTests {
  @Test(arguments: [
    ("./bot", ["./bot"]), ("  ./bot  --depth   3 ", ["./bot", "--depth", "3"]),
    (#"./my\ bot "a b" 'c "d"' e"f"g"#, ["./my bot", "a b", #"c "d""#, "efg"]),
    (#"./bot "" '' "\"" '\'"#, ["./bot", "", "", "\"", "\\"]), ("~/bot ~/x", ["/home/ada/bot", "~/x"]),
    ("python3 ./bot.py $HOME *", ["python3", "./bot.py", "$HOME", "*"]),
  ])
  func wordsAreSplitAsAShellWould(_ text: String, _ words: [String]) {
    #expect(BotCommandLine(text, home: "/home/ada")?.words == words)
  }

  @Test(arguments: ["", "  ", "./bot 'a", "./bot \"a", "./bot \\", "'' ./a"])
  func whatIsNoCommandIsRefused(_ text: String) {
    #expect(BotCommandLine(text, home: nil) == nil)
  }

  @Test func theLogNamesNoFolderFromTheRoot() throws {
    func name(_ text: String, parts: Int = 1, number: Int = 1) -> String? {
      BotCommandLine(text, home: "/home/ada")?.specification(parts: parts, number: number)
    }
    #expect(name("./bots/a.py --depth 3") == "./bots/a.py --depth 3")
    #expect(name("/home/ada/bots/a.py --depth 3") == "./a.py --depth 3")
    #expect(name("~/bots/a.py") == "./a.py")
    #expect(name("python3 /home/ada/bots/a.py --book /b") == "python3 ./a.py --book ./b")
    #expect(name("/home/ada/bots/a.py", parts: 2) == "./bots/a.py")
    #expect(name("./my\\ bot 'it is'") == "'./my bot' 'it is'")
    #expect(name("./b x", number: 2) == "./b x#2")
    let long = try #require(name("./bot " + String(repeating: "é", count: 100)))
    #expect(long.utf8.count <= 64 && long.hasSuffix("é…"))
    // What is named so is the same command again.
    #expect(
      BotCommandLine(try #require(name("./my\\ bot 'it''s'")), home: nil)?.words == ["./my bot", "its"])
    #expect(BotCommandLine(try #require(name(#"./b "it's""#)), home: nil)?.words == ["./b", "it's"])
  }

  @Test func twoCommandsNeverHaveOneName() throws {
    let bots = LineBots()
    #expect(try bots.specification(of: "/v1/bots/a.py") == "./a.py")
    #expect(try bots.specification(of: "/v2/bots/a.py") == "./bots/a.py")
    #expect(try bots.specification(of: "/v3/bots/a.py") == "./v3/bots/a.py")
    #expect(try bots.specification(of: "/v1/bots/a.py") == "./a.py")
    let long = "./bot " + String(repeating: "x", count: 100)
    #expect(try bots.specification(of: long + "1") != bots.specification(of: long + "2"))
  }

  @Test func aCommandWithOtherSettingsIsAnotherBot() throws {
    let bots = LineBots()
    var quick = LineBotSettings()
    quick.moveMilliseconds = 500
    #expect(try bots.specification(of: "./a.py", quick) == "./a.py")
    #expect(try bots.specification(of: "./a.py") == "./a.py#2")
    #expect(try bots.specification(of: "./a.py", quick) == "./a.py")
    for number in 3...99 {
      quick.processes = UInt64(number)
      #expect(try bots.specification(of: "./a.py", quick) == "./a.py#\(number)")
    }
    // None of them would be the right one.
    quick.processes = 100
    #expect(throws: BotError.self) { try bots.specification(of: "./a.py", quick) }
  }

  @Test func settingsWinOverLimits() {
    var (standard, settings) = (LineBotLimits(), LineBotSettings())
    standard.moveMilliseconds = 60_000
    standard.startMilliseconds = 60_000
    standard.variables = ["A=1", "B=1"]
    #expect(settings.limits(over: standard) == standard)
    settings.moveMilliseconds = 500
    settings.memoryBytes = 1 << 30
    settings.processes = 7
    settings.folder = "bots"
    settings.variables = ["B=2"]
    let limits = settings.limits(over: standard)
    #expect(
      limits.moveMilliseconds == 500 && limits.startMilliseconds == 10_000 && limits.memoryBytes == 1 << 30)
    #expect(limits.processes == 7 && limits.folder == "bots" && limits.variables == ["A=1", "B=1", "B=2"])
    settings.moveMilliseconds = 20_000
    #expect(settings.limits(over: standard).startMilliseconds == 20_000)
    #expect(LineBotSettings.variable("A", "b=c") == "A=b=c" && LineBotSettings.variable("", "b") == nil)
    #expect(LineBotSettings.variable("A=", "b") == nil)
  }
}

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
}

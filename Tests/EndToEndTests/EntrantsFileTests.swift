import Foundation
import LineBots
import TestKit
import Testing

@testable import parlor

/// What is read of a file of entrants, and what is refused.
@Suite struct EntrantsFileTests {
  private func read(_ text: String) throws(EntrantsFileError) -> EntrantsFile {
    try EntrantsFile(reading: Array(text.utf8))
  }

  @Test func everyMemberIsRead() throws {
    let file = try read(
      """
      [
        {"bot": "solver"},
        {"bot": "./my bot, it is", "label": "Ünïcode 🚀", "rating": -40, "seed": 1, "moveTime": 500,
         "memory": "500M", "processes": 7, "folder": "/", "env": {"COLOUR": "a=b", "EMPTY": ""}},
        {"bot": "gtp:engine", "memory": 1048576}
      ]
      """)
    var second = EntrantsFile.Entry()
    (second.bot, second.label, second.rating, second.seed) = ("./my bot, it is", "Ünïcode 🚀", -40, 1)
    second.settings.moveMilliseconds = 500
    second.settings.memoryBytes = 500 << 20
    second.settings.processes = 7
    second.settings.folder = "/"
    second.settings.variables = ["COLOUR=a=b", "EMPTY="]
    #expect(file.entries.count == 3 && file.entries[1] == second)
    #expect(file.entries[0].settings == LineBotSettings() && file.entries[0].label == nil)
    #expect(file.entries[2].settings.memoryBytes == 1 << 20)
    let error = file.error("it is odd", entrant: 2)
    #expect(error.description == "line 5, column 3: entrant 3: it is odd")
  }

  @Test(arguments: [
    ("", "line 1, column 1: the text is empty"),
    ("[{\"bot\": \"random\"},\n {]", "line 2, column "),
    ("{}", "it is no list in brackets"),
    ("[3]", "line 1, column 2: entrant 1: it is no object in braces"),
    ("[{}]", "line 1, column 2: entrant 1: it has no “bot”"),
    ("[{\"bot\": \"a\"},\n {\"label\": \"x\"}]", "line 2, column 2: entrant 2: it has no “bot”"),
    ("[{\"bot\": 3}]", "column 3: entrant 1: “bot” must be a text"),
    ("[{\"bot\": \"\"}]", "“bot” has 0 bytes, and takes 1 to 4096"),
    ("[{\"bot\": null}]", "“bot” must be a text"),
    ("[{\"bot\": \"a\", \"bot\": \"b\"}]", "duplicate object key"),
    (
      "[{\"bot\": \"a\",\n  \"lable\": \"x\"}]",
      "line 2, column 3: entrant 1: “lable” is unknown here; did you mean label?"
    ),
    ("[{\"bot\": \"a\", \"seat\": 1}]", "did you mean seed?"),
    ("[{\"bot\": \"a\", \"move-time\": 1}]", "did you mean moveTime?"),
    (
      "[{\"bot\": \"a\", \"zzzzzzzzz\\u001b\": 1}]",
      "“zzzzzzzzz\u{FFFD}” is unknown here; there is bot, label"
    ),
    ("[{\"bot\": \"a\", \"label\": \" \"}]", "“label” is blank"),
    ("[{\"bot\": \"a\", \"label\": \"x\\n\"}]", "“label” has characters that cannot be shown"),
    ("[{\"bot\": \"a\", \"label\": \"\\u202e\"}]", "“label” has characters that cannot be shown"),
    ("[{\"bot\": \"a\", \"label\": \"You\"}]", "whoever looks at it"),
    (
      "[{\"bot\": \"a\", \"label\": \"\(String(repeating: "é", count: 33))\"}]",
      "has 66 bytes, and takes 1 to 64"
    ),
    ("[{\"bot\": \"a\", \"rating\": 1e3}]", "“rating” must be a whole number from -10000 to 10000"),
    ("[{\"bot\": \"a\", \"rating\": 9223372036854775807}]", "“rating” must be a whole number"),
    ("[{\"bot\": \"a\", \"seed\": 2}]", "“seed” must be a whole number from 1 to 1"),
    (
      "[{\"bot\": \"a\", \"seed\": 1},\n{\"bot\": \"b\", \"seed\": 1}]",
      "line 2, column 1: entrant 2: it has the seed of"
    ),
    (
      "[{\"bot\": \"a\", \"moveTime\": 5}]",
      "line 1, column 15: entrant 1: “moveTime” is for bots that are commands"
    ),
    (
      "[{\"env\": {}, \"bot\": \"a\"}]",
      "line 1, column 3: entrant 1: “env” is for bots that are commands, and a is none"
    ),
    ("[{\"bot\": \"./a\", \"moveTime\": 0}]", "“moveTime” must be a whole number from 1 to 86400000"),
    ("[{\"bot\": \"./a\", \"memory\": \"1K\"}]", "“memory” must be"),
    ("[{\"bot\": \"./a\", \"memory\": -9223372036854775808}]", "“memory” must be"),
    ("[{\"bot\": \"./a\", \"memory\": \"9223372036854775807G\"}]", "“memory” must be"),
    ("[{\"bot\": \"./a\", \"processes\": true}]", "“processes” must be"),
    ("[{\"bot\": \"./a\", \"folder\": \"/no/such\"}]", "“folder”: there is no folder /no/such"),
    ("[{\"bot\": \"./a\", \"env\": [\"A=b\"]}]", "“env” must be an object"),
    ("[{\"bot\": \"./a\", \"env\": {\"A\": 1}}]", "“env”: “A” must be a text"),
    ("[{\"bot\": \"./a\", \"env\": {\"A=\": \"1\"}}]", "“env”: “A=” is no name"),
    ("[{\"bot\": \"a\", \"address\": \"x:1\"}]", "“address”: entrants on other machines are not there yet"),
  ]) func whatIsWrongIsSaidWithItsPlace(_ text: String, _ words: String) {
    do throws(EntrantsFileError) {
      _ = try read(text)
      Issue.record("it was read: \(text)")
    } catch {
      #expect(error.description.contains(words), "\(error)")
      #expect(!error.description.contains("\u{1B}"))
    }
  }

  @Test func noFileIsTooLargeTooDeepOrTooOdd() throws {
    func entrants(_ count: Int) -> String {
      "[" + (0..<count).map { _ in "{\"bot\":\"random\"}" }.joined(separator: ",") + "]"
    }
    #expect(try read(entrants(4_096)).entries.count == 4_096)
    #expect { try read(entrants(4_097)) } throws: { error in
      "\(error)" == "it has 4097 entrants, and no tournament takes more than 4096"
    }
    let deep = String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000)
    for text in [
      String(repeating: " ", count: EntrantsFile.limitBytes + 1), String(repeating: "[", count: 1 << 20),
      deep,
      "[{\"bot\": \(deep)}]", "\u{0}", "\u{FEFF}[]", String(repeating: "[1],", count: 1 << 18),
    ] {
      #expect(throws: EntrantsFileError.self) { try read(text) }
    }
    for bytes: [UInt8] in [
      [0xFF, 0xFE], Array("[\"".utf8) + [0xED, 0xA0, 0x80], Array("[\"".utf8) + [0xC3],
    ] {
      #expect(throws: EntrantsFileError.self) { try EntrantsFile(reading: bytes) }
    }
  }
}

/// `--entrants-file`, at the real program's commands.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct EntrantsFileProgramTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    let bot = Program.root.appendingPathComponent("Tests/LineBotsTests/Bots/bot.py")
    for folder in [".", "bots"] {
      try FileManager.default.createDirectory(atPath: home.file(folder), withIntermediateDirectories: true)
      try home.write("\(folder)/mybot.py", try Data(contentsOf: bot))
      let path = home.file("\(folder)/mybot.py")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
  }

  private static let run = "tournament run --game tic-tac-toe --data data --json".split(separator: " ").map(
    String.init)

  private func run(_ words: [String], input: String = "") throws -> Program.Finished {
    try Program.start(words, home: home, input: Data(input.utf8)).finish()
  }

  @Test func labelsSeedsAndSettingsAreTheirs() throws {
    let file = """
      [
        {"bot": "random", "label": "Ada, who plays at random", "rating": 1200},
        {"bot": "greedy", "rating": 1800},
        {"bot": "./mybot.py place", "seed": 1, "folder": "bots", "env": {"COLOUR": "green"}},
        {"bot": "random"},
        {"bot": "./mybot.py slow 1", "label": "Slow", "moveTime": 201}
      ]
      """
    let words = [
      "--entrants-file", "-", "--seeding", "rating", "--move-time", "60000", "--bot-env", "COLOUR=red",
    ]
    let ran = try run(Self.run + words, input: file)
    #expect(ran.status == 0, "\(ran.errors)")
    let standings = try ran.objects().last { $0["standings"] != nil }?["standings"] as? [[String: Any]] ?? []
    let seeded = standings.sorted { ($0["seed"] as? Int ?? 0) < ($1["seed"] as? Int ?? 0) }
    #expect(
      seeded.compactMap { $0["entrant"] as? String }
        == ["./mybot.py place", "greedy", "Ada, who plays at random", "random", "Slow"], "\(ran.errors)")
    #expect(ran.errors.contains("random has no rating here, and is seeded behind the others."))
    #expect(ran.errors.contains("/bots green "), "\(ran.errors)")
    #expect(ran.errors.contains("The bot ./mybot.py slow 1 did not move within 201 ms."), "\(ran.errors)")
  }

  @Test func whoGoesOnGivesTheFileAgain() throws {
    let file = """
      [{"bot": "./mybot.py slow 2", "moveTime": 200}, {"bot": "./mybot.py slow 2", "moveTime": 201}, {"bot": "random"}]
      """
    try home.write("my bots.json", Data(file.utf8))
    let begun = try Dialogue(
      Self.run + ["--format", "round-robin", "--concurrency", "1", "--entrants-file", "my bots.json"],
      home: home)
    try begun.wait(for: "a first result") { try !begun.objects("decided").isEmpty }
    begun.send(SIGINT)
    let stopped = try begun.finish()
    // A machine may have been so fast that nothing was left to be stopped.
    guard stopped.status == 130 else { return }
    let command = try #require(
      stopped.errors.firstMatch(
        of: #/pairings: `parlor tournament resume ([0-9a-f]+) --entrants-file 'my bots.json' /#),
      "\(stopped.errors)")
    let resume = ["tournament", "resume", String(command.output.1), "--data", "data", "--json"]
    let without = try run(resume)
    #expect(without.status == 64 && without.errors.contains("slow 2#2"), "\(without.errors)")
    let other = try run(resume + ["--entrants-file", "-"], input: file.replacing("random", with: "greedy"))
    #expect(other.status == 65 && other.errors.contains("it has no random"), "\(other.errors)")
    // The file wins over what is said of all.
    let resumed = try run(resume + ["--entrants-file", "my bots.json", "--move-time", "60000"])
    #expect(resumed.status == 0, "\(resumed.errors)")
    let finished = try resumed.objects().first { $0["type"] as? String == "finished" }
    #expect(finished?["complete"] as? Bool == true)
    #expect(resumed.errors.contains("within 201 ms"), "\(resumed.errors)")
  }

  @Test func whatIsNoTournamentIsRefusedBeforeAnythingIsPlayed() throws {
    let two = "[{\"bot\": \"random\"},\n {\"bot\": \"greedy\", \"label\": \"random\"}]"
    let many = "[" + (0..<257).map { _ in "{\"bot\": \"random\"}" }.joined(separator: ",") + "]"
    for (input, words, status, said) in [
      (
        "[{\"bot\": \"random\"},\n {\"bot\": \"gredy\"}]", [], 65,
        "standard input: line 2, column 2: entrant 2: no bot"
      ),
      (
        "[{\"bot\": \"random\"},\n {\"bot\": \"./nobody\"}]", [], 69,
        "line 2, column 2: entrant 2: the bot ./nobody"
      ),
      (two, [], 65, "entrant 2: it has the label of entrant 1, random; give it another"),
      ("[{\"bot\": \"random\"}]", [], 65, "takes 2 to 4096 entrants, not 1"),
      (many, ["--format", "round-robin"], 65, "takes 2 to 256 entrants, not 257"),
      (two, ["--entrants", "random,greedy"], 64, "give one of both"),
    ] as [(String, [String], Int32, String)] {
      let refused = try run(Self.run + ["--entrants-file", "-"] + words, input: input)
      #expect(refused.status == status && refused.errors.contains(said), "\(refused.errors)")
    }
    let missing = try run(Self.run + ["--entrants-file", "none.json"])
    #expect(missing.status == 66 && missing.errors.contains("cannot read none.json"), "\(missing.errors)")
    let neither = try run(Self.run)
    #expect(
      neither.status == 64 && neither.errors.contains("or --entrants-file FILE is missing"),
      "\(neither.errors)")
    #expect(!FileManager.default.fileExists(atPath: home.file("data")))
  }
}

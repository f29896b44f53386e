import Foundation
import TestKit
import Testing

/// `--entrants-file`, at the real program's commands.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct EntrantsFileProgramTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    let bot = PackageFolder.file("Tests/LineBotsTests/Bots/bot.py")
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

import Foundation
import TestKit
import Testing

/// Players whose keys the server does not have, at its tables (Docs/SOCKET.md, “Keys of one's own”).
private struct OwnKeyTables {
  let server: NetworkRun
  let bots: [NetworkRun]
  let home: TemporaryFolder

  /// Bots keep games open at a server, each of one game.
  init(home: TemporaryFolder, games: [String] = []) throws {
    self.home = home
    let server = try NetworkRun(["serve", "--web", "127.0.0.1:0"], data: "a", home: home)
    try server.first("web")
    self.server = server
    bots = try games.map { game in
      let bot = game == "connect-four" ? "greedy" : "random"
      let settings = (Self.settings[game] ?? []).flatMap { ["--set", $0] }
      return try NetworkRun(
        ["bot", bot, "--game", game, "--scope", "public"] + settings, data: game, home: home,
        connect: [server])
    }
  }

  /// Of games that have any.
  private static let settings = [
    "gomoku": ["opening=swap2", "line=exact"],
    "prisoners-dilemma": ["rounds=6", "noise=200"],
    "k-in-a-row": ["width=6", "height=5", "line=4", "exact=yes", "gravity=yes"],
  ]

  static func script(_ name: String) -> String {
    PackageFolder.file("Tests/EndToEndTests/Web/\(name)").path
  }

  /// Runs one of the scripts to its end. What it played is true for everybody who reads it.
  /// - Returns: the parts that it says are done.
  func play(_ words: [String]) throws -> [String] {
    let run = try Dialogue(words, home: home, program: LogReader.python).finish()
    #expect(run.status == 0, "\(run.output)\n\(run.errors)")
    let lines = run.output.split(separator: "\n").map {
      $0.split(separator: " ", maxSplits: 1).map(String.init)
    }
    for line in lines where line[0] == "room" { try read(line[1]) }
    try server.checkObjects()
    try Logs.verify("a", home: home)
    return lines.filter { $0[0] == "done" }.map { $0[1] }
  }

  /// The three readers say of a bundle that it is good, and of its game that both have signed the result.
  private func read(_ room: String) throws {
    let path = home.file("\(room).parlor")
    let made = try Program.run("log", "export", room, "--output", path, "--data", "a", home: home)
    #expect(made.status == 0, "\(made.errors)")
    let script = try #require(try ScriptReader.readings(of: [path], home: home).first)
    let (reading, verdict) = try #require(try LogReader.readings(of: [path], home: home).first)
    #expect(script.good && reading.good && verdict.valid, "\(script.reason ?? "") \(reading.reason ?? "")")
    // What was asked for in vain has no effect.
    let idle = script.withoutEffect.filter { $0.kind != "draw-offer" }
    #expect(idle.isEmpty && script.games.map(\.level) == ["agreed"], "\(script.games)")
  }
}

/// The page's modules for a seat, run by Node, against bots.
@Suite(.blocking, .enabled(if: ScriptReader.isThere, ScriptReader.missing)) struct OwnKeySocketTests {
  /// Whole games with a key of WebCrypto and with one that the page signs with itself, some gone on with after a break.
  /// Requests that may not be done are refused in words, and every lie of the server but another order is noticed.
  @Test func seatsOfTheirOwnPlayAndNoticeLies() throws {
    let home = try TemporaryFolder()
    let others = ["gomoku", "ultimate-tic-tac-toe", "k-in-a-row"]
    let tables = try OwnKeyTables(
      home: home, games: ["tic-tac-toe", "connect-four", "othello", "prisoners-dilemma"] + others)
    let done = try tables.play([
      OwnKeyTables.script("seat.py"), try tables.server.text("url", of: "web"), ScriptReader.node, home.path,
    ])
    let parts = [
      "refusals", "a changed event", "a changed signature", "a cited event withheld",
      "the newest events withheld",
      "a fork", "no events", "another board", "another cell", "another turn", "another order", "game",
    ]
    let rounds = [
      "a changed event", "a changed signature", "the newest events withheld", "other sums", "another choice",
      "another order", "game",
    ]
    #expect(done == parts + parts + parts + ["refusals"] + rounds + others)
  }

  /// A guest and a key of its own ask each other, and answer; nothing is wrong about a game that is drawn by agreement
  /// or given up.
  @Test func takeBacksAndDrawsAreAskedForAndAnswered() throws {
    let home = try TemporaryFolder()
    let tables = try OwnKeyTables(home: home)
    let done = try tables.play([
      OwnKeyTables.script("asks.py"), try tables.server.text("url", of: "web"), ScriptReader.node, home.path,
    ])
    #expect(done == ["take-backs", "draws", "resign"])
  }

  /// A key of its own agrees to a referee and limits that are signed, and to no others, and claims that time is up.
  @Test func timeIsClaimed() throws {
    let home = try TemporaryFolder()
    let tables = try OwnKeyTables(home: home)
    let referee = try tables.server.text("peer", of: "listening")
    let silent = try NetworkRun(
      [
        "host", "tic-tac-toe", "--referee", referee, "--move-limit", "2", "--seat", "first", "--scope",
        "public",
      ], data: "silent", home: home, connect: [tables.server])
    let room = try silent.room()
    try tables.server.run.wait(for: "the table at the server") {
      try Program.run("log", "list", "--all", "--json", "--data", "a", home: home).objects()
        .contains { $0["id"] as? String == room }
    }
    let done = try tables.play([
      OwnKeyTables.script("claims.py"), try tables.server.text("url", of: "web"), ScriptReader.node,
      home.path, room,
    ])
    #expect(done == ["terms", "claim"])
  }

  /// A key of its own creates tables, gives the other seat and begins; what is no first event of a table is refused,
  /// and nothing is signed that the server lists otherwise than the rules have it.
  @Test func tablesAreCreatedWithKeysOfTheirOwn() throws {
    let home = try TemporaryFolder()
    let tables = try OwnKeyTables(home: home)
    let done = try tables.play([
      OwnKeyTables.script("host.py"), try tables.server.text("url", of: "web"), ScriptReader.node, home.path,
    ])
    #expect(done == ["refusals", "lies", "crowd", "game", "bot"])
  }
}

/// The page with a key of the browser, in Chromium.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct OwnKeyPageTests {
  /// Whole games with WebCrypto and without, with a reload; two tabs; a storage that is cleared; a server that
  /// lies.
  @Test(.inABrowser) func peoplePlayWithKeysOfTheirBrowser() throws {
    let tables = try OwnKeyTables(
      home: try TemporaryFolder(), games: ["tic-tac-toe", "connect-four", "othello"])
    let done = try tables.play([
      OwnKeyTables.script("own_key.py"), Browser.path, try tables.server.text("page", of: "web"),
    ])
    #expect(
      done == [
        "Tic-tac-toe keys", "Connect Four plain", "Othello keys", "tabs", "cleared", "changed",
        "withheld", "rolled back",
        "another table", "another cell", "reordered",
      ])
  }

  /// Tables that the browser's key creates, against people and bots, and their rematches; a reload before somebody
  /// comes; a server that names other settings or another network.
  @Test(.inABrowser) func peopleHostWithKeysOfTheirBrowser() throws {
    let tables = try OwnKeyTables(home: try TemporaryFolder())
    let done = try tables.play([
      OwnKeyTables.script("own_host.py"), Browser.path, try tables.server.text("page", of: "web"),
    ])
    #expect(done == ["keys", "rematch", "choices", "plain", "branch", "bot", "settings", "lies"])
  }
}

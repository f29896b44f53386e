import Events
import Foundation
import TestKit
import Testing
import Tournaments

/// Tournaments by the sub-protocol `parlor.1` (Docs/SOCKET.md), and at the page.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct TournamentSocketTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func serve() throws -> NetworkRun {
    let server = try NetworkRun(["serve", "--web", "127.0.0.1:0"], data: "a", home: home)
    try server.first("web")
    return server
  }

  /// Creates a tournament that lets entrants in.
  /// - Returns: its code.
  private func create(_ words: [String]) throws -> String {
    let made = try Program.start(
      ["tournament", "create", "--game", "tic-tac-toe", "--json", "--data", "a"] + words, home: home
    ).finish()
    #expect(made.status == 0, "\(made.errors)")
    return try #require(try made.objects().first?["code"] as? String)
  }

  private func start(_ code: String) throws {
    let run = try Program.run("tournament", "start", code, "--data", "a", home: home)
    #expect(run.status == 0, "\(run.errors)")
  }

  // MARK: - What is told

  /// What sockets are told of a tournament of each format is what the commands print of it.
  @Test func whatIsToldIsWhatCommandsSay() async throws {
    var rooms: [TournamentFormat: String] = [:]
    do {
      let samples = try Samples(home.file("a"))
      let entrants = ["greedy", "random", "lookahead:2", "solver", "random"]
      for format in TournamentFormat.allCases {
        rooms[format] = try await samples.tournament(entrants, format: format).description
      }
    }
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    try clients.greet("owner", "\"token\":\"\(try server.text("token", of: "web"))\"")
    for (number, format) in TournamentFormat.allCases.enumerated() {
      let room = try #require(rooms[format])
      try clients.ask("owner", "watch", 2 + number, "\"room\":\"\(room)\"")
      let told = try clients.tournament("owner", "\(format)") { $0["room"] as? String == room }
      #expect(told["format"] as? String == format.name && told["phase"] as? String == "finished")
      try compareStandings(told, room)
      try comparePairings(told, room)
      #expect((told["brackets"] as? [Any])?.isEmpty == (format.results != .tree))
      #expect(told["crosstable"] is NSNull == (format.results == .tree))
      try clients.ask("owner", "unwatch", 20 + number, "\"room\":\"\(room)\"")
    }
    try clients.ask("owner", "list", 40)
    let listed = try #require(try clients.answer("owner", 40)["tournaments"] as? [[String: Any]])
    #expect(Set(listed.compactMap { $0["room"] as? String }) == Set(rooms.values))
    #expect(listed.allSatisfy { $0["phase"] as? String == "finished" && $0["entrants"] as? Int == 5 })
    // What the owner keeps for those nearby is nobody's business here.
    try clients.greet("guest")
    try clients.ask("guest", "list", 2)
    #expect((try clients.answer("guest", 2)["tournaments"] as? [Any])?.count == 0)
    let room = try #require(rooms[.swiss])
    try clients.ask("guest", "watch", 3, "\"room\":\"\(room)\"")
    #expect(try clients.answer("guest", 3)["words"] as? String == "there is no table \(room) here")
  }

  private func compareStandings(_ told: [String: Any], _ room: String) throws {
    let printed = try Program.run("tournament", "standings", room, "--json", "--data", "a", home: home)
    let wanted = try #require(try printed.objects().last?["standings"] as? [[String: Any]])
    let lines = try #require(told["standings"] as? [[String: Any]])
    #expect(lines.count == wanted.count)
    for (line, want) in zip(lines, wanted) {
      for name in ["rank", "wins", "draws", "losses"] { #expect(line[name] as? Int == want[name] as? Int) }
      #expect(line["entrant"] as? Int == want["seed"] as? Int)
    }
    let champion = try printed.objects().last?["champion"] as? String
    let entrants = try #require(told["entrants"] as? [[String: Any]])
    let leaders = try #require(told["leaders"] as? [Int])
    #expect(leaders.count > 1 || entrants[leaders[0] - 1]["name"] as? String == champion)
  }

  private func comparePairings(_ told: [String: Any], _ room: String) throws {
    let printed = try Program.run("tournament", "show", room, "--json", "--data", "a", home: home)
    let wanted = try printed.objects().filter { $0["pairing"] is String && $0["first"] != nil }
    let pairings = try #require(told["pairings"] as? [[String: Any]]).filter { $0["pairing"] is String }
    let names = try #require(told["entrants"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    #expect(pairings.count == wanted.count && !wanted.isEmpty)
    for (pairing, want) in zip(pairings, wanted) {
      #expect(pairing["pairing"] as? String == want["pairing"] as? String)
      #expect(pairing["round"] as? Int == want["round"] as? Int)
      #expect((pairing["winner"] as? Int).map { names[$0 - 1] } == want["winner"] as? String)
      let rooms = (pairing["rooms"] as? [[String: Any]])?.map { $0["room"] as? String }
      #expect(rooms == (want["rooms"] as? [String])?.map(Optional.some))
    }
  }

  // MARK: - Guests

  /// Two guests play a round robin, and the server is killed in the middle.
  @Test func guestsPlayARoundRobin() throws {
    let code = try create(["--format", "round-robin", "--games", "2", "--places", "4", "--scope", "public"])
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    var secrets: [String: String] = [:]
    for name in ["a", "b"] {
      secrets[name] = try #require(try clients.greet(name)["secret"] as? String)
      try clients.ask(name, "watch", 2, "\"room\":\"\(code)\"")
      let told = try clients.tournament(name, "who rules") { $0["may-join"] as? Bool == true }
      let referee = try #require(told["referee"] as? String)
      try clients.ask(name, "join", 3, "\"room\":\"\(code)\",\"referee\":\"\(referee)\"")
      #expect(try clients.answer(name, 3)["type"] as? String == "done")
      try clients.tournament(name, "its seat") { $0["entrant"] is Int }
    }
    try start(code)
    let table = try nextTable("a", clients)
    try clients.ask("a", "watch", 4, "\"room\":\"\(table)\"")
    try clients.table("a", "its turn") { ($0["may"] as? [String])?.contains("choose") == true }
    try clients.ask("a", "choose", 5, "\"room\":\"\(table)\",\"move\":\"5\"")
    #expect(try clients.answer("a", 5)["type"] as? String == "done")
    server.run.kill9()
    let second = try serve()
    let again = try SocketTests.Clients(second, home: home)
    for name in ["a", "b"] {
      try again.greet(name, "\"secret\":\"\(try #require(secrets[name]))\"")
      try again.ask(name, "watch", 2, "\"room\":\"\(code)\"")
      #expect(try nextTable(name, again) == table)
    }
    for number in 1...2 {
      try again.ask("b", "watch", 2 + number, "\"room\":\"\(table)\"")
      try again.table("b", "game \(number)") {
        $0["number"] as? Int == number && ($0["may"] as? [String])?.contains("resign") == true
      }
      try again.ask("b", "resign", 10 + number, "\"room\":\"\(table)\"")
      #expect(try again.answer("b", 10 + number)["type"] as? String == "done")
    }
    let end = try again.tournament("a", "the end") { $0["phase"] as? String == "finished" }
    #expect(end["leaders"] as? [Int] == [1] && end["next"] is NSNull)
    // Who comes late only looks on.
    try again.greet("c")
    try again.ask("c", "join", 2, "\"room\":\"\(code)\"")
    #expect(try again.answer("c", 2)["type"] as? String == "error")
    let verified = try Program.run("tournament", "verify", code, "--data", "a", home: home)
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    try Logs.verify("a", home: home)
  }

  /// A guest asks to come into a Swiss tournament that has started; one into a ladder without places cannot.
  @Test func aGuestComesLate() throws {
    let scope = ["--scope", "public"]
    let code = try create(["--format", "swiss", "--rounds", "2", "--places", "5"] + scope)
    let full = try create(["--format", "ladder", "--places", "3"] + scope)
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    func join(_ name: String, _ room: String, _ number: Int) throws -> [String: Any] {
      try clients.ask(name, "watch", number, "\"room\":\"\(room)\"")
      let told = try clients.tournament(name, "who rules") { $0["code"] as? String == room }
      let referee = try #require(told["referee"] as? String)
      try clients.ask(name, "join", number + 1, "\"room\":\"\(room)\",\"referee\":\"\(referee)\"")
      return try clients.answer(name, number + 1)
    }
    for name in ["a", "b", "c"] {
      try clients.greet(name)
      for (place, room) in [code, full].enumerated() {
        #expect(try join(name, room, 10 * place + 2)["type"] as? String == "done")
        try clients.tournament(name, "its seat") { $0["code"] as? String == room && $0["entrant"] is Int }
      }
    }
    for room in [code, full] { try start(room) }
    try clients.greet("d")
    #expect(try join("d", full, 2)["type"] as? String == "error")
    #expect(try join("d", code, 12)["type"] as? String == "done")
    let asked = try clients.tournament("d", "the wish") { $0["has-asked"] as? Bool == true }
    #expect(asked["phase"] as? String == "playing" && asked["code"] as? String == code)
    let asking = try Program.run("tournament", "admit", code, "--json", "--data", "a", home: home)
    let peer = try #require(try asking.objects().first?["peer"] as? String)
    let admitted = try Program.run(
      "tournament", "admit", code, String(peer.prefix(8)), "--data", "a", home: home)
    #expect(admitted.status == 0 && admitted.output.contains("4 entrants"), "\(admitted)")
    let told = try clients.tournament("d", "its seat") { $0["entrant"] as? Int == 4 }
    #expect(told["may-join"] as? Bool == false && told["has-asked"] as? Bool == false)
    // There were two places for those who came late; one is left.
    #expect(told["places"] as? Int == 5 && (told["entrants"] as? [Any])?.count == 4)
    try clients.greet("e")
    try clients.ask("e", "list", 2)
    let listed = try #require(try clients.answer("e", 2)["tournaments"] as? [[String: Any]])
    let one = try #require(listed.first { $0["code"] as? String == code })
    #expect(one["places"] as? Int == 5 && one["entrants"] as? Int == 4 && one["may-join"] as? Bool == true)
    #expect(listed.first { $0["code"] as? String == full }?["may-join"] as? Bool == false)
  }

  /// The table at which an entrant plays next, once both are there.
  private func nextTable(_ name: String, _ clients: SocketTests.Clients) throws -> String {
    func table(_ told: [String: Any]) -> [String: Any]? {
      (told["next"] as? [String: Any])?["table"] as? [String: Any]
    }
    let told = try clients.tournament(name, "its table") { table($0)?["phase"] as? String == "playing" }
    return try #require(table(told)?["room"] as? String)
  }

  @Test func whoMayTakePart() throws {
    let bots = try create(["--scope", "public", "--bots", "required"])
    let local = try create([])
    let server = try serve()
    let clients = try SocketTests.Clients(server, home: home)
    try clients.greet("a")
    try clients.ask("a", "join", 2, "\"room\":\"\(bots)\"")
    #expect(try clients.answer("a", 2)["words"] as? String == "that tournament is for bots")
    try clients.ask("a", "join", 3, "\"room\":\"\(local)\"")
    #expect(try clients.answer("a", 3)["words"] as? String == "there is no table \(local) here")
    try clients.ask("a", "list", 4)
    let listed = try #require(try clients.answer("a", 4)["tournaments"] as? [[String: Any]])
    #expect(listed.count == 1 && listed[0]["may-join"] as? Bool == false)
  }

  // MARK: - A browser

  @Test(.inABrowser) func peoplePlayATournamentInABrowser() async throws {
    let (big, table): (String, String)
    do {
      let samples = try Samples(home.file("a"))
      let many = [String](repeating: "random", count: 64)
      big = try await samples.tournament(many, format: .singleElimination).description
      table = try await samples.tournament(["greedy", "random", "solver", "random"]).description
    }
    let code = try create(
      [
        "--format", "single-elimination", "--places", "4", "--scope", "public", "--title", "<b>Cup</b>",
      ])
    let server = try serve()
    let script = PackageFolder.file("Tests/EndToEndTests/Web/cup.py").path
    let people = try Dialogue(
      [
        script, Browser.path, try server.text("page", of: "web"), code, try server.text("token", of: "web"),
        big, table,
      ], home: home, program: LogReader.python)
    try people.wait(for: "“start”", pollMicroseconds: 20_000) {
      try people.output().split(separator: "\n").contains("start")
    }
    try start(code)
    try people.type("\n")
    let run = try people.finish()
    #expect(run.status == 0 && run.output == "start\ndone cup\ndone others\n", "\(run.output)\n\(run.errors)")
    try server.checkObjects()
    let verified = try Program.run("tournament", "verify", code, "--data", "a", home: home)
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
  }
}

import Foundation
import TestKit
import Testing

/// People at terminals.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Script.isThere, Script.missing))
struct SittingTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func start(_ words: String, _ environment: [String: String] = [:]) throws -> Sitting {
    try Sitting(words, home: home, environment: environment)
  }

  @Test func peopleTalkAndPlayAgain() throws {
    let alice = try start("host tic-tac-toe --seat first --name Alice --data a")
    let (address, code) = (try alice.address(), try alice.code())
    let bob = try start("join \(code) --name Bob --data b --connect \(address)")
    try alice.expect("Your move: ")
    try alice.expect("🐱 You  vs  🐶 Bob (")
    // Words come while the other one has not finished typing.
    try alice.run.type("say he")
    try bob.run.type("say hello\n")
    try alice.expect("Bob: hello")
    try alice.run.type("llo\n5\n")
    try bob.expect("Alice: hello")
    try bob.expect("Your move: ")
    try bob.run.type("resign\nresign\n")
    for sitting in [alice, bob] {
      try sitting.expect("Play again? [y/N] ")
      try sitting.run.type("y\n")
    }
    for sitting in [alice, bob] { try sitting.expect("first: so it was drawn.") }
    try alice.run.type("leave\n")
    try bob.expect("Alice left before the first move")
    for sitting in [alice, bob] { #expect(try sitting.run.finish().status == 0) }
    let rooms = try Program.run("log", "list", "--data", "b", "--json", home: home).objects()
    let statuses = rooms.compactMap { $0["status"] as? String }
    // Where both asked at the same moment, one of the two rooms was closed at once.
    #expect(statuses.first == "closed" && statuses.last == "finished" && (2...3).contains(statuses.count))
  }

  /// Whoever joined may want the next game first, and the host reads that.
  @Test(arguments: [true, false]) func theOthersWishForARematchIsRead(_ isHostFirst: Bool) throws {
    let alice = try start("host tic-tac-toe --seat first --name Alice --data a")
    let (address, code) = (try alice.address(), try alice.code())
    let bob = try start("join \(code) --name Bob --data b --connect \(address)")
    try alice.expect("Your move: ")
    try alice.run.type("resign\nresign\n")
    for sitting in [alice, bob] { try sitting.expect("Play again? [y/N] ") }
    let (first, second, name) = isHostFirst ? (alice, bob, "Alice") : (bob, alice, "Bob")
    try first.run.type("y\n")
    try first.expect("Waiting for the other side to come to the next game.")
    try second.expect("\(name) wants a rematch: type `y` to play it.")
    try second.expect("Play again? [y/N] ", times: 2)
    try second.run.type("y\n")
    for sitting in [alice, bob] { try sitting.expect("first: so it was drawn.") }
    // Each has the seat of before.
    try alice.expect("🐱 You  vs  🐶 Bob (", times: 2)
    try second.run.type("leave\n")
    for sitting in [alice, bob] { #expect(try sitting.run.finish().status == 0) }
    let rooms = try Program.run("log", "list", "--data", "b", "--json", home: home).objects()
    #expect(rooms.map { $0["status"] as? String } == ["closed", "finished"])
    for data in ["a", "b"] { try Logs.verify(data, home: home) }
  }

  /// Whoever wants no other game lets the other one know by going, and nothing stays open.
  @Test func whoWantsARematchHearsThatTheOtherHasGone() throws {
    let alice = try start("host tic-tac-toe --seat first --name Alice --data a")
    let (address, code) = (try alice.address(), try alice.code())
    let bob = try start("join \(code) --name Bob --data b --connect \(address)")
    try alice.expect("Your move: ")
    try alice.run.type("resign\nresign\n")
    for sitting in [alice, bob] { try sitting.expect("Play again? [y/N] ") }
    try bob.run.type("y\n")
    try alice.expect("Bob wants a rematch")
    try alice.run.type("n\n")
    try bob.expect("Alice has gone.")
    for sitting in [alice, bob] { #expect(try sitting.run.finish().status == 0) }
    let rooms = try Program.run("log", "list", "--data", "b", "--json", home: home).objects()
    #expect(rooms.map { $0["status"] as? String } == ["closed", "finished"])
  }

  /// Each side reads whose step is awaited, also after coming back.
  @Test func whoseTurnItIsStandsThere() throws {
    let alice = try start("host tic-tac-toe --seat first --name Alice --data a")
    let (address, code) = (try alice.address(), try alice.code())
    let bob = try start("join \(code) --name Bob --data b --connect \(address)")
    try bob.expect("It is the turn of 🐱 Alice.")
    try alice.expect("Your move: ")
    try alice.run.type("5\n")
    try alice.expect("It is the turn of 🐶 Bob.")
    try bob.kill9()
    try alice.expect("The connection with Bob is lost")
    let again = try start("join \(code) --name Bob --data b --connect \(address)")
    try again.expect("Your move: ")
    try alice.expect("Bob is back.")
    try alice.expect("It is the turn of 🐶 Bob.", times: 2)
    try again.run.type("1\n")
    // A prompt may be drawn again whenever something is said, so it does not tell that the move is there.
    try alice.expect("Bob played 1")
    try alice.kill9()
    // Who comes back while the other one is away reads that, too.
    try again.run.type("quit\n")
    #expect(try again.run.finish().status == 0)
    let alone = try start("join \(code) --data b")
    try alone.expect("It is the turn of 🐱 Alice, who is not connected with you now.")
    try alone.run.type("quit\n")
    #expect(try alone.run.finish().status == 0)
  }

  /// A referee has a share in each draw: who waits for one that is away reads why.
  @Test func aRefereeThatIsAwayIsNamed() throws {
    let referee = String(repeating: "ab", count: 32)
    let alice = try start(
      "host memory-match --set players=2 --set cards=8 --seat first --name Alice --data a --move-limit 90"
        + " --referee \(referee)")
    let (address, code) = (try alice.address(), try alice.code())
    let bob = try start("join \(code) --name Bob --data b --connect \(address) --accept-referee \(referee)")
    try alice.expect("Your move: ")
    #expect(try !alice.run.output().contains("waits for its referee"))
    try alice.run.type("1\n")
    for sitting in [alice, bob] { try sitting.expect("The game waits for its referee ababababab") }
    for sitting in [alice, bob] {
      try sitting.run.type("quit\n")
      #expect(try sitting.run.finish().status == 0)
    }
  }

  /// Whoever is first back after a loss of the folder's marks reads at once what is waited for, and the move that was
  /// typed meanwhile is made when it can be.
  @Test func aMoveIsKeptUntilTheOthersAreBack() throws {
    let alice = try start("host tic-tac-toe --seat first --name Alice --data a")
    let code = try alice.code()
    let bob = try start("join \(code) --name Bob --data b --connect \(try alice.address())")
    try alice.expect("Your move: ")
    try alice.run.type("5\n")
    try bob.expect("Your move: ")
    try bob.run.type("1\n")
    try alice.expect("Bob played 1")
    for sitting in [alice, bob] { try sitting.kill9() }
    // Another file in the store's place, as after a power cut or a copy.
    let copying = try ChildProcess(["/bin/cp", "-a", home.file("a"), home.file("copy")])
    #expect(copying.terminationStatus == 0)
    try FileManager.default.removeItem(atPath: home.file("a"))
    try FileManager.default.moveItem(atPath: home.file("copy"), toPath: home.file("a"))
    let first = try start("join \(code) --data a")
    try first.expect("A move that you type is kept, and made as soon as it can be")
    try first.expect("Your move: ")
    try first.run.type("9\n")
    try first.expect("Your move 9 is kept, and made as soon as it can be")
    // Other words can be typed meanwhile.
    try first.run.type("resign\n")
    try first.expect("that cannot be done yet")
    let second = try start("join \(code) --data b --connect \(try first.address())")
    try second.expect("🐱 Alice played 9")
    try second.expect("Your move: ")
    try first.expect("🐱 You played 9")
    for sitting in [first, second] {
      try sitting.run.type("quit\n")
      #expect(try sitting.run.finish().status == 0)
    }
    for data in ["a", "b"] { try Logs.verify(data, home: home) }
  }

  /// Who has chosen in secret reads that, and not that it is somebody else's turn.
  @Test func aSecondSecretChoiceIsNamed() throws {
    let alice = try start("host prisoners-dilemma --set rounds=2 --name Alice --data a")
    let bob = try start("join \(try alice.code()) --name Bob --data b --connect \(try alice.address())")
    try alice.expect("Your move: ")
    try alice.run.type("cooperate\ndefect\n")
    try alice.expect("you have chosen already")
    #expect(try !alice.run.output().contains("it is not your turn"))
    for sitting in [alice, bob] {
      try sitting.run.type("quit\n")
      #expect(try sitting.run.finish().status == 0)
    }
  }

  @Test func aTakeBackIsDeclined() throws {
    let alice = try start("host tic-tac-toe --seat first --name Alice --data a")
    let bob = try start("join \(try alice.code()) --name Bob --data b --connect \(try alice.address())")
    try alice.expect("Your move: ")
    try alice.run.type("5\n")
    try bob.expect("Your move: ")
    try alice.run.type("undo\n")
    try bob.expect("Alice asks to take back 1 move: type `agree` or `decline`, or play on.")
    try bob.run.type("decline\n")
    try alice.expect("Bob: I do not agree to take that back.")
    try bob.run.type("decline\n")
    try bob.expect("the other side offers no draw")
    for sitting in [alice, bob] {
      try sitting.run.type("quit\n")
      #expect(try sitting.run.finish().status == 0)
    }
  }

  /// The bell calls back who looks elsewhere; BEL ends no sequence that is printed else.
  @Test func theBellRingsWhenSomebodyComesAndMoves() throws {
    func bells(_ sitting: Sitting) throws -> Int { try sitting.run.output().count { $0 == "\u{7}" } }
    let alice = try start("host tic-tac-toe --seat first --name Alice --data a")
    let bob = try start(
      "join \(try alice.code()) --name Bob --no-bell --data b --connect \(try alice.address())")
    try alice.expect("Your move: ")
    #expect(try bells(alice) == 1)
    try alice.run.type("5\n")
    try bob.expect("Your move: ")
    try bob.run.type("1\n")
    try alice.expect("Bob played 1")
    #expect(try bells(alice) == 2)
    #expect(try bells(bob) == 0)
    for sitting in [alice, bob] {
      try sitting.run.type("quit\n")
      #expect(try sitting.run.finish().status == 0)
    }
  }

  @Test func aJoinerReadsWhyItsEmojiIsAnother() throws {
    let alice = try start("host tic-tac-toe --seat first --name Alice --emoji Dogs --data a")
    let (address, code) = (try alice.address(), try alice.code())
    let bob = try start("join \(code) --name Bob --emoji 🐶 --data b --connect \(address)")
    try bob.expect("Alice chose 🐶 before you, and no two play with one piece: yours is 🐳.")
    try bob.expect("🐶 Alice (")
    try alice.expect("🐳 Bob (")
    try alice.run.type("quit\n")
    try bob.run.type("quit\n")
    for sitting in [alice, bob] { #expect(try sitting.run.finish().status == 0) }
  }

  @Test func theLobbyIsDrawnInOnePlace() throws {
    let alice = try start("host tic-tac-toe --name Alice --data a")
    let (address, code) = (try alice.address(), try alice.code())
    let lobby = try start("lobby --data b --connect \(address)")
    func wait(_ what: String, until holds: ([String]) -> Bool) throws {
      try lobby.run.wait(for: what) { holds(try lobby.screen()) }
    }
    func count(_ text: String, in screen: [String]) -> Int { screen.count { $0.contains(text) } }
    try wait("the game") { count(code, in: $0) == 1 && count("1 other peer here", in: $0) == 1 }
    let second = try start("host connect-four --name Carol --data c --connect \(address)")
    _ = try second.code()
    // What is not connected with Carol's peer hears of her game through Alice's, and does not list it.
    let direct = try start("host othello --name Dora --data d --connect \(try lobby.address())")
    let other = try direct.code()
    try wait("both games") { screen in
      count(code, in: screen) == 1 && count(other, in: screen) == 1 && count("CODE    GAME", in: screen) == 1
        && count("other peers here", in: screen) == 1 && count("No game is open", in: screen) == 0
    }
    try alice.kill9()
    try direct.kill9()
    try second.kill9()
    try wait("an empty lobby") { screen in
      count("No game is open nearby", in: screen) == 1 && count("CODE    GAME", in: screen) == 0
        && count("No other peer is here yet", in: screen) == 1
    }
    try lobby.run.type("\u{3}")
    #expect(try lobby.run.finish().status == 130)
  }

  /// A host that was killed is asked what becomes of its game.
  @Test func aHostIsAskedAboutItsEarlierGame() throws {
    func expectAsked(_ answer: String, _ code: String) throws -> Sitting {
      let host = try start("host connect-four --name Alice --data a")
      try host.expect("Your game \(code) of tic-tac-toe from before still waits for players.")
      try host.expect("[close/go/keep] ")
      try host.run.type("\(answer)\n")
      return host
    }
    let first = try start("host tic-tac-toe --seat first --name Alice --data a")
    let code = try first.code()
    try first.kill9()
    let keeping = try expectAsked("what?\nkeep", code)
    try keeping.expect("[close/go/keep] ", times: 2)
    try keeping.expect("`--earlier close` closes it")
    #expect(try keeping.code() != code)
    try keeping.run.type("leave\n")
    #expect(try keeping.run.finish().status == 0)
    let going = try expectAsked("go", code)
    #expect(try going.code() == code)
    let bob = try start("join \(code) --name Bob --data b --connect \(try going.address())")
    try bob.expect("It is the turn of 🐱 Alice.")
    try bob.run.type("leave\n")
    for sitting in [going, bob] { #expect(try sitting.run.finish().status == 0) }
    let second = try start("host tic-tac-toe --name Alice --data a")
    let left = try second.code()
    try second.kill9()
    let closing = try expectAsked("close", left)
    try closing.expect("Your game \(left) from before is closed.")
    #expect(try closing.code() != left)
    try closing.kill9()
  }
}

/// What others see of a person who has said nothing.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct NamesTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// The names of the players of a game whose host has this environment.
  private func names(_ words: [String] = [], in environment: [String: String] = [:]) throws -> [String] {
    let run = try Program.start(
      ["play", "tic-tac-toe", "--against", "random", "--seat", "first", "--data", "a", "--json"] + words,
      home: home, environment: environment
    ).finish()
    #expect(run.status == 0, "\(run.errors)")
    return try #require(try run.objects().first { $0["type"] as? String == "game" }?["players"] as? [String])
  }

  @Test func theSystemsUserIsTheStandardName() throws {
    #expect(try names(in: ["USER": "ada"]) == ["ada", "random"])
    #expect(try names(["--name", "Bo"], in: ["USER": "ada"]) == ["Bo", "random"])
    let listed = try #require(try names().first)
    #expect(!listed.isEmpty && listed != "You")
    // What cannot be shown, or would be another's “You”, is no name.
    for user in ["You", " yOU\u{200B} ", "\u{1B}\u{7}", "  "] {
      #expect(try names(in: ["USER": user]) == [listed, "random"], "\(user)")
    }
    let odd = try #require(
      try names(in: ["USER": "a\u{1B}[31m\u{202E}b" + String(repeating: "c", count: 90)]).first)
    #expect(odd.hasPrefix("a") && odd.utf8.count <= 40 && PlayTests.isSafe(odd))
  }

  @Test func nobodySignsYou() throws {
    for words in [
      ["play", "tic-tac-toe"], ["host", "tic-tac-toe"], ["host", "quiz"], ["join", "GGGGGG"],
      ["bot", "random", "--game", "tic-tac-toe"],
    ] {
      let run = try Program.start(
        words
          + ["--name", "you", "--data", "x", "--no-discovery"].prefix(
            words[0] == "play" ? 4 : 5), home: home
      ).finish()
      #expect(run.status == 64 && run.errors.contains("--name"), "\(words): \(run.status) \(run.errors)")
    }
  }
}

/// Games that were left open, and invitations, for programs.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct LeftGamesTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func host(_ words: [String] = [], data: String = "a") throws -> NetworkRun {
    try NetworkRun(
      ["host", "tic-tac-toe", "--seat", "first", "--name", "Alice"] + words, data: data, home: home)
  }

  /// Neither another process on the folder nor a later one gives seats away in a game whose host is gone.
  @Test func nobodyIsSeatedBehindTheHostsBack() throws {
    let killed = try host()
    let room = try killed.room()
    killed.run.kill9()
    let server = try NetworkRun(["serve"], data: "a", home: home)
    #expect(try server.text("room", of: "earlier") == room)
    #expect(try server.text("action", of: "earlier") == "keep")
    let bob = try NetworkRun(["join", room, "--name", "Bob"], data: "b", home: home, connect: [server])
    // Bob's request is there, and the server's own commands work meanwhile.
    try server.run.wait(for: "the request") {
      let shown = try Program.run("log", "show", room, "--data", "a", "--json", home: home)
      return try shown.objects().contains { $0["kind"] as? String == "request" }
    }
    let said = try Program.run("chat", room, "soon", "--data", "a", home: home)
    #expect(said.status == 0, "\(said.errors)")
    let shown = try Program.run("log", "show", room, "--data", "a", "--json", home: home)
    #expect(try shown.objects().allSatisfy { $0["kind"] as? String != "grant" })
    let alice = try NetworkRun(["join", room], data: "a", home: home, listens: false)
    for run in [alice, bob] { try run.first("game") }
    for run in [server, bob, alice] { try run.checkObjects() }
  }

  @Test func withoutATerminalAnOptionSaysWhatBecomesOfIt() throws {
    let killed = try host()
    let room = try killed.room()
    killed.run.kill9()
    let lobby = try Program.run("lobby", "--once", "--data", "a", "--no-discovery", home: home)
    #expect(lobby.status == 0 && lobby.errors.contains("`--earlier close` closes it"), "\(lobby.errors)")
    let going = try host(["--earlier", "go-on"])
    #expect(try going.text("action", of: "earlier") == "go-on")
    #expect(try going.room() == room)
    try going.checkObjects()
    going.run.kill9()
    let closing = try host(["--earlier", "close"])
    #expect(try closing.text("action", of: "earlier") == "close")
    #expect(try closing.room() != room)
    let listed = try Program.run("log", "list", "--data", "a", "--json", home: home).objects()
    #expect(listed.first { $0["id"] as? String == room }?["status"] as? String == "closed")
    let wrong = try Program.run("serve", "--earlier", "go-on", "--data", "a", home: home)
    #expect(wrong.status == 64 && wrong.errors.contains("--earlier"), "\(wrong.errors)")
  }

  @Test func aDeclinedInvitationStaysDeclinedAndTheHostIsTold() throws {
    let made = try Program.run("identity", "create", "--data", "b", "--json", home: home)
    let key = try #require(try made.objects().first?["peer"] as? String)
    let alice = try host(["--scope", "local", "--invite", key])
    let room = try alice.room()
    let lobby = try NetworkRun(["lobby"], data: "b", home: home, connect: [alice])
    #expect(try lobby.first("open")["invited"] as? Bool == true)
    let declined = try Program.run("decline", room, "--data", "b", home: home)
    #expect(declined.status == 0, "\(declined.errors)")
    try lobby.first("gone")
    #expect(try alice.text("peer", of: "declined") == key)
    lobby.run.send(SIGINT)
    _ = try lobby.run.finish()
    let again = try Program.run(
      "lobby", "--once", "--json", "--no-discovery", "--connect", try alice.address(), "--data", "b",
      home: home)
    #expect(try again.objects().allSatisfy { $0["type"] as? String != "open" }, "\(again.output)")
    let other = try Program.run("identity", "create", "--data", "c", "--json", home: home)
    let others = try #require(try other.objects().first?["peer"] as? String)
    let invited = try NetworkRun(
      ["invite", room, others, "--seconds", "600"], data: "a", home: home, listens: false)
    let carol = try NetworkRun(["join", room, "--name", "Carol"], data: "c", home: home, connect: [alice])
    #expect(try invited.first("answer")["answer"] as? String == "accepted")
    try carol.first("game")
    for run in [alice, lobby, carol] { try run.checkObjects() }
  }
}

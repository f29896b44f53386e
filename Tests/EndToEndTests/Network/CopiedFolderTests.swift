import Foundation
import TestKit
import Testing

/// Data folders that are copied, put back and moved by an honest user, with the real program: nobody is convicted
/// while those who hold what is missing can be reached, and what is safe goes on.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct CopiedFolderTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func run(_ words: String..., data: String = "a", input: String = "") throws -> Program.Finished {
    try Program.start(words + ["--data", data, "--json"], home: home, input: Data(input.utf8)).finish()
  }

  private func copy(_ from: String, to: String) throws {
    // A folder in use has a socket, which `FileManager` cannot copy.
    let copying = try ChildProcess(["/bin/cp", "-a", home.file(from), home.file(to)])
    #expect(copying.terminationStatus == 0)
  }

  private func putBack(_ copy: String, to: String) throws {
    try FileManager.default.removeItem(atPath: home.file(to))
    try FileManager.default.moveItem(atPath: home.file(copy), toPath: home.file(to))
  }

  private func stop(_ run: NetworkRun) throws {
    run.run.send(SIGINT)
    #expect(try run.run.finish().status == 130)
  }

  private func expectNoForks(_ data: String) throws {
    try Logs.verify(data, home: home)
    let rooms = try Program.run("log", "list", "--all", "--json", "--data", data, home: home).objects()
    for room in rooms {
      let shown = try Program.run("log", "verify", room["id"] as? String ?? "", "--data", data, home: home)
      #expect(!shown.output.contains("forked"), "\(shown.output)")
    }
  }

  /// A copy of a folder with rooms, served by itself: a new tournament is played through it, and after an orderly
  /// restart as well.
  @Test func newThingsArePlayedOnACopy() throws {
    let server = try NetworkRun(["serve"], data: "a", home: home)
    try server.first("listening")
    let guest = try NetworkRun(["serve"], data: "b", home: home, connect: [server])
    try guest.first("neighbour")
    #expect(try run("match", "tic-tac-toe", "--players", "random,greedy").status == 0)
    try stop(guest)
    try stop(server)
    try copy("a", to: "copy")
    for _ in 0..<2 {
      let alone = try NetworkRun(["serve"], data: "copy", home: home)
      try alone.first("listening")
      let tournament = try run(
        "tournament", "run", "--game", "tic-tac-toe", "--entrants", "random,greedy,random,greedy",
        data: "copy")
      #expect(tournament.status == 0, "\(tournament.errors)")
      try stop(alone)
    }
    let offline = try run(
      "tournament", "run", "--game", "tic-tac-toe", "--entrants", "random,greedy", data: "copy")
    #expect(offline.status == 0, "\(offline.errors)")
  }

  /// A newborn neighbour releases nothing: the other seat's peer must have shown what it holds.
  @Test func aNewbornNeighbourReleasesNothing() throws {
    let alice = try NetworkRun(["host", "tic-tac-toe", "--seat", "first"], data: "a", home: home)
    let room = try alice.room()
    let bob = try NetworkRun(["join", room], data: "b", home: home, connect: [alice])
    try alice.run.type("5\n")
    try bob.wait(forPly: 1)
    try bob.run.type("1\n")
    try alice.wait(forPly: 2)
    // A move of the other side is shown as soon as it has come, and stored then.
    try alice.run.wait(for: "both moves on disk") {
      try run("log", "show", room).objects().count { $0["kind"] as? String == "move" } == 2
    }
    try copy("a", to: "copy")
    try alice.run.type("9\n")
    try bob.wait(forPly: 3)
    try stop(alice)
    try putBack("copy", to: "a")
    let newborn = try NetworkRun(["serve"], data: "c", home: home)
    let alone = try NetworkRun(["join", room], data: "a", home: home, connect: [newborn])
    try alone.run.type("3\n")
    // The move is kept until Bob's peer has come, and what can be done else is said.
    try alone.run.wait(for: "words") {
      let errors = try alone.run.errors()
      return errors.contains("Your move 3 is kept") && errors.contains("rematch")
    }
    try stop(alone)
    try expectNoForks("b")
  }

  /// Played, exchanged, copied, played on, exchanged, put back: the copy may go on when it has heard what it lacks.
  @Test func whatWasExchangedIsNotContradictedOffline() throws {
    let friend = try NetworkRun(["serve", "--archive"], data: "f", home: home)
    let address = try friend.address()
    let begun = try run(
      "play", "tic-tac-toe", "--against", "greedy", "--seat", "first", "--seed", "1", input: "5\n")
    #expect(begun.status == 0, "\(begun.errors)")
    #expect(try run("sync", address).status == 0)
    try copy("a", to: "copy")
    let further = try run("play", "--resume", "last", input: "say further\n")
    #expect(further.status == 0, "\(further.errors)")
    #expect(try run("sync", address).status == 0)
    try putBack("copy", to: "a")
    let refused = try run("play", "--resume", "last", input: "say otherwise\n")
    #expect(refused.status == 75, "\(refused.output)\(refused.errors)")
    // What is new is not refused.
    let new = try run("play", "tic-tac-toe", "--against", "greedy", "--seed", "2", input: "resign\nresign\n")
    #expect(new.status == 0, "\(new.errors)")
    #expect(try run("sync", address).status == 0)
    let room = try #require(try begun.objects().compactMap { $0["room"] as? String }.first)
    let resumed = try run("play", "--resume", room, input: "say the same\n")
    #expect(resumed.status == 0, "\(resumed.output)\(resumed.errors)")
    #expect(try run("sync", address).status == 0)
    try expectNoForks("a")
    try expectNoForks("f")
  }

  /// A folder that is moved away under a running process, with another one in its place: the process ends with
  /// words, and leaves the other one's files alone.
  @Test func aFolderThatIsReplacedIsNoticed() throws {
    let server = try NetworkRun(["serve"], data: "a", home: home)
    try server.first("listening")
    try FileManager.default.moveItem(atPath: home.file("a"), toPath: home.file("moved"))
    try FileManager.default.createDirectory(atPath: home.file("a"), withIntermediateDirectories: false)
    try Data("other".utf8).write(to: URL(fileURLWithPath: home.file("a/socket")))
    let ended = try server.run.finish()
    #expect(ended.status == 74, "\(ended.errors)")
    #expect(ended.errors.contains("moved, removed or replaced"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.file("a")) == ["socket"])
  }

  /// Two processes with one key meet: both say so, and write into no room that others have.
  @Test func twoProcessesOfOneKeyAreTold() throws {
    let first = try NetworkRun(["serve"], data: "a", home: home)
    try first.first("listening")
    try copy("a", to: "copy")
    let second = try NetworkRun(["serve"], data: "copy", home: home, connect: [first])
    for run in [first, second] {
      try run.run.wait(for: "words") { try run.run.errors().contains("another process with this peer's key") }
    }
  }
}

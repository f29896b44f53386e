import Foundation
import TestKit
import Testing

/// A key that comes to another folder in the midst of games: its rooms are written to when it knows what it has written
/// there, and nobody is convicted.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct ImportedIdentityTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    try home.write("words", Data("correct horse battery staple\n".utf8))
  }

  private func run(_ words: String..., data: String, input: String = "") throws -> Program.Finished {
    try Program.start(words + ["--data", data, "--json"], home: home, input: Data(input.utf8)).finish()
  }

  /// Brings the key of a folder to another one.
  private func carry(from: String, to: String) throws {
    let file = "\(from)-\(to)"
    let exported = try run("identity", "export", file, "--passphrase-file", "words", data: from)
    #expect(exported.status == 0, "\(exported.errors)")
    let imported = try run("identity", "import", file, "--passphrase-file", "words", data: to)
    #expect(imported.status == 0, "\(imported.errors)")
  }

  private func stop(_ run: NetworkRun) throws {
    run.run.send(SIGINT)
    #expect(try run.run.finish().status == 130)
  }

  private func expectNoForks(_ data: String) throws {
    try Logs.verify(data, home: home)
    for room in try Logs.digests(data, home: home).keys {
      let shown = try Program.run("log", "verify", room, "--data", data, home: home)
      #expect(!shown.output.contains("forked"), "\(shown.output)")
    }
  }

  /// Exported in the middle of a game, imported elsewhere: there the game goes on to its end as soon as the other
  /// player has shown it.
  @Test func aGameGoesOnInAnotherFolder() throws {
    let alice = try NetworkRun(["host", "tic-tac-toe", "--seat", "first"], data: "a", home: home)
    let room = try alice.room()
    let bob = try NetworkRun(["join", room], data: "b", home: home, connect: [alice])
    try alice.run.type("5\n")
    try bob.wait(forPly: 1)
    try carry(from: "a", to: "new")
    // What is written after the export is not in the new folder, either.
    try bob.run.type("1\n")
    try alice.wait(forPly: 2)
    try alice.run.type("say elsewhere\n3\n")
    try bob.wait(forPly: 3)
    try stop(alice)
    let again = try NetworkRun(["join", room], data: "new", home: home, connect: [bob])
    try again.wait(forPly: 3)
    #expect(try again.run.errors().contains("may have been used elsewhere"))
    try bob.run.type("2\n")
    try again.wait(forPly: 4)
    try again.run.type("7\n")
    #expect(try again.result()["winner"] as? String == bob.result()["winner"] as? String)
    for run in [again, bob] { try run.run.endInput() }
    for run in [again, bob] { #expect(try run.run.finish().status == 0) }
    for data in ["b", "new"] { try expectNoForks(data) }
  }

  /// Who holds only the beginning of a game releases nothing: the peer of the other seat must have shown what it holds.
  @Test(arguments: [true, false]) func anOldCopyOfAGameIsNotWrittenTo(bundleFirst: Bool) throws {
    let begun = try run(
      "play", "tic-tac-toe", "--against", "greedy", "--seat", "first", "--seed", "1", data: "a", input: "5\n")
    #expect(begun.status == 0, "\(begun.errors)")
    let exported = try run("log", "export", "last", "--output", "old.parlor", data: "a")
    #expect(exported.status == 0, "\(exported.errors)")
    let friend = try NetworkRun(["serve", "--archive"], data: "f", home: home)
    let further = try run("play", "--resume", "last", data: "a", input: "say further\n")
    #expect(further.status == 0, "\(further.errors)")
    #expect(try run("sync", try friend.address(), data: "a").status == 0)
    // A store that was there before the key counts as left in order, and is in doubt as well.
    if bundleFirst { #expect(try run("log", "import", "old.parlor", data: "new").status == 0) }
    try carry(from: "a", to: "new")
    if !bundleFirst { #expect(try run("log", "import", "old.parlor", data: "new").status == 0) }
    for _ in 0..<2 {
      let refused = try run("play", "--resume", "last", data: "new", input: "say otherwise\n")
      #expect(refused.status == 75, "\(refused.output)\(refused.errors)")
    }
    // What is new is not refused, and goes on after another start.
    let new = try run(
      "play", "tic-tac-toe", "--against", "greedy", "--seat", "first", "--seed", "2", data: "new",
      input: "5\n")
    #expect(new.status == 0, "\(new.errors)")
    let resumed = try run("play", "--resume", "last", data: "new", input: "resign\nresign\n")
    #expect(resumed.status == 0, "\(resumed.errors)")
    // Who has more of it shows that, and releases it.
    #expect(try run("sync", try friend.address(), data: "new").status == 0)
    let room = try #require(try begun.objects().compactMap { $0["room"] as? String }.first)
    let released = try run("play", "--resume", room, data: "new", input: "say the same\n")
    #expect(released.status == 0, "\(released.output)\(released.errors)")
    #expect(try run("sync", try friend.address(), data: "new").status == 0)
    for data in ["f", "new"] { try expectNoForks(data) }
  }
}

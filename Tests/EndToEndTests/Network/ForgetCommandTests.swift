import Foundation
import TestKit
import Testing

/// `log forget`, `log prune` and `block`, with a process that has the data folder and without one.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct ForgetCommandTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func run(_ words: String..., data: String = "a", isJSON: Bool = true) throws -> Program.Finished {
    try Program.start(words + ["--data", data] + (isJSON ? ["--json"] : []), home: home).finish()
  }

  /// A room that nobody on this machine has written into, as far as the folder knows.
  private func exportStrangersRoom(_ name: String, games: String = "1") throws -> String {
    let match = try run("match", "tic-tac-toe", "--players", "random,greedy", "--games", games, data: "c")
    #expect(match.status == 0, "\(match.errors)")
    let room = try #require(try run("log", "list", data: "c").objects().first?["id"] as? String)
    #expect(try run("log", "export", room, "--output", name, data: "c").status == 0)
    return room
  }

  /// Checks what was printed, which is of one type.
  private func check(_ run: Program.Finished, _ command: String, _ type: String) throws {
    let objects = try run.objects()
    #expect(objects.allSatisfy { $0["type"] as? String == type }, "\(objects)")
    try DescribedCommand.of(command.components(separatedBy: " ")).check(objects)
  }

  private func rooms() throws -> Set<String> { Set(try Logs.digests("a", home: home).keys) }

  @Test(arguments: [false, true]) func roomsGoAndComeBackByHandAlone(isServed: Bool) throws {
    let strange = try exportStrangersRoom("one.parlor")
    let other = try exportStrangersRoom("two.parlor", games: "9")
    let played = try run("match", "tic-tac-toe", "--players", "random,greedy")
    #expect(played.status == 0, "\(played.errors)")
    let own = try #require(try rooms().first)
    for name in ["one.parlor", "two.parlor"] { #expect(try run("log", "import", name).status == 0) }
    let server = isServed ? try NetworkRun(["serve"], data: "a", home: home) : nil
    try server?.first("listening")
    // Nothing is forgotten by a look.
    let listed = try run("log", "prune", "--to", "0", "--dry-run")
    #expect(listed.status == 0, "\(listed.errors)")
    #expect(Set(try listed.objects().compactMap { $0["room"] as? String }) == [strange, other])
    try check(listed, "log prune", "prunable")
    #expect(try rooms() == [strange, other, own])
    let pruned = try run("log", "prune", "--to", "0")
    #expect(pruned.status == 0, "\(pruned.errors)")
    #expect(Set(try pruned.objects().compactMap { $0["room"] as? String }) == [strange, other])
    try check(pruned, "log prune", "forgotten")
    #expect(try rooms() == [own])
    let forgotten = try run("log", "forget", own)
    #expect(forgotten.status == 0, "\(forgotten.errors)")
    let object = try #require(try forgotten.objects().first)
    #expect(object["type"] as? String == "forgotten" && object["room"] as? String == own)
    #expect((object["bytes"] as? Int ?? 0) > 100)
    #expect(try rooms().isEmpty)
    #expect(try run("log", "forget", own).status == 66)
    #expect(try run("log", "import", "one.parlor").status == 0)
    #expect(try rooms() == [strange])
    try Logs.verify("a", home: home)
    let words = try run("log", "forget", strange, isJSON: false)
    #expect(words.output.contains("1 room forgotten") && words.output.contains("freed"), "\(words.output)")
  }

  /// An own game that was forgotten and came back in part is not gone on with.
  @Test func anOwnGameThatCameBackInPartIsNotWrittenTo() throws {
    let first = try run(
      "play", "tic-tac-toe", "--against", "greedy", "--seat", "first", "--seed", "1")
    #expect(first.status == 0, "\(first.errors)")
    let room = try #require(try rooms().first)
    #expect(try run("log", "export", room, "--output", "early.parlor").status == 0)
    let second = try Program.start(
      ["play", "--resume", room, "--data", "a", "--json"], home: home, input: Data("5\n".utf8)
    ).finish()
    #expect(second.status == 0, "\(second.errors)")
    #expect(try run("log", "export", room, "--output", "whole.parlor").status == 0)
    #expect(try run("log", "forget", room).status == 1)
    #expect(try run("log", "forget", room, "--force").status == 0)
    #expect(try run("log", "import", "early.parlor").status == 0)
    let refused = try run("play", "--resume", room)
    #expect(refused.status == 75, "\(refused.errors)")
    #expect(refused.errors.contains("forgotten here"), "\(refused.errors)")
    #expect(try run("log", "import", "whole.parlor").status == 0)
    let last = try Program.start(
      ["play", "--resume", room, "--data", "a", "--json"], home: home, input: Data("resign\nyes\n".utf8)
    ).finish()
    #expect(last.status == 0, "\(last.errors)")
    try Logs.verify("a", home: home)
  }

  @Test func whatCannotBeMeantIsSaid() throws {
    #expect(try run("log", "prune").status == 64)
    for (option, value) in [("--to", "much"), ("--to", "12X"), ("--older", "1"), ("--older", "-3d")] {
      let run = try run("log", "prune", option, value)
      #expect(run.status == 64, "\(option) \(value): \(run.errors)")
    }
    #expect(try run("log", "forget").status == 64)
    #expect(try run("log", "forget", "abc").status == 66)
  }

  @Test(arguments: [false, true]) func peersAreBlockedAndListed(isServed: Bool) throws {
    let server = isServed ? try NetworkRun(["serve"], data: "a", home: home) : nil
    let guest = try server.map { try NetworkRun(["serve"], data: "b", home: home, connect: [$0]) }
    let peer = try guest?.text("peer", of: "listening") ?? String(repeating: "3f", count: 32)
    try server?.wait(for: "neighbour", "the guest") { $0["state"] as? String == "connected" }
    let name = isServed ? String(peer.prefix(8)) : peer
    let blocked = try run("block", name)
    #expect(blocked.status == 0, "\(blocked.errors)")
    #expect(try blocked.objects().map { $0["peer"] as? String } == [peer])
    #expect(try run("block").objects().map { $0["peer"] as? String } == [peer])
    try server?.wait(for: "neighbour", "nobody") { $0["state"] as? String == "not connected" }
    #expect(try run("block", String(repeating: "ab", count: 32), "--remove").status == 1)
    let freed = try run("block", String(peer.prefix(6)), "--remove")
    #expect(freed.status == 0, "\(freed.errors)")
    #expect(try freed.objects().map { $0["type"] as? String } == ["unblocked"])
    #expect(try run("block").objects().isEmpty)
    #expect(try run("block", "--remove").status == 64)
    #expect(try run("block", "zz").status == 64)
  }
}

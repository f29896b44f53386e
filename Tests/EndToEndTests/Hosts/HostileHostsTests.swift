import Foundation
import TestKit
import Testing

/// Networks and peers that mean ill, or are merely bad.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing),
  .enabled(if: LocalNetwork.isPossible, LocalNetwork.impossible),
  .enabled(if: Tricks.arePossible, Tricks.impossible))
struct HostileHostsTests {
  private static let hosting = ["host", "tic-tac-toe", "--seat", "first", "--name", "Alice"]

  /// Who has another key, or none, is told so, and learns nothing of the games.
  @Test func anotherKeyIsRefusedWithWords() throws {
    let hosts = try Hosts(3)
    for (host, digits) in [(1, "ab"), (2, "cd"), (3, "ab")] {
      try hosts.home(host).write("key", Data((String(repeating: digits, count: 32) + "\n").utf8))
    }
    let alice = try hosts.start(Self.hosting + ["--key", "key"], on: 1)
    let port = try #require(try alice.address().split(separator: ":").last)
    let address = "\(hosts.network.address(of: 1)):\(port)"
    for (words, reason) in [
      (["--key", "key"], "it may want another key or network"),
      ([], "the other end has a pre-shared key"),
    ] {
      let peers = try Program.start(
        ["peers", "--json", "--data", "data", "--no-discovery", "--connect", address] + words,
        home: hosts.home(2)
      ).finish()
      let stands = try #require(try peers.objects().last { $0["address"] as? String == address }, "\(peers)")
      #expect(stands["state"] as? String == "not connected")
      #expect((stands["reason"] as? String)?.contains(reason) == true, "\(stands)")
      let sync = try Program.start(["sync", address, "--data", "data"] + words, home: hosts.home(2)).finish()
      #expect(sync.status == 69)
      #expect(sync.errors.contains(reason), "\(sync.errors)")
    }
    // By discovery as well, only who has the key comes to the game.
    let stranger = try hosts.start(["lobby"], on: 2)
    let bob = try hosts.start(["join", try alice.room(), "--name", "Bob", "--key", "key"], on: 3)
    try stranger.first("listening")
    try alice.run.type("5\n")
    try bob.wait(forPly: 1)
    try bob.run.type("resign\nresign\n")
    #expect(try alice.result()["result"] as? String == "won")
    #expect(try stranger.run.objects("open").isEmpty)
    let held = try hosts.run("log", "list", "--all", "--json", on: 2)
    #expect(held.output.isEmpty, "\(held.output)")
  }

  /// What another version, another network and something that is no Parlor say first.
  @Test(arguments: [
    ("7061726c6f72000900" + String(repeating: "00", count: 16), "version 9"),
    ("7061726c6f72000200" + String(repeating: "00", count: 16), "another network"),
    ("485454502f312e31203430302042616420526571756573740d0a", "not speak"),
  ]) func whoSpeaksOtherwiseIsNamed(said: String, words: String) throws {
    let (run, heard) = try Self.answer(with: said)
    #expect(run.status == 69)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(heard.hasPrefix("7061726c6f720002"), "\(heard)")
  }

  /// Has the program connect to somebody who answers with these bytes.
  /// - Returns: how that ended, and what the program said first.
  private static func answer(with bytes: String) throws -> (run: Program.Finished, heard: String) {
    let home = try TemporaryFolder()
    let other = try Tricks.python("hostile.py", ["answer", bytes], home: home)
    try other.wait(for: "its port") { try other.output().contains("\n") }
    let port = try other.output().filter(\.isNumber)
    let run = try Program.run("sync", "127.0.0.1:\(port)", "--data", "data", home: home)
    try other.wait(for: "what it heard") { try other.lineCount() == 2 }
    let words = try other.output().split { $0 == " " || $0 == "\n" }
    return (run, String(words.last ?? ""))
  }

  /// Between two peers somebody changes bits, in the midst of the game and of the attempts to connect again.
  @Test(arguments: 1...2) func changedBitsDoNoHarm(seed: Int) throws {
    let hosts = try Hosts(2)
    let alice = try hosts.startAlone(Self.hosting, on: 1)
    let address = try alice.address().split(separator: ":").map(String.init)
    let proxy = try hosts.python("flip.py", ["\(seed)", hosts.network.address(of: 2)] + address, on: 2)
    try proxy.wait(for: "its address") { try proxy.output().contains("\n") }
    let near = try #require(try proxy.output().split(separator: "\n").first).split(separator: " ")[1]
    let bob = try hosts.startAlone(
      ["join", try alice.room(), "--name", "Bob", "--connect", String(near)], on: 2)
    try alice.run.type("5\n")
    try bob.run.type("1\n")
    for run in [alice, bob] { try run.wait(forPly: 2) }
    try proxy.type("flip\n")
    try alice.run.type("say can you read this?\n9\n")
    try proxy.wait(for: "changed connections") { try proxy.output().contains("flipped 4\n") }
    for run in [alice, bob] { try run.wait(for: "connection", "lost") { $0["connected"] as? Bool == false } }
    try proxy.type("honest\n")
    try bob.run.type("2\n6\n")
    try alice.run.type("3\n7\n")
    #expect(try alice.result()["result"] as? String == "won")
    #expect(try bob.result()["result"] as? String == "lost")
    for run in [alice, bob] { #expect(try run.run.finish().status == 0) }
    try hosts.checkOneLog([1, 2])
  }

  /// Three frames in ten are lost in each direction, and each of the others takes a tenth of a second.
  @Test func aGameOnABadCable() throws {
    let hosts = try Hosts(2)
    for host in 1...2 { try hosts.network.setCable(of: host, isIn: false) }
    let ends = (1...2).flatMap { [hosts.network.name($0), "10.98.0.\($0)/24"] }
    let cable = try Tricks.python("lossy.py", ["1", "0.3", "100"] + ends, home: try TemporaryFolder())
    try cable.wait(for: "the cable") { try cable.output().contains("up") }
    let clock = ContinuousClock()
    let begun = clock.now
    let alice = try hosts.start(Self.hosting, on: 1)
    let bob = try hosts.start(["join", try alice.room(), "--name", "Bob"], on: 2)
    try alice.run.type("5\n9\n3\n7\n")
    try bob.run.type("1\n2\n6\n")
    let together = try bob.first("game")
    #expect(together["players"] as? [String] == ["Alice", "Bob"])
    let found = clock.now
    #expect(try alice.result()["result"] as? String == "won")
    #expect(try alice.run.finish().status == 0)
    // Nobody waits at a finished game for somebody whose connection was lost: the end comes from her log then.
    let server = try hosts.start(["serve"], on: 1)
    try server.first("listening")
    #expect(try bob.result()["result"] as? String == "lost")
    #expect(try bob.run.finish().status == 0)
    server.run.send(SIGINT)
    #expect(try server.run.finish().status == 130)
    try cable.type("\n")
    let frames = try cable.finish().output.split(separator: "\n").last ?? ""
    Figures.say(
      "30 % loss, 100 ms delay: at the table after \((found - begun).words), 7 moves and the end in"
        + " \((clock.now - found).words); \(frames)")
  }

  /// The most memory that a host may ever have taken, honest peers and 128 hostile clients together.
  private static let limitKibibytes = 96 << 10

  @Test func floodsAndDribblesDoNotStopAGame() throws {
    let hosts = try Hosts(3)
    let alice = try hosts.startAlone(Self.hosting, on: 1)
    let bob = try hosts.startAlone(["join", try alice.room(), "--name", "Bob"], on: 2, connect: [alice])
    try bob.first("game")
    let before = try Self.mostKibibytes(of: alice)
    let address = try alice.address().split(separator: ":").map(String.init)
    let preamble = String(try Self.answer(with: "00").heard.prefix(50))
    let crowds = try ["flood", "dribble"].map {
      try hosts.python("hostile.py", [$0] + address + ["64", preamble], on: 3)
    }
    for crowd in crowds {
      try crowd.wait(for: "64 connections") { try crowd.output().contains("all here") }
    }
    for (ply, move) in ["5", "1", "9", "2", "3", "6"].enumerated() {
      try (ply % 2 == 0 ? alice : bob).run.type("\(move)\n")
      for run in [alice, bob] { try run.wait(forPly: ply + 1) }
    }
    // Somebody may come while the others crowd.
    let watcher = try hosts.startAlone(["watch", try alice.room()], on: 2, connect: [alice], data: "other")
    try watcher.wait(forPly: 6)
    let most = try Self.mostKibibytes(of: alice)
    #expect(most < Self.limitKibibytes)
    try alice.run.type("7\n")
    #expect(try alice.result()["result"] as? String == "won")
    #expect(try bob.result()["result"] as? String == "lost")
    #expect(try watcher.result()["result"] as? String == "watched")
    for run in [alice, bob, watcher] { #expect(try run.run.finish().status == 0) }
    let said = try crowds.map { crowd in
      crowd.typeIfItListens("\n")
      return try crowd.finish().output.split(separator: "\n").last ?? ""
    }
    Figures.say(
      "a host had \(before) KiB, and at most \(most) KiB under 64 floods (\(said[0])) and 64 dribbles (\(said[1]))"
    )
    try hosts.checkOneLog([1, 2])
  }

  /// The most memory that a process has had so far.
  private static func mostKibibytes(of run: NetworkRun) throws -> Int {
    let status = try String(
      contentsOfFile: "/proc/\(run.run.process.processIdentifier)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber)))
  }
}

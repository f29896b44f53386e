import EventLog
import Events
import Foundation
import Games
import Network
import Peer
import Projection
import Rules
import Service
import TestKit
import Testing

/// The question about a game's referee and limits, at a terminal and without one.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing), .enabled(if: Script.isThere, Script.missing))
struct ConsentTests {
  static let question = "Agree to this referee? [y/N] "

  let home: TemporaryFolder
  /// A referee that is not there: nobody's time is up here.
  let referee = SigningKey(seed: [UInt8](repeating: 5, count: 32)).peer

  init() throws { home = try TemporaryFolder() }

  private func host() throws -> NetworkRun {
    try NetworkRun(
      [
        "host", "tic-tac-toe", "--seat", "first", "--name", "Alice", "--move-limit", "90", "--referee",
        "\(referee)",
      ], data: "a", home: home)
  }

  private func words(_ room: String, at address: String, _ more: [String] = []) -> [String] {
    [
      "join", room, "--name", "Bob", "--data", "b", "--no-discovery", "--listen", "127.0.0.1:0", "--connect",
      address,
    ] + more
  }

  /// Joins on a terminal of its own.
  private func join(_ room: String, at address: String, _ more: [String] = []) throws -> Dialogue {
    let command = (["exec '\(try #require(Program.path))'"] + words(room, at: address, more))
      .joined(separator: " ")
    return try Dialogue(
      ["--quiet", "--return", "--command", command, "/dev/null"], home: home, program: Script.path,
      environment: ["TERM": "xterm-256color", "SHELL": "/bin/sh"])
  }

  private func expect(_ text: String, _ run: Dialogue) throws {
    try run.wait(for: "“\(text)”") { try run.output().contains(text) }
  }

  /// How many requests for a seat the guest has written.
  private func requests(_ room: String) throws -> Int {
    let shown = try Program.run("log", "show", room, "--json", "--data", "b", home: home)
    #expect(shown.status == 0, "\(shown.errors)")
    return try shown.objects().count { $0["kind"] as? String == "request" }
  }

  @Test(arguments: ["y\n", "YES\n"]) func whoAgreesJoins(_ answer: String) throws {
    let alice = try host()
    let bob = try join(try alice.room(), at: try alice.address())
    try expect(Self.question, bob)
    let asked = try bob.output()
    let before = try #require(asked.components(separatedBy: Self.question).first)
    for words in ["Alice", "\(referee)", "1:30 for each move"] {
      #expect(before.contains(words), "\(before)")
    }
    try bob.type(answer)
    try alice.first("game")
    try bob.type("quit\n")
    #expect(try bob.finish().status == 0)
    #expect(try requests(alice.room()) == 1)
  }

  /// Enter, no, something else, the end of the input (Ctrl-D), Ctrl-C.
  @Test(arguments: [("\n", Int32(1)), ("n\n", 1), ("maybe\n", 1), ("\u{4}", 1), ("\u{3}", 130)])
  func whoDoesNotAgreeDoesNotJoin(_ answer: String, _ status: Int32) throws {
    let alice = try host()
    let bob = try join(try alice.room(), at: try alice.address())
    try expect(Self.question, bob)
    try bob.type(answer)
    let hasJoined = try bob.waitOrEnd { try !alice.run.objects("game").isEmpty }
    try #require(!hasJoined)
    let end = try bob.finish()
    #expect(end.status == status, "\(end.output)")
    #expect(end.output.contains("you do not agree to its referee") == (status == 1), "\(end.output)")
    #expect(try requests(alice.room()) == 0)
  }

  @Test func withoutATerminalTheReasonNamesTheFlag() throws {
    let alice = try host()
    let (room, address) = (try alice.room(), try alice.address())
    let asked = try Program.start(words(room, at: address), home: home, input: Data("y\n".utf8)).finish()
    #expect(asked.status == 1)
    #expect(asked.errors.contains("--accept-referee \(referee)"), "\(asked.errors)")
    let other = SigningKey(seed: [UInt8](repeating: 6, count: 32)).peer
    let wrong = try Program.start(words(room, at: address, ["--accept-referee", "\(other)"]), home: home)
      .finish()
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("another one: \(referee)"), "\(wrong.errors)")
    #expect(try requests(room) == 0)
  }

  // MARK: - The next game

  /// A host whose program does as the test says.
  private func library() async throws -> PeerService {
    try FileManager.default.createDirectory(
      atPath: home.file("c"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let log = try LMDBEventLog(
      folder: home.file("c/log"), access: .writing, network: .standard, program: "a test")
    return try await PeerService.open(
      ServiceSettings(
        signer: SigningKey(seed: [UInt8](repeating: 7, count: 32)), log: log, games: Games.catalog,
        listen: Address(host: "127.0.0.1", port: 0), now: { 1_700_000_000_000 }))
  }

  private func wait(for what: String, _ run: Dialogue, until holds: () async throws -> Bool) async throws {
    while try await !holds() {
      let output = try run.output()
      try #require(run.process.isRunning, "ended before \(what): \(output)")
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// A rematch with the same referee and less time is asked about; one as before is not.
  @Test(arguments: [("y\n", true), ("n\n", true), ("", false)])
  func aRematchWithOtherLimitsIsAskedAbout(_ answer: String, _ isOther: Bool) async throws {
    let host = try await library()
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules(Parameters())
    var new = Intent.NewRoom(
      rules: rules, seat: 0, starter: .firstSeat, scope: .local, profile: Profile(name: "Carol"))
    new.terms.referee = referee
    new.terms.moveLimitMilliseconds = 90_000
    let first = try await host.perform(.create(new))
    let bob = try join(
      "\(first)", at: "\(try #require(await host.address))", ["--accept-referee", "\(referee)"])
    try await wait(for: "play", bob) { try await host.state(of: first)?.phase == .playing }
    _ = try await host.perform(.act(first, .resign))
    try expect("Play again? [y/N] ", bob)
    var next = Intent.NewRoom(
      rematchOf: try #require(try await host.state(of: first)), Profile(name: "Carol"))
    if isOther { next.terms.moveLimitMilliseconds = 1_000 }
    let second = try await host.perform(.create(next))
    try bob.type("y\n")
    if isOther {
      try expect(Self.question, bob)
      #expect(try bob.output().contains("1 s for each move"))
      try bob.type(answer)
    }
    if answer == "n\n" {
      let end = try bob.finish()
      #expect(end.status == 0, "\(end.output)")
      #expect(end.output.contains("you do not agree to its referee"))
      #expect(try requests("\(second)") == 0)
    } else {
      try await wait(for: "the next game", bob) { try await host.state(of: second)?.phase == .playing }
      #expect(try bob.output().contains(Self.question) == isOther)
      try bob.type("quit\n")
      #expect(try bob.finish().status == 0)
    }
    await host.close()
  }
}

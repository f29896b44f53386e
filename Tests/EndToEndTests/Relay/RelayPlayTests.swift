import Foundation
import Glibc
import TestKit
import Testing

/// Two sites that cannot reach each other directly, through a real server of NATS.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing),
  .enabled(if: QueueServers.areThere, QueueServers.missing))
struct RelayPlayTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// A run that knows nobody's address, and the relay.
  private func run(
    _ words: [String], data: String, _ servers: QueueServers, _ more: [String] = []
  ) throws -> NetworkRun {
    try NetworkRun(words + ["--relay", servers.addresses] + more, data: data, home: home)
  }

  private func host(_ servers: QueueServers, _ more: [String] = ["--scope", "public"]) throws -> NetworkRun {
    try run(["host", "tic-tac-toe", "--name", "Alice", "--seat", "first"] + more, data: "a", servers)
  }

  private func join(_ host: NetworkRun, _ servers: QueueServers) throws -> NetworkRun {
    try run(["join", try host.text("code", of: "room"), "--name", "Bob"], data: "b", servers)
  }

  private func finish(_ alice: NetworkRun, _ bob: NetworkRun) throws {
    #expect(try alice.result()["result"] as? String == "won")
    #expect(try bob.result()["result"] as? String == "lost")
    #expect(try alice.result()["agreed"] as? Bool == true)
    #expect(try alice.run.finish().status == 0)
    #expect(try bob.run.finish().status == 0)
    for data in ["a", "b"] { try Logs.verify(data, home: home) }
    #expect(try Logs.digests("a", home: home) == Logs.digests("b", home: home))
  }

  @Test func aWholeGameIsPlayedThroughARelay() async throws {
    let servers = try await QueueServers()
    let alice = try host(servers)
    let bob = try join(alice, servers)
    try alice.run.type("5\n9\n1\n")
    try bob.run.type("2\n8\n")
    try finish(alice, bob)
  }

  @Test func aGameGoesOnWhenTheServerWasAway() async throws {
    let servers = try await QueueServers()
    let alice = try host(servers)
    let bob = try join(alice, servers)
    try alice.run.type("5\n")
    try bob.wait(forPly: 1)
    try servers.kill9(0)
    for run in [alice.run, bob.run] {
      try run.wait(for: "words of the relay") { try run.errors().contains("does not answer") }
    }
    // What is done meanwhile waits for the other side.
    try bob.run.type("2\n")
    try bob.wait(forPly: 2)
    try servers.restart(0)
    try alice.wait(forPly: 2)
    try alice.run.type("9\n1\n")
    try bob.run.type("8\n")
    try finish(alice, bob)
    for run in [alice.run, bob.run] {
      let errors = try run.errors()
      #expect(errors.components(separatedBy: "does not answer").count == 2, "\(errors)")
      #expect(errors.components(separatedBy: "The relay answers again").count == 2, "\(errors)")
    }
  }

  /// Somebody who may use the relay as well can end connections, and nothing else.
  @Test func aMeddlerAtTheRelayDoesNoHarm() async throws {
    let servers = try await QueueServers()
    let meddler = try RelayMeddler(try await servers.connect(), seed: 7)
    let alice = try host(servers)
    let bob = try join(alice, servers)
    try alice.run.type("5\n9\n")
    try bob.run.type("2\n8\n")
    try alice.wait(forPly: 4)
    #expect(meddler.said > 100)
    // On a busy machine a connection that ends now may take longer to come back than the end waits for signatures.
    meddler.stop()
    try alice.run.type("1\n")
    try finish(alice, bob)
  }

  @Test func onlyPublicGamesCross() async throws {
    let servers = try await QueueServers()
    let archive = try run(["serve", "--archive"], data: "c", servers)
    let local = try host(servers, [])
    let open = try run(["host", "connect-four", "--scope", "public"], data: "b", servers)
    // Both are neighbours.
    try archive.run.wait(for: "two neighbours") {
      try archive.run.objects("neighbour").filter { $0["state"] as? String == "connected" }.count == 2
    }
    let room = try open.room()
    let home = home
    try archive.run.wait(for: "the public game", pollMicroseconds: 100_000) {
      try Logs.digests("c", home: home)[room] != nil
    }
    let hidden = try local.room()
    #expect(try Logs.digests("c", home: home)[hidden] == nil)
    #expect(try local.run.errors().contains("--scope public"))
    let lobby = try Program.run(
      "lobby", "--once", "--data", "d", "--no-discovery", "--listen", "127.0.0.1:0", "--relay",
      servers.addresses,
      "--json", home: home)
    #expect(lobby.output.contains(room) && !lobby.output.contains(hidden), "\(lobby.output)")
    for run in [archive, local, open] { run.run.send(SIGINT) }
    #expect(try archive.run.finish().status == 130)
  }

  @Test func peersMeetOverTLSWithCredentials() async throws {
    let secrets = try QueueSecrets()
    let servers = try await QueueServers(secrets: secrets)
    let one = try run(["serve"], data: "a", servers, secrets.optionsOfRelay)
    let two = try run(["serve"], data: "b", servers, secrets.optionsOfRelay)
    for run in [one, two] {
      try run.wait(for: "neighbour", "connected") { $0["state"] as? String == "connected" }
    }
    let lacking = try Program.run(
      "serve", "--data", "c", "--relay", servers.addresses, "--relay-tls-ca", secrets.file("ca.pem"),
      home: home)
    #expect(lacking.status == 69 && lacking.errors.contains("cannot be reached"), "\(lacking.errors)")
    for run in [one, two] {
      run.run.send(SIGINT)
      #expect(try run.run.finish().status == 130)
    }
  }

  @Test func whoMayNotUseARelayIsToldSo() async throws {
    let servers = try await QueueServers(user: (name: "ada", password: "s3cret"))
    func serve(_ words: String...) throws -> Program.Finished {
      try Program.start(["serve", "--data", "a", "--no-discovery"] + words, home: home).finish()
    }
    let wrong = try serve("--relay", servers.addresses.replacing("s3cret", with: "wr0ng"))
    #expect(wrong.status == 69 && wrong.errors.contains("Auth"), "\(wrong.errors)")
    #expect(!wrong.errors.contains("wr0ng"), "\(wrong.errors)")
    let nobody = try serve("--relay", "nats://127.0.0.1:1")
    #expect(nobody.status == 69 && nobody.errors.contains("cannot be reached"), "\(nobody.errors)")
    let file = try serve("--relay", servers.addresses, "--relay-credentials", "none.creds")
    #expect(file.status == 66 && file.errors.contains("none.creds is not there"), "\(file.errors)")
    for words in [["--relay", "ftp://a"], ["--relay-tls-key", "x"]] {
      let odd = try Program.start(["serve", "--data", "a"] + words, home: home).finish()
      #expect(odd.status == 64 && odd.errors.contains("--relay"), "\(words): \(odd.errors)")
    }
  }

  /// Ctrl-C ends a command also where a server takes connections and says nothing.
  @Test func aServerThatIsStuckHoldsNobody() async throws {
    let servers = try await QueueServers()
    let early = try run(["serve"], data: "a", servers)
    try early.first("listening")
    try servers.pause(0)
    early.run.send(SIGINT)
    #expect(try early.run.finish().status == 130)
    // The process ends while the library begins: whatever that still does, nothing crashes. On a busy machine the
    // server may have been given up before the interrupt comes.
    var statuses: Set<Int32> = []
    for number in 1...Effort.size(40, quick: 8) {
      let late = try Dialogue(["serve", "--data", "b\(number)", "--relay", servers.addresses], home: home)
      try late.wait(for: "its identity") { try late.errors().contains("identity") }
      late.send(SIGINT)
      let end = try late.finish()
      let isGivenUp = end.status == 69 && end.errors.contains("cannot be reached")
      #expect(end.status == 130 || isGivenUp, "\(end.status): \(end.errors)")
      statuses.insert(end.status)
    }
    #expect(statuses.contains(130), "the interrupt never ended it")
  }
}

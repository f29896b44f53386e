import Foundation
import TestKit
import Testing

/// People and bots in one bracket, each on a host of its own, and none with an address of another.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing),
  .enabled(if: LocalNetwork.isPossible, LocalNetwork.impossible))
struct HostsPartyTests {
  /// Hosts crash, leave, lose their cable and come back, the organizer's among them. All see the same bracket in the
  /// end.
  @Test func aPartyPlaysOneBracketWhateverBefallsItsHosts() throws {
    var party = try Party(people: Party.size, bots: Party.size)
    // The last results are left to those that came back.
    for results in 1...party.entrants - 2 where try party.goesOn(behind: results) { try party.strike() }
    try party.checkEnd()
  }
}

private struct Party {
  /// How many people, and as many bots.
  static let size = max(2, Effort.number("PARLOR_PARTY") ?? 2)

  private let hosts: Hosts
  private let code: String
  private let people: Int
  let entrants: Int
  /// What runs on the hosts: the organizer's first, then people, then bots.
  private var runs: [NetworkRun] = []
  /// Those hosts whose runs have seen the end, and which serve since then, so that it is told to who was cut off.
  private var servers: [Int: NetworkRun] = [:]
  private var random: SeededGenerator
  /// What befell whom, for a failure.
  private var story: [String] = []

  init(people: Int, bots: Int) throws {
    (self.people, entrants) = (people, people + bots)
    hosts = try Hosts(1 + entrants)
    random = SeededGenerator(state: UInt64(entrants))
    let made = try hosts.run(
      "tournament", "create", "--game", "tic-tac-toe", "--places", "\(entrants)", "--json", on: 1)
    code = try #require(try made.objects().first?["code"] as? String, "\(made.errors)")
    for host in 1...(1 + entrants) { runs.append(try start(host)) }
    try runs[0].first("started")
  }

  private func start(_ host: Int) throws -> NetworkRun {
    switch host {
    case 1: return try hosts.start(["tournament", "open", code, "--start-at", "\(entrants)"], on: 1)
    case ...(1 + people):
      let run = try hosts.start(["tournament", "join", code, "--name", "Person \(host - 1)"], on: host)
      // Every cell, again and again.
      try run.run.type(String(repeating: (1...9).map { "\($0)\n" }.joined(), count: 60))
      return run
    default:
      return try hosts.start(
        ["bot", bot(host), "--game", "tic-tac-toe", "--tournament", code, "--name", "Bot \(host - 1)"],
        on: host)
    }
  }

  private func bot(_ host: Int) -> String { host.isMultiple(of: 2) ? "greedy" : "random" }

  /// A bot is a peer of its own, with a folder of its own.
  private func folder(of host: Int) -> String {
    host <= 1 + people ? "data" : "data/bots/\(bot(host))-tic-tac-toe"
  }

  /// Waits until so many results are there.
  /// - Returns: `false` when the tournament is over.
  mutating func goesOn(behind results: Int) throws -> Bool {
    do {
      try wait(for: "result \(results)", of: 1) {
        try $0.objects("decided").count >= results || !$0.objects("finished").isEmpty
      }
    } catch {
      let said = try runs.enumerated().map { at, run in
        "host \(at + 1), which \(run.run.process.isRunning ? "runs" : "has ended"):\n"
          + "\(try run.run.output().suffix(2_000))\n\(try run.run.errors().suffix(1_000))"
      }
      Issue.record("after \(story):\n\(said.joined(separator: "\n"))")
      throw error
    }
    return try runs[0].run.objects("finished").isEmpty
  }

  /// Waits for a host's run, while those hosts serve that have seen the end.
  private mutating func wait(
    for what: String, of host: Int, until holds: (Dialogue) throws -> Bool
  ) throws {
    let run = runs[host - 1].run
    try run.wait(for: what) {
      for other in 1...runs.count where servers[other] == nil && !runs[other - 1].run.process.isRunning {
        guard other != host else { continue }
        servers[other] = try NetworkRun(["serve"], data: folder(of: other), home: hosts.home(other), at: nil)
      }
      return try holds(run)
    }
  }

  /// Does something to a host.
  mutating func strike() throws {
    let host = Int.random(in: 1...runs.count, using: &random)
    guard servers[host] == nil else { return }
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      story.append("host \(host) crashes")
      runs[host - 1].run.kill9()
      runs[host - 1] = try start(host)
    case 1:
      story.append("host \(host) leaves")
      runs[host - 1].run.send(SIGINT)
      _ = try runs[host - 1].run.finish()
      runs[host - 1] = try start(host)
    default:
      story.append("host \(host) loses its cable")
      try hosts.network.setCable(of: host, isIn: false)
      usleep(500_000)
      try hosts.network.setCable(of: host, isIn: true)
    }
  }

  /// Everybody tells the same end, and holds the same bracket.
  mutating func checkEnd() throws {
    var ends: Set<String> = []
    for host in 1...runs.count {
      try wait(for: "the end", of: host) { !$0.process.isRunning }
      if host <= 1 + people { ends.insert(try runs[host - 1].text("standingsDigest", of: "finished")) }
      let ending = try runs[host - 1].run.finish()
      #expect(ending.status == 0, "host \(host) after \(story): \(ending)")
    }
    #expect(ends.count == 1, "\(story)")
    for server in servers.values {
      server.run.send(SIGINT)
      _ = try server.run.finish()
    }
    let bracket = try hosts.run("tournament", "bracket", "last", on: 1)
    #expect(bracket.status == 0 && bracket.output.contains("─"), "\(bracket)")
    for host in 2...runs.count {
      let its = try Program.start(
        ["tournament", "bracket", "last", "--data", folder(of: host)], home: hosts.home(host)
      ).finish()
      #expect(its.output == bracket.output, "host \(host) after \(story): \(its)\n\(bracket.output)")
    }
    let verified = try hosts.run("tournament", "verify", "last", on: 1)
    #expect(verified.status == 0, "\(verified.output)")
  }
}

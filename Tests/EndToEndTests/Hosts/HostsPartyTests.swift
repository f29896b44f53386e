import Foundation
import TestKit
import Testing

/// People and bots in one bracket, each on a host of its own, and none with an address of another.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing),
  .enabled(if: LocalNetwork.isPossible, LocalNetwork.impossible),
  .enabled(if: Party.size != nil, "skipped: it is a campaign of its own; PARLOR_PARTY says of how many"))
struct HostsPartyTests {
  /// Hosts crash, leave, lose their cable and come back, the organizer's among them. All see the same bracket in the
  /// end.
  @Test func aPartyPlaysOneBracketWhateverBefallsItsHosts() throws {
    var party = try Party(people: Party.size ?? 0, bots: Party.size ?? 0)
    // The last results are left to those that came back.
    for results in 1...party.entrants - 2 where try party.goesOn(behind: results) { try party.strike() }
    try party.checkEnd()
  }
}

private struct Party {
  /// How many people, and as many bots.
  static let size = Effort.number("PARLOR_PARTY").map { max($0, 2) }

  private let hosts: Hosts
  private let code: String
  private let people: Int
  let entrants: Int
  /// What runs on the hosts: the organizer's first, then people, then bots.
  private var runs: [NetworkRun] = []
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
  func goesOn(behind results: Int) throws -> Bool {
    do {
      try runs[0].run.wait(for: "result \(results)") {
        try runs[0].run.objects("decided").count >= results || !runs[0].run.objects("finished").isEmpty
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

  /// Does something to a host.
  mutating func strike() throws {
    let host = Int.random(in: 1...runs.count, using: &random)
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
  func checkEnd() throws {
    let end = try runs[0].text("standingsDigest", of: "finished")
    for (at, run) in runs.enumerated() {
      if at <= people { #expect(try run.text("standingsDigest", of: "finished") == end, "\(story)") }
      let ending = try run.run.finish()
      #expect(ending.status == 0, "host \(at + 1) after \(story): \(ending)")
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

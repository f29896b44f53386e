import BotKit
import Foundation
import TestKit
import Testing

/// Many computers that are cut apart again and again while several of them write.
@Suite(
  .blocking, .enabled(if: Program.isThere, Program.missing),
  .enabled(if: LocalNetwork.isPossible, LocalNetwork.impossible))
struct PartitionTests {
  /// How many events are written, in all.
  private static let events = Effort.size(240, quick: 60, variable: "PARLOR_PARTITION_EVENTS")
  private static let isLong = events >= 10_000
  private static let hosts = isLong ? 16 : 5
  private static let partitions = isLong ? 10 : 3

  private static let tables = isLong ? 4 : 2

  /// Somebody at a table, who talks.
  private struct Talker {
    let run: NetworkRun
    let name: String
    private(set) var said = 0

    init(_ run: NetworkRun, _ name: String) { (self.run, self.name) = (run, name) }

    mutating func say(_ count: Int) throws {
      try run.run.type((said..<(said + count)).map { "say \(name) \($0)\n" }.joined())
      said += count
    }

    /// Waits until all that it has said is stored.
    func waitForWords() throws {
      let last = "\"text\":\"\(name) \(said - 1)\""
      try run.run.wait(for: "“\(last)”", pollMicroseconds: 20_000) { try run.run.output().contains(last) }
    }
  }

  @Test func everybodyEndsWithOneDigest() throws {
    let hosts = try Hosts(Self.hosts)
    let all = Array(1...Self.hosts)
    let clock = ContinuousClock()
    let started = clock.now
    // Two sit at each table; who has none serves.
    let servers = try all.dropFirst(2 * Self.tables).map { try hosts.start(["serve"], on: $0) }
    var talkers = try Self.talkers(hosts)
    for server in servers {
      try server.run.wait(for: "all neighbours", pollMicroseconds: 10_000) {
        Set(try server.run.objects("neighbour").compactMap { $0["peer"] as? String }).count == Self.hosts - 1
      }
    }
    Figures.say(
      "\(Self.hosts) peers are connected with each other \((clock.now - started).words) after their start")
    var random = RandomStream(seed: 1)
    for partition in 1...Self.partitions {
      var groups: [[Int]] = [[1], [2], []]
      for host in all.dropFirst(2) { groups[Int(random.below(3))].append(host) }
      try hosts.network.split(into: groups)
      for at in talkers.indices { try talkers[at].say(Self.events / Self.partitions / talkers.count) }
      for talker in talkers { try talker.waitForWords() }
      // Some are longer than silence may last, so that connections end.
      let seconds = Self.isLong && partition % 3 == 1 ? 20 : random.below(2)
      Thread.sleep(forTimeInterval: Double(seconds) + 0.5)
    }
    try hosts.network.split(into: [all])
    let healed = clock.now
    let digests = try hosts.waitForOneDigest(all)
    Figures.say(
      "\(Self.hosts) peers and \(Self.events) events have one digest \((clock.now - healed).words) after"
        + " \(Self.partitions) partitions")
    #expect(digests.count == talkers.count / 2)
    try Self.end(talkers.map(\.run), servers)
    try hosts.checkOneLog(all)
    let held = try hosts.run("log", "list", "--all", "--json", on: Self.hosts).objects()
    let count = held.compactMap { $0["events"] as? Int }.reduce(0, +)
    #expect(count > talkers.reduce(0) { $0 + $1.said })
  }

  /// Two at each table, at different hosts.
  private static func talkers(_ hosts: Hosts) throws -> [Talker] {
    var talkers: [Talker] = []
    for table in 0..<tables {
      let names = ["A\(table)", "B\(table)"]
      let host = try hosts.start(
        ["host", "tic-tac-toe", "--seat", "first", "--name", names[0]], on: 2 * table + 1)
      let guest = try hosts.start(["join", try host.room(), "--name", names[1]], on: 2 * table + 2)
      talkers += [Talker(host, names[0]), Talker(guest, names[1])]
    }
    for talker in talkers { try talker.run.first("game") }
    return talkers
  }

  private static func end(_ tables: [NetworkRun], _ servers: [NetworkRun]) throws {
    for table in tables {
      try table.run.type("quit\n")
      #expect(try table.run.finish().status == 0)
    }
    for server in servers {
      server.run.send(SIGINT)
      #expect(try server.run.finish().status == 130)
    }
  }
}

import Foundation
import TestKit
import Testing

/// Computers on a network of their own, each with a home of its own; each has one data folder, `data`.
struct Hosts {
  let network: LocalNetwork
  private let homes: [TemporaryFolder]

  init(_ count: Int) throws {
    network = try LocalNetwork(hosts: count)
    homes = try (1...count).map { _ in try TemporaryFolder() }
    for (at, home) in homes.enumerated() { home.enter = network.enter(at + 1) }
  }

  /// A host's home; the first host is 1.
  func home(_ host: Int) -> TemporaryFolder { homes[host - 1] }

  /// Starts a command that finds the others, and is found.
  func start(_ words: [String], on host: Int) throws -> NetworkRun {
    try NetworkRun(words, data: "data", home: home(host), at: nil)
  }

  /// Starts a command that knows nobody but those whom it is told.
  func startAlone(
    _ words: [String], on host: Int, connect: [NetworkRun] = [], data: String = "data"
  ) throws -> NetworkRun {
    try NetworkRun(words, data: data, home: home(host), connect: connect, at: network.address(of: host))
  }

  /// Starts a Python program of this folder on a host.
  func python(_ name: String, _ words: [String], on host: Int) throws -> Dialogue {
    try Tricks.python(name, words, home: home(host))
  }

  /// Runs a command to its end.
  func run(_ words: String..., on host: Int) throws -> Program.Finished {
    try Program.start(words + ["--data", "data"], home: home(host)).finish()
  }

  /// Waits until these hosts hold the same rooms with the same digests.
  /// - Returns: the digest of each room.
  @discardableResult func waitForOneDigest(_ hosts: [Int]) throws -> [String: String] {
    let end = ContinuousClock.now + .seconds(600)
    var digests: [[String: String]] = hosts.map { _ in [:] }
    while true {
      for (at, host) in hosts.enumerated() where at == 0 || digests[at] != digests[0] {
        digests[at] = try Logs.digests("data", home: home(host))
      }
      if !digests[0].isEmpty, digests.allSatisfy({ $0 == digests[0] }) { return digests[0] }
      guard ContinuousClock.now < end else { throw LocalNetwork.Failure(words: "\(digests)") }
    }
  }

  /// Checks that the logs of these hosts, whose programs have ended, are one log that verifies: as many events and one
  /// digest for each room.
  func checkOneLog(_ hosts: [Int]) throws {
    let digests = try hosts.map { try Logs.digests("data", home: home($0)) }
    let verified = try hosts.map { host in
      let run = try run("log", "verify", "--json", on: host)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      return try run.objects().map { "\($0["room"] ?? ""): \($0["events"] ?? ""), \($0["valid"] ?? "")" }
        .sorted()
    }
    #expect(digests.first?.isEmpty == false)
    #expect(digests.allSatisfy { $0 == digests[0] }, "\(digests)")
    #expect(verified.allSatisfy { $0 == verified[0] }, "\(verified)")
  }
}

/// What plays tricks on the network: Python programs of this folder.
enum Tricks {
  static let arePossible = FileManager.default.isExecutableFile(atPath: LogReader.python)
  static let impossible: Comment = "skipped: there is no \(LogReader.python)"

  /// Starts one of them where programs with this home run.
  static func python(_ name: String, _ words: [String], home: TemporaryFolder) throws -> Dialogue {
    let script = PackageFolder.file("Tests/EndToEndTests/Hosts/\(name)").path
    return try Dialogue([script] + words, home: home, program: LogReader.python)
  }
}

extension Duration {
  /// In seconds, for words.
  var words: String { String(format: "%.2f s", self / .seconds(1)) }
}

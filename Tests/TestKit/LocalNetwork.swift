import Foundation
import Synchronization
package import Testing

/// A few hosts on one network, in network namespaces that go when the test lets go of it. No packet leaves them.
package final class LocalNetwork {
  private static let tool = "/usr/sbin/ip"
  private static let lastNumber = Atomic<Int>(0)

  /// Whether there can be such networks.
  package static let isPossible: Bool = {
    guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: tool) else { return false }
    do {
      try removeLeftovers()
      _ = try LocalNetwork(hosts: 1)
      return true
    } catch { return false }
  }()

  /// What a skipped test says.
  package static let impossible: Comment =
    "skipped: there can be no networks of our own here; that takes root, network namespaces and ip (iproute2)"

  private let prefix: String
  /// The namespaces that were made.
  private var made: [String] = []
  /// How many bridges there are.
  private var bridges = 0

  /// Hosts with the addresses 10.99.0.1 and so on, and whatever addresses of the sixth version the system gives.
  package init(hosts: Int) throws {
    let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    prefix = "parlor-\(getpid())-\(number)"
    try makeNamespace(0)
    try makeBridge()
    for host in 1...hosts {
      try makeNamespace(host)
      try ip("link add e0 netns \(name(host)) type veth peer name p\(host) netns \(name(0))")
      try ip("-n \(name(0)) link set p\(host) master bridge1 up")
      try ip("-n \(name(host)) link set lo up")
      try ip("-n \(name(host)) link set e0 up")
      try ip("-n \(name(host)) addr add \(address(of: host))/24 dev e0")
    }
  }

  deinit {
    for name in made {
      do { try Self.ip("netns del \(name)") } catch { Issue.record("a namespace stays: \(error)") }
    }
  }

  /// Removes the namespaces of tests that were killed.
  private static func removeLeftovers() throws {
    let folder = "/run/netns"
    guard FileManager.default.fileExists(atPath: folder) else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      let parts = name.split(separator: "-")
      guard parts.count == 4, parts[0] == "parlor", let process = pid_t(parts[1]) else { continue }
      guard kill(process, 0) != 0, errno == ESRCH else { continue }
      // Another process of tests may be quicker; what stays is in nobody's way.
      do { try ip("netns del \(name)") } catch { continue }
    }
  }

  /// The name of a host's namespace; 0 is the one of the bridges.
  package func name(_ host: Int) -> String { "\(prefix)-\(host)" }

  /// A host's address.
  package func address(of host: Int) -> String { "10.99.0.\(host)" }

  /// The beginning of a command line that runs the rest on a host, its program by its whole path.
  package func enter(_ host: Int) -> [String] { [Self.tool, "netns", "exec", name(host)] }

  private func makeNamespace(_ host: Int) throws {
    try ip("netns add \(name(host))")
    made.append(name(host))
  }

  private func makeBridge() throws {
    bridges += 1
    try ip("-n \(name(0)) link add bridge\(bridges) type bridge")
    try ip("-n \(name(0)) link set bridge\(bridges) up")
  }

  private func ip(_ words: String) throws { try Self.ip(words) }

  private static func ip(_ words: String) throws {
    let process = try ChildProcess([tool] + words.split(separator: " ").map(String.init), errors: .nothing)
    guard process.terminationStatus == 0 else { throw Failure(words: "ip \(words)") }
  }

  /// What could not be done, or did not come.
  package struct Failure: Error {
    package let words: String

    package init(words: String) { self.words = words }
  }

  /// Takes a host's cable out, or puts it in.
  package func setCable(of host: Int, isIn: Bool) throws {
    try ip("-n \(name(0)) link set p\(host) \(isIn ? "up" : "down")")
    try ip("-n \(name(host)) link set e0 \(isIn ? "up" : "down")")
    if isIn { try ip("-n \(name(host)) addr replace \(address(of: host))/24 dev e0") }
  }

  /// Takes from a host what discovery needs: it neither sends to everybody nor hears what is said so.
  package func forbidMulticast(on host: Int) throws { try ip("-n \(name(host)) link set e0 multicast off") }

  /// Leaves a host without any interface.
  package func isolate(_ host: Int) throws {
    try ip("-n \(name(host)) link set e0 down")
    try ip("-n \(name(host)) link set lo down")
  }

  /// Puts each group of hosts on a bridge of its own; no host notices anything but silence of the others.
  package func split(into groups: [[Int]]) throws {
    while bridges < groups.count { try makeBridge() }
    for (bridge, group) in groups.enumerated() {
      for host in group { try ip("-n \(name(0)) link set p\(host) master bridge\(bridge + 1)") }
    }
  }
}

import Events
import Foundation
import Synchronization
import Testing

/// A few hosts on one bridge, in network namespaces that go when the test lets go of it. No packet leaves them.
final class LocalNetwork {
  private static let tool = "/usr/sbin/ip"
  private static let lastNumber = Atomic<Int>(0)

  /// Whether there can be such networks.
  static let isPossible: Bool = {
    guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: tool) else { return false }
    do {
      _ = try LocalNetwork(hosts: 1)
      return true
    } catch { return false }
  }()

  /// What a skipped test says.
  static let impossible: Comment =
    "skipped: there can be no networks of our own here; that takes root, network namespaces and ip (iproute2)"

  private let prefix: String
  private let count: Int

  /// Hosts with the addresses 10.99.0.1 and so on, and whatever addresses of the sixth version the system gives.
  init(hosts: Int) throws {
    let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    prefix = "parlor-\(getpid())-\(number)"
    count = hosts
    try ip("netns add \(prefix)-0")
    try ip("-n \(prefix)-0 link add bridge type bridge")
    try ip("-n \(prefix)-0 link set bridge up")
    for host in 1...hosts {
      try ip("netns add \(prefix)-\(host)")
      try ip("link add e0 netns \(prefix)-\(host) type veth peer name p\(host) netns \(prefix)-0")
      try ip("-n \(prefix)-0 link set p\(host) master bridge up")
      try ip("-n \(prefix)-\(host) link set lo up")
      try ip("-n \(prefix)-\(host) link set e0 up")
      try ip("-n \(prefix)-\(host) addr add 10.99.0.\(host)/24 dev e0")
    }
  }

  deinit {
    for host in 0...count {
      do { try ip("netns del \(prefix)-\(host)") } catch { Issue.record("a namespace stays: \(error)") }
    }
  }

  private func ip(_ words: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: Self.tool)
    process.arguments = words.split(separator: " ").map(String.init)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(words: "ip \(words)") }
  }

  struct Failure: Error { let words: String }

  /// Takes a host's cable out, or puts it in.
  func setCable(of host: Int, isIn: Bool) throws {
    try ip("-n \(prefix)-0 link set p\(host) \(isIn ? "up" : "down")")
    try ip("-n \(prefix)-\(host) link set e0 \(isIn ? "up" : "down")")
    if isIn { try ip("-n \(prefix)-\(host) addr replace 10.99.0.\(host)/24 dev e0") }
  }

  /// Leaves a host without any interface.
  func isolate(_ host: Int) throws {
    try ip("-n \(prefix)-\(host) link set e0 down")
    try ip("-n \(prefix)-\(host) link set lo down")
  }

  /// Starts a peer on a host.
  func peer(
    on host: Int, network: UInt8 = 1, port: UInt16?, startsBefore: Int = 0
  ) throws -> ProbeProcess {
    let words = [try ProbeProcess.path(), "\(network)", "\(port ?? 0)", "\(startsBefore)"]
    return try ProbeProcess(Self.tool, ["netns", "exec", "\(prefix)-\(host)"] + words)
  }

  /// Starts what sends hostile packets from a host.
  func attacker(on host: Int, _ what: String, text: [UInt8]) throws -> ProbeProcess {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Hostile/announce.py")
      .path
    return try ProbeProcess(
      Self.tool,
      ["netns", "exec", "\(prefix)-\(host)", "python3", script, "10.99.0.\(host)", what, text.hex])
  }
}

/// A program of a test, and what it has said.
final class ProbeProcess {
  private let process = Process()
  private let input = Pipe()
  private let output: URL

  /// The probe is built beside the tests.
  static func path() throws -> String {
    let places = [Bundle.main.executableURL, Bundle(for: ProbeProcess.self).bundleURL].compactMap(\.self)
    let found = places.map { $0.deletingLastPathComponent().appending(path: "DiscoveryProbe").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    return try #require(found, "DiscoveryProbe is not beside the tests")
  }

  init(_ program: String, _ arguments: [String]) throws {
    output = FileManager.default.temporaryDirectory.appending(path: "parlor-probe-\(UUID().uuidString)")
    try Data().write(to: output)
    let file = try FileHandle(forWritingTo: output)
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = file
    process.standardError = file
    try process.run()
    try file.close()
  }

  deinit {
    if process.isRunning { kill9() }
    do { try FileManager.default.removeItem(at: output) } catch { Issue.record("a file stays: \(error)") }
  }

  /// All that it has written so far, errors too.
  var said: String {
    do { return try String(contentsOf: output, encoding: .utf8) } catch { return "" }
  }

  var lines: [[String]] {
    said.split(separator: "\n").map { $0.split(separator: " ").dropFirst().map(String.init) }
  }

  /// The name under which the peer is announced.
  var name: String { lines.first { $0.first == "name" && $0.count == 2 }?[1] ?? "" }

  /// Who is there now, as far as it was told, each with the addresses.
  var seen: [String: [String]] {
    var seen: [String: [String]] = [:]
    for line in lines where line.count >= 2 {
      if line[0] == "found" { seen[line[1]] = Array(line.dropFirst(2)) }
      if line[0] == "lost" { seen[line[1]] = nil }
    }
    return seen
  }

  /// Everybody who was ever told of.
  var everSeen: Set<String> { Set(lines.filter { $0.first == "found" && $0.count >= 2 }.map { $0[1] }) }

  var isRunning: Bool { process.isRunning }

  /// Lets it say goodbye.
  func stop() throws { try input.fileHandleForWriting.close() }

  func kill9() { kill(process.processIdentifier, SIGKILL) }

  /// Waits until it has ended.
  func finish() async throws -> Int32 {
    try await eventually("an end") { !self.isRunning }
    return process.terminationStatus
  }
}

/// Waits until something holds; the limit is for machines with much else to do.
func eventually(
  _ what: Comment, seconds: Int = 120, at place: SourceLocation = #_sourceLocation, _ holds: () throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(seconds)
  while try !holds() {
    guard ContinuousClock.now < end else {
      Issue.record(what, sourceLocation: place)
      throw LocalNetwork.Failure(words: "\(what)")
    }
    try await Task.sleep(for: .milliseconds(20))
  }
}

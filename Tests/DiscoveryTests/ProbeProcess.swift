import Events
import Foundation
import TestKit
import Testing

extension LocalNetwork {
  /// Starts a peer on a host.
  func peer(
    on host: Int, network: UInt8 = 1, port: UInt16?, startsBefore: Int = 0
  ) throws -> ProbeProcess {
    try ProbeProcess(
      enter(host) + [try ProbeProcess.path(), "\(network)", "\(port ?? 0)", "\(startsBefore)"])
  }

  /// Starts what sends hostile packets from a host.
  func attacker(on host: Int, _ what: String, text: [UInt8]) throws -> ProbeProcess {
    let script = PackageFolder.file("Tests/DiscoveryTests/Hostile/announce.py").path
    return try ProbeProcess(
      enter(host) + ["/usr/bin/env", "python3", script, address(of: host), what, text.hex])
  }
}

/// A program of a test, and what it has said.
final class ProbeProcess {
  private let process: ChildProcess
  private let input = Pipe()
  private let output: URL

  /// The probe is built beside the tests.
  static func path() throws -> String {
    try #require(BuiltProgram.path("DiscoveryProbe"), "DiscoveryProbe is not beside the tests")
  }

  /// Runs a command line whose program is named by its whole path.
  init(_ words: [String]) throws {
    output = FileManager.default.temporaryDirectory.appending(path: "parlor-probe-\(UUID().uuidString)")
    try Data().write(to: output)
    let file = try FileHandle(forWritingTo: output)
    process = try ChildProcess(words, input: .pipe(input), output: .file(file), errors: .file(file))
  }

  deinit {
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

  /// Whether it runs, or how it has ended.
  var state: String { isRunning ? "runs" : "\(process.waitUntilExit())" }

  /// Lets it say goodbye.
  func stop() throws { try input.fileHandleForWriting.close() }

  func kill9() { process.send(SIGKILL) }

  /// Waits until it has ended.
  func finish() async throws -> Int32 {
    try await eventually("an end") { !self.isRunning }
    return process.terminationStatus
  }
}

/// Waits until something holds; the limit is for machines with much else to do.
/// - Parameter probes: who has to run for it: where one has ended there is nothing to wait for. What they have said
///   explains a failure.
func eventually(
  _ what: String, of probes: [ProbeProcess] = [], seconds: Int = 600,
  at place: SourceLocation = #_sourceLocation, _ holds: () throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(seconds)
  while try !holds() {
    guard ContinuousClock.now < end, probes.allSatisfy(\.isRunning) else {
      let said = probes.enumerated().map { "\n\($0.offset): \($0.element.state)\n\($0.element.said)" }
        .joined()
      Issue.record("\(what)\(said)", sourceLocation: place)
      throw LocalNetwork.Failure(words: what)
    }
    try await Task.sleep(for: .milliseconds(20))
  }
}

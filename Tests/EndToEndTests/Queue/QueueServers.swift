import Foundation
import Glibc
import JSON
import TestKit
import Testing

@testable import NATS
@testable import Queue

/// Servers of NATS on this machine, as a test's own: they end when the test lets go of them.
final class QueueServers {
  private static let program = [
    "/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server",
  ]
  .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether there can be any, and whether the program can talk to them.
  static let areThere = program != nil && NATSConnection.isPossible

  /// What a skipped test says.
  static let missing: Comment =
    "skipped: there is no nats-server or no libnats; Tools/setup --nats installs them"

  /// What went wrong with servers.
  struct Failure: Error, CustomStringConvertible { let description: String }

  private let home: TemporaryFolder
  private let ports: [UInt16]
  private let login: String
  private let secrets: QueueSecrets?
  private var processes: [ChildProcess?] = []

  /// The servers, for `--queue`.
  var addresses: String {
    ports.map { "\(secrets == nil ? "nats" : "tls")://\(login)127.0.0.1:\($0)" }.joined(separator: ",")
  }

  /// Starts servers, and waits until they keep streams.
  /// - Parameters:
  ///   - user: who may use them, with a password; `nil` for everybody.
  ///   - secrets: what whoever uses them must have; `nil` for nothing.
  init(
    _ count: Int = 1, user: (name: String, password: String)? = nil, secrets: QueueSecrets? = nil
  ) async throws {
    self.secrets = secrets
    home = try TemporaryFolder()
    login = user.map { "\($0.name):\($0.password)@" } ?? ""
    let free = try Self.freePorts(2 * count)
    ports = Array(free[..<count])
    let routes = free[count...].map { "nats://127.0.0.1:\($0)" }
    for number in 0..<count {
      var lines = [
        "server_name: s\(number)", "listen: \"127.0.0.1:\(ports[number])\"",
        "jetstream { store_dir: \"\(home.file("s\(number)"))\", max_mem: 64MB, max_file: 1GB }",
      ]
      if let user { lines.append("authorization { user: \(user.name), password: \(user.password) }") }
      if let secrets { lines += try secrets.serverLines() }
      if count > 1 {
        let all = routes.joined(separator: ", ")
        lines.append("cluster { name: c, listen: \"127.0.0.1:\(free[count + number])\", routes: [\(all)] }")
      }
      try home.write("s\(number).conf", Data(lines.joined(separator: "\n").utf8))
    }
    for number in 0..<count { processes.append(try start(number)) }
    try await waitUntilReady()
  }

  deinit {
    // Their folder goes after them.
    for process in processes.compactMap(\.self) {
      process.send(SIGKILL)
      process.waitUntilExit()
    }
  }

  private func start(_ number: Int) throws -> ChildProcess {
    let program = try #require(Self.program)
    return try ChildProcess(
      [program, "-c", home.file("s\(number).conf"), "-l", home.file("s\(number).log")], in: home.path,
      output: .nothing, errors: .nothing)
  }

  /// Ports that nobody has now.
  private static func freePorts(_ count: Int) throws -> [UInt16] {
    var sockets: [Int32] = []
    defer { for socket in sockets { close(socket) } }
    return try (0..<count).map { _ in
      let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      sockets.append(socket)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
          unsafe bind(socket, name, length) == 0 ? getsockname(socket, name, &length) : -1
        }
      }
      guard code == 0 else { throw Failure(description: "no port is free") }
      return UInt16(bigEndian: address.sin_port)
    }
  }

  // MARK: - What they keep

  /// A connection of the test's own.
  func connect() async throws -> NATSConnection {
    let settings = try NATSSettings(servers: addresses)
    return try await NATSConnection.connect(secrets?.added(to: settings) ?? settings, as: "test")
  }

  private func waitUntilReady() async throws {
    let end = ContinuousClock.now + .seconds(120)
    var last = "nothing"
    while ContinuousClock.now < end {
      do {
        let stream = JetStream(connection: try await connect())
        // A stream of as many copies shows that they have found each other.
        try await stream.makeWorkQueue("probe", subject: "probe", replicas: ports.count)
        try await stream.delete("probe")
        return
      } catch { last = "\(error)" }
      usleep(100_000)
    }
    throw Failure(description: "the servers do not get ready: \(last)")
  }

  /// The names of all streams of tournaments.
  func streams() async throws -> [String] {
    try await JetStream(connection: connect()).streams(taking: "parlor.>").sorted()
  }

  /// Whether no stream of a tournament is there any more. A server that was started again may take a while to hear of
  /// it.
  func loseStreams() async throws -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      if try await streams().isEmpty { return true }
      usleep(200_000)
    }
    return false
  }

  /// The server that leads a stream; `nil` where none does now.
  func leader(of stream: String) async throws -> Int? {
    let answer = try await connect().request("$JS.API.STREAM.INFO.\(stream)", [])
    let name = try JSONValue(parsing: answer.bytes)["cluster"]?["leader"]?.string
    return name.flatMap { Int($0.dropFirst()) }
  }

  /// Kills a server.
  func kill9(_ number: Int) throws {
    let process = try #require(processes[number])
    process.send(SIGKILL)
    #expect(process.isKilled)
    processes[number] = nil
  }

  /// Has a server do nothing from now on, though its connections stay.
  func pause(_ number: Int) throws { try #require(processes[number]).send(SIGSTOP) }

  /// Starts a server again that was killed.
  func restart(_ number: Int) throws { processes[number] = try start(number) }
}

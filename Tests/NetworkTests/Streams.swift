import Events
import Foundation
import Testing

@testable import Network

/// The ways in which streams come about; each must pass the same tests.
enum Way: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case ipv4, ipv6, inProcess, relay

  var testDescription: String { rawValue }

  /// Those that this machine has: a container may lack the sixth version of IP.
  static let there: [Way] = {
    let path = "/proc/net/if_inet6"
    guard FileManager.default.fileExists(atPath: "/proc/net") else { return [.ipv4, .ipv6, .inProcess] }
    let interfaces = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    let hasLoopback = interfaces?.contains("00000000000000000000000000000001") ?? false
    return allCases.filter { $0 != .relay && ($0 != .ipv6 || hasLoopback) }
  }()

  /// The same, and through a relay, at whose ends peers do not see each other as nearby.
  static let all = there + [.relay]

  func transport(_ loop: EventLoop) -> any Transport {
    switch self {
    case .ipv4, .ipv6: TCPTransport(loop)
    case .inProcess: LocalTransport(loop)
    case .relay: RelayWay(TestRelay(loop))
    }
  }

  /// An address on which the system chooses a port.
  var anyPort: Address {
    switch self {
    case .ipv4: Address(host: "127.0.0.1", port: 0)
    case .ipv6: Address(host: "::1", port: 0)
    case .inProcess: Address(host: Address.inProcess, port: 0)
    case .relay: RelayWay.anyAddress
    }
  }
}

/// Waits until something holds; the limit is for what would never end.
func eventually(
  _ what: Comment, seconds: Int = 600, at place: SourceLocation = #_sourceLocation,
  _ holds: () async -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(seconds)
  while await !holds() {
    guard ContinuousClock.now < end else {
      Issue.record(what, sourceLocation: place)
      throw NetworkError.stopped
    }
    try await Task.sleep(for: .milliseconds(2))
  }
}

extension EventLoop {
  /// Lets the loop turn so often that whatever is on its way between its streams has arrived: each turn looks at all of
  /// them. For tests that something does not come.
  func turn() async {
    let turn = Turn(loop: self)
    for _ in 0..<100 { await turn.take() }
  }
}

/// One turn of a loop.
private actor Turn {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(loop: EventLoop) { self.loop = loop }

  func take() {}
}

/// Holds streams on a loop, and what came over them.
actor StreamEnds {
  private final class End {
    let stream: any ByteStream
    var bytes: [UInt8] = []
    var isOver = false

    init(_ stream: any ByteStream) { self.stream = stream }
  }

  nonisolated let loop: EventLoop
  private let transport: any Transport
  private var ends: [End] = []
  private var listeners: [any Listener] = []
  private var attempts: [any ConnectionAttempt] = []
  /// Why connections did not come about.
  private(set) var failures: [NetworkError] = []
  /// The descriptors that were given away, which are the test's.
  private(set) var handedOver: [Int32] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(_ transport: any Transport) {
    loop = transport.loop
    self.transport = transport
  }

  func listen(on address: Address) throws(NetworkError) -> Address {
    let listener = try transport.listen(on: address) { self.add($0) }
    listeners.append(listener)
    return listener.address
  }

  /// Where connections are given away.
  func listenAndHandOver(on address: Address) throws(NetworkError) -> Address {
    let listener = try TCPTransport(loop).listen(on: address) { self.handedOver.append($0) }
    listeners.append(listener)
    return listener.address
  }

  func connect(to address: Address) {
    attempts.append(
      transport.connect(to: address) { result in
        switch result {
        case .success(let stream): self.add(stream)
        case .failure(let error): self.failures.append(error)
        }
      })
  }

  func cancelAttempts() { for attempt in attempts { attempt.cancel() } }

  private func add(_ stream: any ByteStream) {
    let end = End(stream)
    ends.append(end)
    stream.start { event in
      switch event {
      case .received(let bytes): end.bytes += bytes
      case .drained: break
      case .ended: end.isOver = true
      }
    }
  }

  var count: Int { ends.count }
  func bytes(_ end: Int) -> [UInt8] { ends[end].bytes }
  func isOver(_ end: Int) -> Bool { ends[end].isOver }
  func queuedBytes(_ end: Int) -> Int { ends[end].stream.queuedBytes }
  func remote(_ end: Int) -> Address { ends[end].stream.remote }
  func write(_ bytes: [UInt8], _ end: Int) { ends[end].stream.write(bytes) }
  func setReading(_ isReading: Bool, _ end: Int) { ends[end].stream.setReading(isReading) }
  func close(_ end: Int, afterWriting: Bool = true) { ends[end].stream.close(afterWriting: afterWriting) }

  func closeListeners() {
    for listener in listeners { listener.close() }
    listeners = []
  }

  func closeAll() {
    closeListeners()
    for end in ends { end.stream.close(afterWriting: false) }
  }
}

import Events

@testable import Network

/// A relay inside the process, which does with messages what a test wants.
final class TestRelay: Sendable {
  let loop: EventLoop
  // SAFETY: touched on the loop's thread alone, as everything of transports is.
  nonisolated(unsafe) private var ends: [RelayTransport] = []
  // SAFETY: as the ends.
  nonisolated(unsafe) private var change: (RelayTransport.Place, [UInt8]) -> [[UInt8]] = { [$1] }
  // SAFETY: as the ends.
  nonisolated(unsafe) private(set) var messages: [RelayMessage] = []

  init(_ loop: EventLoop) { self.loop = loop }

  /// Another end.
  func end(limitBytes: Int = 1 << 20) -> RelayTransport {
    let end = RelayTransport(loop, random: SigningKey.randomSeed, limitBytes: limitBytes) { [weak self] in
      self?.carry($0, $1)
    }
    unsafe ends.append(end)
    return end
  }

  /// The end that waits at an address.
  func end(at address: Address) -> RelayTransport? { unsafe ends.first { $0.address == address } }

  /// Says what becomes of a message: it goes through once, several times, changed or not at all.
  func setChange(_ change: @escaping (RelayTransport.Place, [UInt8]) -> [[UInt8]]) {
    unsafe self.change = change
  }

  /// What went through, as it was sent.
  func takeMessages() -> [RelayMessage] {
    defer { unsafe messages = [] }
    return unsafe messages
  }

  /// Hands a message on.
  func carry(_ place: RelayTransport.Place, _ bytes: [UInt8]) {
    loop.checkIsolated()
    // What streams carry is not looked at.
    if bytes.count < 64, unsafe messages.count < 10_000, let message = Self.read(bytes) {
      unsafe messages.append(message)
    }
    for bytes in unsafe change(place, bytes) { bring(place, bytes) }
  }

  /// Brings a message to whom it is for.
  func bring(_ place: RelayTransport.Place, _ bytes: [UInt8]) {
    loop.later { [self] in
      for end in unsafe ends where place == .everybody || place == .inbox(end.inbox) { end.take(bytes) }
    }
  }

  static func read(_ bytes: [UInt8]) -> RelayMessage? {
    do throws(FormatError) { return try RelayMessage(decoding: bytes) } catch { return nil }
  }
}

/// A test's own place on a relay's loop.
actor RelayDesk {
  nonisolated let relay: TestRelay
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe relay.loop.asUnownedSerialExecutor() }

  init(_ relay: TestRelay) { self.relay = relay }

  func run<Result: Sendable>(_ body: @Sendable (TestRelay) throws -> Result) rethrows -> Result {
    try body(relay)
  }
}

/// Several ends of a relay as one transport: whoever listens has an end of its own, and all who connect have one.
final class RelayWay: Transport {
  /// Where nobody listens yet.
  static let anyAddress = Address(relayInbox: [UInt8](repeating: 0, count: 16))

  private let relay: TestRelay
  private let client: RelayTransport

  init(_ relay: TestRelay) {
    self.relay = relay
    client = relay.end()
  }

  var loop: EventLoop { relay.loop }
  func serves(_ address: Address) -> Bool { address.isRelayed }

  func listen(
    on address: Address, _ accept: @escaping (any ByteStream) -> Void
  ) throws(NetworkError) -> any Listener {
    let end = relay.end(at: address) ?? relay.end()
    return try end.listen(on: end.address, accept)
  }

  func connect(
    to address: Address, _ done: @escaping (Result<any ByteStream, NetworkError>) -> Void
  ) -> any ConnectionAttempt {
    client.connect(to: address, done)
  }
}

/// Connections inside the process, on one loop: for bots, and for tests of what must hold of every transport.
///
/// Addresses are ports of `Address.inProcess`. Bytes arrive when the loop comes round, in the portions in which
/// they were written.
package final class LocalTransport: Transport {
  package let loop: EventLoop
  // SAFETY: touched on the loop's thread alone, which every function checks.
  nonisolated(unsafe) private var listeners: [UInt16: LocalListener] = [:]
  // SAFETY: as for the listeners.
  nonisolated(unsafe) private var lastPort: UInt16 = 0

  package init(_ loop: EventLoop) { self.loop = loop }

  package func serves(_ address: Address) -> Bool { address.host == Address.inProcess }

  package func listen(
    on address: Address, _ accept: @escaping (any ByteStream) -> Void
  ) throws(NetworkError) -> any Listener {
    loop.checkIsolated()
    guard address.host == Address.inProcess else { throw .notAnAddress(address.description) }
    var port = address.port
    if port == 0 {
      repeat { unsafe lastPort &+= 1 } while unsafe lastPort == 0 || listeners[lastPort] != nil
      unsafe port = lastPort
    }
    let bound = Address(host: Address.inProcess, port: port)
    guard unsafe listeners[port] == nil else {
      throw .system("cannot listen on \(bound)", "address already in use")
    }
    let listener = LocalListener(self, bound, accept)
    unsafe listeners[port] = listener
    return listener
  }

  package func connect(
    to address: Address, _ done: @escaping (Result<any ByteStream, NetworkError>) -> Void
  ) -> any ConnectionAttempt {
    loop.checkIsolated()
    let attempt = LocalAttempt(done)
    loop.later { self.connect(attempt, to: address) }
    return attempt
  }

  private func connect(_ attempt: LocalAttempt, to address: Address) {
    guard let done = attempt.done else { return }
    attempt.done = nil
    guard address.host == Address.inProcess, let listener = unsafe listeners[address.port] else {
      return done(.failure(.system("cannot connect to \(address)", "connection refused")))
    }
    let (near, far) = LocalStream.pair(loop, address)
    listener.accept(far)
    done(.success(near))
  }

  fileprivate func remove(_ listener: LocalListener) {
    loop.checkIsolated()
    if unsafe listeners[listener.address.port] === listener {
      unsafe listeners[listener.address.port] = nil
    }
  }
}

private final class LocalListener: Listener {
  let address: Address
  let accept: (any ByteStream) -> Void
  private let transport: LocalTransport

  init(_ transport: LocalTransport, _ address: Address, _ accept: @escaping (any ByteStream) -> Void) {
    self.transport = transport
    self.address = address
    self.accept = accept
  }

  func close() { transport.remove(self) }
}

private final class LocalAttempt: ConnectionAttempt {
  var done: ((Result<any ByteStream, NetworkError>) -> Void)?

  init(_ done: @escaping (Result<any ByteStream, NetworkError>) -> Void) { self.done = done }

  func cancel() { done = nil }
}

/// One end of a connection inside the process.
private final class LocalStream: ByteStream {
  private let loop: EventLoop
  let remote: Address
  private var other: LocalStream?
  private var receive: ((StreamEvent) -> Void)?
  private var isReading = false
  /// What was written and not yet taken by the other end.
  private var queue: [[UInt8]] = []
  private(set) var queuedBytes = 0
  /// Whether nothing more is written here, so that the other end ends when it has read all.
  private var isEnding = false
  private var isScheduled = false

  private init(_ loop: EventLoop, _ remote: Address) {
    self.loop = loop
    self.remote = remote
  }

  static func pair(_ loop: EventLoop, _ address: Address) -> (LocalStream, LocalStream) {
    let ends = (LocalStream(loop, address), LocalStream(loop, address))
    ends.0.other = ends.1
    ends.1.other = ends.0
    return ends
  }

  func start(_ receive: @escaping (StreamEvent) -> Void) {
    self.receive = receive
    setReading(true)
  }

  func setReading(_ isReading: Bool) {
    self.isReading = isReading
    if isReading { other?.deliverLater() }
  }

  func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, !isEnding else { return }
    queue.append(bytes)
    queuedBytes += bytes.count
    deliverLater()
  }

  private func deliverLater() {
    guard !isScheduled else { return }
    isScheduled = true
    loop.later { self.deliver() }
  }

  /// Hands on what was written, as long as the other end reads.
  private func deliver() {
    isScheduled = false
    guard let other, !other.isEnding else {
      // Nobody reads there any more.
      queue = []
      queuedBytes = 0
      if isEnding { other = nil } else if other != nil { end() }
      return
    }
    let hadBytes = queuedBytes > 0
    while other.isReading, other.receive != nil, !queue.isEmpty {
      let bytes = queue.removeFirst()
      queuedBytes -= bytes.count
      other.receive?(.received(bytes))
    }
    if queue.isEmpty, isEnding, other.isReading { return other.end() }
    if hadBytes, queue.isEmpty { receive?(.drained) }
  }

  /// The other end has ended.
  private func end() {
    other = nil
    let receive = receive
    self.receive = nil
    receive?(.ended)
  }

  func close(afterWriting: Bool) {
    receive = nil
    isEnding = true
    if !afterWriting {
      queue = []
      queuedBytes = 0
    }
    // The other end hears of it once it has read what was written.
    deliverLater()
  }
}

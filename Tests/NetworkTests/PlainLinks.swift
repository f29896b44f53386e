import Channel
import Events

@testable import Network

extension Bytes32 {
  /// The name of something in a test.
  static func numbered(_ number: UInt8) -> Bytes32 {
    var hash = Blake2b(domain: "test")
    hash.update([number])
    return hash.digest()
  }
}

/// One end of a link inside the process: no bytes, no channel, and who is there is who it says it is.
final class PlainLink: MessageLink {
  private enum Parcel {
    case message([UInt8])
    case peers([UInt8])
    case ping
    case pong
    case end(ChannelError)

    var count: Int {
      switch self {
      case .message(let bytes), .peers(let bytes): bytes.count
      case .ping, .pong, .end: 1
      }
    }
  }

  let role: Role
  let remote: Address
  let peer: PeerID?
  let process: Bytes32?
  private(set) var ending: ChannelError?
  private(set) var hasAnswered = true
  var hasSpoken = true
  private(set) var isHeld = false
  var isNearby: Bool { remote.isNearby }
  var deadline: UInt64? { nil }
  var queuedBytes: Int { queue.reduce(0) { $0 + $1.count } }
  /// Whether it takes nothing any more, whatever it is told.
  var isDeaf = false
  /// What the other end has sent and this one has not taken.
  var unreadBytes: Int { other?.queuedBytes ?? 0 }
  private let later: (@escaping () -> Void) -> Void
  private weak var other: PlainLink?
  private var notify: (() -> Void)?
  private(set) var isReading = false
  private var queue: [Parcel] = []
  private var messages: [[UInt8]] = []
  private var lists: [[UInt8]] = []

  /// - Parameter later: calls soon; never, for an end whose words get nowhere.
  init(
    _ role: Role, _ remote: Address, _ peer: PeerID?, _ process: Bytes32?,
    later: @escaping (@escaping () -> Void) -> Void = { _ in }
  ) {
    self.role = role
    self.remote = remote
    self.peer = peer
    self.process = process
    self.later = later
  }

  static func join(_ one: PlainLink, _ two: PlainLink) {
    one.other = two
    two.other = one
  }

  func start(_ notify: @escaping () -> Void) {
    self.notify = notify
    isReading = true
    other?.flush(limit: .max)
    later { [weak self] in self?.notify?() }
  }

  func hear() { isHeld = false }

  func takeMessages() -> [[UInt8]] {
    defer { messages = [] }
    return messages
  }

  func takePeers() -> [[UInt8]] {
    defer { lists = [] }
    return lists
  }

  func send(_ message: [UInt8]) { add(.message(message)) }
  func sendPeers(_ list: [UInt8]) { add(.peers(list)) }

  func flush(limit: Int) {
    // The end itself is kept until what it has said is gone.
    if !queue.isEmpty { later { self.deliver() } }
  }

  func setReading(_ isReading: Bool, at now: UInt64) {
    self.isReading = isReading
    if isReading { other?.flush(limit: .max) }
  }

  func probe(at now: UInt64) {
    hasAnswered = false
    add(.ping)
  }

  func advance(to now: UInt64) {}

  func end(_ farewell: Farewell) {
    add(.end(.ended(farewell, byOther: true)))
    if ending == nil { ending = .ended(farewell, byOther: false) }
  }

  func close(afterSending: Bool) {
    notify = nil
    if !afterSending { queue = [] }
    add(.end(.cut(inHandshake: false)))
    if ending == nil { ending = .cut(inHandshake: false) }
    flush(limit: .max)
  }

  private func add(_ parcel: Parcel) { if ending == nil { queue.append(parcel) } }

  private func deliver() {
    guard let other else { return queue = [] }
    while other.isReading, !other.isDeaf, !queue.isEmpty { other.take(queue.removeFirst()) }
  }

  private func take(_ parcel: Parcel) {
    guard ending == nil else { return }
    hasAnswered = true
    switch parcel {
    case .message(let bytes): messages.append(bytes)
    case .peers(let bytes): lists.append(bytes)
    case .ping:
      add(.pong)
      flush(limit: .max)
    case .pong: break
    case .end(let reason): ending = reason
    }
    notify?()
  }
}

/// The way to peers of the same process by plain links, for one process of one peer.
final class PlainTransport: LinkTransport {
  /// Who listens where, of all on one loop.
  final class Places: Sendable {
    // SAFETY: touched on the loop's thread alone, as everything of transports is.
    nonisolated(unsafe) fileprivate var listeners: [UInt16: PlainListener] = [:]
  }

  let loop: EventLoop
  let peer: PeerID
  private let process: Bytes32
  private let places: Places
  // SAFETY: touched on the loop's thread alone, as everything of transports is. The links that this end made.
  nonisolated(unsafe) private var links: [PlainLink] = []
  var made: [PlainLink] { unsafe links }

  init(_ loop: EventLoop, _ places: Places, _ peer: PeerID, process: UInt8 = 0) {
    self.loop = loop
    self.places = places
    self.peer = peer
    self.process = .numbered(process)
  }

  func serves(_ address: Address) -> Bool { address.host == Address.inProcess }

  func listen(
    on address: Address, _ accept: @escaping (any MessageLink) -> Void
  ) throws(NetworkError) -> any Listener {
    let port = unsafe UInt16(places.listeners.count + 1)
    let listener = PlainListener(Address(host: Address.inProcess, port: port), self, accept)
    unsafe places.listeners[port] = listener
    return listener
  }

  func connect(
    to address: Address, wanted: PeerID?, _ done: @escaping (Result<any MessageLink, NetworkError>) -> Void
  ) -> any ConnectionAttempt {
    let attempt = PlainAttempt(done)
    loop.later { [self] in
      guard let done = attempt.done else { return }
      guard let listener = unsafe places.listeners[address.port], !listener.isClosed else {
        return done(.failure(.noAnswer(address)))
      }
      let server = listener.transport
      let near = PlainLink(.initiator, address, server.peer, server.process) { self.loop.later($0) }
      let far = PlainLink(.responder, address, peer, process) { self.loop.later($0) }
      PlainLink.join(near, far)
      unsafe links.append(near)
      // Both are kept by whoever takes them.
      listener.accept(far)
      done(.success(near))
    }
    return attempt
  }
}

private final class PlainListener: Listener {
  let address: Address
  let transport: PlainTransport
  let accept: (any MessageLink) -> Void
  private(set) var isClosed = false

  init(_ address: Address, _ transport: PlainTransport, _ accept: @escaping (any MessageLink) -> Void) {
    self.address = address
    self.transport = transport
    self.accept = accept
  }

  func close() { isClosed = true }
}

private final class PlainAttempt: ConnectionAttempt {
  var done: ((Result<any MessageLink, NetworkError>) -> Void)?

  init(_ done: @escaping (Result<any MessageLink, NetworkError>) -> Void) { self.done = done }

  func cancel() { done = nil }
}

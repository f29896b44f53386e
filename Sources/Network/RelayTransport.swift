internal import Events
internal import Gossip

/// Streams through a relay: something that hands messages on to inboxes, and to all who listen. It is not trusted: it
/// may lose, repeat, change and invent messages (`RelayPipe`), and who is at the other end only a channel shows.
///
/// Addresses are inboxes (`Address.relayInbox`). To be used on the loop's thread.
package final class RelayTransport: Transport {
  /// Where a message goes.
  package enum Place: Hashable, Sendable {
    case everybody
    case inbox(RelayID)
  }

  package let loop: EventLoop
  /// Where this end waits.
  package let address: Address
  // SAFETY: touched on the loop's thread alone, which `here` checks.
  nonisolated(unsafe) private let table: RelayTable

  /// - Parameters:
  ///   - random: gives 32 random bytes.
  ///   - limitBytes: the most bytes of one message.
  ///   - send: has the relay hand on a message; what cannot be sent is lost.
  package init(
    _ loop: EventLoop, random: @escaping @Sendable () -> [UInt8], limitBytes: Int,
    send: @escaping @Sendable (Place, [UInt8]) -> Void
  ) {
    let inbox = RelayID(random: random())
    self.loop = loop
    address = Address(relayInbox: inbox.bytes)
    let content = min(RelayMessage.limitBytes, limitBytes - RelayMessage.overheadBytes)
    precondition(content > 0, "a relay that takes \(limitBytes) bytes")
    unsafe table = RelayTable(loop, inbox, limitBytes: content, random: random) { send($0, $1.encoded) }
  }

  private var here: RelayTable {
    loop.checkIsolated()
    return unsafe table
  }

  /// Where messages for this end go.
  package var inbox: RelayID {
    guard let bytes = address.relayInbox else { preconditionFailure("\(address) is no inbox") }
    return RelayID(random: bytes)
  }

  package func serves(_ address: Address) -> Bool { address.isRelayed }

  package func listen(
    on address: Address, _ accept: @escaping (any ByteStream) -> Void
  ) throws(NetworkError) -> any Listener {
    guard address == self.address else { throw .notAnAddress(address.description) }
    return try here.listen(address, accept)
  }

  package func connect(
    to address: Address, _ done: @escaping (Result<any ByteStream, NetworkError>) -> Void
  ) -> any ConnectionAttempt {
    here.connect(to: address, done)
  }

  /// Says from now on who else waits at the relay, as far as it is heard; whoever waits says so by `listen`.
  package func hear(_ found: @escaping (Address) -> Void) { here.found = found }

  /// A message came through the relay.
  package func take(_ bytes: [UInt8]) { here.take(bytes) }

  /// The relay is away: all streams end, because what was on its way is lost.
  package func lose() { here.lose() }

  /// The relay is there again.
  package func regain() { here.regain() }
}

/// The streams of one end, and what it knows of the relay.
final class RelayTable {
  /// The most streams, with those that are being made.
  static let limitStreams = 256
  /// How long until it says once more that it waits for others, and each further pause at most; they double between.
  private static let firstPauseMilliseconds: UInt64 = 2_000
  private static let limitPauseMilliseconds: UInt64 = 30_000
  /// How many announcements are heeded.
  static let heeded = Bucket.Rate(perSecond: 20, burst: 200)

  private let loop: EventLoop
  private let inbox: RelayID
  private let limitBytes: Int
  private let random: () -> [UInt8]
  private let send: (RelayTransport.Place, RelayMessage) -> Void
  private var streams: [RelayID: RelayStream] = [:]
  private var attempts: [RelayID: RelayAttempt] = [:]
  private var listener: RelayListener?
  private var timer: (any LoopTimer)?
  private var pause = RelayTable.firstPauseMilliseconds
  private var bucket: Bucket
  private var isAway = false
  var found: ((Address) -> Void)?

  init(
    _ loop: EventLoop, _ inbox: RelayID, limitBytes: Int, random: @escaping () -> [UInt8],
    send: @escaping (RelayTransport.Place, RelayMessage) -> Void
  ) {
    self.loop = loop
    self.inbox = inbox
    self.limitBytes = limitBytes
    self.random = random
    self.send = send
    bucket = Bucket(Self.heeded, at: Tick(milliseconds: loop.now))
  }

  private var isFull: Bool { streams.count + attempts.count >= Self.limitStreams }

  // MARK: - Waiting for others

  func listen(
    _ address: Address, _ accept: @escaping (any ByteStream) -> Void
  ) throws(NetworkError) -> any Listener {
    guard listener == nil else { throw .system("cannot listen on \(address)", "address already in use") }
    let listener = RelayListener(address, accept) { [weak self] in self?.endListening() }
    self.listener = listener
    timer = loop.timer { [weak self] in self?.announce(RelayMessage.here) }
    ask()
    return listener
  }

  private func endListening() {
    listener = nil
    timer?.close()
    timer = nil
  }

  private func ask() {
    pause = Self.firstPauseMilliseconds
    announce(RelayMessage.ask)
  }

  private func announce(_ message: (RelayID) -> RelayMessage) {
    if !isAway { send(.everybody, message(inbox)) }
    timer?.set(loop.now + pause)
    pause = min(2 * pause, Self.limitPauseMilliseconds)
  }

  /// Somebody says that it waits, and perhaps wants to know who else does.
  private func note(_ other: RelayID, asks: Bool) {
    guard other != inbox, listener != nil, bucket.take(1, at: Tick(milliseconds: loop.now)) else { return }
    // Who asks connects to those who answer.
    if asks { send(.inbox(other), .here(inbox)) } else { found?(Address(relayInbox: other.bytes)) }
  }

  // MARK: - Streams

  func connect(
    to address: Address, _ done: @escaping (Result<any ByteStream, NetworkError>) -> Void
  ) -> any ConnectionAttempt {
    let stream = RelayID(random: random())
    let attempt = RelayAttempt(address, done) { [weak self] in
      guard let self, let other = attempts.removeValue(forKey: stream)?.other else { return }
      send(.inbox(other), .part(.cut, of: stream))
    }
    guard let bytes = address.relayInbox, case let other = RelayID(random: bytes), other != inbox else {
      loop.later { attempt.fail("it is nobody else's") }
      return attempt
    }
    guard !isAway, !isFull else {
      let words = isAway ? "the relay is away" : "there are too many connections over the relay"
      loop.later { attempt.fail(words) }
      return attempt
    }
    attempt.other = other
    attempts[stream] = attempt
    send(.inbox(other), .part(.open(from: inbox), of: stream))
    return attempt
  }

  private func add(_ id: RelayID, to other: RelayID) -> RelayStream {
    let send = send
    let stream = RelayStream(
      loop, Address(relayInbox: other.bytes), RelayPipe(limitBytes: limitBytes),
      send: { send(.inbox(other), .part($0, of: id)) },
      forget: { [weak self] in self?.streams[id] = nil })
    streams[id] = stream
    return stream
  }

  /// Takes a message; what has no meaning here is passed over.
  func take(_ bytes: [UInt8]) {
    let message: RelayMessage
    do throws(FormatError) { message = try RelayMessage(decoding: bytes) } catch { return }
    switch message {
    case .here(let other): note(other, asks: false)
    case .ask(let other): note(other, asks: true)
    case .part(.open(let other), let id): open(id, from: other)
    case .part(let part, let id):
      if let stream = streams[id] { return stream.take(part) }
      guard let attempt = attempts[id], let other = attempt.other else { return }
      switch part {
      case .accept:
        attempts[id] = nil
        attempt.succeed { add(id, to: other) }
      case .cut:
        attempts[id] = nil
        attempt.fail("connection refused")
      default: break
      }
    }
  }

  private func open(_ id: RelayID, from other: RelayID) {
    guard other != inbox, streams[id] == nil, attempts[id] == nil else { return }
    guard let listener, !isFull else { return send(.inbox(other), .part(.cut, of: id)) }
    let stream = add(id, to: other)
    send(.inbox(other), .part(.accept, of: id))
    listener.accept(stream)
  }

  // MARK: - The relay

  func lose() {
    isAway = true
    let (attempts, streams) = (attempts, streams)
    self.attempts = [:]
    // tidy: order does not matter because all of them end
    for attempt in attempts.values { attempt.fail("the relay is away") }
    // tidy: order does not matter because all of them end
    for stream in streams.values { stream.breakOff() }
  }

  func regain() {
    isAway = false
    if listener != nil { ask() }
  }
}

private final class RelayListener: Listener {
  let address: Address
  let accept: (any ByteStream) -> Void
  private let end: () -> Void

  init(_ address: Address, _ accept: @escaping (any ByteStream) -> Void, _ end: @escaping () -> Void) {
    self.address = address
    self.accept = accept
    self.end = end
  }

  func close() { end() }
}

/// A stream that is being made.
private final class RelayAttempt: ConnectionAttempt {
  let address: Address
  /// Where the other end takes messages.
  var other: RelayID?
  private var done: ((Result<any ByteStream, NetworkError>) -> Void)?
  private let giveUp: () -> Void

  init(
    _ address: Address, _ done: @escaping (Result<any ByteStream, NetworkError>) -> Void,
    _ giveUp: @escaping () -> Void
  ) {
    self.address = address
    self.done = done
    self.giveUp = giveUp
  }

  func succeed(_ stream: () -> RelayStream) { finish { .success(stream()) } }

  func fail(_ words: String) { finish { .failure(.system("cannot connect to \(address)", words)) } }

  private func finish(_ result: () -> Result<any ByteStream, NetworkError>) {
    guard let done else { return }
    self.done = nil
    done(result())
  }

  func cancel() {
    guard done != nil else { return }
    done = nil
    giveUp()
  }
}

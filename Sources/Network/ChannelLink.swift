package import Channel
package import Events

/// Links that are channels over the streams of a transport.
package struct ChannelTransport: LinkTransport {
  private let streams: any Transport
  private let credentials: Credentials
  private let settings: ChannelSettings

  package init(
    _ streams: any Transport, _ credentials: Credentials, _ settings: ChannelSettings = .standard
  ) {
    self.streams = streams
    self.credentials = credentials
    self.settings = settings
  }

  package var loop: EventLoop { streams.loop }
  package var peer: PeerID { credentials.signer.peer }
  package func serves(_ address: Address) -> Bool { streams.serves(address) }

  package func listen(
    on address: Address, _ accept: @escaping (any MessageLink) -> Void
  ) throws(NetworkError) -> any Listener {
    try streams.listen(on: address) { accept(link($0, .responder, wanted: nil)) }
  }

  package func connect(
    to address: Address, wanted: PeerID?, _ done: @escaping (Result<any MessageLink, NetworkError>) -> Void
  ) -> any ConnectionAttempt {
    streams.connect(to: address) { result in
      done(result.map { link($0, .initiator, wanted: wanted) })
    }
  }

  private func link(_ stream: any ByteStream, _ role: Role, wanted: PeerID?) -> any MessageLink {
    ChannelLink(
      loop, stream, role, Channel(role, credentials, wanted: wanted, settings: settings, at: loop.now))
  }
}

/// A link that is a channel over a stream of bytes.
private final class ChannelLink: MessageLink {
  let role: Role
  private let loop: EventLoop
  private let stream: any ByteStream
  private var channel: Channel
  private(set) var hasAnswered = true
  private(set) var hasSpoken = false
  /// What a stranger said and nobody has heard.
  private var held: [UInt8] = []

  /// More than anybody has to say before it is answered.
  private static let limitHeldBytes = 4_096

  init(_ loop: EventLoop, _ stream: any ByteStream, _ role: Role, _ channel: Channel) {
    self.loop = loop
    self.stream = stream
    self.role = role
    self.channel = channel
  }

  var remote: Address { stream.remote }
  var isNearby: Bool { stream.remote.isNearby }
  // Who has proven itself, and waits for the other end's word that it was taken, is known to the channel already.
  var peer: PeerID? { channel.state == .handshaking ? nil : channel.otherPeer }
  var process: Bytes32? { channel.otherKey }
  var ending: ChannelError? { channel.closing }
  var queuedBytes: Int { channel.outboxBytes + stream.queuedBytes }
  var deadline: UInt64? { channel.deadline }

  func start(_ notify: @escaping () -> Void) {
    stream.start { [weak self] event in
      guard let self else { return }
      switch event {
      case .received(let bytes):
        self.hasSpoken = true
        hasAnswered = true
        if role == .responder, peer == nil, ending == nil { hold(bytes) } else { receive(bytes) }
      case .drained: break
      case .ended: channel.endOfStream()
      }
      notify()
    }
  }

  private func hold(_ bytes: [UInt8]) {
    held += bytes
    if held.count > Self.limitHeldBytes { channel.endOfStream() }
  }

  private func receive(_ bytes: [UInt8]) {
    // What it throws stands in the channel's state.
    do throws(ChannelError) { try channel.receive(bytes, at: loop.now) } catch {}
  }

  var isHeld: Bool { !held.isEmpty }

  func hear() {
    let bytes = held
    held = []
    receive(bytes)
  }

  func takeMessages() -> [[UInt8]] { channel.takeInbox() }
  func takePeers() -> [[UInt8]] { channel.takePeers() }

  func send(_ message: [UInt8]) {
    // What it throws stands in the channel's state.
    do throws(ChannelError) { try channel.send(message) } catch {}
  }

  func sendPeers(_ list: [UInt8]) {
    // What it throws stands in the channel's state.
    do throws(ChannelError) { try channel.sendPeers(list) } catch {}
  }

  func flush(limit: Int) {
    guard channel.outboxBytes > 0, stream.queuedBytes < limit else { return }
    stream.write(channel.takeOutbox())
  }

  func setReading(_ isReading: Bool, at now: UInt64) {
    stream.setReading(isReading)
    channel.setReading(isReading, at: now)
  }

  func probe(at now: UInt64) {
    hasAnswered = false
    channel.probe(at: now)
  }

  func advance(to now: UInt64) { channel.advance(to: now) }

  func end(_ farewell: Farewell) { channel.end(farewell) }

  func close(afterSending: Bool) {
    channel.endOfStream()
    if afterSending { stream.write(channel.takeOutbox()) }
    stream.close(afterWriting: afterSending)
  }
}

import Channel
import Events
import Network

/// A dishonest key's connection to a peer: a stream, the channel's own handshake, and nothing of the program behind it.
final class HostileConnection {
  /// How far it goes.
  enum Manner {
    /// It says nothing.
    case silent
    /// It says something that is no handshake, and nothing else.
    case garbage([UInt8])
    /// Of what it has to say first so many bytes are never said, and then it is silent.
    case half(missing: Int)
    /// It proves its key.
    case proven
    /// It proves its key, and reads nothing any more.
    case deaf
  }

  let signer: SigningKey
  let manner: Manner
  /// The other end's number.
  let victim: Int
  private let streams: SimulatedStreams
  private let credentials: Credentials
  private var channel: Channel?
  private var stream: (any ByteStream)?
  private var attempt: (any ConnectionAttempt)?
  /// What is said as soon as the key is proven.
  private var prepared: [[UInt8]] = []
  private(set) var isOver = false
  private var isSilenced = false

  init(_ manner: Manner, to victim: Int, _ credentials: Credentials, _ streams: SimulatedStreams) {
    self.manner = manner
    self.victim = victim
    self.credentials = credentials
    self.streams = streams
    signer = credentials.signer
  }

  /// Whether the other end has taken its key.
  var isOpen: Bool {
    if case .open = channel?.state { !isOver } else { false }
  }

  func begin() {
    attempt = streams.connect(to: SimulatedNetwork.address(of: victim)) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let stream): speak(over: stream)
      case .failure: isOver = true
      }
    }
  }

  private func speak(over stream: any ByteStream) {
    self.stream = stream
    stream.start { [weak self] event in
      switch event {
      case .received(let bytes): self?.take(bytes)
      case .drained: break
      case .ended: self?.isOver = true
      }
    }
    switch manner {
    case .silent: break
    case .garbage(let bytes): stream.write(bytes)
    case .half(let missing):
      var channel = newChannel()
      stream.write(Array(channel.takeOutbox().dropLast(missing)))
    case .proven, .deaf:
      channel = newChannel()
      flush()
    }
  }

  private func newChannel() -> Channel {
    Channel(.initiator, credentials, at: streams.loop.now)
  }

  private func take(_ bytes: [UInt8]) {
    guard !isSilenced else { return }
    let wasOpen = isOpen
    // What it throws stands in the channel's state.
    do throws(ChannelError) { try channel?.receive(bytes, at: streams.loop.now) } catch {}
    _ = channel?.takeInbox()
    _ = channel?.takePeers()
    if isOpen, !wasOpen {
      let prepared = prepared
      self.prepared = []
      for message in prepared { send(message) }
      if case .deaf = manner { stream?.setReading(false) }
    }
    flush()
    if channel?.closing != nil { end() }
  }

  /// Says something, now or when the key is proven.
  func send(_ message: [UInt8]) {
    guard !isSilenced else { return }
    guard isOpen else { return prepared.append(message) }
    do throws(ChannelError) { try channel?.send(message) } catch { return end() }
    flush()
  }

  /// Says where peers are to be found.
  func sendPeers(_ list: [UInt8]) {
    guard isOpen else { return }
    do throws(ChannelError) { try channel?.sendPeers(list) } catch { return end() }
    flush()
  }

  /// Puts bytes on the line past the channel.
  func sendClear(_ bytes: [UInt8]) { stream?.write(bytes) }

  private func flush() {
    guard let bytes = channel?.takeOutbox(), !bytes.isEmpty else { return }
    stream?.write(bytes)
  }

  /// It is there still, and neither says nor hears anything any more.
  func fallSilent() {
    stream?.setReading(false)
    isSilenced = true
  }

  func end() {
    isOver = true
    attempt?.cancel()
    stream?.close(afterWriting: false)
  }
}

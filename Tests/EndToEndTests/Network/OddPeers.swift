import Channel
import EventLog
import Events
import Games
import Gossip
import Network
import Peer

/// A peer that is here, hears everything and says nothing, on a port of the loopback.
actor SilentPeer {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private let credentials = Credentials(
    signer: SigningKey(seed: SigningKey.randomSeed()), network: .standard, keys: .generate())
  private var listener: (any Listener)?
  private var ends: [End] = []

  /// A connection, which answers only whether it is there.
  private final class End {
    let stream: any ByteStream
    private var channel: Channel
    /// Whether both ends have known each other.
    private(set) var wasOpen = false

    init(_ stream: any ByteStream, _ channel: Channel) {
      self.stream = stream
      self.channel = channel
    }

    func take(_ event: StreamEvent) throws(ChannelError) {
      guard case .received(let bytes) = event else { return }
      try channel.receive(bytes, at: 0)
      if case .open = channel.state { wasOpen = true }
      _ = channel.takeInbox()
      stream.write(channel.takeOutbox())
    }
  }

  init() { loop = EventLoop() }

  /// In how many connections both ends came to know each other.
  var opened: Int { ends.count { $0.wasOpen } }

  func listen() throws(NetworkError) -> Address {
    let listener = try TCPTransport(loop).listen(on: Address(host: "127.0.0.1", port: 0)) { self.accept($0) }
    self.listener = listener
    return listener.address
  }

  private func accept(_ stream: any ByteStream) {
    let end = End(stream, Channel(.responder, credentials, at: 0))
    ends.append(end)
    stream.start { event in
      do throws(ChannelError) { try end.take(event) } catch { stream.close(afterWriting: false) }
    }
  }

  func stop() {
    listener?.close()
    for end in ends { end.stream.close(afterWriting: false) }
  }
}

/// A peer that gives and wants one room alone, so that nobody can ever say that it is equal.
struct LimitedPeer {
  private let node: PeerNode
  let address: Address
  let room: RoomID

  init() async throws {
    let signer = SigningKey(seed: SigningKey.randomSeed())
    let log = MemoryEventLog(network: .standard)
    let core = PeerCore(
      signer: signer, network: .standard, catalog: Games.catalog, scheme: Ed25519(), seed: 1, now: { 0 })
    node = PeerNode(
      core: core, log: log, committer: GroupCommitter(log),
      credentials: Credentials(signer: signer, network: .standard, keys: .generate()),
      transports: [TCPTransport(EventLoop())], seed: 1)
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: 7, count: 16), profile: Profile(name: "host"))
    let room = try await node.write { core throws(PeerError) in try core.create(create) }
    await node.read { $0.subscribe(to: [room], at: Tick(milliseconds: 0)) }
    self.room = room
    address = try await node.listen(on: Address(host: "127.0.0.1", port: 0))
  }

  func stop() async { await node.stop() }
}

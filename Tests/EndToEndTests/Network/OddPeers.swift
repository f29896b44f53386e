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

  init() throws { loop = try EventLoop() }

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

extension LinkTransport where Self == ChannelTransport {
  /// Links over TCP, on a loop of their own.
  fileprivate static func tcp(_ signer: SigningKey) throws -> ChannelTransport {
    ChannelTransport(
      TCPTransport(try EventLoop()), Credentials(signer: signer, network: .standard, keys: .generate()))
  }
}

/// A peer that gives and wants one room alone.
struct LimitedPeer {
  private let networkPeer: NetworkPeer
  let address: Address
  let room: RoomID

  init() async throws {
    let signer = SigningKey(seed: SigningKey.randomSeed())
    let log = MemoryEventLog(network: .standard)
    let core = PeerCore(
      signer: signer, network: .standard, catalog: Games.catalog, scheme: Ed25519(), seed: 1, now: { 0 })
    networkPeer = NetworkPeer(
      core: core, log: log, committer: GroupCommitter(log), transports: [try .tcp(signer)], seed: 1)
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: 7, count: 16), profile: Profile(name: "host"))
    let room = try await networkPeer.write { core throws(PeerError) in try core.create(create) }
    await networkPeer.read { $0.subscribe(to: Interest(in: [room]), at: Tick(milliseconds: 0)) }
    self.room = room
    address = try await networkPeer.listen(on: Address(host: "127.0.0.1", port: 0))
  }

  func stop() async { await networkPeer.stop() }
}

/// A peer with a good room and one with an event that no honest peer stores.
struct FalsePeer {
  /// What is wrong with the event.
  enum Fault: CaseIterable {
    /// It names what its author may not name.
    case misnamed
    /// The same, under one signature with the room's creation: then it comes before what it names.
    case misnamedInOneRun
    /// Somebody else signed it.
    case badSignature

    var words: String {
      self == .badSignature ? "is not its author's" : "names what its author may not name"
    }
  }

  private let networkPeer: NetworkPeer
  private let log: RoomLog
  let address: Address
  let good: RoomID
  let bad: RoomID
  /// The event that is false.
  let event: EventID
  var peer: PeerID { networkPeer.peer }

  private static func create(_ nonce: UInt8) -> Create {
    Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: nonce, count: 16), profile: Profile(name: "host"))
  }

  init(_ fault: Fault) async throws {
    let (signer, stranger) = (
      SigningKey(seed: SigningKey.randomSeed()), SigningKey(seed: SigningKey.randomSeed())
    )
    let (log, hasher) = (MemoryEventLog(network: .standard), EventHasher(network: .standard))
    let core = PeerCore(
      signer: signer, network: .standard, catalog: Games.catalog, scheme: Ed25519(), seed: 1, now: { 0 })
    networkPeer = NetworkPeer(
      core: core, log: log, committer: GroupCommitter(log), transports: [try .tcp(signer)], seed: 1)
    good = try await networkPeer.write { core throws(PeerError) in try core.create(Self.create(1)) }
    let first = try Event.author(
      .create(Self.create(2)), room: .none, author: signer.peer, sequence: 1, previous: .none, parents: [],
      wallTime: 0, hasher: hasher)
    let said = try Event.author(
      .chat("hello"), room: first.id, author: stranger.peer, sequence: 1, previous: .none,
      parents: [first.id], wallTime: 0, hasher: hasher)
    let last = try Event.author(
      .chat("hello"), room: first.id, author: signer.peer, sequence: 2, previous: first.id,
      parents: fault == .badSignature ? [] : [said.id], wallTime: 0, hasher: hasher)
    var room = RoomLog(room: first.id)
    room.restore(first, signature: fault == .misnamedInOneRun ? nil : signer.sign(first.id))
    room.restore(said, signature: stranger.sign(said.id))
    room.restore(last, signature: (fault == .badSignature ? stranger : signer).sign(last.id))
    self.log = room
    (bad, event) = (first.id, last.id)
    address = try await networkPeer.listen(on: Address(host: "127.0.0.1", port: 0))
  }

  /// Offers the second room as well.
  func offerBadRoom() async {
    let log = log
    await networkPeer.read { $0.open(log, isDurable: true) }
  }

  func stop() async { await networkPeer.stop() }
}

/// A peer that wants no connections.
struct BusyPeer {
  private let networkPeer: NetworkPeer
  let address: Address

  init() async throws {
    let signer = SigningKey(seed: SigningKey.randomSeed())
    let log = MemoryEventLog(network: .standard)
    let core = PeerCore(
      signer: signer, network: .standard, catalog: Games.catalog, scheme: Ed25519(), seed: 1, now: { 0 })
    var settings = NetworkSettings()
    settings.limitConnections = 0
    networkPeer = NetworkPeer(
      core: core, log: log, committer: GroupCommitter(log), transports: [try .tcp(signer)],
      settings: settings,
      seed: 1)
    address = try await networkPeer.listen(on: Address(host: "127.0.0.1", port: 0))
  }

  func stop() async { await networkPeer.stop() }
}

/// A peer that holds rooms of a later edition.
struct LaterPeer {
  private let networkPeer: NetworkPeer
  let address: Address
  let rooms: [RoomID]

  init() async throws {
    let signer = SigningKey(seed: SigningKey.randomSeed())
    let log = MemoryEventLog(network: .standard)
    let core = PeerCore(
      signer: signer, network: .standard, catalog: Games.catalog, scheme: Ed25519(), seed: 1, now: { 0 })
    networkPeer = NetworkPeer(
      core: core, log: log, committer: GroupCommitter(log), transports: [try .tcp(signer)], seed: 1)
    var rooms: [RoomID] = []
    for nonce in [1, 2] as [UInt8] {
      let create = Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
        nonce: [UInt8](repeating: nonce, count: 16), profile: Profile(name: "host")
      ).reading(edition: 2, content: [1, 2, 3])
      rooms.append(try await networkPeer.write { core throws(PeerError) in try core.create(create) })
    }
    self.rooms = rooms
    address = try await networkPeer.listen(on: Address(host: "127.0.0.1", port: 0))
  }

  func stop() async { await networkPeer.stop() }
}

import Channel
import EventLog
import Events
import Games
import Gossip
import Peer
import Testing

@testable import Network

/// A peer with its store, for tests.
struct TestPeer {
  let networkPeer: NetworkPeer
  let log: any EventLog
  let number: UInt8

  static func credentials(
    _ number: UInt8, network: NetworkID = .standard, presharedKey: UInt8? = nil
  ) -> Credentials {
    Credentials(
      signer: SigningKey(seed: [UInt8](repeating: number, count: 32)), network: network, keys: .generate(),
      presharedKey: presharedKey.flatMap { PresharedKey([UInt8](repeating: $0, count: 32)) })
  }

  init(
    _ number: UInt8, _ transport: any Transport, network: NetworkID = .standard, presharedKey: UInt8? = nil,
    log: (any EventLog)? = nil, settings: NetworkSettings = .standard, channel: ChannelSettings = .standard,
    gossip: GossipSettings = .standard
  ) {
    let credentials = Self.credentials(number, network: network, presharedKey: presharedKey)
    self.init(
      number, [ChannelTransport(transport, credentials, channel)], network: network, log: log,
      settings: settings, gossip: gossip)
  }

  init(
    _ number: UInt8, _ transports: [any LinkTransport], network: NetworkID = .standard,
    log: (any EventLog)? = nil, settings: NetworkSettings = .standard, gossip: GossipSettings = .standard
  ) {
    let log: any EventLog = log ?? MemoryEventLog(network: network)
    let core = PeerCore(
      signer: Self.credentials(number).signer, network: network, catalog: Games.catalog, scheme: Ed25519(),
      settings: gossip, seed: UInt64(number), now: { 0 })
    self.number = number
    self.log = log
    networkPeer = NetworkPeer(
      core: core, log: log, committer: GroupCommitter(log), transports: transports, settings: settings,
      seed: UInt64(number))
  }

  var id: PeerID { networkPeer.peer }

  /// Creates a room.
  func createRoom(_ nonce: UInt8 = 1) async throws -> RoomID {
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: nonce, count: 16), profile: Profile(name: "host"))
    return try await networkPeer.write { core throws(PeerError) in try core.create(create) }
  }

  func chat(_ words: String, in room: RoomID) async throws {
    _ = try await networkPeer.write { core throws(PeerError) in
      _ = try core.write(.chat(words), in: room)
      return room
    }
  }

  /// How many events of a room are in the store.
  func stored(_ room: RoomID) -> Int {
    do { return try log.load(room, verify: true).entries.count } catch { return 0 }
  }

  func isConnected(to others: TestPeer...) async -> Bool {
    let found = await networkPeer.peers.map(\.peer).sorted()
    return found == others.map(\.id).sorted()
  }

  /// Why the only address is not connected.
  func failure() async -> String { await networkPeer.addresses.first?.failure ?? "" }
}

/// Hands bytes on between two places, until it is cut.
actor Relay {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private let transport: any Transport
  private let target: Address
  private var listener: (any Listener)?
  private var streams: [any ByteStream] = []
  private var isCut = false
  /// How many connections came.
  private(set) var count = 0
  /// Changes what goes through.
  private var change: @Sendable ([UInt8]) -> [UInt8] = { $0 }

  init(_ transport: any Transport, to target: Address) {
    loop = transport.loop
    self.transport = transport
    self.target = target
  }

  func listen(on address: Address) throws(NetworkError) -> Address {
    let listener = try transport.listen(on: address) { self.accept($0) }
    self.listener = listener
    return listener.address
  }

  func setChange(_ change: @escaping @Sendable ([UInt8]) -> [UInt8]) { self.change = change }

  private func accept(_ near: any ByteStream) {
    count += 1
    guard !isCut else { return near.close(afterWriting: false) }
    streams.append(near)
    _ = transport.connect(to: target) { result in
      guard case .success(let far) = result else { return near.close(afterWriting: false) }
      self.streams.append(far)
      self.join(near, far)
      self.join(far, near)
    }
  }

  private func join(_ from: any ByteStream, _ to: any ByteStream) {
    from.start { event in
      switch event {
      case .received(let bytes): to.write(self.change(bytes))
      case .drained: break
      case .ended: to.close(afterWriting: true)
      }
    }
  }

  /// Ends all connections, and lets nobody through until it is healed.
  func cut() {
    isCut = true
    for stream in streams { stream.close(afterWriting: false) }
    streams = []
  }

  func heal() { isCut = false }

  func stop() {
    cut()
    listener?.close()
  }
}

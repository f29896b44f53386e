import BotKit
import Channel
import Events
import Gossip
import Network
import Simulation

/// Whoever means ill to whole peers: some hosts, keys without number, and connections that are held to nothing
/// (Docs/THREATS.md).
final class Attacker {
  /// The most hosts, and connections that are begun at one moment.
  static let limitHosts = 3
  private static let limitConnections = 24
  private static let limitAlive = 48

  let hosts: Range<Int>
  private let streams: [SimulatedStreams]
  private let machine: SimulatedMachine
  private let seed: UInt64
  private let pair: KeyPair
  /// By the key's id: its number. Keys lie in memory that is guarded and scarce, so that they are made when they are
  /// used.
  private var ring: [PeerID: Int] = [:]
  private(set) var connections: [HostileConnection] = []
  /// Those that have opened more games than anybody takes of one key: of these each peer has others.
  var greedy: Set<PeerID> = []
  var fraudster: Fraudster
  var random: RandomStream
  let hasher = EventHasher(network: .standard)

  /// - Parameter first: the number of its first host.
  init(_ network: SimulatedNetwork, firstHost first: Int, seed: UInt64) {
    random = RandomStream(seed: seed, for: .attacks)
    hosts = first..<(first + random.draw(1...Self.limitHosts))
    streams = hosts.map { SimulatedStreams(network, host: $0) }
    machine = network.machine
    self.seed = seed
    let machine = machine
    pair = .generate { machine.bytes() }
    fraudster = Fraudster(signers: [])
    fraudster = Fraudster(signers: (0...Fraudster.strangers).map { _ in newKey() })
  }

  // MARK: - Keys

  /// A key that nobody has heard of.
  func newKey() -> SigningKey {
    let key = key(ring.count)
    ring[key.peer] = ring.count
    return key
  }

  private func key(_ number: Int) -> SigningKey {
    var hash = Blake2b(domain: "parlor-simulation-attack")
    hash.update(bigEndian: seed)
    hash.update(bigEndian: UInt64(number))
    return SigningKey(seed: hash.digest().bytes)
  }

  /// The key of somebody that is one of these.
  func key(of peer: PeerID) -> SigningKey? { ring[peer].map(key) }

  /// Whether somebody is one of these.
  func isOwn(_ peer: PeerID) -> Bool { ring[peer] != nil }

  // MARK: - Connections

  /// Connects to a peer.
  @discardableResult
  func connect(
    _ manner: HostileConnection.Manner, to victim: Int, from host: Int? = nil, as key: SigningKey? = nil
  ) -> HostileConnection {
    let place = host ?? random.below(hosts.count)
    let machine = machine
    let credentials = Credentials(
      signer: key ?? newKey(), network: .standard, keys: pair, random: { machine.bytes() })
    let connection = HostileConnection(manner, to: victim, credentials, streams[place])
    connections.removeAll { $0.isOver }
    if connections.count >= Self.limitAlive { connections.removeFirst().end() }
    connections.append(connection)
    connection.begin()
    return connection
  }

  /// Opens connections without number.
  /// - Returns: what it does, in words.
  func floodConnections(_ victim: Int) -> String {
    let (count, host) = (random.draw(4...Self.limitConnections), random.below(hosts.count))
    let isSpread = random.oneIn(3)
    let kind = random.below(6)
    for _ in 0..<count {
      let connection = connect(
        manner(kind), to: victim, from: isSpread ? nil : host, as: kind == 5 ? fraudster.ownKey : nil)
      if case .garbage = connection.manner, random.oneIn(4) { connection.end() }
    }
    return "\(count) connections of kind \(kind)"
  }

  private func manner(_ kind: Int) -> HostileConnection.Manner {
    switch kind {
    case 0: .silent
    case 1: .garbage(random.bytes(random.draw(1...300)))
    case 2: .half(missing: random.draw(1...60))
    case 3: .deaf
    default: .proven
    }
  }

  /// A connection over which something is said to a peer; it may have to be made first.
  func line(to victim: Int) -> HostileConnection {
    let open = connections.filter { connection in
      if case .proven = connection.manner { connection.victim == victim && connection.isOpen } else { false }
    }
    return random.pick(open) ?? connect(.proven, to: victim)
  }

  /// Says what breaks the rules of channels and messages.
  func breakRules(_ victim: Int) -> String {
    let line = line(to: victim)
    let kind = random.below(5)
    switch kind {
    case 0: line.sendClear(random.bytes(random.draw(1...200)))
    case 1: line.send(random.bytes(random.draw(0...200)))
    case 2: line.sendPeers(random.bytes(random.draw(0...80)))
    case 3:
      // Addresses of nobody, and of peers that are others.
      let others = (0..<PeerList.limit).map { _ in
        Acquaintance(
          peer: newKey().peer, address: SimulatedNetwork.address(of: random.below(hosts.upperBound + 20)))
      }
      line.sendPeers(PeerList(port: UInt16(random.below(9_000)), others: others).encoded)
    default: for connection in connections where random.oneIn(2) { connection.end() }
    }
    return "it breaks rules, kind \(kind)"
  }

  /// From now on nothing comes from it. Some connections end, others fall silent.
  func retire() {
    for connection in connections {
      if random.oneIn(2) { connection.end() } else { connection.fallSilent() }
    }
  }

  // MARK: - Events

  /// Sends events of these keys, each signed by itself.
  func send(_ events: [Event], in room: RoomID, over line: HostileConnection) {
    var known: SigningKey?
    let runs = events.compactMap { event -> Run? in
      if known?.peer != event.author { known = key(of: event.author) }
      return known.map { Run(events: [event], signature: $0.sign(event.id)) }
    }
    let batch = 64
    for first in stride(from: 0, to: runs.count, by: batch) {
      let message = RunsMessage(room: room, runs: Array(runs[first...].prefix(batch)))
      line.send(Message.runs(message).encoded())
    }
  }
}

extension Fraudster {
  /// The key by which it is known.
  fileprivate var ownKey: SigningKey? { signers.first as? SigningKey }
}

import Channel
import EventLog
import Events
import Games
import Network
import Peer
import Platform
import Terminal

extension Role {
  /// Connects as many peers, each with a key of its own, to one port of this machine: a port, how many peers.
  func connectCrowd() async throws {
    let (port, count) = (UInt16(try number(0)), try number(1))
    let log = MemoryEventLog(network: .standard)
    let committer = GroupCommitter(log)
    let transport = TCPTransport(try EventLoop())
    var peers: [NetworkPeer] = []
    for number in 0..<count {
      let peer = Self.peer(number, log, committer, transport)
      peers.append(peer)
      let changes = await peer.changes()
      await peer.connect(to: Address(host: "127.0.0.1", port: port))
      // One after the other: whoever is asked takes only so many strangers at a time.
      for await _ in changes where await !peer.peers.isEmpty { break }
    }
    try answer("connected")
    _ = await nextOrder()
    for peer in peers { await peer.stop() }
  }

  static func peer(
    _ number: Int, _ log: MemoryEventLog, _ committer: GroupCommitter, _ transport: TCPTransport
  ) -> NetworkPeer {
    var seed = Blake2b(domain: "bench-crowd")
    seed.update(bigEndian: UInt64(number))
    let signer = SigningKey(seed: seed.digest().bytes)
    let core = PeerCore(
      signer: signer, network: log.network, catalog: Games.catalog, scheme: Ed25519(), seed: UInt64(number),
      now: { WallClock.milliseconds() })
    let credentials = Credentials(signer: signer, network: log.network, keys: .generate())
    return NetworkPeer(
      core: core, log: log, committer: committer, transports: [ChannelTransport(transport, credentials)],
      seed: UInt64(number))
  }
}

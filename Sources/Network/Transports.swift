import Events

/// The ways in which a peer comes to connections, and where it waits for them.
struct Transports {
  /// All on one loop.
  private let ways: [any LinkTransport]
  private var listeners: [any Listener] = []

  /// - Parameter ways: at least one, all on one loop and of one peer; the first that serves an address is used for it.
  init(_ ways: [any LinkTransport]) {
    guard let first = ways.first else { preconditionFailure("a peer without a transport") }
    precondition(ways.allSatisfy { $0.loop === first.loop }, "a peer lives on one loop")
    precondition(ways.allSatisfy { $0.peer == first.peer }, "all transports prove one peer")
    self.ways = ways
  }

  var loop: EventLoop { ways[0].loop }
  /// Whom they prove this to be.
  var peer: PeerID { ways[0].peer }

  /// Where nothing serves an address, the first one says so.
  func way(to address: Address) -> any LinkTransport { ways.first { $0.serves(address) } ?? ways[0] }

  /// Waits for connections.
  /// - Returns: where, with the port that the system chose when none was given.
  mutating func listen(
    on address: Address, _ accept: @escaping (any MessageLink) -> Void
  ) throws(NetworkError) -> Address {
    let listener = try way(to: address).listen(on: address, accept)
    listeners.append(listener)
    return listener.address
  }

  /// Where connections come from the network; 0 for nowhere.
  var port: UInt16 {
    let places = listeners.map(\.address)
    return places.first { $0.host != Address.inProcess && !$0.isRelayed }?.port ?? 0
  }

  /// Waits for no others.
  mutating func close() {
    for listener in listeners { listener.close() }
    listeners = []
  }
}

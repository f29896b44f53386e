internal import Channel
package import Events
package import Gossip
internal import Peer

// Connections: how they come, and what comes over them.

extension NetworkPeer {
  /// The peers that this one is connected with, in the order in which they came.
  package var peers: [ConnectionStatus] { connections.statuses }

  /// The addresses that this one connects to.
  package var addresses: [DialStatus] { dialler.statuses { connections[$0] != nil } }

  /// Both of the above, of one moment.
  package var neighbourhood: (peers: [ConnectionStatus], addresses: [DialStatus]) { (peers, addresses) }

  /// Whether a peer that is connected was last found to hold all that both may share.
  package func isEqual(with peer: PeerID) -> Bool {
    connections[peer]?.neighbour.map { durable.core.isEqual(with: $0) } ?? false
  }

  /// Whether all that this peer has written since the start is with every peer that is connected, and no address is
  /// being tried for the first time. Peers that were not found to hold all that both may share are compared with once
  /// more, so that the answer may be another one a moment later.
  package func isHandedOver() -> Bool {
    guard durable.commits.hasWritten, failure == nil, !isStopped else { return true }
    let behind = connections.all.compactMap(\.neighbour).filter { !durable.core.isEqual(with: $0) }
    for neighbour in behind { durable.core.compareAgain(with: neighbour, at: tick) }
    if !behind.isEmpty { pump() }
    return behind.isEmpty && addresses.allSatisfy { $0.isConnected || $0.failure != nil }
  }

  /// How many connections there are whose other end has not proven who it is.
  package var greetings: Int { connections.greetings }

  /// Why this end refused last what came from an address that it connects to.
  package func refusal(at address: Address) -> Refusal? {
    dialler.dials.first { $0.address == address }?.refusal
  }

  /// Says with which peers there are no connections, and whose rooms are not taken in; those that stand end.
  package func block(_ peers: Set<PeerID>) {
    connections.blocked = peers
    durable.core.block(peers, at: tick)
    for connection in connections.all {
      guard let other = connection.peer, peers.contains(other) else { continue }
      connection.link.end(.busy)
      drop(connection)
    }
    for room in durable.core.openRooms { durable.touched.add(room) }
    pump()
  }

  // MARK: - Coming and going

  /// Takes a link that somebody made.
  func accept(_ link: any MessageLink) {
    if let victim = connections.crowdedOut { drop(victim) }
    begin(link, dial: nil)
  }

  /// Tries to connect.
  func attempt(_ dial: Dial) {
    let attempt = transports.way(to: dial.address).connect(to: dial.address, wanted: dial.wanted) { result in
      switch result {
      case .success(let link):
        self.dialler.reached(dial.number)
        self.begin(link, dial: dial.number)
      case .failure(let error):
        self.dialler.failed(dial.number, error.description, at: self.now)
        self.pump()
      }
    }
    dialler.began(dial.number, attempt, at: now)
  }

  private func begin(_ link: any MessageLink, dial: Int?) {
    guard !isStopped, failure == nil else { return link.close(afterSending: false) }
    let connection = connections.add(link, dial: dial, at: now)
    link.start { [weak connection] in
      guard let connection, !connection.isDropped else { return }
      self.attend(to: connection)
      self.pumpSoon()
    }
    if !connections.isReading { link.setReading(false, at: now) }
    pumpSoon()
  }

  /// Forgets a connection; what its link has to say goes out if it can.
  func drop(_ connection: Connection) {
    guard !connection.isDropped else { return }
    let rival = connections.remove(connection, at: now)
    if let neighbour = connection.neighbour { durable.core.disconnect(neighbour, at: tick) }
    let hasHeld = connection.peer != nil && now >= connection.began + settings.steadyMilliseconds
    dialler.ended(connection.dial, connection.link.ending, hasHeld: hasHeld, at: now)
    if let rival { admit(rival) }
    if let peer = connection.peer { dialler.lost(peer, at: now) }
  }

  // MARK: - What comes

  /// How many strangers are heard each time that the loop goes round.
  private static let limitHeard = 16

  /// Hears a few of the strangers that have said something, the hosts in turns: whoever has much heard keeps nobody
  /// waiting. The handshake is what costs most before it is known who is there.
  private func hearStrangers() {
    connections.anteroom.beginHearing()
    for _ in 0..<Self.limitHeard {
      guard let connection = connections.anteroom.nextHeld() else { break }
      connection.link.hear()
      attend(to: connection)
    }
    if connections.anteroom.hasHeld { hearSoon() }
    pumpSoon()
  }

  private func hearSoon() {
    if connections.anteroom.planHearing() { loop.nextTurn { self.hearStrangers() } }
  }

  /// Something came over a link, or it has ended; then `pump` drops it.
  private func attend(to connection: Connection) {
    let link = connection.link
    if link.isHeld, link.ending == nil {
      hearSoon()
      return connections.anteroom.hold(connection)
    }
    if let rival = connections.noteAnswer(of: connection) {
      for twin in [connection, rival] { twin.link.end(.twin) }
    }
    if case .ended(.twin, byOther: true) = link.ending, let teller = link.peer {
      durable.core.noteTwin(by: teller, at: tick)
    }
    let messages = link.takeMessages()
    if connection.isNew { admit(connection) }
    guard let neighbour = connection.neighbour else { return }
    for other in connections.learn(from: connection, port: port) { meet(other) }
    for message in messages { take(message, of: connection, neighbour) }
  }

  /// The other end has proven who it is: makes it a neighbour, or says why not.
  private func admit(_ connection: Connection) {
    let link = connection.link
    guard let other = link.peer else { return }
    guard other != peer else {
      // Another process with this peer's key: both are told.
      durable.core.noteTwin(by: peer, at: tick)
      return link.end(.twin)
    }
    // It is told no more than that this peer wants no other connection.
    guard !connections.blocked.contains(other) else { return link.end(.busy) }
    dialler.found(other, by: connection.dial)
    switch connections.find(other, besides: connection, isLower: peer < other, at: now) {
    case .only: break
    case .replaces(let older):
      older.link.end(.doubled)
      drop(older)
    case .rivals: return
    case .leaves(let farewell): return link.end(farewell)
    }
    if connections.isFull, let other = connections.makingWay(for: connection) {
      other.link.end(.busy)
      drop(other)
    }
    guard !connections.isFull else { return link.end(.busy) }
    guard mayShare() else { return link.end(.leaving) }
    dialler.connected(connection.dial)
    durable.core.connect(connections.admit(connection), as: other, isNearby: link.isNearby, at: tick)
    connections.introduce(connection, port: port)
  }

  /// Where this peer waits for connections over the network; 0 for nowhere.
  private var port: UInt16 { transports.port }

  /// Connects to a peer that this one was told of, unless it is known already.
  func meet(_ other: Acquaintance) {
    if other.peer != peer, connections[other.peer] == nil, !connections.blocked.contains(other.peer) {
      dialler.meet(other, at: now)
    }
  }
}

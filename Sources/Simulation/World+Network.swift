import BotKit
import Events
import Gossip

/// Links, connections and messages.
extension World {
  /// One link goes, another comes; those who stay are connected somehow.
  mutating func rewire() {
    guard phase == .safety else { return }
    schedule.add(.rewire, at: time + luck.topology.time(500...5_000))
    // Who goes back to an old copy keeps those who know better.
    guard let gone = wiring.someLink(&luck.topology), peers.count > 2, restoring == nil else { return }
    tell("peers \(gone.0) and \(gone.1) part")
    wiring.replace(gone, &luck.topology)
    guard !wiring.isLinked(gone.0, gone.1), let connection = wiring.connection(gone.0, gone.1) else { return }
    breakConnection(connection)
  }

  // MARK: - Connections

  /// Opens what is wanted and possible, again and again.
  mutating func connectAll() {
    checkLoads()
    if phase < .over { schedule.add(.connect, at: time + 200) }
    for a in peers.indices {
      for b in peers.indices where b > a && wiring.isLinked(a, b) { connect(a, b) }
    }
  }

  /// Opens a connection unless there is one, a peer is down, nothing would get through, or a refusal is too fresh.
  mutating func connect(_ a: Int, _ b: Int) {
    guard wiring.mayConnect(a, b, at: time), peers[a].isUp, peers[b].isUp,
      network.isOpen(from: a, to: b, at: time), network.isOpen(from: b, to: a, at: time)
    else { return }
    let number = wiring.connections.count
    var ends: [Connection.End] = []
    for (peer, other) in [(a, b), (b, a)] {
      let face = peers[peer].faces.count > 1 ? luck.topology.below(peers[peer].faces.count) : 0
      peers[peer].showTime(time)
      let neighbour = peers[peer].connect(
        number, to: peers[other].id, isNearby: seemsNear(peer, other), face: face, at: time)
      ends.append(
        Connection.End(peer: peer, life: peers[peer].life, neighbour: neighbour, face: face, arrives: time))
    }
    wiring.add(Connection(ends: ends))
    tell("peers \(a) and \(b) are connected")
    settle(a)
    settle(b)
  }

  /// Closes a connection on both sides: at one end at once, at the other when it notices.
  mutating func breakConnection(_ connection: Int, end first: Int? = nil) {
    let end = first ?? luck.topology.below(2)
    close(connection, end: end)
    schedule.add(.loseConnection(connection, end: 1 - end), at: time + luck.topology.time(1...400))
  }

  /// Closes one end of a connection.
  mutating func close(_ connection: Int, end: Int) {
    let side = wiring.connections[connection].ends[end]
    guard side.isOpen else { return }
    wiring.connections[connection].ends[end].isOpen = false
    if !wiring.connections[connection].ends[1 - end].isOpen
      || !isAlive(wiring.connections[connection].ends[1 - end])
    {
      wiring.noteClosed(connection)
    }
    guard isAlive(side) else { return }
    peers[side.peer].showTime(time)
    peers[side.peer].disconnect(side.neighbour, face: side.face, at: time)
    settle(side.peer)
  }

  private func isAlive(_ end: Connection.End) -> Bool { isAlive(end.peer, end.life) }

  /// A core wants to hear no more of a neighbour.
  mutating func refuse(_ neighbour: Neighbour, _ reason: Refusal, by peer: Int) {
    guard peers[peer].connections.indices.contains(Int(neighbour.number)) else { return }
    let connection = peers[peer].connections[Int(neighbour.number)]
    guard let end = wiring.connections[connection].ends.firstIndex(where: { $0.peer == peer }) else { return }
    let side = wiring.connections[connection].ends[end]
    guard side.isOpen, side.life == peers[peer].life, side.neighbour == neighbour else { return }
    let other = wiring.connections[connection].ends[1 - end].peer
    tell("peer \(peer) refuses peer \(other): \(reason)")
    statistics.refusals += 1
    if peers[peer].isHonest, peers[other].isHonest, !side.isSpoilt {
      violate(.conduct, peer: peer, "it refuses honest peer \(other): \(reason)")
    }
    wiring.noteRefusal(peer, other, at: time, isSafe: phase == .safety)
    breakConnection(connection, end: end)
  }

  // MARK: - Messages

  /// The peer at the other end of a connection.
  func receiver(of neighbour: Neighbour, by peer: Int) -> Int? {
    guard peers[peer].connections.indices.contains(Int(neighbour.number)) else { return nil }
    return wiring.connections[peers[peer].connections[Int(neighbour.number)]].ends.first { $0.peer != peer }?
      .peer
  }

  /// Sends a message of a peer's to the other end of a connection.
  mutating func send(_ bytes: [UInt8], by peer: Int, to neighbour: Neighbour) {
    guard peers[peer].connections.indices.contains(Int(neighbour.number)) else { return }
    let connection = peers[peer].connections[Int(neighbour.number)]
    guard let end = wiring.connections[connection].ends.firstIndex(where: { $0.peer == peer }) else { return }
    statistics.messages += 1
    statistics.bytes += bytes.count
    let other = wiring.connections[connection].ends[1 - end]
    guard isAlive(other) else { return }
    let copies = network.fate(of: bytes, from: peer, to: other.peer, at: time, after: other.arrives)
    for copy in copies {
      wiring.connections[connection].ends[1 - end].arrives = max(other.arrives, copy.time)
      schedule.add(
        .deliver(
          Packet(bytes: copy.bytes, connection: connection, end: 1 - end, isSpoilt: copy.isSpoilt)),
        at: copy.time)
    }
  }

  mutating func deliver(_ packet: Packet) {
    let side = wiring.connections[packet.connection].ends[packet.end]
    guard side.isOpen, isAlive(side) else { return }
    if packet.isSpoilt { wiring.connections[packet.connection].ends[packet.end].isSpoilt = true }
    let from = wiring.connections[packet.connection].ends[1 - packet.end].peer
    digest.add(packet.bytes, from: from, to: side.peer, at: time)
    statistics.delivered += 1
    makeMistake(with: packet, from: from, at: side)
    tell(
      "\(from) → \(side.peer): \(MessageWords.words(packet.bytes, hasher: EventHasher(network: .standard)))")
    guard !answerFalsely(packet, at: side) else { return }
    peers[side.peer].showTime(time)
    peers[side.peer].receive(packet.bytes, from: side.neighbour, face: side.face, at: time)
    settle(side.peer)
  }

  /// The mistakes that are planted where messages arrive.
  private mutating func makeMistake(with packet: Packet, from: Int, at side: Connection.End) {
    switch options.planted {
    case .talksOn where phase >= .quiet:
      statistics.messages += 1
      schedule.add(.deliver(packet), at: time + 50)
    case .accusesAtRandom where peers[side.peer].isHonest && luck.topology.oneIn(100):
      refuse(side.neighbour, .flood, by: side.peer)
    default: return
    }
  }
}

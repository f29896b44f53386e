import BotKit
import Events
import Gossip

/// Links, connections and messages.
extension World {
  /// How long after a refusal the next connection is tried at first, in milliseconds.
  private static let pauseMilliseconds: UInt64 = 500

  func pair(_ a: Int, _ b: Int) -> Int { min(a, b) * peers.count + max(a, b) }

  // MARK: - Links

  /// A random tree and some more links.
  mutating func wireAtFirst() {
    let order = topology.mixed(Array(peers.indices))
    for place in order.indices.dropFirst() { links[pair(order[place], order[topology.below(place)])] = true }
    for _ in 0..<topology.below(peers.count + 1) {
      let (a, b) = (topology.below(peers.count), topology.below(peers.count))
      if a != b { links[pair(a, b)] = true }
    }
  }

  /// One link goes, another comes; those who stay are connected somehow.
  mutating func rewire() {
    guard phase == .safety else { return }
    schedule.add(.rewire, at: time + topology.time(500...5_000))
    let present = links.indices.filter { links[$0] }
    // Who goes back to an old copy keeps those who know better.
    guard let gone = topology.pick(present), peers.count > 2, restoring == nil else { return }
    tell("peers \(gone / peers.count) and \(gone % peers.count) part")
    links[gone] = false
    while !isOnePiece(Array(peers.indices)) {
      let (a, b) = (topology.below(peers.count), topology.below(peers.count))
      if a != b { links[pair(a, b)] = true }
    }
    if !links[gone], let connection = linked[gone] { breakConnection(connection) }
  }

  /// Whether links join all of these peers without help of others.
  func isOnePiece(_ members: [Int]) -> Bool {
    guard let first = members.first else { return true }
    var reached = [first]
    var next = 0
    while next < reached.count {
      for peer in members where !reached.contains(peer) && links[pair(peer, reached[next])] {
        reached.append(peer)
      }
      next += 1
    }
    return reached.count == members.count
  }

  /// Adds links until these peers need nobody else.
  mutating func join(_ members: [Int]) {
    let order = topology.mixed(members)
    for place in order.indices.dropFirst() {
      guard !isOnePiece(Array(order.prefix(place + 1))) else { continue }
      links[pair(order[place], order[topology.below(place)])] = true
    }
  }

  // MARK: - Connections

  /// Opens what is wanted and possible, again and again.
  mutating func connectAll() {
    checkLoads()
    if phase < .over { schedule.add(.connect, at: time + 200) }
    for a in peers.indices {
      for b in peers.indices where b > a && links[pair(a, b)] { connect(a, b) }
    }
  }

  /// Opens a connection unless there is one, a peer is down, nothing would get through, or a refusal is too fresh.
  mutating func connect(_ a: Int, _ b: Int) {
    let pair = pair(a, b)
    guard linked[pair] == nil, peers[a].isUp, peers[b].isUp, pauses[pair].until <= time,
      network.isOpen(from: a, to: b, at: time), network.isOpen(from: b, to: a, at: time)
    else { return }
    let number = connections.count
    linked[pair] = number
    var ends: [Connection.End] = []
    for (peer, other) in [(a, b), (b, a)] {
      let face = peers[peer].faces.count > 1 ? topology.below(peers[peer].faces.count) : 0
      peers[peer].showTime(time)
      let neighbour = peers[peer].connect(
        number, to: peers[other].id, isNearby: seemsNear(peer, other), face: face, at: time)
      ends.append(
        Connection.End(peer: peer, life: peers[peer].life, neighbour: neighbour, face: face, arrives: time))
    }
    connections.append(Connection(ends: ends))
    tell("peers \(a) and \(b) are connected")
    settle(a)
    settle(b)
  }

  /// Closes a connection on both sides: at one end at once, at the other when it notices.
  mutating func breakConnection(_ connection: Int, end first: Int? = nil) {
    let end = first ?? topology.below(2)
    close(connection, end: end)
    schedule.add(.loseConnection(connection, end: 1 - end), at: time + topology.time(1...400))
  }

  /// Closes one end of a connection.
  mutating func close(_ connection: Int, end: Int) {
    let side = connections[connection].ends[end]
    guard side.isOpen else { return }
    connections[connection].ends[end].isOpen = false
    if !connections[connection].ends[1 - end].isOpen || !isAlive(connections[connection].ends[1 - end]) {
      let pair = pair(side.peer, connections[connection].ends[1 - end].peer)
      if linked[pair] == connection { linked[pair] = nil }
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
    guard let end = connections[connection].ends.firstIndex(where: { $0.peer == peer }) else { return }
    let side = connections[connection].ends[end]
    guard side.isOpen, side.life == peers[peer].life, side.neighbour == neighbour else { return }
    let other = connections[connection].ends[1 - end].peer
    tell("peer \(peer) refuses peer \(other): \(reason)")
    statistics.refusals += 1
    if peers[peer].isHonest, peers[other].isHonest, !side.isSpoilt {
      violate(.conduct, peer: peer, "it refuses honest peer \(other): \(reason)")
    }
    let pair = pair(peer, other)
    pauses[pair].refusals += 1
    let pause = Self.pauseMilliseconds << UInt64(min(pauses[pair].refusals, 5))
    pauses[pair].until = time + (phase == .safety ? pause : Self.pauseMilliseconds)
    breakConnection(connection, end: end)
  }

  // MARK: - Messages

  /// The peer at the other end of a connection.
  func receiver(of neighbour: Neighbour, by peer: Int) -> Int? {
    guard peers[peer].connections.indices.contains(Int(neighbour.number)) else { return nil }
    return connections[peers[peer].connections[Int(neighbour.number)]].ends.first { $0.peer != peer }?.peer
  }

  /// Sends a message of a peer's to the other end of a connection.
  mutating func send(_ bytes: [UInt8], by peer: Int, to neighbour: Neighbour) {
    guard peers[peer].connections.indices.contains(Int(neighbour.number)) else { return }
    let connection = peers[peer].connections[Int(neighbour.number)]
    guard let end = connections[connection].ends.firstIndex(where: { $0.peer == peer }) else { return }
    statistics.messages += 1
    statistics.bytes += bytes.count
    let other = connections[connection].ends[1 - end]
    guard isAlive(other) else { return }
    let copies = network.fate(of: bytes, from: peer, to: other.peer, at: time, after: other.arrives)
    for copy in copies {
      connections[connection].ends[1 - end].arrives = max(other.arrives, copy.time)
      schedule.add(
        .deliver(
          Packet(bytes: copy.bytes, connection: connection, end: 1 - end, isSpoilt: copy.isSpoilt)),
        at: copy.time)
    }
  }

  mutating func deliver(_ packet: Packet) {
    let side = connections[packet.connection].ends[packet.end]
    guard side.isOpen, isAlive(side) else { return }
    if packet.isSpoilt { connections[packet.connection].ends[packet.end].isSpoilt = true }
    let from = connections[packet.connection].ends[1 - packet.end].peer
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
    case .accusesAtRandom where peers[side.peer].isHonest && topology.oneIn(100):
      refuse(side.neighbour, .flood, by: side.peer)
    default: return
    }
  }
}

import Events
import Gossip

/// Connections and messages.
extension World {
  /// Opens a connection unless there is one, a peer is down, nothing would get through, or a refusal is too fresh.
  mutating func connect(_ a: Int, _ b: Int) {
    guard wiring.mayConnect(a, b, at: time), peers[a].isUp, peers[b].isUp,
      network.isOpen(from: a, to: b, at: time), network.isOpen(from: b, to: a, at: time)
    else { return }
    var ends: [Connection.End] = []
    for (peer, other) in [(a, b), (b, a)] {
      let face = peers[peer].faces.count > 1 ? luck.topology.below(peers[peer].faces.count) : 0
      peers[peer].clock.show(time)
      let neighbour = wiring.nextNeighbour(of: peer)
      let seemsNear = rooms.isNear(peer, other) || options.planted == .ignoresDistance
      peers[peer].connect(neighbour, to: peers[other].id, isNearby: seemsNear, face: face, at: time)
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
    peers[side.peer].clock.show(time)
    peers[side.peer].disconnect(side.neighbour, face: side.face, at: time)
    settle(side.peer)
  }

  private func isAlive(_ end: Connection.End) -> Bool { isAlive(end.peer, end.life) }

  /// A core wants to hear no more of a neighbour.
  mutating func refuse(_ neighbour: Neighbour, _ reason: Refusal, by peer: Int) {
    guard let (connection, end) = wiring.end(of: peer, to: neighbour) else { return }
    let side = wiring.connections[connection].ends[end]
    guard side.isOpen, side.life == peers[peer].life, side.neighbour == neighbour else { return }
    let other = wiring.connections[connection].ends[1 - end].peer
    tell("peer \(peer) refuses peer \(other): \(reason)")
    record.statistics.refusals += 1
    if peers[peer].isHonest, peers[other].isHonest, !side.isSpoilt {
      violate(.conduct, peer: peer, "it refuses honest peer \(other): \(reason)")
    }
    wiring.noteRefusal(peer, other, at: time, isSafe: phase == .safety)
    breakConnection(connection, end: end)
  }

  // MARK: - Messages

  /// Sends a message of a peer's to the other end of a connection.
  mutating func send(_ bytes: [UInt8], by peer: Int, to neighbour: Neighbour) {
    guard let (connection, end) = wiring.end(of: peer, to: neighbour) else { return }
    record.statistics.messages += 1
    record.statistics.bytes += bytes.count
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
    record.digest.add(packet.bytes, from: from, to: side.peer, at: time)
    record.statistics.delivered += 1
    makeMistake(with: packet, from: from, at: side)
    tell(
      "\(from) → \(side.peer): \(MessageWords.words(packet.bytes, hasher: EventHasher(network: .standard)))")
    guard !answerFalsely(packet, at: side) else { return }
    peers[side.peer].clock.show(time)
    peers[side.peer].receive(packet.bytes, from: side.neighbour, face: side.face, at: time)
    settle(side.peer)
  }

  /// The mistakes that are planted where messages arrive.
  private mutating func makeMistake(with packet: Packet, from: Int, at side: Connection.End) {
    switch options.planted {
    case .talksOn where phase >= .quiet:
      record.statistics.messages += 1
      schedule.add(.deliver(packet), at: time + 50)
    case .accusesAtRandom where peers[side.peer].isHonest && luck.topology.oneIn(100):
      refuse(side.neighbour, .flood, by: side.peer)
    default: return
    }
  }

  // MARK: - Falsehoods

  /// Has a dishonest peer answer a question as it likes.
  /// - Returns: whether it did, and its program is not asked.
  private mutating func answerFalsely(_ packet: Packet, at side: Connection.End) -> Bool {
    guard peers[side.peer].mischief.contains(.inventions), phase < .settled, adversary.inventions.oneIn(2),
      let message = Self.question(packet.bytes), case .ask(let salt, let parts) = message
    else { return false }
    let answer = invent(by: side.peer) { (inventor) throws(FormatError) in
      inventor.answer(parts, salt: salt)
    }
    if let answer { send(answer.encoded(), by: side.peer, to: side.neighbour) }
    return answer != nil
  }

  private static func question(_ bytes: [UInt8]) -> Message? {
    let ask: UInt8 = 2
    guard bytes.first == ask else { return nil }
    do throws(FormatError) {
      return try Message(decoding: bytes, hasher: EventHasher(network: .standard))
    } catch { return nil }
  }

  /// Has a dishonest peer make something up.
  mutating func invent(
    by peer: Int, _ body: (inout Inventor) throws(FormatError) -> Message
  ) -> Message? {
    do throws(FormatError) {
      return try adversary.invent(by: peers[peer], rooms: rooms.ids, peers: peers.map(\.id), body)
    } catch {
      tell("dishonest peer \(peer) cannot make that up: \(error)")
      return nil
    }
  }
}

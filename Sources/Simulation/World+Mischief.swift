import BotKit
import Events
import Gossip
import Peer
import Projection
import Rules

/// What dishonest peers do: with their own keys alone.
extension World {
  /// The most messages that a dishonest peer remembers.
  private static let limitRemembered = 64

  // MARK: - Acting

  /// Plays along, more or less.
  mutating func actDishonestly(_ peer: Int) {
    if phase == .safety { createRooms(of: peer) }
    inviteGuests(of: peer)
    let ways = peers[peer].mischief
    for face in peers[peer].faces.indices {
      stirHosted(by: peer, face: face)
      for number in peers[peer].tables.indices where peers[peer].tables[number]?.isStirred == true {
        defraudRound(of: peer, face: face, in: number, oneIn: 3)
        if peers[peer].withholds(in: number), peers[peer].isInRound(number, face: face) { continue }
        // Who cheats does what it owes when it likes to.
        if ways.contains(.cheating), peers[peer].random.oneIn(3) { continue }
        misbehave(peer, face: face, in: number) { (member, time) throws(PeerError) in
          _ = try member.look(at: number, face: face, time: time)
        }
        if peers[peer].faces.count > face + 1 { peers[peer].tables[number]?.isStirred = true }
      }
      guard let number = peers[peer].random.pick(tableNumbers(of: peer)) else { continue }
      defraudRound(of: peer, face: face, in: number, oneIn: 2)
      let cheats = ways.contains(.cheating) && peers[peer].random.oneIn(4)
      misbehave(peer, face: face, in: number) { (member, time) throws(PeerError) in
        if cheats {
          try member.cheat(in: number, face: face)
        } else {
          try member.amuse(in: number, face: face, time: time, isClosing: false)
        }
      }
    }
  }

  /// Lets a peer that cheats in rounds do so.
  private mutating func defraudRound(of peer: Int, face: Int, in number: Int, oneIn count: Int) {
    guard peers[peer].mischief.contains(.roundFrauds), phase == .safety, peers[peer].random.oneIn(count)
    else { return }
    misbehave(peer, face: face, in: number) { (member, time) throws(PeerError) in
      try member.defraudRound(in: number, face: face, time: time)
    }
  }

  /// Lets a dishonest peer do something in a room; what it cannot do it lets be.
  mutating func misbehave(
    _ peer: Int, face: Int, in number: Int, _ body: (inout SimulatedPeer, UInt64) throws(PeerError) -> Void
  ) {
    guard let room = peers[peer].tables[number]?.room else { return }
    let before = peers[peer].ownCount(in: room, face: face)
    do throws(PeerError) { try body(&peers[peer], time) } catch {
      tell("dishonest peer \(peer) could not: \(error)")
    }
    noteWritten(in: number, by: peer)
    if peers[peer].faces.count > 1, peers[peer].ownCount(in: room, face: face) != before {
      forgers[peer]?.note(face, wroteIn: room, after: before)
    }
  }

  // MARK: - Moments

  /// A fault of dishonest peers has its moment.
  mutating func provoke(_ fault: Fault, _ random: inout RandomStream) {
    let culprits = peers.indices.filter { peers[$0].mischief.contains(fault) && peers[$0].isUp }
    guard let peer = random.pick(culprits) else { return }
    peers[peer].showTime(time)
    switch fault {
    case .forks: part(peer)
    case .withholding: withhold(peer, &random)
    case .floods: flood(peer, &random)
    case .forgery: garble(peer, &random)
    case .inventions: makeThingsUp(peer)
    case .frauds: defraud(peer)
    case .lies: repeatOldMessages(peer, &random, count: 3)
    default: return
    }
    settle(peer)
  }

  /// One program becomes two that know nothing of each other; each keeps some of the connections.
  private mutating func part(_ peer: Int) {
    guard peers[peer].faces.count == 1, time > 2_000 else { return }
    tell("dishonest peer \(peer) becomes two")
    peers[peer].faces.append(peers[peer].faces[0])
    for connection in peers[peer].connections {
      guard let end = wiring.connections[connection].ends.firstIndex(where: { $0.peer == peer }),
        wiring.connections[connection].ends[end].isOpen
      else { continue }
      let face = luck.topology.below(2)
      wiring.connections[connection].ends[end].face = face
      let neighbour = wiring.connections[connection].ends[end].neighbour
      peers[peer].disconnect(neighbour, face: 1 - face, at: time)
    }
  }

  /// Sends somebody nothing for a while, or hears nothing itself.
  private mutating func withhold(_ peer: Int, _ random: inout RandomStream) {
    let victim = random.below(peers.count)
    let until = time + random.time(1_000...10_000)
    forgers[peer]?.silence(victim, until: until, peers: peers.count)
    tell("dishonest peer \(peer) tells peer \(victim) nothing until \(SimulatedTime.text(until))")
  }

  private mutating func flood(_ peer: Int, _ random: inout RandomStream) {
    tell("dishonest peer \(peer) floods")
    switch random.below(3) {
    case 0:
      guard let number = random.pick(tableNumbers(of: peer)) else { return }
      let count = random.draw(20...150)
      misbehave(peer, face: 0, in: number) { (member, _) throws(PeerError) in
        for flake in 0..<count { try member.chatter("\(flake)", in: number) }
      }
    case 1:
      let count = random.draw(5...30)
      for _ in 0..<count {
        let create = Create(
          rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, nonce: random.bytes(16),
          profile: Profile(name: "flood"), scope: .open)
        do throws(PeerError) {
          let room = try peers[peer].faces[0].create(create)
          strays.append(room)
          noteChange(in: room, of: peer, face: 0)
        } catch { tell("dishonest peer \(peer) could not: \(error)") }
      }
    default: repeatOldMessages(peer, &random, count: random.draw(20...200))
    }
  }

  /// Sends messages again that it sent long ago, to anybody: old clocks, old requests, old events.
  private mutating func repeatOldMessages(_ peer: Int, _ random: inout RandomStream, count: Int) {
    guard let sent = forgers[peer]?.sent, !sent.isEmpty else { return }
    for _ in 0..<count {
      guard let bytes = random.pick(sent), let neighbour = random.pick(openNeighbours(of: peer)) else {
        return
      }
      send(bytes, by: peer, to: neighbour)
    }
  }

  /// Sends garbage, or a message with some bits changed.
  private mutating func garble(_ peer: Int, _ random: inout RandomStream) {
    guard let neighbour = random.pick(openNeighbours(of: peer)) else { return }
    let isNoise = random.oneIn(2)
    let noise = random.bytes(random.draw(0...200))
    let bytes = isNoise ? noise : random.pick(forgers[peer]?.sent ?? []).map { network.spoilt($0) } ?? noise
    tell("dishonest peer \(peer) sends garbage")
    send(bytes, by: peer, to: neighbour)
  }

  /// The connections that a peer has open.
  func openNeighbours(of peer: Int) -> [Neighbour] {
    peers[peer].connections.compactMap { connection in
      wiring.connections[connection].ends.first { $0.peer == peer && $0.isOpen }?.neighbour
    }
  }

  // MARK: - Messages

  /// What a dishonest peer sends in place of a message of its program.
  mutating func tampered(_ bytes: [UInt8], by peer: Int, to neighbour: Neighbour) -> [[UInt8]] {
    guard let other = receiver(of: neighbour, by: peer),
      forgers[peer]?.isSilent(to: other, at: time) != true
    else { return [] }
    if peers[peer].mischief.contains(.withholding), peers[peer].random.oneIn(4) { return [] }
    if forgers[peer]?.sent.count ?? 0 < Self.limitRemembered {
      forgers[peer]?.sent.append(bytes)
    } else if peers[peer].random.oneIn(8) {
      forgers[peer]?.sent[peers[peer].random.below(Self.limitRemembered)] = bytes
    }
    return [bytes]
  }
}

extension Forger {
  /// Says nothing to a peer for a while.
  mutating func silence(_ peer: Int, until time: UInt64, peers: Int) {
    while silentUntil.count < peers { silentUntil.append(0) }
    silentUntil[peer] = time
  }

  /// Whether it says nothing to a peer.
  func isSilent(to peer: Int, at time: UInt64) -> Bool {
    silentUntil.indices.contains(peer) && silentUntil[peer] > time
  }
}

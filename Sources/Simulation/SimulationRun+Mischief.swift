import BotKit
import Events
import Gossip
import Peer

/// Faults of dishonest peers, one moment at a time: with their own keys alone (Docs/PROTOCOL.md §3.2).
extension SimulationRun {
  /// The most messages that are made up at one moment, and tricks that are played.
  private static let limitInventions = 6
  private static let limitTricks = 3

  /// A fault of dishonest peers has its moment.
  mutating func provoke(_ fault: Fault, _ random: inout RandomStream) {
    let culprits = world.peers.indices.filter {
      world.peers[$0].mischief.contains(fault) && world.peers[$0].isUp
    }
    guard let peer = random.pick(culprits) else { return }
    world.peers[peer].clock.show(world.time)
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
    world.settle(peer)
  }

  /// One program becomes two that know nothing of each other; each keeps some of the connections.
  private mutating func part(_ peer: Int) {
    guard world.peers[peer].faces.count == 1, world.time > 2_000 else { return }
    world.tell("dishonest peer \(peer) becomes two")
    world.peers[peer].faces.append(world.peers[peer].faces[0])
    for (connection, end) in world.wiring.ends(of: peer)
    where world.wiring.connections[connection].ends[end].isOpen {
      let face = world.luck.topology.below(2)
      world.wiring.connections[connection].ends[end].face = face
      let neighbour = world.wiring.connections[connection].ends[end].neighbour
      world.peers[peer].disconnect(neighbour, face: 1 - face, at: world.time)
    }
  }

  /// Sends somebody nothing for a while, or hears nothing itself.
  private mutating func withhold(_ peer: Int, _ random: inout RandomStream) {
    let victim = random.below(world.peers.count)
    let until = world.time + random.time(1_000...10_000)
    world.adversary.silence(peer, toward: victim, until: until)
    world.tell("dishonest peer \(peer) tells peer \(victim) nothing until \(SimulatedTime.text(until))")
  }

  private mutating func flood(_ peer: Int, _ random: inout RandomStream) {
    world.tell("dishonest peer \(peer) floods")
    switch random.below(3) {
    case 0:
      guard let number = random.pick(world.peers[peer].tableNumbers) else { return }
      let count = random.draw(20...150)
      world.misbehave(peer, face: 0, in: number) { (member, _) throws(PeerError) in
        for flake in 0..<count { try member.chatter("\(flake)", in: number) }
      }
    case 1:
      let count = random.draw(5...30)
      for _ in 0..<count {
        let create = Create(
          rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2, nonce: random.bytes(16),
          profile: Profile(name: "flood"), scope: .open)
        do throws(PeerError) {
          let room = try world.peers[peer].faces[0].create(create)
          world.rooms.addStray(room)
          world.noteChange(in: room, of: peer, face: 0)
        } catch { world.tell("dishonest peer \(peer) could not: \(error)") }
      }
    default: repeatOldMessages(peer, &random, count: random.draw(20...200))
    }
  }

  /// Sends messages again that it sent long ago, to anybody: old clocks, old requests, old events.
  private mutating func repeatOldMessages(_ peer: Int, _ random: inout RandomStream, count: Int) {
    let sent = world.adversary.sent(by: peer)
    for _ in 0..<count {
      guard let bytes = random.pick(sent), let neighbour = random.pick(world.wiring.openNeighbours(of: peer))
      else {
        return
      }
      world.send(bytes, by: peer, to: neighbour)
    }
  }

  /// Sends garbage, or a message with some bits changed.
  private mutating func garble(_ peer: Int, _ random: inout RandomStream) {
    guard let neighbour = random.pick(world.wiring.openNeighbours(of: peer)) else { return }
    let isNoise = random.oneIn(2)
    let noise = random.bytes(random.draw(0...200))
    let bytes =
      isNoise ? noise : random.pick(world.adversary.sent(by: peer)).map { world.network.spoilt($0) } ?? noise
    world.tell("dishonest peer \(peer) sends garbage")
    world.send(bytes, by: peer, to: neighbour)
  }

  // MARK: - Inventions

  /// Sends somebody messages in which nothing is so.
  private mutating func makeThingsUp(_ peer: Int) {
    let count = world.adversary.inventions.draw(1...Self.limitInventions)
    world.tell("dishonest peer \(peer) makes up \(count) messages")
    for _ in 0..<count {
      guard let neighbour = world.adversary.inventions.pick(world.wiring.openNeighbours(of: peer)) else {
        return
      }
      let message = world.invent(by: peer) { (inventor) throws(FormatError) in try inventor.message() }
      if let message { world.send(message.encoded(), by: peer, to: neighbour) }
    }
    intrude(peer)
  }

  /// Writes into a room that is none of its own. Who says two things there has forked.
  private mutating func intrude(_ peer: Int) {
    let others = world.rooms.ids(without: peer)
    guard world.adversary.inventions.oneIn(4), let room = world.adversary.inventions.pick(others),
      let neighbour = world.adversary.inventions.pick(world.wiring.openNeighbours(of: peer))
    else { return }
    let message = world.invent(by: peer) { (inventor) throws(FormatError) in
      try inventor.intrusion(in: room)
    }
    guard let message else { return }
    world.tell("dishonest peer \(world.peers[peer].id.short) intrudes into room \(room.short)")
    world.adversary.noteBranches(of: peer, in: room, after: 0)
    world.send(message.encoded(), by: peer, to: neighbour)
  }

  // MARK: - Frauds

  /// Plays tricks in some rooms, its own and others'.
  private mutating func defraud(_ peer: Int) {
    for _ in 0..<world.adversary.frauds.draw(1...Self.limitTricks) {
      guard let room = world.adversary.frauds.pick(world.rooms.ids), let log = world.peers[peer].log(of: room)
      else { continue }
      do throws(FormatError) {
        guard let played = try world.adversary.play(in: log, by: peer) else { continue }
        world.tell("dishonest peer \(peer) plays \(played.trick) in room \(room.short)")
        deliver(played.deliveries, in: room, by: peer)
      } catch { world.tell("dishonest peer \(peer) cannot write that: \(error)") }
    }
  }

  private mutating func deliver(_ deliveries: [Fraudster.Delivery], in room: RoomID, by peer: Int) {
    let neighbours = world.wiring.openNeighbours(of: peer)
    guard !neighbours.isEmpty else { return }
    world.adversary.noteTricksTold(of: peer, in: room)
    for delivery in deliveries {
      let message = Message.runs(RunsMessage(room: room, runs: [delivery.run])).encoded()
      let targets = delivery.neighbour.map { [neighbours[$0 % neighbours.count]] } ?? neighbours
      for target in targets { world.send(message, by: peer, to: target) }
    }
  }
}

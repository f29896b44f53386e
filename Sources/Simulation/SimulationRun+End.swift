import EventLog
import Events
import Games
import Gossip
import Peer
import Projection

/// Faults end, and what must hold then is looked at.
extension SimulationRun {
  /// How long games may go on after faults have ended, in milliseconds.
  private static let closingMilliseconds: UInt64 = 5_000
  /// How long is listened to those who have nothing to say.
  private static let quietMilliseconds: UInt64 = 10_000
  /// The most messages a connection may carry then, both ways together, on average a second.
  private static let limitQuietMessages = 4

  /// Faults end: everybody is up, the network is good, honest peers are connected without anybody else's help.
  mutating func heal() {
    world.phase = .closing
    world.tell("faults end")
    world.network.heal()
    restoring = nil
    for peer in world.peers.indices {
      world.peers[peer].storage.dropCopies()
      if !world.peers[peer].isUp { world.schedule.add(.start(peer: peer, copy: nil), at: world.time + 1) }
    }
    retireDishonest()
    joinForGood()
    world.schedule.add(.calmDown, at: world.time + Self.closingMilliseconds)
  }

  /// Half of the dishonest peers leave for good; the others go on withholding and lying, and begin nothing new.
  private mutating func retireDishonest() {
    for peer in world.peers.indices where !world.peers[peer].isHonest && world.luck.topology.oneIn(2) {
      world.tell("dishonest peer \(peer) leaves")
      for (connection, end) in world.wiring.ends(of: peer) { world.breakConnection(connection, end: end) }
      world.peers[peer].stop()
    }
  }

  /// Honest peers are linked with each other, and so are the honest members of every room.
  private mutating func joinForGood() {
    world.wiring.join(world.plan.honest, &world.luck.topology)
    for number in world.rooms.indices {
      let members = Set(world.rooms[number].plan.members).sorted()
      for circle in world.rooms.circles(members.filter { world.peers[$0].isHonest }, in: number) {
        world.wiring.join(circle, &world.luck.topology)
      }
    }
    world.wiring.endPauses()
    if world.options.planted == .staysCut, let last = world.plan.honest.last {
      for other in world.peers.indices where other != last { world.wiring.link(other, last, false) }
      for (connection, _) in world.wiring.ends(of: last) { world.breakConnection(connection) }
    }
  }

  /// Links those who want a room and may have it, where others would not pass it on.
  private mutating func joinSharers() {
    let isLimited = world.plan.faults.contains(.subscriptions)
    for number in world.rooms.indices {
      let wanting = world.rooms.admitted(to: number, among: world.peers)
      if world.rooms[number].plan.scope == .invited {
        // Each with each: not all may know of the same invitations.
        for a in wanting { for b in wanting where a < b { world.wiring.link(a, b) } }
      } else if isLimited {
        for circle in world.rooms.circles(wanting, in: number) {
          world.wiring.join(circle, &world.luck.topology)
        }
      }
    }
    if isLimited { world.wiring.join(world.rooms.unlimited(among: world.peers), &world.luck.topology) }
  }

  /// From now on nobody begins anything new.
  mutating func calmDown() {
    world.phase = .quiet
    world.tell("nobody begins anything new")
    joinSharers()
    compare()
  }

  // MARK: - Comparing

  /// Looks whether honest peers are alike; when they are, listens a while longer.
  mutating func compare() {
    checkLoads()
    switch world.phase {
    case .quiet:
      let healed = world.plan.safetyMilliseconds + Self.closingMilliseconds
      if world.rooms.difference(among: &world.peers) == nil, isStill {
        world.record.statistics.convergenceMilliseconds = world.time - healed
        settledMessages = world.record.statistics.messages
        world.phase = .settled
        world.tell("all honest peers are alike")
        world.schedule.add(.compare, at: world.time + Self.quietMilliseconds)
      } else if world.time - healed >= convergenceLimit {
        reportDifference()
        world.phase = .over
      } else {
        world.schedule.add(.compare, at: world.time + 250)
      }
    case .settled
    where world.rooms.difference(among: &world.peers) != nil && world.plan.honest.count < world.peers.count:
      // A dishonest peer told something only now: that has to get around as well.
      world.phase = .quiet
      compare()
    case .settled:
      listen()
      world.phase = .over
    default: return
    }
  }

  /// How soon after the last game everybody must have everything. Who recovers has patience with neighbours that
  /// announce and give nothing.
  private var convergenceLimit: UInt64 { world.plan.honest.count == world.peers.count ? 60_000 : 300_000 }

  /// Whether honest peers have nothing to write or commit any more.
  private var isStill: Bool {
    world.plan.honest.allSatisfy { peer in
      world.peers[peer].isUp && world.peers[peer].isRecovered && !world.peers[peer].isHosting
        && world.peers[peer].storage.isIdle
        && world.peers[peer].tables.allSatisfy { $0.map { !$0.isStirred } ?? true }
    }
  }

  /// Where nothing is new, little is said.
  private mutating func listen() {
    let open = world.wiring.connections.filter {
      $0.ends.allSatisfy { $0.isOpen && world.isAlive($0.peer, $0.life) }
    }
    let limit = open.count * Self.limitQuietMessages * Int(Self.quietMilliseconds / 1000) + 64
    let said = world.record.statistics.messages - settledMessages
    if said > limit, world.plan.honest.count == world.peers.count {
      world.violate(.bounds, "\(said) messages in 10 s on \(open.count) connections though nothing was new")
    }
    if let different = world.rooms.difference(among: &world.peers) {
      world.violate(.convergence, room: different.room, "what was alike is not any more: \(different.words)")
    }
  }

  private mutating func reportDifference() {
    for peer in world.plan.honest where !world.peers[peer].isRecovered {
      world.violate(.ability, peer: peer, "it still asks for its own heads")
    }
    if let different = world.rooms.difference(among: &world.peers) {
      world.violate(.convergence, room: different.room, different.words)
    } else {
      world.violate(.convergence, "somebody still has something to write or to commit")
    }
  }

  // MARK: - The end

  /// Looks at what everybody has, and reports.
  mutating func finish() -> RunReport {
    let checks = LogChecks(
      peers: world.peers.map(\.id), isHonest: world.peers.map(\.isHonest),
      strangers: world.adversary.strangers, hasher: EventHasher(network: .standard), scheme: world.scheme,
      ledger: world.ledger)
    for number in world.rooms.indices {
      guard let room = world.rooms[number].id else { continue }
      var logs: [RoomLog] = []
      for peer in world.plan.honest where world.peers[peer].isUp && world.peers[peer].hasTable(number) {
        guard let log = world.peers[peer].log(of: room) else { continue }
        for fault in checks.faults(of: log, hasForked: { world.adversary.fork(of: $0, in: room) != nil }) {
          world.violate(fault.promise, peer: peer, room: number, fault.words)
        }
        checkRounds(of: log, number, at: peer, isFirst: logs.isEmpty)
        world.record.digest.add(log.clock.digest(room: room))
        world.record.digest.add(world.peers[peer].digest(of: room))
        if logs.isEmpty { count(log, room, at: peer) }
        logs.append(log)
      }
      for words in checks.losses(of: room, in: logs) { world.violate(.durability, room: number, words) }
    }
    world.record.statistics.lost = world.network.lost
    return world.record.report(world.options)
  }

  private mutating func count(_ log: RoomLog, _ room: RoomID, at peer: Int) {
    world.record.statistics.convictions += log.forkProofs.count
    guard let state = world.peers[peer].state(of: room) else { return }
    world.record.statistics.agreedGames += state.games.count { $0.isAgreed }
    world.record.statistics.draws += state.games.reduce(0) { $0 + $1.plies.count { $0.isDraw } }
    world.record.statistics.settledRounds += state.hosted?.settledRounds ?? 0
  }

  /// Looks at the rounds of a room as an honest peer has them.
  /// - Parameter isFirst: whether it is the first peer that is looked at, so that what it has is counted.
  private mutating func checkRounds(of log: RoomLog, _ number: Int, at peer: Int, isFirst: Bool) {
    let viewer = world.peers[peer].id
    guard var projection = RoomProjection(log.graph, catalog: Games.catalog, seenBy: [viewer]) else { return }
    var honestKeys: [PeerID: any Signer] = [:]
    for peer in world.plan.honest { honestKeys[world.peers[peer].id] = world.peers[peer].signer }
    let circles = world.rooms.sharers(of: number, among: &world.peers).filter { $0.contains(peer) }
    let mayWrite =
      world.peers[peer].faces.isEmpty || world.peers[peer].faces[0].writingRefusal(in: log.room) == nil
    let checks = RoundChecks(
      &projection, log, viewer: viewer, sharers: Set(circles.joined().map { world.peers[$0].id }),
      honestKeys: honestKeys, mayWrite: mayWrite)
    for words in checks.convictions { world.violate(.conviction, peer: peer, room: number, words) }
    for words in checks.unfairRounds { world.violate(.fairness, peer: peer, room: number, words) }
    for member in world.peers where !member.isHonest {
      for fraud in member.cheating.triedFrauds where fraud.room == log.room && log.contains(fraud.event) {
        if let words = checks.fault(of: fraud) {
          world.violate(.fairness, peer: peer, room: number, words)
        }
        if isFirst { world.record.statistics.roundFrauds[fraud.kind.rawValue, default: 0] += 1 }
      }
      for read in member.cheating.readBoxes where read.room == log.room {
        world.violate(.fairness, room: number, "peer \(member.number) reads the answer \(read.entry.short)")
      }
    }
  }

  /// What honest peers keep for others must stay within what the product allows itself.
  mutating func checkLoads() {
    for peer in world.plan.honest where world.peers[peer].isUp {
      for words in LoadCheck.excesses(world.peers[peer].faces[0].gossip.load) {
        world.violate(.bounds, peer: peer, words)
      }
    }
  }
}

import EventLog
import Events
import Peer
import Projection

/// Faults end, and what must hold then is looked at.
extension World {
  /// Faults end: everybody is up, the network is good, honest peers are connected without anybody else's help.
  mutating func heal() {
    phase = .closing
    tell("faults end")
    network.heal()
    restoring = nil
    for peer in peers.indices {
      peers[peer].copies = []
      if !peers[peer].isUp { schedule.add(.start(peer: peer, copy: nil), at: time + 1) }
    }
    retireDishonest()
    joinForGood()
    schedule.add(.calmDown, at: time + Self.closingMilliseconds)
  }

  /// Half of the dishonest peers leave for good; the others go on withholding and lying, and begin nothing new.
  private mutating func retireDishonest() {
    for peer in peers.indices where !peers[peer].isHonest && luck.topology.oneIn(2) {
      tell("dishonest peer \(peer) leaves")
      for connection in peers[peer].connections {
        for end in wiring.connections[connection].ends.indices
        where wiring.connections[connection].ends[end].peer == peer {
          breakConnection(connection, end: end)
        }
      }
      peers[peer].stop()
    }
  }

  /// Honest peers are linked with each other, and so are the honest members of every room.
  private mutating func joinForGood() {
    wiring.join(plan.honest, &luck.topology)
    for number in rooms.indices {
      let members = Set(rooms[number].plan.members).sorted()
      for circle in circles(members.filter { peers[$0].isHonest }, in: number) {
        wiring.join(circle, &luck.topology)
      }
    }
    wiring.endPauses()
    if options.planted == .staysCut, let last = plan.honest.last {
      for other in peers.indices where other != last { wiring.link(other, last, false) }
      for connection in peers[last].connections { breakConnection(connection) }
    }
  }

  mutating func calmDown() {
    phase = .quiet
    tell("nobody begins anything new")
    joinSharers()
    compare()
  }

  // MARK: - Comparing

  /// Looks whether honest peers are alike; when they are, listens a while longer.
  mutating func compare() {
    checkLoads()
    switch phase {
    case .quiet:
      let healed = plan.safetyMilliseconds + Self.closingMilliseconds
      if difference() == nil, isStill {
        statistics.convergenceMilliseconds = time - healed
        settledMessages = statistics.messages
        phase = .settled
        tell("all honest peers are alike")
        schedule.add(.compare, at: time + Self.quietMilliseconds)
      } else if time - healed >= convergenceLimit {
        reportDifference()
        phase = .over
      } else {
        schedule.add(.compare, at: time + 250)
      }
    case .settled where difference() != nil && plan.honest.count < peers.count:
      // A dishonest peer told something only now: that has to get around as well.
      phase = .quiet
      compare()
    case .settled:
      listen()
      phase = .over
    default: return
    }
  }

  /// How soon after the last game everybody must have everything. Who recovers has patience with neighbours that
  /// announce and give nothing.
  private var convergenceLimit: UInt64 { plan.honest.count == peers.count ? 60_000 : 300_000 }

  /// Whether honest peers have nothing to write or commit any more.
  private var isStill: Bool {
    plan.honest.allSatisfy { peer in
      peers[peer].isUp && peers[peer].isRecovered && !peers[peer].isHosting && peers[peer].commit.isEmpty
        && peers[peer].dirty.isEmpty
        && peers[peer].tables.allSatisfy { $0.map { !$0.isStirred } ?? true }
    }
  }

  /// Where nothing is new, little is said.
  private mutating func listen() {
    let open = wiring.connections.filter { $0.ends.allSatisfy { $0.isOpen && isAlive($0.peer, $0.life) } }
    let limit = open.count * Self.limitQuietMessages * Int(Self.quietMilliseconds / 1000) + 64
    let said = statistics.messages - settledMessages
    if said > limit, plan.honest.count == peers.count {
      violate(.bounds, "\(said) messages in 10 s on \(open.count) connections though nothing was new")
    }
    if let different = difference() {
      violate(.convergence, room: different.room, "what was alike is not any more: \(different.words)")
    }
  }

  private mutating func reportDifference() {
    for peer in plan.honest where !peers[peer].isRecovered {
      violate(.ability, peer: peer, "it still asks for its own heads")
    }
    if let different = difference() {
      violate(.convergence, room: different.room, different.words)
    } else {
      violate(.convergence, "somebody still has something to write or to commit")
    }
  }

  /// The first room in which two honest peers that share it are not alike.
  private mutating func difference() -> (room: Int?, words: String)? {
    for number in rooms.indices {
      guard let room = rooms[number].id else { continue }
      for circle in sharers(of: number) {
        if let words = PeerDifference.words(of: room, among: circle, of: &peers, honest: plan.honest) {
          return (number, words)
        }
      }
    }
    for room in strays {
      guard unlimited.contains(where: { peers[$0].log(of: room)?.contains(room) == true }) else { continue }
      if let words = PeerDifference.words(of: room, among: unlimited, of: &peers, honest: plan.honest) {
        return (nil, "room \(room.short) of a flood: \(words)")
      }
    }
    return nil
  }

  func hasTable(_ peer: Int, _ number: Int) -> Bool {
    peers[peer].tables.indices.contains(number) && peers[peer].tables[number] != nil
  }

  // MARK: - The end

  /// Looks at what everybody has, and reports.
  mutating func finish() -> RunReport {
    let checks = LogChecks(
      peers: peers.map(\.id), isHonest: peers.map(\.isHonest), strangers: fraudstersKeys,
      hasher: EventHasher(network: .standard),
      scheme: scheme, ledger: ledger)
    for number in rooms.indices {
      guard let room = rooms[number].id else { continue }
      var logs: [RoomLog] = []
      for peer in plan.honest where peers[peer].isUp && hasTable(peer, number) {
        guard let log = peers[peer].log(of: room) else { continue }
        for fault in checks.faults(of: log, hasForked: { hasForked($0, in: room) }) {
          violate(fault.promise, peer: peer, room: number, fault.words)
        }
        checkRounds(of: log, number, at: peer, isFirst: logs.isEmpty)
        digest.add(log.clock.digest(room: room))
        digest.add(peers[peer].digest(of: room))
        if logs.isEmpty { count(log, room, at: peer) }
        logs.append(log)
      }
      for words in checks.losses(of: room, in: logs) { violate(.durability, room: number, words) }
    }
    statistics.lost = network.lost
    for violation in violations { digest.add(violation.description) }
    return RunReport(
      options: options, digest: digest.finish(), violations: violations, statistics: statistics)
  }

  private mutating func count(_ log: RoomLog, _ room: RoomID, at peer: Int) {
    statistics.convictions += log.forkProofs.count
    guard let state = peers[peer].state(of: room) else { return }
    statistics.agreedGames += state.games.count { $0.isAgreed }
    statistics.draws += state.games.reduce(0) { $0 + $1.plies.count { $0.isDraw } }
    statistics.settledRounds += state.hosted?.settledRounds ?? 0
  }
}

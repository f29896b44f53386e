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
    for peer in peers.indices where !peers[peer].isHonest && topology.oneIn(2) {
      tell("dishonest peer \(peer) leaves")
      for connection in peers[peer].connections {
        for end in connections[connection].ends.indices where connections[connection].ends[end].peer == peer {
          breakConnection(connection, end: end)
        }
      }
      peers[peer].stop()
    }
  }

  /// Honest peers are linked with each other, and so are the honest members of every room.
  private mutating func joinForGood() {
    join(plan.honest)
    for number in rooms.indices {
      let members = Set(rooms[number].plan.members).sorted()
      for circle in circles(members.filter { peers[$0].isHonest }, in: number) { join(circle) }
    }
    pauses = pauses.map { _ in (until: 0, refusals: 0) }
    if options.planted == .staysCut, let last = plan.honest.last {
      for other in peers.indices where other != last { links[pair(other, last)] = false }
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
    let open = connections.filter { $0.ends.allSatisfy { $0.isOpen && isAlive($0.peer, $0.life) } }
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
        if let words = difference(of: room, among: circle) { return (number, words) }
      }
    }
    for room in strays {
      guard unlimited.contains(where: { peers[$0].log(of: room)?.contains(room) == true }) else { continue }
      if let words = difference(of: room, among: unlimited) {
        return (nil, "room \(room.short) of a flood: \(words)")
      }
    }
    return nil
  }

  /// How two of these peers are not alike in a room, in words.
  private mutating func difference(of room: RoomID, among circle: [Int]) -> String? {
    var first: (peer: Int, clock: Digest?, state: Digest?)?
    for peer in circle {
      guard let own = digests(of: room, at: peer) else { return "peer \(peer) is down" }
      guard let known = first else {
        first = (peer, own.clock, own.state)
        continue
      }
      if known.clock != own.clock {
        return "peers \(known.peer) and \(peer) have different clocks" + counts(room)
      }
      if known.state != own.state {
        return "peers \(known.peer) and \(peer) have different states: " + stateWords(room, known.peer, peer)
      }
    }
    return nil
  }

  func hasTable(_ peer: Int, _ number: Int) -> Bool {
    peers[peer].tables.indices.contains(number) && peers[peer].tables[number] != nil
  }

  /// The digest of a peer's clock, and that of what the room amounts to. Of a forked feed peers may hold different
  /// branches, so verdicts on single events, which the product's digest has in it, are left out there; and a forked
  /// creator may have started several tables, so the state is that of somebody who sits at none.
  private mutating func digests(of room: RoomID, at peer: Int) -> (clock: Digest?, state: Digest?)? {
    guard peers[peer].isUp else { return nil }
    let clock = peers[peer].log(of: room)?.clock
    let digest = clock?.digest(room: room)
    guard let clock, clock.entries.contains(where: \.isForked),
      let state = peers[peer].stateForStrangers(of: room)
    else { return (digest, peers[peer].digest(of: room)) }
    var hash = Blake2b(domain: "parlor-simulation-state")
    hash.update(state.encoded)
    return (digest, Digest(hash.digest()))
  }

  /// What of two peers' states of a room differs, and which events only one of them has.
  private mutating func stateWords(_ room: RoomID, _ a: Int, _ b: Int) -> String {
    guard let first = peers[a].state(of: room), let second = peers[b].state(of: room),
      let log = peers[a].log(of: room), let other = peers[b].log(of: room)
    else { return "one of them has none" }
    let lacks = [(log, other, a), (other, log, b)].flatMap { from, to, peer in
      from.events.filter { !to.contains($0.id) }.map {
        "only peer \(peer) has \($0.kindName) \($0.id.short) of peer "
          + "\(number(of: $0.author) ?? "nobody"), number \($0.sequence)"
      }
    }
    return ([StateDifference.words(first, second)] + lacks).joined(separator: "; ")
  }

  private func number(of author: PeerID) -> String? {
    peers.firstIndex { $0.id == author }.map(String.init)
  }

  private func counts(_ room: RoomID) -> String {
    let counts = plan.honest.compactMap { peer -> String? in
      guard peers[peer].isUp else { return nil }
      return peers[peer].log(of: room).map {
        "peer \(peer) \($0.entries.count) events"
          + ($0.waiting.isEmpty ? "" : " and \($0.waiting.count) waiting")
      }
    }
    return " (" + counts.joined(separator: ", ") + ")"
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

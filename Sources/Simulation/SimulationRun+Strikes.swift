import BotKit
import Events

/// Faults of networks and machines, one moment at a time.
extension SimulationRun {
  /// A fault has its moment.
  mutating func strike(_ fault: Fault) {
    // Rooms are closed, and things made up, for as long as anybody listens.
    let goesOn = world.phase < .settled && [.inventions, .closedRooms, .frauds].contains(fault)
    guard world.phase == .safety || goesOn, var random = world.luck.strikes[fault] else {
      return
    }
    switch fault {
    case .cuts: cut(&random)
    case .partitions: partition(&random)
    case .flapping: flap(&random)
    case .crashes: crashSomebody(&random)
    case .restores: restoreSomebody(&random)
    case .clockJumps: jumpClock(&random)
    case .subscriptions: changeSubscription(&random)
    case .closedRooms: closeRooms(&random)
    case .forks, .lies, .withholding, .floods, .cheating, .forgery, .inventions, .frauds:
      provoke(fault, &random)
    // Messages meet these wherever they go, commits take what they take, and rooms are as they were planned.
    // Frauds in rounds are committed where honest peers play; full disks are those of whole peers.
    case .loss, .reordering, .duplication, .corruption, .slowDisks, .invitedRooms, .farPeers, .chanceRooms,
      .hostedRooms, .roundFrauds, .fullDisks, .organizerMoves, .organizerGone, .lostMachines, .rulings,
      .connectionFloods, .bombs, .falseWords, .lostSockets, .socketFloods:
      return
    }
    world.luck.strikes[fault] = random
    world.schedule.strike(fault, &world.luck.strikes, at: world.time)
  }

  private mutating func cut(_ random: inout RandomStream) {
    let (from, to) = (random.below(world.peers.count), random.below(world.peers.count))
    let until = world.time + random.time(500...6_000)
    guard from != to, restoring == nil else { return }
    world.tell("nothing gets from peer \(from) to peer \(to) until \(SimulatedTime.text(until))")
    world.network.cut(from: from, to: to, until: until)
    // Some notice that nothing comes any more and hang up; others wait.
    if random.oneIn(2), let connection = world.wiring.connection(from, to) {
      world.breakConnection(connection)
    }
  }

  private mutating func partition(_ random: inout RandomStream) {
    let isWhole = world.network.groups.allSatisfy { $0 == world.network.groups[0] }
    let groups = world.peers.indices.map { _ in random.below(2) }
    guard restoring == nil else { return }
    world.network.split(isWhole ? groups : groups.map { _ in 0 })
    world.tell("groups: \(world.network.groups.map(String.init).joined(separator: " "))")
    for a in world.peers.indices {
      for b in world.peers.indices where b > a && world.network.groups[a] != world.network.groups[b] {
        if random.oneIn(2), let connection = world.wiring.connection(a, b) {
          world.breakConnection(connection)
        }
      }
    }
  }

  private mutating func flap(_ random: inout RandomStream) {
    guard let found = world.wiring.someConnection(&random), restoring == nil else { return }
    world.tell("the connection of peers \(found.peers.0) and \(found.peers.1) breaks")
    world.breakConnection(found.number)
  }

  private mutating func crashSomebody(_ random: inout RandomStream) {
    let peer = random.pick(world.plan.honest)
    let pause = random.oneIn(3) ? random.time(3_000...9_000) : random.time(1...1_500)
    guard let peer, world.peers[peer].isUp, restoring == nil else { return }
    world.crash(peer)
    world.schedule.add(.start(peer: peer, copy: nil), at: world.time + pause)
  }

  // MARK: - Old copies

  /// Keeps a copy of somebody's disk, or goes back to one.
  private mutating func restoreSomebody(_ random: inout RandomStream) {
    if let peer = restoring, world.peers[peer].isUp, world.peers[peer].isRecovered {
      restoring = nil
      world.network.heal(for: nil)
    }
    guard let peer = random.pick(world.plan.honest) else { return }
    let isCopying = random.oneIn(3)
    let copy = random.pick(world.peers[peer].storage.copies)
    let isEarly = world.time + 4_000 < world.plan.safetyMilliseconds
    if !isCopying, let copy, isEarly, goBack(peer, copy: copy) { return }
    world.peers[peer].storage.keepCopy()
  }

  /// Whether all that an honest peer's disk has of honest authors is also on disks of honest peers that run.
  private mutating func isElsewhere(_ peer: Int) -> Bool {
    let honest = world.plan.honest.map { world.peers[$0].id }
    let others = world.plan.honest.filter { other in
      other != peer && world.peers[other].isUp && world.network.groups[other] == world.network.groups[peer]
    }
    return world.peers[peer].storage.disk.rooms.allSatisfy { room in
      others.contains { other in
        world.rooms.mayShow(room.room, other, to: peer, among: &world.peers)
          && world.peers[other].storage.disk.holds(room) { honest.contains($0) }
      }
    }
  }

  /// Ends a peer's program and starts it from an old copy of its disk, where others have what the copy lacks.
  /// - Returns: whether it did.
  private mutating func goBack(_ peer: Int, copy: Disk) -> Bool {
    guard restoring == nil, world.peers[peer].isUp, world.peers[peer].storage.isIdle, isElsewhere(peer) else {
      return false
    }
    world.network.heal(for: peer)
    world.tell("peer \(peer) ends, to go back to an old copy of its disk")
    world.crash(peer)
    world.record.statistics.crashes -= 1
    world.record.statistics.restores += 1
    restoring = peer
    world.schedule.add(.start(peer: peer, copy: copy), at: world.time + 1)
    return true
  }

  /// Starts a peer again after a crash, or from an old copy of its disk.
  mutating func restart(_ peer: Int, from copy: Disk?) {
    guard !world.peers[peer].isUp else { return }
    if let copy {
      world.peers[peer].storage.disk = copy
      world.tell("peer \(peer) starts from an old copy of its disk, with \(copy.count) events")
    } else {
      world.tell("peer \(peer) starts again")
    }
    world.start(peer)
    guard restoring == peer else { return }
    // Those who hold its last events are there when it asks.
    for other in world.plan.honest where other != peer {
      world.wiring.link(peer, other)
      world.wiring.endPause(peer, other)
      world.connect(peer, other)
    }
    guard world.options.planted != .restoresUnasked else { return }
    world.peers[peer].beginRecovery(at: world.time)
    world.settle(peer)
  }

  // MARK: - Clocks, memory and subscriptions

  private mutating func jumpClock(_ random: inout RandomStream) {
    let peer = random.below(world.peers.count)
    let jump = world.peers[peer].clock.jump(&random)
    world.tell("the clock of peer \(peer) jumps by \(jump)")
  }

  /// Somebody's rooms leave memory, as far as nothing of them is under way.
  private mutating func closeRooms(_ random: inout RandomStream) {
    guard let peer = random.pick(world.plan.honest), world.peers[peer].isUp else { return }
    for stored in world.peers[peer].storage.disk.rooms where random.oneIn(2) {
      guard world.peers[peer].isOpen(stored.room), world.peers[peer].mayClose(stored.room),
        !world.rooms.invitesMore(stored.room, peer, among: world.peers)
      else { continue }
      world.tell("peer \(peer) closes room \(stored.room.short)")
      world.peers[peer].close(stored.room)
    }
  }

  /// Somebody limits itself to some of its rooms, or wants everything again.
  private mutating func changeSubscription(_ random: inout RandomStream) {
    guard let peer = random.pick(world.plan.honest) else { return }
    let known = world.peers[peer].tables.compactMap { $0?.room }
    let chosen = random.mixed(known).prefix(random.draw(1...4))
    // Who goes back to an old copy keeps those who know better.
    guard world.peers[peer].isUp, !known.isEmpty, restoring == nil else { return }
    let wanted = random.oneIn(3) ? nil : Set(chosen)
    world.tell("peer \(peer) wants " + (wanted.map { "\($0.count) rooms" } ?? "everything"))
    world.peers[peer].subscribe(to: wanted, at: world.time)
    world.settle(peer)
  }
}

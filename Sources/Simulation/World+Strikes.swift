import BotKit

/// Faults of networks and machines, one moment at a time.
extension World {
  /// A fault has its moment.
  mutating func strike(_ fault: Fault) {
    // Rooms are closed, and things made up, for as long as anybody listens.
    let goesOn = phase < .settled && [.inventions, .closedRooms, .frauds].contains(fault)
    guard phase == .safety || goesOn, var random = luck.strikes[fault] else {
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
      .connectionFloods, .bombs, .falseWords:
      return
    }
    luck.strikes[fault] = random
    schedule.strike(fault, &luck.strikes, at: time)
  }

  private mutating func cut(_ random: inout RandomStream) {
    let (from, to) = (random.below(peers.count), random.below(peers.count))
    let until = time + random.time(500...6_000)
    guard from != to, restoring == nil else { return }
    tell("nothing gets from peer \(from) to peer \(to) until \(SimulatedTime.text(until))")
    network.cut(from: from, to: to, until: until)
    // Some notice that nothing comes any more and hang up; others wait.
    if random.oneIn(2), let connection = wiring.connection(from, to) { breakConnection(connection) }
  }

  private mutating func partition(_ random: inout RandomStream) {
    let isWhole = network.groups.allSatisfy { $0 == network.groups[0] }
    let groups = peers.indices.map { _ in random.below(2) }
    guard restoring == nil else { return }
    network.split(isWhole ? groups : groups.map { _ in 0 })
    tell("groups: \(network.groups.map(String.init).joined(separator: " "))")
    for a in peers.indices {
      for b in peers.indices where b > a && network.groups[a] != network.groups[b] {
        if random.oneIn(2), let connection = wiring.connection(a, b) { breakConnection(connection) }
      }
    }
  }

  private mutating func flap(_ random: inout RandomStream) {
    guard let found = wiring.someConnection(&random), restoring == nil else { return }
    tell("the connection of peers \(found.peers.0) and \(found.peers.1) breaks")
    breakConnection(found.number)
  }

  private mutating func crashSomebody(_ random: inout RandomStream) {
    let peer = random.pick(plan.honest)
    let pause = random.oneIn(3) ? random.time(3_000...9_000) : random.time(1...1_500)
    guard let peer, peers[peer].isUp, restoring == nil else { return }
    crash(peer)
    schedule.add(.start(peer: peer, copy: nil), at: time + pause)
  }

  /// Keeps a copy of somebody's disk, or goes back to one.
  private mutating func restoreSomebody(_ random: inout RandomStream) {
    if let peer = restoring, peers[peer].isUp, peers[peer].isRecovered {
      restoring = nil
      network.heal(for: nil)
    }
    guard let peer = random.pick(plan.honest) else { return }
    let isCopying = random.oneIn(3)
    let copy = random.pick(peers[peer].copies)
    guard !isCopying, let copy, time + 4_000 < plan.safetyMilliseconds else { return keepCopy(of: peer) }
    if !goBack(peer, copy: copy) { keepCopy(of: peer) }
  }

  private mutating func jumpClock(_ random: inout RandomStream) {
    let peer = random.below(peers.count)
    let year: UInt64 = 365 * 24 * 3_600_000
    let distance = random.oneIn(2) ? random.time(0...year) : random.time(0...60_000)
    let isForward = random.oneIn(2)
    peers[peer].wallOffset = isForward ? peers[peer].wallOffset + distance : peers[peer].wallOffset - distance
    tell("the clock of peer \(peer) jumps by \(distance) ms \(isForward ? "forward" : "back")")
  }
}

import BotKit
import EventLog
import Events
import Gossip
import Peer

/// Programs, disks and clocks: starting, committing, crashing, going back to an old copy.
extension World {
  /// The most old copies of a disk that are kept.
  private static let limitCopies = 3

  /// Carries out what a peer's core has ready: messages, refusals, events to commit, timers.
  mutating func settle(_ peer: Int) {
    for face in peers[peer].faces.indices {
      for refused in peers[peer].takeRefused(of: face) {
        refuse(refused.neighbour, refused.reason, by: peer)
      }
      guard peers[peer].faces.indices.contains(face) else { return }
      for room in peers[peer].takeNeeded(of: face) { load(room, of: peer) }
      for room in peers[peer].takeChanged(of: face) { noteChange(in: room, of: peer, face: face) }
      for outgoing in peers[peer].takeOutbox(of: face, at: time) { dispatch(outgoing, by: peer) }
    }
    beginCommit(peer)
    guard let deadline = peers[peer].deadline(after: time), deadline < peers[peer].timer else { return }
    peers[peer].timer = deadline
    schedule.add(.timer(peer: peer, life: peers[peer].life), at: deadline)
  }

  /// Sends a message, unless its sender is dishonest and does something else with it.
  private mutating func dispatch(_ outgoing: PeerCore.Outgoing, by peer: Int) {
    guard forgers[peer] != nil else {
      checkPrivacy(of: outgoing, by: peer)
      let want: UInt8 = 5
      if options.planted == .keepsRequestsBack, outgoing.bytes.first == want { return }
      return send(outgoing.bytes, by: peer, to: outgoing.to)
    }
    for bytes in tampered(outgoing.bytes, by: peer, to: outgoing.to) {
      send(bytes, by: peer, to: outgoing.to)
    }
  }

  /// Something was written in a room, or has come.
  mutating func noteChange(in room: RoomID, of peer: Int, face: Int) {
    if let number = number(of: room) ?? number(ofAttempt: room, by: peer),
      peers[peer].tables.indices.contains(number)
    {
      peers[peer].tables[number]?.isStirred = true
    }
    guard peers[peer].isHonest, face == 0 else {
      commitAtOnce(room, of: peer, face: face)
      return
    }
    if options.planted == .losesChanges, luck.disks.oneIn(4) { return }
    if options.planted == .neverCommits, rooms.contains(where: { $0.id == room && $0.plan.creator != peer }) {
      return
    }
    if !peers[peer].dirty.contains(room) { peers[peer].dirty.append(room) }
  }

  private func number(ofAttempt room: RoomID, by peer: Int) -> Int? {
    rooms.firstIndex { $0.plan.creator == peer && $0.attempt?.id == room }
  }

  /// Dishonest peers keep nothing; they sign and go on.
  private mutating func commitAtOnce(_ room: RoomID, of peer: Int, face: Int) {
    do throws(PeerError) {
      guard let change = try peers[peer].pending(room, of: face) else { return }
      acknowledge(change, by: peer)
      noteInvites([change], by: peer)
      peers[peer].markDurable(change, of: face, at: time)
    } catch { tell("peer \(peer) cannot sign: \(error)") }
  }

  // MARK: - Committing

  private mutating func beginCommit(_ peer: Int) {
    guard peers[peer].commit.isEmpty, !peers[peer].dirty.isEmpty, peers[peer].isUp else { return }
    let dirty = peers[peer].dirty
    peers[peer].dirty = []
    do throws(PeerError) {
      for room in dirty {
        if let change = try peers[peer].pending(room, of: 0) { peers[peer].commit.append(change) }
      }
    } catch { violate(.ability, peer: peer, "it cannot sign: \(error)") }
    guard !peers[peer].commit.isEmpty else { return }
    if options.planted == .marksBeforeCommit { mark(peers[peer].commit, of: peer) }
    let delay = luck.disks.time(plan.commit.lowerBound...(phase == .safety ? plan.commit.upperBound : 20))
    schedule.add(.committed(peer: peer, life: peers[peer].life), at: time + delay)
  }

  mutating func committed(_ peer: Int) {
    let changes = peers[peer].commit
    peers[peer].commit = []
    guard !changes.isEmpty else { return }
    let isLost = options.planted == .losesCommits && luck.disks.oneIn(4)
    if !isLost { write(changes, of: peer) }
    if options.planted != .marksBeforeCommit { mark(changes, of: peer) }
    settle(peer)
  }

  /// Puts changes on a peer's disk.
  private mutating func write(_ changes: [RoomChange], of peer: Int) {
    do throws(LogError) { try peers[peer].disk.write(changes) } catch {
      if options.planted != .losesCommits { violate(.integrity, peer: peer, "its disk refuses: \(error)") }
    }
    noteInvites(changes, by: peer)
    statistics.commits += 1
  }

  private mutating func mark(_ changes: [RoomChange], of peer: Int) {
    peers[peer].showTime(time)
    for change in changes {
      acknowledge(change, by: peer)
      peers[peer].markDurable(change, of: 0, at: time)
    }
  }

  /// The peer's person hears that its own events are safe, and of a new room that others can be told of it.
  private mutating func acknowledge(_ change: RoomChange, by peer: Int) {
    for entry in change.entries where entry.event.author == peers[peer].id {
      if peers[peer].isHonest {
        ledger.acknowledge(entry.event.id, by: peer, in: change.room, at: time)
        statistics.events += 1
      }
      if entry.event.kind == .create { announce(change.room, by: peer) }
    }
  }

  // MARK: - Lives

  /// Starts a peer's program.
  mutating func start(_ peer: Int, fromCopy: Bool = false) {
    let forgotten = options.planted == .forgetsRooms ? peers[peer].disk.rooms.last?.room : nil
    peers[peer].start(at: time, forgetting: forgotten)
    if let forgotten { peers[peer].open(forgotten, isForgotten: true, at: time) }
    for number in peers[peer].tables.indices {
      if let table = peers[peer].tables[number] { peers[peer].open(table.room, at: time) }
    }
    if options.planted == .twoProcesses, peers[peer].isHonest {
      peers[peer].faces.append(peers[peer].faces[0])
    }
    schedule.add(.act(peer: peer, life: peers[peer].life), at: time + peers[peer].random.time(1...300))
    settle(peer)
  }

  /// Starts a peer again after a crash, or from an old copy of its disk.
  mutating func restart(_ peer: Int, from copy: Disk?) {
    guard !peers[peer].isUp else { return }
    if let copy {
      peers[peer].disk = copy
      tell("peer \(peer) starts from an old copy of its disk, with \(copy.count) events")
    } else {
      tell("peer \(peer) starts again")
    }
    start(peer)
    guard restoring == peer else { return }
    // Those who hold its last events are there when it asks.
    for other in plan.honest where other != peer {
      wiring.link(peer, other)
      wiring.endPause(peer, other)
      connect(peer, other)
    }
    guard options.planted != .restoresUnasked else { return }
    peers[peer].beginRecovery(at: time)
    settle(peer)
  }

  /// A peer's program dies. What it was committing is on the disk, or nothing of it is.
  mutating func crash(_ peer: Int) {
    guard peers[peer].isUp else { return }
    let changes = peers[peer].commit
    if !changes.isEmpty, luck.disks.oneIn(2), options.planted != .losesCommits { write(changes, of: peer) }
    let id = peers[peer].id
    for room in peers[peer].tables.compactMap({ $0?.room }) {
      let stored = Set(peers[peer].disk.entries(of: room).map(\.event.id))
      let lost = peers[peer].faces[0].withLog(of: room) { log in
        log.graph.events.filter { $0.author == id && !stored.contains($0.id) }.map(\.id)
      }
      for event in lost ?? [] { ledger.lose(event, of: peer, in: room, at: time) }
    }
    tell("peer \(peer) crashes")
    statistics.crashes += 1
    peers[peer].stop()
    for connection in peers[peer].connections {
      guard let end = wiring.connections[connection].ends.firstIndex(where: { $0.peer == peer }) else {
        continue
      }
      wiring.connections[connection].ends[end].isOpen = false
      if wiring.connections[connection].ends[1 - end].isOpen {
        schedule.add(.loseConnection(connection, end: 1 - end), at: time + luck.topology.time(10...2_000))
      } else {
        wiring.noteClosed(connection)
      }
    }
  }

  // MARK: - Old copies

  /// Keeps a copy of a peer's disk.
  mutating func keepCopy(of peer: Int) {
    peers[peer].copies.append(peers[peer].disk)
    if peers[peer].copies.count > Self.limitCopies { peers[peer].copies.removeFirst() }
  }

  /// Whether all that an honest peer's disk has of honest authors is also on disks of honest peers that run.
  mutating func isElsewhere(_ peer: Int) -> Bool {
    let honest = plan.honest.map { peers[$0].id }
    let others = plan.honest.filter { other in
      other != peer && peers[other].isUp && network.groups[other] == network.groups[peer]
    }
    return peers[peer].disk.rooms.allSatisfy { room in
      others.contains { other in
        mayShow(room.room, other, to: peer) && peers[other].disk.holds(room) { honest.contains($0) }
      }
    }
  }

  /// Ends a peer's program and starts it from an old copy of its disk, where others have what the copy lacks.
  /// - Returns: whether it did.
  mutating func goBack(_ peer: Int, copy: Disk) -> Bool {
    guard restoring == nil, peers[peer].isUp, peers[peer].commit.isEmpty, peers[peer].dirty.isEmpty,
      isElsewhere(peer)
    else { return false }
    network.heal(for: peer)
    tell("peer \(peer) ends, to go back to an old copy of its disk")
    crash(peer)
    statistics.crashes -= 1
    statistics.restores += 1
    restoring = peer
    schedule.add(.start(peer: peer, copy: copy), at: time + 1)
    return true
  }
}

import EventLog
import Events
import Peer

/// Programs, disks and clocks: starting, committing, crashing.
extension World {
  /// How long reading a room takes, in milliseconds.
  private static let readingMilliseconds: ClosedRange<UInt64> = 1...40

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

  /// Sends a message, unless its sender is dishonest and keeps it back.
  private mutating func dispatch(_ outgoing: PeerCore.Outgoing, by peer: Int) {
    if peers[peer].isHonest {
      if rooms.hasSecrets, let other = wiring.receiver(of: outgoing.to, by: peer),
        let leak = rooms.leak(in: outgoing.bytes, from: peer, to: other, among: peers)
      {
        violate(.privacy, peer: peer, "it sends peer \(other) \(leak)")
      }
      let want: UInt8 = 5
      if options.planted == .keepsRequestsBack, outgoing.bytes.first == want { return }
    } else {
      guard let other = wiring.receiver(of: outgoing.to, by: peer),
        adversary.lets(&peers[peer], send: outgoing.bytes, to: other, at: time)
      else { return }
    }
    send(outgoing.bytes, by: peer, to: outgoing.to)
  }

  /// Something was written in a room, or has come.
  mutating func noteChange(in room: RoomID, of peer: Int, face: Int) {
    let number = rooms.number(of: room)
    if let number = number ?? rooms.number(ofAttempt: room, by: peer) { peers[peer].stir(number) }
    guard peers[peer].isHonest, face == 0 else {
      commitAtOnce(room, of: peer, face: face)
      return
    }
    if options.planted == .losesChanges, luck.disks.oneIn(4) { return }
    if options.planted == .neverCommits, let number, rooms[number].plan.creator != peer { return }
    peers[peer].storage.note(room)
  }

  /// Dishonest peers keep nothing; they sign and go on.
  private mutating func commitAtOnce(_ room: RoomID, of peer: Int, face: Int) {
    do throws(PeerError) {
      guard let change = try peers[peer].pending(room, of: face) else { return }
      acknowledge(change, by: peer)
      rooms.noteInvites([change], by: peer)
      peers[peer].markDurable(change, of: face, at: time)
    } catch { tell("peer \(peer) cannot sign: \(error)") }
  }

  // MARK: - Committing

  private mutating func beginCommit(_ peer: Int) {
    guard peers[peer].isUp, peers[peer].storage.hasToCommit else { return }
    do throws(PeerError) { try peers[peer].beginCommit() } catch {
      violate(.ability, peer: peer, "it cannot sign: \(error)")
    }
    guard !peers[peer].storage.commit.isEmpty else { return }
    if options.planted == .marksBeforeCommit { mark(peers[peer].storage.commit, of: peer) }
    let delay = luck.disks.time(plan.commit.lowerBound...(phase == .safety ? plan.commit.upperBound : 20))
    schedule.add(.committed(peer: peer, life: peers[peer].life), at: time + delay)
  }

  mutating func committed(_ peer: Int) {
    let changes = peers[peer].storage.takeCommit()
    guard !changes.isEmpty else { return }
    let isLost = options.planted == .losesCommits && luck.disks.oneIn(4)
    if !isLost { write(changes, of: peer) }
    if options.planted != .marksBeforeCommit { mark(changes, of: peer) }
    settle(peer)
  }

  /// Puts changes on a peer's disk.
  private mutating func write(_ changes: [RoomChange], of peer: Int) {
    do throws(LogError) { try peers[peer].storage.disk.write(changes) } catch {
      if options.planted != .losesCommits { violate(.integrity, peer: peer, "its disk refuses: \(error)") }
    }
    rooms.noteInvites(changes, by: peer)
    record.statistics.commits += 1
  }

  private mutating func mark(_ changes: [RoomChange], of peer: Int) {
    peers[peer].clock.show(time)
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
        record.statistics.events += 1
      }
      if entry.event.kind == .create { announce(change.room, by: peer) }
    }
  }

  /// A creation is safe: the others are told of the room.
  private mutating func announce(_ room: RoomID, by peer: Int) {
    guard let number = rooms.acknowledge(room, by: peer, at: time) else { return }
    record.statistics.rooms += 1
    for member in Set(rooms[number].plan.members).sorted() where member != peer {
      schedule.add(.hear(peer: member, room: number), at: time + luck.topology.time(1...1_500))
    }
    for stranger in rooms[number].plan.strangers {
      schedule.add(.hear(peer: stranger, room: number), at: time + 1_000)
    }
  }

  // MARK: - Lives

  /// Starts a peer's program.
  mutating func start(_ peer: Int) {
    let forgotten = options.planted == .forgetsRooms ? peers[peer].storage.disk.rooms.last?.room : nil
    peers[peer].start(at: time, forgetting: forgotten)
    wiring.begin(peer)
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

  /// A peer's program dies. What it was committing is on the disk, or nothing of it is.
  mutating func crash(_ peer: Int) {
    guard peers[peer].isUp else { return }
    let changes = peers[peer].storage.commit
    if !changes.isEmpty, luck.disks.oneIn(2), options.planted != .losesCommits { write(changes, of: peer) }
    for (room, lost) in peers[peer].unstored() {
      for event in lost { ledger.lose(event, of: peer, in: room, at: time) }
    }
    tell("peer \(peer) crashes")
    record.statistics.crashes += 1
    peers[peer].stop()
    for (connection, end) in wiring.ends(of: peer) {
      wiring.connections[connection].ends[end].isOpen = false
      if wiring.connections[connection].ends[1 - end].isOpen {
        schedule.add(.loseConnection(connection, end: 1 - end), at: time + luck.topology.time(10...2_000))
      } else {
        wiring.noteClosed(connection)
      }
    }
  }

  /// Lets a peer's timer go off, where it was not set anew since.
  mutating func goOff(_ peer: Int) {
    guard peers[peer].timer <= time else { return }
    peers[peer].timer = .max
    peers[peer].clock.show(time)
    peers[peer].advance(to: time)
    settle(peer)
  }

  // MARK: - Memory

  /// Somebody wants of a room that has left memory: it is read, which takes time.
  private mutating func load(_ room: RoomID, of peer: Int) {
    guard options.planted != .leavesRoomsClosed else { return }
    schedule.add(
      .loaded(peer: peer, life: peers[peer].life, room: room),
      at: time + luck.reading.time(Self.readingMilliseconds))
  }

  /// A room has been read from a peer's disk.
  mutating func loaded(_ room: RoomID, of peer: Int) {
    guard !peers[peer].isOpen(room) else { return }
    tell("peer \(peer) has read room \(room.short)")
    peers[peer].clock.show(time)
    peers[peer].open(room, at: time)
    settle(peer)
  }

  /// The peer itself needs a room.
  mutating func wake(_ number: Int, of peer: Int) {
    guard peers[peer].hasTable(number), let room = peers[peer].tables[number]?.room,
      !peers[peer].isOpen(room)
    else { return }
    tell("peer \(peer) opens room \(room.short)")
    peers[peer].open(room, at: time)
  }

  /// Whether somebody opens a room to look at it though nothing has happened.
  mutating func isWorthOpening(_ number: Int, of peer: Int) -> Bool {
    guard let room = peers[peer].tables[number]?.room, !peers[peer].isOpen(room) else { return true }
    guard luck.reading.oneIn(8) else { return false }
    wake(number, of: peer)
    return true
  }
}

import EventLog
import Events
import Peer
import Projection

/// Rooms are created, heard of and played in.
extension World {
  /// A peer looks at what has happened and does something.
  mutating func act(_ peer: Int) {
    peers[peer].clock.show(time)
    let pause = peers[peer].random.time(30...400)
    schedule.add(.act(peer: peer, life: peers[peer].life), at: time + pause)
    if peers[peer].isHonest {
      actHonestly(peer)
    } else if phase < .quiet {
      actDishonestly(peer)
    }
    settle(peer)
  }

  private mutating func actHonestly(_ peer: Int) {
    if phase == .safety { createRooms(of: peer) }
    if phase < .quiet { inviteGuests(of: peer) }
    for face in peers[peer].faces.indices {
      peers[peer].stirHosted(of: face, at: time)
      for number in peers[peer].tables.indices where peers[peer].tables[number]?.isStirred == true {
        wake(number, of: peer)
        look(at: number, by: peer, face: face)
      }
      guard phase < .quiet, let number = peers[peer].random.pick(peers[peer].tableNumbers),
        isWorthOpening(number, of: peer)
      else { continue }
      let (isClosing, time) = (phase == .closing, time)
      attempt(peer, in: number) { (member) throws(PeerError) in
        try member.amuse(in: number, face: face, time: time, isClosing: isClosing)
      }
      if isClosing { sayLastWords(of: peer, face: face) }
    }
  }

  /// Once faults have ended every honest peer can write again in every room that is open to it.
  private mutating func sayLastWords(of peer: Int, face: Int) {
    for number in peers[peer].tableNumbers {
      guard let table = peers[peer].tables[number], !table.hasClosed, peers[peer].isRecovered else {
        continue
      }
      wake(number, of: peer)
      guard
        peers[peer].faces[face].withLog(of: table.room, { $0.contains(table.room) }) == true
      else { continue }
      peers[peer].tables[number]?.hasClosed = true
      attempt(peer, in: number) { (member) throws(PeerError) in
        try member.faces[face].perform(.say("good bye from \(peer)"), in: table.room)
      }
    }
  }

  /// Lets an honest peer do something; that it cannot is a violation.
  mutating func attempt(
    _ peer: Int, in number: Int, _ body: (inout SimulatedPeer) throws(PeerError) -> Void
  ) {
    do throws(PeerError) { try body(&peers[peer]) } catch {
      // Who has forgotten events of its own, which wait here for others, waits with them.
      switch error {
      case .recovering, .unconfirmed: break
      default:
        violate(.ability, peer: peer, room: number, "it cannot do what it wants to: \(error)")
      }
    }
    noteWritten(in: number, by: peer)
  }

  /// What a peer may have written in a room is to be committed.
  mutating func noteWritten(in number: Int, by peer: Int) {
    guard let room = peers[peer].tables[number]?.room else { return }
    for face in peers[peer].faces.indices where peers[peer].faces[face].unsignedEvents(in: room) > 0 {
      noteChange(in: room, of: peer, face: face)
    }
  }

  private mutating func look(at number: Int, by peer: Int, face: Int) {
    var state: RoomState?
    let time = time
    attempt(peer, in: number) { (member) throws(PeerError) in
      state = try member.look(at: number, face: face, time: time)
    }
    guard let state else { return }
    observe(state, number, by: peer)
    if let tournament = rooms.tournament(of: number, by: peer) { peers[peer].stir(tournament) }
    if state.create.isTournament, rooms[number].plan.creator == peer, state.phase == .playing,
      peers[peer].isRecovered
    {
      organize(state, number, by: peer)
    }
  }

  /// Notes what is final in a room, and who is proven to have forked. What is not durable yet is nothing to rely on.
  private mutating func observe(_ state: RoomState, _ number: Int, by peer: Int) {
    guard peers[peer].faces[0].isDurable(state.room) else { return }
    let fork = adversary.fork(of: rooms[number].plan.creator, in: state.room)
    let trust = FinalityCheck.Trust(
      state, at: peer, among: peers, fork: fork, strangers: adversary.strangers)
    let words = finality.observe(
      state, room: number, peer: peer, life: peers[peer].life, trust: trust)
    for words in words { violate(.finality, peer: peer, room: number, words) }
    for author in state.forked {
      guard let forker = peers.firstIndex(where: { $0.id == author }), peers[forker].isHonest else {
        continue
      }
      violate(.conviction, peer: peer, room: number, "honest peer \(forker) counts as forked")
    }
  }

  // MARK: - Creating rooms

  /// Creates the rooms that are due, again when a crash took them.
  mutating func createRooms(of peer: Int) {
    for number in rooms.indices
    where rooms[number].isDue(by: peer, in: peers[peer].life, at: time) && peers[peer].isRecovered {
      create(number, by: peer)
    }
  }

  /// Creates a planned room; it is one once that is safe.
  mutating func create(_ number: Int, by peer: Int) {
    let plan = rooms[number].plan
    let nonce = peers[peer].random.bytes(16)
    let referee = plan.referee.map { peers[$0].id } ?? .none
    do throws(PeerError) {
      let create = plan.create(nonce: nonce, referee: referee, peer: peer)
      let room = try peers[peer].faces[0].create(create)
      rooms.begin(number, room, create, by: peers[peer].id, in: peers[peer].life)
      tell("peer \(peer) creates room \(number), \(room.short)")
      peers[peer].sit(in: room, plan)
      peers[peer].want(room, isTold: options.planted != .forgetsSubscriptions, at: time)
      noteChange(in: room, of: peer, face: 0)
    } catch { violate(.ability, peer: peer, room: number, "it cannot create: \(error)") }
  }

  /// A peer hears of a room and wants it.
  mutating func hear(_ peer: Int, of number: Int) {
    guard let room = rooms[number].id else { return }
    peers[peer].sit(in: room, rooms[number].plan)
    guard peers[peer].isUp else { return }
    peers[peer].clock.show(time)
    peers[peer].open(room, at: time)
    peers[peer].want(room, isTold: options.planted != .forgetsSubscriptions, at: time)
    settle(peer)
  }

  /// The creator of rooms invites those whose time has come, again when a crash took that.
  mutating func inviteGuests(of peer: Int) {
    for number in rooms.indices where rooms[number].plan.creator == peer {
      let plan = rooms[number].plan
      guard let room = rooms[number].id, !plan.guests.isEmpty, peers[peer].isRecovered,
        let invited = peers[peer].faces[0].state(of: room)?.invited
      else { continue }
      let due = plan.guests.filter { rooms[number].createdAt + $0.after <= time }.map { peers[$0.peer].id }
      for guest in due where !invited.contains(guest) { invite(guest, to: room, number, by: peer) }
    }
  }

  private mutating func invite(_ guest: PeerID, to room: RoomID, _ number: Int, by peer: Int) {
    func write(_ member: inout SimulatedPeer) throws(PeerError) {
      _ = try member.faces[0].write(.invite(guest), in: room)
    }
    if peers[peer].isHonest {
      attempt(peer, in: number) { (member) throws(PeerError) in try write(&member) }
    } else {
      misbehave(peer, face: 0, in: number) { (member, _) throws(PeerError) in try write(&member) }
    }
  }
}

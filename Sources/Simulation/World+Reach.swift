import EventLog
import Events
import Peer
import Projection

/// Who may have which room: invitations, distance, and whether honest peers keep to them.
extension World {
  /// Whether two peers are at one place, so that rooms of local scope may travel between them.
  func isNear(_ a: Int, _ b: Int) -> Bool { plan.sites[a] == plan.sites[b] }

  /// Whether the programs of two peers take each other for near.
  func seemsNear(_ a: Int, _ b: Int) -> Bool { isNear(a, b) || options.planted == .ignoresDistance }

  // MARK: - Inviting

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

  /// Whoever is invited may have the room from the moment at which the creator's disk has that.
  mutating func noteInvites(_ changes: [RoomChange], by peer: Int) {
    for change in changes {
      guard let number = number(of: change.room), rooms[number].plan.creator == peer else { continue }
      for case .invite(let guest) in change.entries.map(\.event.action) {
        privacy.admit(guest, to: change.room)
      }
    }
  }

  // MARK: - Checking

  /// What an honest peer says must not tell of rooms that the other may not have.
  mutating func checkPrivacy(of outgoing: PeerCore.Outgoing, by peer: Int) {
    guard privacy.isNeeded, let other = receiver(of: outgoing.to, by: peer) else { return }
    let leak = privacy.leak(in: outgoing.bytes, to: peers[other].id, isNearby: isNear(peer, other))
    if let leak { violate(.privacy, peer: peer, "it sends peer \(other) \(leak)") }
  }

  /// Whether an honest peer that has a room would show it to another.
  mutating func mayShow(_ room: RoomID, _ peer: Int, to other: Int) -> Bool {
    guard let number = number(of: room) else { return peers[peer].wants(room) }
    guard peers[peer].wants(room) else { return false }
    switch rooms[number].plan.scope {
    case .open: return true
    case .local: return isNear(peer, other)
    case .invited:
      return peers[peer].isUp && peers[peer].state(of: room)?.mayReplicate(peers[other].id) == true
    }
  }

  // MARK: - Who must be alike

  /// The peers of a room that can have it from each other.
  func circles(_ members: [Int], in number: Int) -> [[Int]] {
    guard rooms[number].plan.scope == .local else { return [members] }
    return Set(members.map { plan.sites[$0] }).sorted().map { place in
      members.filter { plan.sites[$0] == place }
    }
  }

  /// Links those who want a room and may have it, where others would not pass it on.
  mutating func joinSharers() {
    let isLimited = plan.faults.contains(.subscriptions)
    for number in rooms.indices {
      let members = admitted(to: number)
      if rooms[number].plan.scope == .invited {
        // Each with each: not all may know of the same invitations.
        for a in members { for b in members where a < b { wiring.link(a, b) } }
      } else if isLimited {
        for circle in circles(members, in: number) { wiring.join(circle, &luck.topology) }
      }
    }
    if isLimited { wiring.join(unlimited, &luck.topology) }
  }

  /// The honest peers that want everything.
  var unlimited: [Int] { plan.honest.filter { peers[$0].subscription == nil } }

  /// The honest peers that want a room and may have it.
  private func admitted(to number: Int) -> [Int] {
    guard let room = rooms[number].id else { return [] }
    return plan.honest.filter {
      hasTable($0, number) && peers[$0].wants(room) && privacy.mayHave(room, peers[$0].id, isNearby: true)
    }
  }

  /// The honest peers that have to end alike in a room, in groups.
  ///
  /// A dishonest creator may keep an invitation back, or tell of it on one branch of its feed alone, and one that
  /// wants other rooms tells nobody: then those who do not all count each other as invited need not be alike.
  mutating func sharers(of number: Int) -> [[Int]] {
    let members = admitted(to: number)
    let plan = rooms[number].plan
    guard plan.scope == .invited, let room = rooms[number].id,
      !peers[plan.creator].isHonest || !peers[plan.creator].wants(room)
    else { return circles(members, in: number) }
    var lists: [[PeerID]] = []
    var holders: [Int] = []
    for peer in members {
      guard peers[peer].isUp, let list = peers[peer].state(of: room)?.members else { continue }
      lists.append(list)
      holders.append(peer)
    }
    let listed = members.filter { peer in lists.allSatisfy { $0.contains(peers[peer].id) } }
    return holders.allSatisfy(listed.contains) && !holders.isEmpty ? [listed] : []
  }
}

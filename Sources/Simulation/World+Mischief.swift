import Peer

/// What dishonest peers do at their tables: with their own keys alone.
extension World {
  /// Plays along, more or less.
  mutating func actDishonestly(_ peer: Int) {
    if phase == .safety { createRooms(of: peer) }
    inviteGuests(of: peer)
    let ways = peers[peer].mischief
    for face in peers[peer].faces.indices {
      peers[peer].stirHosted(of: face, at: time)
      for number in peers[peer].tables.indices where peers[peer].tables[number]?.isStirred == true {
        defraudRound(of: peer, face: face, in: number, oneIn: 3)
        if peers[peer].withholds(in: number), peers[peer].isInRound(number, face: face) { continue }
        // Who cheats does what it owes when it likes to.
        if ways.contains(.cheating), peers[peer].random.oneIn(3) { continue }
        misbehave(peer, face: face, in: number) { (member, time) throws(PeerError) in
          _ = try member.look(at: number, face: face, time: time)
        }
        if peers[peer].faces.count > face + 1 { peers[peer].tables[number]?.isStirred = true }
      }
      guard let number = peers[peer].random.pick(peers[peer].tableNumbers) else { continue }
      defraudRound(of: peer, face: face, in: number, oneIn: 2)
      let cheats = ways.contains(.cheating) && peers[peer].random.oneIn(4)
      misbehave(peer, face: face, in: number) { (member, time) throws(PeerError) in
        if cheats {
          try member.cheat(in: number, face: face)
        } else {
          try member.amuse(in: number, face: face, time: time, isClosing: false)
        }
      }
    }
  }

  /// Lets a peer that cheats in rounds do so.
  private mutating func defraudRound(of peer: Int, face: Int, in number: Int, oneIn count: Int) {
    guard peers[peer].mischief.contains(.roundFrauds), phase == .safety, peers[peer].random.oneIn(count)
    else { return }
    misbehave(peer, face: face, in: number) { (member, time) throws(PeerError) in
      try member.defraudRound(in: number, face: face, time: time)
    }
  }

  /// Lets a dishonest peer do something in a room; what it cannot do it lets be.
  mutating func misbehave(
    _ peer: Int, face: Int, in number: Int, _ body: (inout SimulatedPeer, UInt64) throws(PeerError) -> Void
  ) {
    guard let room = peers[peer].tables[number]?.room else { return }
    let before = peers[peer].ownCount(in: room, face: face)
    do throws(PeerError) { try body(&peers[peer], time) } catch {
      tell("dishonest peer \(peer) could not: \(error)")
    }
    noteWritten(in: number, by: peer)
    if peers[peer].faces.count > 1, peers[peer].ownCount(in: room, face: face) != before {
      adversary.note(face, of: peer, wroteIn: room, after: before)
    }
  }
}

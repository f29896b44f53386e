import EventLog
import Events
import Gossip
import Peer
import Projection
import Rules

/// A dishonest peer at its tables.
extension SimulatedPeer {
  /// How many own events a program has in a room.
  func ownCount(in room: RoomID, face: Int) -> UInt64 {
    guard faces.indices.contains(face) else { return 0 }
    return faces[face].withLog(of: room) { $0.feed(id)?.last ?? 0 } ?? 0
  }

  /// Says something, once more.
  mutating func chatter(_ words: String, in number: Int) throws(PeerError) {
    guard let table = tables[number] else { return }
    try faces[0].perform(.say(words), in: table.room)
  }

  /// Writes something that is out of place.
  mutating func cheat(in number: Int, face: Int) throws(PeerError) {
    guard let table = tables[number] else { return }
    cheating.random = random
    defer { random = cheating.random }
    try cheating.cheat(in: table.room, &faces[face])
  }

  /// Commits a fraud in a room, if there is a round for one.
  mutating func defraudRound(in number: Int, face: Int, time: UInt64) throws(PeerError) {
    guard let table = tables[number] else { return }
    cheating.random = random
    defer { random = cheating.random }
    let (hosting, now) = (faces[face].hosting, clock.tick(time).milliseconds)
    try cheating.defraudRound(
      in: table.room, elapsed: { hosting.elapsed(in: table.room, $0, at: now) }, &faces[face])
  }

  /// Whether it never opens what it is bound to in a room; in others it does, sooner or later.
  func withholds(in number: Int) -> Bool {
    guard mischief.contains(.roundFrauds), let room = tables[number]?.room else { return false }
    return (id.bytes.prefix64 ^ room.bytes.prefix64) % 4 == 0
  }

  /// Whether a round is on in a room that waits for openings.
  mutating func isInRound(_ number: Int, face: Int) -> Bool {
    guard let table = tables[number], let state = faces[face].state(of: table.room) else { return false }
    if let hosted = state.hosted { return state.creator == id && hosted.round?.phase == .closed }
    return state.turn?.isRound == true && state.seat(of: id).map { state.round.commit(of: $0) != nil } == true
  }
}

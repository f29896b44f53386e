package import Events
package import Gossip
import Projection

// What this peer may write, by what its store and its neighbours know of its own feeds.

extension PeerCore {
  /// Says that what is here may be older than what others hold of this peer's own feeds, but for these rooms.
  package mutating func beginDoubt(but rooms: Set<RoomID> = [], at now: Tick = .start) {
    ownHeads.doubt(but: rooms)
    carryOut(gossip.beginRecovery(at: now))
  }

  /// Says that the store is as it was left, and that others can be reached, who may know of a copy that was used
  /// since.
  package mutating func watchOwnHeads() {
    ownHeads.watch()
    gossip.replica.watchOwnFeeds()
  }

  /// A peer says that another process with this key is connected, or this process has met it.
  package mutating func noteTwin(by peer: PeerID, at now: Tick) {
    let isFirst = !ownHeads.hasTwin
    guard ownHeads.noteTwin(by: peer), isFirst || peer == id else { return }
    // What that process wrote others may have by now. Who says so later closes its own rooms, and has nothing begin
    // anew: else one key after another could hold up all rooms for ever.
    beginDoubt(at: now)
    ownHeads.noteNewDoubt()
  }

  /// Why this peer may not write into a room now; `nil` when it may.
  package mutating func writingRefusal(in room: RoomID) -> PeerError? {
    guard ownHeads.needsEvidence(room), let evidence = evidence(of: room) else { return nil }
    return ownHeads.refusal(room, by: id, evidence)
  }

  /// Events of this peer's own came from somebody else, and were not here: a copy of the store was used elsewhere.
  mutating func noteOwn(_ events: [Event]) {
    guard ownHeads.certainty == .watchful, events.contains(where: { keys.contains($0.author) }) else {
      return
    }
    beginDoubt(at: gossip.replica.lastAct)
    ownHeads.noteNewDoubt()
  }

  private mutating func evidence(of room: RoomID) -> OwnHeads.Evidence? {
    guard let state = state(of: room) else { return nil }
    return OwnHeads.Evidence(
      seats: keys.others(at: state), witnesses: gossip.replica.witnesses(of: room),
      recovery: gossip.replica.recovery)
  }
}

extension SigningKey {
  /// Whether the key of a bot's seat is derived from this one.
  package func isKey(ofBot peer: PeerID, _ profile: Profile) -> Bool {
    profile.bot != nil && SigningKey(seed: derivedSeed(name: "bot:" + profile.name)).peer == peer
  }
}

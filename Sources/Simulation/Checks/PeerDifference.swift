import EventLog
import Events
import Projection

/// How peers that must be alike in a room are not.
enum PeerDifference {
  /// How two of some peers are not alike in a room, in words; `nil` when all are alike.
  /// - Parameters:
  ///   - circle: those that must be alike, by number.
  ///   - peers: all.
  ///   - honest: of whom it is told how much they have.
  static func words(
    of room: RoomID, among circle: [Int], of peers: inout [SimulatedPeer], honest: [Int]
  ) -> String? {
    var first: (peer: Int, clock: Digest?, state: Digest?)?
    for peer in circle {
      guard peers[peer].isUp else { return "peer \(peer) is down" }
      let own = digests(of: room, at: &peers[peer])
      guard let known = first else {
        first = (peer, own.clock, own.state)
        continue
      }
      if known.clock != own.clock {
        return "peers \(known.peer) and \(peer) have different clocks" + counts(room, peers, honest)
      }
      if known.state != own.state {
        return "peers \(known.peer) and \(peer) have different states: "
          + stateWords(room, known.peer, peer, of: &peers)
      }
    }
    return nil
  }

  /// The digest of a peer's clock, and that of what the room amounts to. Of a forked feed peers may hold different
  /// branches, so verdicts on single events, which the product's digest has in it, are left out there; and a forked
  /// creator may have started several tables, so the state is that of somebody who sits at none.
  private static func digests(
    of room: RoomID, at peer: inout SimulatedPeer
  ) -> (clock: Digest?, state: Digest?) {
    let clock = peer.log(of: room)?.clock
    let digest = clock?.digest(room: room)
    guard let clock, clock.entries.contains(where: \.isForked), let state = peer.stateForStrangers(of: room)
    else { return (digest, peer.digest(of: room)) }
    var hash = Blake2b(domain: "parlor-simulation-state")
    hash.update(state.encoded)
    return (digest, Digest(hash.digest()))
  }

  /// What of two peers' states of a room differs, and which events only one of them has.
  private static func stateWords(
    _ room: RoomID, _ a: Int, _ b: Int, of peers: inout [SimulatedPeer]
  ) -> String {
    guard let first = peers[a].state(of: room), let second = peers[b].state(of: room),
      let log = peers[a].log(of: room), let other = peers[b].log(of: room)
    else { return "one of them has none" }
    let ids = peers.map(\.id)
    let lacks = [(log, other, a), (other, log, b)].flatMap { from, to, peer in
      from.events.filter { !to.contains($0.id) }.map { event in
        "only peer \(peer) has \(event.kindName) \(event.id.short) of peer "
          + "\(ids.firstIndex(of: event.author).map(String.init) ?? "nobody"), number \(event.sequence)"
      }
    }
    return ([StateDifference.words(first, second)] + lacks).joined(separator: "; ")
  }

  private static func counts(_ room: RoomID, _ peers: [SimulatedPeer], _ honest: [Int]) -> String {
    let counts = honest.compactMap { peer -> String? in
      guard peers[peer].isUp else { return nil }
      return peers[peer].log(of: room).map {
        "peer \(peer) \($0.entries.count) events"
          + ($0.waitingRoom.isEmpty ? "" : " and \($0.waitingRoom.count) waiting")
      }
    }
    return " (" + counts.joined(separator: ", ") + ")"
  }
}

import EventLog
import Events
import Games
import Peer
import Projection

/// What came of frauds in rounds.
extension World {
  /// Looks at the rounds of a room as an honest peer has them.
  /// - Parameter isFirst: whether it is the first peer that is looked at, so that what it has is counted.
  mutating func checkRounds(of log: RoomLog, _ number: Int, at peer: Int, isFirst: Bool) {
    guard
      var projection = RoomProjection(log.graph, catalog: Games.catalog, seenBy: [peers[peer].id])
    else { return }
    var honestKeys: [PeerID: any Signer] = [:]
    for peer in plan.honest { honestKeys[peers[peer].id] = peers[peer].signer }
    let circles = sharers(of: number).filter { $0.contains(peer) }
    let mayWrite =
      peers[peer].faces.isEmpty || peers[peer].faces[0].writingRefusal(in: log.room) == nil
    let checks = RoundChecks(
      &projection, log, viewer: peers[peer].id, sharers: Set(circles.joined().map { peers[$0].id }),
      honestKeys: honestKeys, mayWrite: mayWrite)
    for words in checks.convictions { violate(.conviction, peer: peer, room: number, words) }
    for words in checks.unfairRounds { violate(.fairness, peer: peer, room: number, words) }
    for member in peers where !member.isHonest {
      for fraud in member.cheating.triedFrauds where fraud.room == log.room && log.contains(fraud.event) {
        if let words = checks.fault(of: fraud) { violate(.fairness, peer: peer, room: number, words) }
        if isFirst { statistics.roundFrauds[fraud.kind.rawValue, default: 0] += 1 }
      }
      for read in member.cheating.readBoxes where read.room == log.room {
        violate(.fairness, room: number, "peer \(member.number) reads the answer \(read.entry.short)")
      }
    }
  }
}

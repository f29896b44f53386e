import EventLog
import Events

/// What must hold of an honest peer's copy of a room.
struct LogChecks {
  /// Which peer has which key.
  let peers: [PeerID]
  /// By peer: whether it is honest.
  let isHonest: [Bool]
  /// Further keys of dishonest peers.
  let strangers: [PeerID]
  let hasher: EventHasher
  let scheme: any SignatureScheme
  let ledger: Ledger

  /// Everything that is wrong with a log, in words.
  /// - Parameter hasForked: whether a dishonest peer did fork its feed in the room.
  func faults(
    of log: RoomLog, hasForked: (Int) -> Bool
  ) -> [(promise: Violation.Promise, words: String)] {
    convictions(in: log, hasForked: hasForked).map { (.conviction, $0) }
      + leaks(in: log).map { (.durability, $0) } + integrity(of: log).map { (.integrity, $0) }
      + (log.waitingRoom.mostBytes > WaitingRoom.limitBytes
        ? [(.bounds, "\(log.waitingRoom.mostBytes) bytes wait")] : [])
  }

  /// Feeds that are proven forked and should not be.
  func convictions(in log: RoomLog, hasForked: (Int) -> Bool) -> [String] {
    log.forkProofs.compactMap { proof in
      guard let peer = peers.firstIndex(of: proof.author) else {
        return strangers.contains(proof.author)
          ? nil : "a stranger \(proof.author.short) is proven to have forked"
      }
      if isHonest[peer] { return "honest peer \(peer) is proven to have forked at \(proof.sequence)" }
      return hasForked(peer) ? nil : "peer \(peer) is proven to have forked and did not"
    }
  }

  /// Acknowledged events of a room that none of its copies has.
  func losses(of room: RoomID, in logs: [RoomLog]) -> [String] {
    ledger.acknowledged.filter { entry in
      entry.room == room && !logs.contains { $0.contains(entry.event) }
    }
    .map {
      "event \($0.event.short), acknowledged to peer \($0.peer) at \(SimulatedTime.text($0.time)), is nowhere"
    }
  }

  /// Events that are here though a crash took them from their author before they were safe.
  func leaks(in log: RoomLog) -> [String] {
    ledger.unseen.filter { $0.room == log.room && log.contains($0.event) }.map {
      "event \($0.event.short) is here, which peer \($0.peer) lost in a crash at \(SimulatedTime.text($0.time))"
    }
  }

  /// What of it its authors did not sign.
  func integrity(of log: RoomLog) -> [String] {
    guard !log.graph.events.isEmpty else { return [] }
    let report = log.report(hasher: hasher, scheme: scheme)
    return report.isValid ? [] : ["the log is not what its authors signed: \(report.reason ?? "")"]
  }
}

package import Events

/// Who makes changes of rooms durable: the process that has the store, or one that asks that process to.
package protocol EventCommitter: Sendable {
  /// Makes changes durable. When it returns they survive a power cut.
  func commit(_ changes: [RoomChange]) async throws(LogError)
  /// Sees that nobody else with this identity writes into a stored room, which is about to be read and played on.
  func reserve(_ room: RoomID) async throws(LogError)
}

extension GroupCommitter: EventCommitter {
  /// Whoever has the store has all its rooms.
  package nonisolated func reserve(_ room: RoomID) {}
}

extension RoomChange {
  /// Its events as runs, in an order in which each follows from those before, or from others signed at one moment
  /// with it.
  package var runs: [Run] {
    var runs: [Run] = []
    // Events that no signature covers so far, chain by chain: the branches of a fork are chains of their own.
    var unsigned: [[Event]] = []
    for entry in entries {
      let at = unsigned.firstIndex { $0.last?.id == entry.event.previous } ?? unsigned.count
      if at == unsigned.count { unsigned.append([]) }
      unsigned[at].append(entry.event)
      guard let signature = entry.signature else { continue }
      runs.append(Run(events: unsigned.remove(at: at), signature: signature))
    }
    return runs
  }
}

package import Events

/// What an import adds to a log: prepared first, then written as one change.
package struct BundleImport: Sendable {
  /// The room.
  package let room: RoomID
  /// How many events the bundle holds.
  package let events: Int
  /// The new ones, to be made durable; `nil` when all are here.
  package let change: RoomChange?
  /// The forks of the room with the new events.
  package let forks: [ForkProof]

  /// Checks a bundle to its end, holding its events in memory within the reader's limits, and finds what is
  /// new against the log. Nothing is written.
  package init(_ reader: consuming BundleReader, into log: any EventLog) throws(BundleError) {
    guard reader.network == log.network else { throw .otherNetwork(reader.network) }
    var entries: [RoomLog.Entry] = []
    while let entry = try reader.next() { entries.append(entry) }
    do throws(LogError) {
      var room = try log.held(reader.room)
      let base = room.entries.count
      try room.merge(verified: entries)
      self.room = room.room
      events = entries.count
      change = room.graph.count > base ? RoomChange(room, from: base) : nil
      forks = room.forkProofs
    } catch { throw .log(error) }
  }
}

extension EventLog {
  /// Takes a bundle: all of it that is new, or nothing. Doing it again changes nothing.
  package func take(_ reader: consuming BundleReader) throws(BundleError) -> BundleImport {
    let prepared = try BundleImport(reader, into: self)
    guard let change = prepared.change else { return prepared }
    do throws(LogError) { try write([change]) } catch { throw .log(error) }
    return prepared
  }

  /// The room as far as it is here, perhaps empty.
  fileprivate func held(_ room: RoomID) throws(LogError) -> RoomLog {
    do throws(LogError) {
      return try load(room, verify: false)
    } catch {
      guard case .unknownRoom = error else { throw error }
      return RoomLog(room: room)
    }
  }
}

extension RoomLog {
  /// Takes entries of a bundle that was checked to its end, in its order; those that are here already count
  /// as taken. A fork that shows is kept, both branches.
  /// - Throws: `.corrupt` when a feed here ends unsigned.
  package mutating func merge(verified: [Entry]) throws(LogError) {
    for entry in verified where !contains(entry.event.id) { try adopt(entry) }
    releaseWaiting()
    try checkCoverage()
  }
}

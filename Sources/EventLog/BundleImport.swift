package import Events

/// A bundle that was read and checked to its end.
package struct BundleContent: Sendable {
  /// The room.
  package let room: RoomID
  let network: NetworkID
  package let entries: [RoomLog.Entry]

  /// Reads a bundle, holding its events in memory within the reader's limits.
  package init(_ reader: consuming BundleReader) throws(BundleError) {
    (room, network) = (reader.room, reader.network)
    var entries: [RoomLog.Entry] = []
    while let entry = try reader.next() { entries.append(entry) }
    self.entries = entries
  }
}

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

  /// Finds what of a bundle is new against the log. Nothing is written.
  package init(_ content: BundleContent, into log: any EventLog) throws(BundleError) {
    guard content.network == log.network else { throw .otherNetwork(content.network) }
    do throws(LogError) {
      var room = try log.held(content.room)
      let base = room.entries.count
      try room.merge(verified: content.entries)
      self.room = room.room
      events = content.entries.count
      change = room.graph.count > base ? RoomChange(room, from: base) : nil
      forks = room.forkProofs
    } catch { throw .log(error) }
  }
}

extension EventLog {
  /// Takes a bundle: all of it that is new, or nothing. Doing it again changes nothing.
  package func take(_ reader: consuming BundleReader) throws(BundleError) -> BundleImport {
    guard reader.network == network else { throw .otherNetwork(reader.network) }
    return try take(BundleContent(reader))
  }

  /// Takes a bundle that was read: all of it that is new, or nothing.
  package func take(_ content: BundleContent) throws(BundleError) -> BundleImport {
    let prepared = try BundleImport(content, into: self)
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
    try Coverage.check(self)
  }
}

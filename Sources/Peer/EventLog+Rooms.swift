package import EventLog
package import Events
package import Projection
package import Rules
package import Tournaments

extension EventLog {
  /// What a stored room amounts to; trusts the store.
  /// - Throws: `.corrupt` when the room has no `create`.
  package func projection(of room: RoomID, _ catalog: GameCatalog) throws(LogError) -> RoomProjection {
    try load(room, verify: false).projection(catalog)
  }

  /// A stored tournament; `nil` when the room is none, has not started, or has settings that no tournament takes.
  package func tournament(_ room: RoomID, _ catalog: GameCatalog) throws(LogError) -> TournamentRoom? {
    var projection = try projection(of: room, catalog)
    do throws(TournamentError) { return try TournamentRoom(projection.state, catalog) } catch { return nil }
  }

  /// The tournaments that are stored, newest first, with their rooms' listings.
  package func tournaments() throws(LogError) -> [RoomListing] {
    try rooms(limit: nil).filter { listing in
      if case .tournament? = listing.create.createdPurpose { true } else { false }
    }
  }
}

extension RoomLog {
  /// What the room amounts to.
  /// - Throws: `.corrupt` when it has no `create`.
  package func projection(_ catalog: GameCatalog) throws(LogError) -> RoomProjection {
    guard let first = entries.first, var projection = RoomProjection(create: first.event, catalog: catalog)
    else {
      throw .corrupt(event: nil, reason: "the room \(room.short) does not begin with its creation")
    }
    for entry in entries.dropFirst() { projection.apply(entry.event) }
    return projection
  }
}

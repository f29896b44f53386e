internal import EventLog
package import Events
internal import Gossip
internal import Network
internal import Peer
package import Projection

// What of a room is durable, for those who follow it.

extension Rooms {
  /// What a room amounts to, and how many events it has, where all of them are durable; `nil` while they are not. A
  /// room that is not in memory is over, and has no number.
  nonisolated(nonsending) package func durableState(
    of room: RoomID
  ) async throws(ServiceError) -> (state: RoomState, events: Int?)? {
    let found = await networkPeer.read { core -> (state: RoomState?, events: Int)? in
      guard core.log(of: room) != nil else { return nil }
      return (core.isDurable(room) ? core.state(of: room) : nil, core.gossip.durable(room))
    }
    if let found { return found.state.map { ($0, found.events) } }
    return try await state(of: room).map { ($0, nil) }
  }

  /// How many events of each room are here, where all of them are durable; `nil` for a room that is not in memory, or
  /// not durable as it is.
  nonisolated(nonsending) package func durableEvents(of rooms: [RoomID]) async -> [Int?] {
    await networkPeer.read { core in
      rooms.map { core.isDurable($0) ? core.gossip.durable($0) : nil }
    }
  }

  /// How many plies of a room's game are durable here.
  nonisolated(nonsending) package func durablePlies(of room: RoomID) async -> Int? {
    await networkPeer.read { core in
      guard let plies = core.state(of: room)?.currentGame?.plies else { return nil }
      let durable = core.gossip.durable(room)
      return core.withLog(of: room) { log in plies.count { log.position(of: $0.node) ?? durable < durable } }
    }
  }

  /// The first events of a room, in the order in which they were taken in, from one on.
  /// - Parameter end: how many of them are durable; `nil` for a room that is over and read from the store, all of which
  ///   is.
  nonisolated(nonsending) package func durableEntries(
    of room: RoomID, from start: Int, to end: Int?
  ) async throws(ServiceError) -> [(event: Event, signature: Signature?)] {
    let held = await networkPeer.read { core in
      core.withLog(of: room) { log in Self.slice(log.entries, from: start, to: end) }
    }
    if let held { return held }
    do throws(LogError) { return Self.slice(try await log(of: room).entries, from: start, to: end) } catch {
      throw .peer(.log(error.description))
    }
  }

  private static func slice(
    _ entries: RoomLog.Entries, from start: Int, to end: Int?
  ) -> [(event: Event, signature: Signature?)] {
    let last = min(end ?? entries.count, entries.count)
    return start < last ? entries[start..<last].map { ($0.event, $0.signature) } : []
  }
}

package import EventLog
package import Events
internal import Gossip
internal import Network
package import Peer
package import Projection
package import Tournaments

/// A tournament as somebody looks at it: what is durable of it, and the tables that are played at.
package struct TournamentSight: Sendable {
  /// Its room.
  package let state: RoomState
  /// It, with the rooms of its games; `nil` before its start.
  package let read: TournamentRoom?
  /// The tables that are here of rooms that can be played now.
  package let tables: [PairingAttempt: (room: RoomID, phase: RoomState.Phase)]
}

extension Rooms {
  /// The most tables of a sight.
  private static let limitTables = 256

  /// A tournament as it is now.
  /// - Parameters:
  ///   - state: its room, which is durable.
  ///   - noted: as it was read last, where this process has a part in it.
  ///   - memory: what its rooms were found to be before.
  nonisolated(nonsending) func sight(
    of state: RoomState, noted: TournamentRoom?, _ memory: PairingRoomMemory
  ) async throws(ServiceError) -> TournamentSight {
    let read: TournamentRoom?
    let listed: PlayersTables
    do throws(LogError) {
      read = if let noted { noted } else { try log.tournament(state, games, memory) }
      listed = PlayersTables(try log.rooms(of: state.room))
    } catch { throw .peer(.log(error.description)) }
    guard let read else { return TournamentSight(state: state, read: nil, tables: [:]) }
    var tables: [PairingAttempt: (room: RoomID, phase: RoomState.Phase)] = [:]
    for attempt in read.state.ready.prefix(Self.limitTables) {
      guard let room = listed.table(of: attempt, in: read), let table = try await self.state(of: room) else {
        continue
      }
      tables[attempt] = (room, table.phase)
    }
    return TournamentSight(state: state, read: read, tables: tables)
  }
}

extension PeerService {
  /// A tournament as it is now; `nil` while it is not here, or not durable, and for another room.
  /// - Parameter memory: what its rooms were found to be before.
  package func sight(
    of tournament: RoomID, _ memory: PairingRoomMemory
  ) async throws(ServiceError) -> TournamentSight? {
    guard let (state, _) = try await rooms.durableState(of: tournament), state.isTournament else {
      return nil
    }
    return try await rooms.sight(of: state, noted: tournaments.known.noted[tournament]?.read, memory)
  }

  /// What changes whenever a sight of a tournament may: how often it was read, and how many events its room and those
  /// of its games have.
  package func sightKey(of tournament: RoomID) async throws(ServiceError) -> [Int] {
    let events = await rooms.durableEvents(of: [tournament])[0] ?? -1
    do throws(LogError) {
      let listed = try store.rooms(of: tournament)
      let read = tournaments.known.noted[tournament]?.revision ?? 0
      return [read, events, listed.count, listed.reduce(0) { $0 + $1.events }]
    } catch { throw .peer(.log(error.description)) }
  }

  /// Whether a tournament is over, as far as it is durable.
  package func isComplete(_ tournament: RoomID) throws(ServiceError) -> Bool {
    try tournaments.isComplete(tournament)
  }

  /// Has the guests who are here come to the tables of their pairings, as a person does who waits in a tournament.
  package func attend(asGuests guests: Set<PeerID>) async {
    let come = presence.guests.come(guests)
    guard !come.isEmpty else { return }
    let joined = await networkPeer.read { core in
      core.openRooms.filter { room in
        guard let state = core.state(of: room), state.isTournament else { return false }
        return come.contains { state.seat(of: $0) != nil }
      }
    }
    guard !joined.isEmpty else { return }
    tournaments.known.due.formUnion(joined)
    await settle()
  }
}

extension EventLog {
  /// The newest tournaments that are stored here, of the newest rooms: so many at most.
  package func newestTournaments(limit: Int, ofRooms count: Int) throws(ServiceError) -> [RoomID] {
    do throws(LogError) {
      let found = try rooms(limit: count).filter { listing in
        if case .tournament? = listing.create.createdPurpose { true } else { false }
      }
      return found.prefix(limit).map(\.room)
    } catch { throw .peer(.log(error.description)) }
  }
}

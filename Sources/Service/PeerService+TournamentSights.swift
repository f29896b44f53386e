internal import EventLog
package import Events
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

extension PeerService {
  /// The most tables of a sight.
  private static let limitTables = 256

  /// A tournament as it is now; `nil` while it is not here, or not durable, and for another room.
  /// - Parameter memory: what its rooms were found to be before.
  package func sight(
    of tournament: RoomID, _ memory: PairingRoomMemory
  ) async throws(ServiceError) -> TournamentSight? {
    guard let (state, _) = try await rooms.durableState(of: tournament), state.isTournament else {
      return nil
    }
    let read: TournamentRoom?
    let listed: PlayersTables
    do throws(LogError) {
      if let noted = tournaments.noted[tournament] {
        read = noted.read
      } else {
        read = try store.tournament(state, catalog, memory)
      }
      listed = PlayersTables(try store.rooms(of: tournament))
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

  /// What changes whenever a sight of a tournament may: how often it was read, and how many events its room and those
  /// of its games have.
  package func sightKey(of tournament: RoomID) async throws(ServiceError) -> [Int] {
    let events = await rooms.durableEvents(of: [tournament])[0] ?? -1
    do throws(LogError) {
      let rooms = try store.rooms(of: tournament)
      let read = tournaments.noted[tournament]?.revision ?? 0
      return [read, events, rooms.count, rooms.reduce(0) { $0 + $1.events }]
    } catch { throw .peer(.log(error.description)) }
  }

  /// The newest tournaments that are stored here, of the newest rooms: so many at most.
  package func storedTournaments(limit: Int, ofRooms rooms: Int) throws(ServiceError) -> [RoomID] {
    do throws(LogError) {
      let found = try store.rooms(limit: rooms).filter { listing in
        if case .tournament? = listing.create.createdPurpose { true } else { false }
      }
      return found.prefix(limit).map(\.room)
    } catch { throw .peer(.log(error.description)) }
  }
}

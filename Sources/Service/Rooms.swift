package import EventLog
package import Events
internal import Gossip
internal import Network
internal import Peer
package import Projection
internal import Rules

/// The rooms of a peer wherever they are: in memory while somebody may owe something there, else in the store.
///
/// What is in memory is looked at first, because the store may lag behind it.
package struct Rooms: Sendable {
  let networkPeer: NetworkPeer
  let log: any EventLog
  let games: GameCatalog

  /// What a room amounts to as far as it is durable; `nil` while it is not here.
  nonisolated(nonsending) package func state(of room: RoomID) async throws(ServiceError) -> RoomState? {
    do throws(PeerError) {
      if let state = try await networkPeer.storedState(of: room) { return state }
    } catch { throw .peer(error) }
    do throws(LogError) { return try log.state(of: room, verify: false, games) } catch {
      guard case .unknownRoom = error else { throw .peer(.log(error.description)) }
      return nil
    }
  }

  /// The events of a room that are here, durable or about to be.
  nonisolated(nonsending) package func log(of room: RoomID) async throws(LogError) -> RoomLog {
    if let log = await networkPeer.read({ $0.log(of: room) }) { return log }
    return try log.load(room, verify: false)
  }

  /// Does something while rooms are in memory, where they are known at all; others may close them before and after.
  nonisolated(nonsending) func withOpen<Result: Sendable>(
    _ rooms: [RoomID], _ body: nonisolated(nonsending) () async throws(ServiceError) -> Result
  ) async throws(ServiceError) -> Result {
    await networkPeer.hold(rooms)
    do throws(ServiceError) {
      for room in rooms { try await open(room) }
      let result = try await body()
      await networkPeer.letGo(rooms)
      return result
    } catch {
      await networkPeer.letGo(rooms)
      throw error
    }
  }

  /// Has a room in memory, where it is known at all.
  nonisolated(nonsending) func open(_ room: RoomID) async throws(ServiceError) {
    do throws(LogError) { try await networkPeer.open(room) } catch {
      guard case .unknownRoom = error else { throw .peer(.log(error.description)) }
    }
  }

  /// The rooms that are in memory.
  nonisolated(nonsending) package func inMemory() async -> Set<RoomID> {
    Set(await networkPeer.read { $0.openRooms })
  }

  /// What the rooms amount to that are under way, ascending by id; those that a crash would not take away.
  nonisolated(nonsending) package func underWay() async -> [RoomState] {
    await networkPeer.read { core in
      core.openRooms.filter { core.gossip.durable($0) > 0 }.sorted().compactMap { core.state(of: $0) }
        .filter { Steward.isUnderWay($0) }
    }
  }

  /// What the rooms of the owner amount to that are under way and where it keeps no seat itself.
  nonisolated(nonsending) package func forGuests() async -> [RoomState] {
    await networkPeer.read { core in
      core.openRooms.compactMap { room in
        guard let state = core.state(of: room), state.creator == core.id, state.isForGuests else {
          return nil
        }
        return Steward.isUnderWay(state) ? state : nil
      }
    }
  }
}

// MARK: - Who has a part in them

extension Rooms {
  /// Whether a room that is under way was created by a guest, or has a seat or a place in a row for one.
  nonisolated(nonsending) package func need(_ guest: PeerID) async -> Bool {
    await networkPeer.read { core in
      core.openRooms.contains { room in
        core.state(of: room).map { Steward.isUnderWay($0) && $0.concerns(guest) } ?? false
      }
    }
  }

  /// Whether a room is under way and this peer has a part in it.
  nonisolated(nonsending) func isPlayed(_ room: RoomID) async throws(ServiceError) -> Bool {
    guard let state = try await state(of: room), Steward.isUnderWay(state) else { return false }
    let keys = await networkPeer.read { core in core.keys.members(in: state).map { core.keys.ids[$0] } }
    return !keys.isEmpty || state.hosted?.player(networkPeer.peer) != nil
  }

  /// Whether an invited peer has declined to play in a room.
  nonisolated(nonsending) func hasDeclined(_ peer: PeerID, _ room: RoomID) async -> Bool {
    await networkPeer.read { core in core.withLog(of: room) { $0.hasDeclined(peer) } ?? false }
  }

  /// Whether a room may be looked at. What others write is, when it is durable, which touches the room again: a
  /// long feed that comes is read once. Where this peer writes too its answer shares the commit, but of rounds only
  /// their host answers.
  nonisolated(nonsending) func isSettled(_ room: RoomID) async -> Bool {
    let me = networkPeer.peer
    return await networkPeer.read { core in
      core.isDurable(room)
        || core.withLog(of: room) { log in
          log.number(of: me) != nil && (!log.membership.isHosted || log.membership.creator == me)
        } ?? true
    }
  }

  /// Whether a room is nothing to this peer, nor as a tournament to any of the people whose keys it has.
  nonisolated(nonsending) func isForeign(_ room: RoomID, people: Set<PeerID>) async -> Bool {
    let me = networkPeer.peer
    return await networkPeer.read { core in
      core.state(of: room).map { state in
        !state.concerns(me) && !(state.isTournament && people.contains { state.concerns($0) })
      } ?? false
    }
  }

  /// Whether somebody waits for this peer in a room: it is invited, or has played the game that this is the rematch
  /// of.
  nonisolated(nonsending) func isWanted(_ state: RoomState?) async -> Bool {
    guard let state, state.isCasual, state.phase == .waiting, state.seats.contains(nil) else { return false }
    let me = networkPeer.peer
    if state.invited.contains(me) { return true }
    let before = state.create.rematchOf
    guard before.isSome else { return false }
    // Without the game before it nobody's right to a seat can be known.
    do throws(ServiceError) {
      return try await withOpen([before]) {
        await networkPeer.read { $0.state(of: before)?.seat(of: me) != nil }
      }
    } catch { return false }
  }
}

extension RoomState {
  /// Whether a peer has created the room, has a seat in it or asks for one, or is invited.
  package func concerns(_ peer: PeerID) -> Bool {
    creator == peer || seat(of: peer) != nil || openRequests.contains { $0.peer == peer }
      || invited.contains(peer) || hosted?.player(peer) != nil
      || hosted.map { $0.requests.contains { $0.peer == peer } } ?? false
  }

  /// Whether the creator leaves all seats to others, as in the rooms of guests.
  fileprivate var isForGuests: Bool {
    guard isCasual, case .games = create.purpose else { return false }
    return create.creatorSeat == Create.noSeat
  }
}

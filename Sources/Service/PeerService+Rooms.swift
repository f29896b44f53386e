internal import EventLog
package import Events
internal import Gossip
internal import Network
internal import Peer
package import Projection

// Rooms: what they amount to, and what is done in them.

extension PeerService {
  package func state(of room: RoomID) async throws(ServiceError) -> RoomState? {
    try await rooms.state(of: room)
  }

  package func openGames() async -> [RoomID] {
    let connected = watched.neighbourhood.peers
    let here = Set(connected + [peer]).union(presence.guests.people)
    let keepers = Set(connected.map(\.short))
    let listed = duties.listed.withSeats.sorted()
    return await networkPeer.read { core in
      listed.filter { room in
        guard let state = core.state(of: room) else { return false }
        return here.contains(state.creator)
          || GuestName(state.create.profile.name).map { keepers.contains($0.keeper) } ?? false
      }
    }
  }

  package func perform(_ intent: Intent) async throws(ServiceError) -> RoomID {
    try await perform(intent, of: HostAttendance.process)
  }

  /// Does something for a command; whoever opens a table sits at it.
  func perform(_ intent: Intent, of command: Int) async throws(ServiceError) -> RoomID {
    let room = try await perform(intent, as: peer)
    switch intent {
    case .create, .host: try await attend(room, for: command)
    default: break
    }
    return room
  }

  /// Does something as one of the peers whose keys this process has.
  package func perform(_ intent: Intent, as author: PeerID) async throws(ServiceError) -> RoomID {
    guard !isClosed else { throw .gone("it stops") }
    if case .connect(let address) = intent {
      await found(address)
      return .none
    }
    if case .want(let name) = intent {
      guard let prefix = RoomPrefix(GameCode.digits(of: name) ?? name) else {
        throw .refused("no room is named \(name)")
      }
      await networkPeer.ask(for: prefix)
      return .none
    }
    if case .block(let other, let isBlocked) = intent {
      try await block(other, isBlocked)
      return .none
    }
    let room = try await writer.perform(intent, as: author)
    // Whoever asks next sees what was done.
    await settle()
    return room
  }

  package func forget(_ named: [RoomID], _ which: Forgetting) async throws(ServiceError) -> [RoomID] {
    guard !isClosed else { throw .gone("it stops") }
    for room in named {
      try writer.checkReservation(room, by: nil)
      guard which == .unplayed, try await rooms.isPlayed(room) else { continue }
      throw .refused("a game is on in the room \(room.short), in which this peer has a part")
    }
    do throws(PeerError) {
      let forgotten = try await networkPeer.forget(named, which == .strangers ? .strangers : .all)
      // Whoever asks next sees what was done.
      await settle()
      return forgotten
    } catch { throw .peer(error) }
  }
}

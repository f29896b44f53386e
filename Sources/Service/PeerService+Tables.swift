internal import EventLog
package import Events
internal import Network
internal import Peer
internal import Projection

// Tables: how they look, and who sits at them.

extension PeerService {
  package func table(of room: RoomID) async throws(ServiceError) -> TableView? {
    let connected = Set(await neighbours().compactMap { $0.state == .connected ? $0.peer : nil })
    guard var state = try await state(of: room) else { return nil }
    let rematch = try await rematch(of: state)
    var declined: Set<PeerID> = []
    for invited in state.invited where state.phase == .waiting {
      if await hasDeclined(invited, room) { declined.insert(invited) }
    }
    // Nothing may happen between this and the look at the clocks, which would go back.
    if state.phase == .waiting || state.phase == .playing, let newest = try await self.state(of: room) {
      state = newest
    }
    let now = elapsed()
    return TableView(
      state, for: peer, games: games, connected: connected, absent: absences.since, declined: declined,
      rematch: rematch, clocks: timekeeper.clocks(of: state, at: now), atMilliseconds: now,
      code: joinCode(of: state), elapsed: await elapsedInRound(of: state, at: now))
  }

  /// The rematch of a game that is over which counts: the first one that waits for somebody, the creator's before
  /// those of other seats, and those by seat.
  private func rematch(of state: RoomState) async throws(ServiceError) -> TableView.Rematch? {
    guard state.isCasual, state.phase == .finished else { return nil }
    let begun = try log.rematches(of: state.room)
    guard !begun.isEmpty else { return nil }
    for player in [state.creator] + state.seats.compactMap({ $0?.peer }) {
      for room in begun where room.creator == player {
        guard try await self.state(of: room.room)?.phase == .waiting else { continue }
        return TableView.Rematch(room: room.room, peer: player)
      }
    }
    return nil
  }

  // MARK: - Who sits there

  package func attend(_ room: RoomID) async throws(ServiceError) {
    try await attend(room, for: HostAttendance.process)
  }

  /// Has a command sit at a table of this peer until it ends: then what others ask of the host is answered.
  func attend(_ room: RoomID, for command: Int) async throws(ServiceError) {
    guard attendance.sit(at: room, command) else { return }
    try await open(room)
    await tend(room)
  }

  package func leftTables() async -> [RoomID] {
    let rooms = hosted.sorted().filter { !isAttended($0) }
    return await networkPeer.read { core in
      rooms.filter { room in
        guard let state = core.state(of: room) else { return false }
        return state.create.creatorSeat != Create.noSeat && state.seats.contains(nil)
      }
    }
  }

  /// Whether somebody sees who comes to a table of this peer.
  func isAttended(_ room: RoomID) -> Bool { policy.sitsEverywhere || attendance.isAttended(room) }
}

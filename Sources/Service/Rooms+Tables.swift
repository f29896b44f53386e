internal import EventLog
package import Events
internal import Network
internal import Peer
package import Projection

// What other rooms, and the process, say of a table.

extension TableView {
  /// What a table shows that its room does not say.
  package struct Company: Sendable {
    /// Who of the invited has declined.
    var declined: Set<PeerID> = []
    /// The rematch that counts.
    var rematch: TableView.Rematch?
  }
}

extension Rooms {
  /// What a room's table shows that the room does not say; `nil` while it is not here.
  nonisolated(nonsending) package func company(
    of room: RoomID
  ) async throws(ServiceError) -> TableView.Company? {
    guard let state = try await state(of: room) else { return nil }
    return try await company(of: state)
  }

  nonisolated(nonsending) func company(
    of state: RoomState
  ) async throws(ServiceError) -> TableView.Company {
    var company = TableView.Company(rematch: try await rematch(of: state))
    for invited in state.invited where state.phase == .waiting {
      if await hasDeclined(invited, state.room) { company.declined.insert(invited) }
    }
    return company
  }

  /// The rematch of a game that is over which counts: the first one that waits for somebody, the creator's before
  /// those of other seats, and those by seat.
  nonisolated(nonsending) package func rematch(
    of state: RoomState
  ) async throws(ServiceError) -> TableView.Rematch? {
    guard state.isCasual, state.isOver else { return nil }
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

  /// The newest rematch of a room that has begun with a peer; `nil` while none has.
  nonisolated(nonsending) package func begunRematch(
    of room: RoomID, with peer: PeerID
  ) async throws(ServiceError) -> RoomID? {
    for next in try log.rematches(of: room) {
      guard let state = try await state(of: next.room), state.seat(of: peer) != nil else { continue }
      if state.phase == .playing || state.isOver { return next.room }
    }
    return nil
  }

  /// Why this peer may write nothing into a room that goes on, in words.
  nonisolated(nonsending) func hindrances(in rooms: [RoomID]) async -> [String?] {
    await networkPeer.read { core in rooms.map { core.writingRefusal(in: $0)?.description } }
  }

  /// How long the round that is on has been open, where this process has opened it.
  nonisolated(nonsending) func elapsedInRound(of state: RoomState, at now: UInt64) async -> UInt64? {
    guard let opening = state.hosted?.round?.opening else { return nil }
    let room = state.room
    return await networkPeer.read { $0.hosting.elapsed(in: room, opening, at: now) }
  }
}

extension RoomState {
  /// The join code of a room of hosted rounds, where it has one.
  /// - Parameter host: the key of whoever asks; only the host's gives it.
  func joinCode(by host: SigningKey) -> String? {
    guard creator == host.peer, case .hosted(_, true, _) = create.purpose else { return nil }
    return JoinCode.code(of: room, host)
  }
}

internal import EventLog
package import Events
internal import Network
internal import Peer
internal import Projection

// Tables: how they look, and who sits at them.

extension PeerService {
  package func table(of room: RoomID) async throws(ServiceError) -> TableView? {
    let connected = await surroundings.connected()
    guard var state = try await state(of: room) else { return nil }
    let company = try await rooms.company(of: state)
    // What came meanwhile: the look at the clocks must not be older than the state.
    if state.phase == .waiting || state.phase == .playing, let newest = try await self.state(of: room) {
      state = newest
    }
    return await table(of: state, for: peer, connected: connected, company)
  }

  /// A room's table as it is durable, as somebody sees it whose key this process has, or who only looks on.
  /// - Parameters:
  ///   - present: the guests who are here, beside whom this peer is connected with.
  ///   - company: the same for all who look: to find it reads other rooms.
  /// - Returns: the table, and how many events the room has; `nil` while the room is not here, or not durable. A room
  ///   that is not in memory is over, and has no number.
  package func durableTable(
    of room: RoomID, for viewer: PeerID, present: Set<PeerID>, _ company: TableView.Company
  ) async throws(ServiceError) -> (table: TableView, events: Int?)? {
    let connected = await surroundings.connected().union(present)
    guard let (state, events) = try await rooms.durableState(of: room) else { return nil }
    return (await table(of: state, for: viewer, connected: connected, company), events)
  }

  /// What only the host may know is for this peer alone.
  private func table(
    of state: RoomState, for viewer: PeerID, connected: Set<PeerID>, _ company: TableView.Company
  ) async -> TableView {
    // Nothing may happen between this and the look at the clocks, which would go back.
    let now = elapsed()
    let clocks = duties.clocks(of: state, at: now)
    let isOwn = viewer == peer
    var table = TableView(
      state, for: viewer, games: catalog, connected: connected, absent: watched.neighbourhood.absentSince,
      declined: company.declined,
      rematch: company.rematch, clocks: clocks, atMilliseconds: now,
      code: isOwn ? state.joinCode(by: signer) : nil,
      elapsed: isOwn ? await rooms.elapsedInRound(of: state, at: now) : nil,
      told: state.hosted == nil ? nil : state.toldSolution(to: viewer, await networkPeer.read { $0.keys }))
    let blocked = duties.blocked.peers
    if !blocked.isEmpty { table.chat.removeAll { blocked.contains($0.peer) } }
    if isOwn { table.hindrance = await hindrance(in: state) }
    return table
  }

  /// Why this peer may write nothing into a room that goes on, in words. Whoever has asked is told when that changes.
  private func hindrance(in state: RoomState) async -> String? {
    guard state.phase == .waiting || state.phase == .playing else { return nil }
    let words = await rooms.hindrances(in: [state.room])
    watched.note(words, in: [state.room])
    return words[0]
  }

  /// The rematches of each of these rooms that are durable and wait for somebody: when they change so does the table.
  package func openRematches(of rooms: [RoomID]) async -> [[RoomID]] {
    let listed = duties.listed
    guard listed.hasRematches else { return rooms.map { _ in [] } }
    return await networkPeer.read { core in
      rooms.map { listed.rematches(of: $0).filter { core.isDurable($0) } }
    }
  }

  // MARK: - Who sits there

  package func attend(_ room: RoomID) async throws(ServiceError) {
    try await attend(room, for: HostAttendance.process)
  }

  /// Has a command sit at a table of this peer until it ends: then what others ask of the host is answered.
  func attend(_ room: RoomID, for command: Int) async throws(ServiceError) {
    guard presence.attendance.sit(at: room, command) else { return }
    try await rooms.open(room)
    await duties.tend(room)
  }

  /// Has the owner sit at those of its own tables that its sockets watch, and at no others: attendance through sockets
  /// ends with the last socket that watches.
  /// - Parameter rooms: what the owner's sockets watch; rooms of others, and hosted rounds, are left out.
  package func sit(atWatched rooms: Set<RoomID>) async {
    let me = peer
    let own = await networkPeer.read { core in
      rooms.filter { room in core.state(of: room).map { $0.creator == me && $0.isCasual } ?? false }
    }
    for room in presence.attendance.sit(atAll: own, HostAttendance.sockets) { await duties.tend(room) }
  }

  package func leftTables() async -> [RoomID] {
    let hosted = duties.listed.hosted.sorted().filter { !presence.isAttended($0) }
    return await networkPeer.read { core in
      hosted.filter { room in
        guard let state = core.state(of: room) else { return false }
        return state.create.creatorSeat != Create.noSeat && state.seats.contains(nil)
      }
    }
  }
}

// MARK: - Which room is meant

extension PeerService {
  package func room(named name: String) throws(ServiceError) -> RoomID? { try store.room(named: name) }

  package func rematch(of room: RoomID, by creator: PeerID) throws(ServiceError) -> RoomID? {
    try store.rematch(of: room, by: creator)
  }

  package func unfinishedRounds(of rules: String) async throws(ServiceError) -> RoomID? {
    for room in try store.hostedRooms(of: rules, by: peer) {
      let phase = try await state(of: room)?.phase
      if phase == .waiting || phase == .playing { return room }
    }
    return nil
  }

  package func hasDeclined(_ peer: PeerID, _ room: RoomID) async -> Bool {
    await rooms.hasDeclined(peer, room)
  }
}

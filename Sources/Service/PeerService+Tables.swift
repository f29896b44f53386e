package import Events
internal import Peer
internal import Projection

// Tables: rooms as this process's peers see them.

extension PeerService {
  package func table(of room: RoomID) async throws(ServiceError) -> TableView? {
    let connected = await connectedPeers()
    guard let state = try await state(of: room) else { return nil }
    return await table(of: state, for: peer, connected: connected)
  }

  /// A room's table as it is durable, as somebody sees it whose key this process has, or who only looks on.
  /// - Parameter present: the guests who are here, beside whom this peer is connected with.
  /// - Returns: the table, and how many events the room has; `nil` while the room is not here, or not durable. A room
  ///   that is not in memory is over, and has no number.
  package func durableTable(
    of room: RoomID, for viewer: PeerID, present: Set<PeerID>
  ) async throws(ServiceError) -> (table: TableView, events: Int?)? {
    let connected = await connectedPeers().union(present)
    guard let (state, events) = try await durableState(of: room) else { return nil }
    return (await table(of: state, for: viewer, connected: connected), events)
  }

  /// The peers that this one is connected with.
  package func connectedPeers() async -> Set<PeerID> {
    Set(await neighbours().compactMap { $0.state == .connected ? $0.peer : nil })
  }

  /// What only the host may know is for this peer alone.
  private func table(
    of state: RoomState, for viewer: PeerID, connected: Set<PeerID>
  ) async -> TableView {
    // Nothing may happen between this and the look at the clocks, which would go back.
    let now = elapsed()
    let clocks = timekeeper.clocks(of: state, at: now)
    let isOwn = viewer == peer
    return TableView(
      state, for: viewer, games: games, connected: connected, clocks: clocks, atMilliseconds: now,
      code: isOwn ? joinCode(of: state) : nil,
      elapsed: isOwn ? await elapsedInRound(of: state, at: now) : nil)
  }
}

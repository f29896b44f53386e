internal import Events
internal import JSON
internal import Peer
internal import Projection
internal import Service

// Which rooms a client may know of.

extension TableSockets {
  /// The room that a client means.
  func room(_ name: String, _ client: TableClient) async throws(ServiceError) -> RoomState {
    let isDigits = name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    guard isDigits || GameCode.digits(of: name) != nil else {
      throw .refused("a table is named by its id, the first digits of that, or its code of six letters")
    }
    if let room = try await found(name), let state = try await service.state(of: room),
      isVisible(state, client)
    {
      return state
    }
    guard case .owner = client.person else { throw .refused("there is no table \(name) here") }
    _ = try await service.perform(.want(name: name))
    throw .refused("the table \(name) is not here; connected peers are asked for it: try again soon")
  }

  private func found(_ name: String) async throws(ServiceError) -> RoomID? {
    if let room = RoomID(hex: name.lowercased()) { return room }
    return try await service.room(named: name.lowercased())
  }

  /// Whether a client may see a room: the owner all, others those of everybody, those that guests here have opened
  /// for whoever is near, or clients with keys of their own that are connected, and their own.
  func isVisible(_ state: RoomState, _ client: TableClient) -> Bool {
    if let key = client.ownKey, state.concerns(key) { return true }
    return switch client.person {
    case .owner: true
    case .guest(let guest): state.concerns(guest.peer) || isShared(state)
    case .onlooker: isShared(state)
    }
  }

  private func isShared(_ state: RoomState) -> Bool {
    switch state.create.scope {
    case .open: true
    case .invited: false
    case .local:
      guests.isGuest(state.creator, name: state.create.profile.name) || presentKeys.contains(state.creator)
    }
  }

  /// The tables and the tournaments that a client may see.
  func lists(_ states: [RoomState], _ client: TableClient) async throws(ServiceError) -> [JSONMember] {
    [JSONMember("tables", list(states, client)), try await tournaments(states, client)]
  }

  /// The tables that a client may see and that are not over, ascending by id.
  private func list(_ states: [RoomState], _ client: TableClient) -> JSONValue {
    let peer = client.viewer
    return .array(
      states.filter { $0.isCasual || $0.hosted != nil }.filter { isVisible($0, client) }
        .prefix(Self.limitListed).map { $0.listed(for: peer, games) })
  }

  /// The most tables of a list.
  private static let limitListed = 500
}

internal import Events
internal import JSON
internal import Peer
internal import Projection
internal import Service

// The next game between the same seats.

extension TableSockets {
  /// Has a client come to the next game: the one that has begun with it, else the one that somebody waits in and that
  /// counts (`TableView.rematch`), else a new one, which any player may open.
  func rematch(_ state: RoomState, _ client: TableClient) async throws(ServiceError) -> [JSONMember] {
    let author = try await actor(client)
    guard state.hosted == nil, state.seat(of: author) != nil else {
      throw .refused("who has played may have the next game")
    }
    guard state.isOver else { throw .refused("the game is not over") }
    try client.checkWatches()
    let next: RoomID
    // In this order: one that waits may begin in between.
    let wish = try await service.rooms.rematch(of: state)
    if let begun = try await service.rooms.begunRematch(of: state.room, with: author) {
      next = begun
    } else if let wish {
      next = try await come(to: wish, state, author, client)
    } else {
      next = try await open(after: state, author, client)
    }
    try client.watch(next)
    return next.members
  }

  /// Opens the next game. Who has done so at the same moment and counts more is come to instead.
  private func open(
    after state: RoomState, _ author: PeerID, _ client: TableClient
  ) async throws(ServiceError) -> RoomID {
    // A bot of elsewhere has its next game open for whoever comes.
    if state.creator != author, state.create.profile.bot != nil {
      throw .refused(
        "\(state.create.profile.name), a bot, opens its next game itself; look for it in the list")
    }
    try takeOpening(client)
    let new = Intent.NewRoom(rematchOf: state, by: author, client.profile)
    let next = try await service.perform(.create(new), as: author)
    if let wish = try await service.rooms.rematch(of: state), wish.peer != author {
      return try await come(to: wish, state, author, client)
    }
    try await players.follow(state, to: next)
    return next
  }

  /// Asks for a seat in the next game that somebody has opened, and closes the one of one's own.
  private func come(
    to wish: TableView.Rematch, _ state: RoomState, _ author: PeerID, _ client: TableClient
  ) async throws(ServiceError) -> RoomID {
    guard wish.peer != author else { return wish.room }
    if let own = try await service.rematch(of: state.room, by: author),
      try await service.state(of: own)?.phase == .waiting
    {
      _ = try await service.perform(.act(own, .leave), as: author)
    }
    let terms = Terms(state.create)
    do throws(ServiceError) {
      return try await service.perform(
        .join(wish.room, seat: Create.noSeat, client.profile, terms: terms), as: author)
    } catch {
      // What it asked for before may have been granted in between.
      guard try await service.state(of: wish.room)?.seat(of: author) != nil else { throw error }
      return wish.room
    }
  }
}

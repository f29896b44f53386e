internal import BotKit
internal import Events
internal import JSON
internal import Projection
internal import Service

// Clients with a key of their own: they show it, are given a table's events, and write their own.

extension TableSockets {
  /// The own keys that have clients.
  var presentKeys: Set<PeerID> {
    // tidy: order does not matter because they are a set
    Set(clients.values.compactMap(\.ownKey))
  }

  func prove(
    _ peer: PeerID, _ signature: Signature, _ client: TableClient
  ) async throws(ServiceError) -> [JSONMember] {
    guard client.ownKey == nil else { throw .refused("this socket has shown a key") }
    guard let challenge = client.challenge else { throw .refused("ask for a challenge first") }
    client.challenge = nil
    guard Ed25519().isValid(signature, ofSocket: challenge, of: service.peer, by: peer) else {
      throw .refused("that is not the signature of that key; ask for another challenge")
    }
    if let words = await service.refusal(ofOwnKey: peer) { throw .refused(words) }
    client.ownKey = peer
    noteComingOrGoing(client)
    return [JSONMember("peer", .string(peer.description))]
  }

  /// Has a client be told of a table's events, and of the table as its own key sees it.
  func follow(_ state: RoomState, _ client: TableClient) throws(ServiceError) -> [JSONMember] {
    guard client.ownKey != nil else { throw Self.noKey }
    guard !state.isTournament else { throw .refused("a tournament is not followed: watch it") }
    try client.checkWatches(state.room)
    // To follow again is to be told from the beginning again.
    client.watches[state.room] = TableClient.Told(followed: 0)
    return state.room.members
  }

  func write(
    _ event: [UInt8], _ signature: Signature, in state: RoomState, _ client: TableClient
  ) async throws(ServiceError) -> [JSONMember] {
    guard let key = client.ownKey else { throw Self.noKey }
    let id = try await service.take(event, signature, of: key, in: state.room)
    // Neighbours are asked for what comes there: none of this process's own keys need have a part in it.
    _ = try await service.perform(.want(name: state.room.description))
    return state.room.members + [JSONMember("event", .string(id.description))]
  }

  /// Opens a table of games that a client has created with its own key; a bot asks for a seat there where one is
  /// wanted, and the client grants it. Bots that a client has played against come to a rematch. To create a table that
  /// is here does nothing.
  func create(
    _ body: [UInt8], _ signature: Signature, bot name: String?, _ client: TableClient
  ) async throws(ServiceError) -> [JSONMember] {
    guard let key = client.ownKey else { throw Self.noKey }
    let table = try CreatedTable(body, by: key, in: service.networkID)
    let (room, create) = (table.room, table.create)
    if try await service.state(of: room) != nil { return room.members }
    let rules = try table.rules(games)
    let waiting = await service.rooms.underWay().count { $0.creator == key && $0.phase == .waiting }
    guard waiting < Self.limitWaiting else {
      throw .refused("\(Self.limitWaiting) tables of this key wait for players: leave one first")
    }
    let bot = try name.map { specification throws(ServiceError) in
      try self.bot(specification, rules, client)
    }
    try takeOpening(client)
    _ = try await service.take(body, signature, of: key, in: room)
    _ = try await service.perform(.want(name: room.description))
    if let bot { try await players.sit(bot, in: room) }
    if create.rematchOf != .none, let before = try await service.state(of: create.rematchOf), before.isOver,
      before.seat(of: key) != nil
    {
      try await players.follow(before, to: room)
    }
    return room.members
  }

  /// The most tables of a key that wait for players.
  private static let limitWaiting = 8

  private static let noKey = ServiceError.refused("show a key first, with challenge and prove")

  /// The messages by which a client that follows a table learns of its events; `nil` for one that watches alone.
  /// - Parameters:
  ///   - told: how many it was told.
  ///   - end: how many there are that are durable; `nil` for a room that is over and in the store alone.
  func followed(_ room: RoomID, _ told: Int?, to end: Int?) async throws(ServiceError) -> Followed? {
    guard let start = told else { return nil }
    return Followed(room, from: start, try await service.rooms.durableEntries(of: room, from: start, to: end))
  }
}

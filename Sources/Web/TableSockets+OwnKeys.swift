internal import BotKit
internal import Events
internal import JSON
internal import Network
internal import Projection
internal import Rules
internal import Service

// Clients with a key of their own: they show it, are given a table's events, and write their own.

extension TableSockets {
  /// What a client that follows a table is told of its events.
  struct Followed {
    /// How many it had been told, and has been told then.
    var (start, end): (Int, Int)
    var messages: [[UInt8]]
  }

  /// The most events of a room that is followed from its beginning, and of a message.
  private static let (limitFollowed, limitPiece) = (8_192, 64)

  /// The own keys that have clients.
  var presentKeys: Set<PeerID> {
    // tidy: order does not matter because they are a set
    Set(clients.values.compactMap(\.ownKey))
  }

  /// Something new for a client to sign. It names this server and this socket: what is signed of it is of no use on
  /// another one.
  func challenge(_ client: Client) -> [JSONMember] {
    let challenge = Bytes32(SigningKey.randomSeed(), at: 0)
    client.challenge = challenge
    return [
      JSONMember("challenge", .string(challenge.hex)),
      JSONMember("server", .string(service.peer.description)),
      JSONMember("network", .string(service.networkID.description)),
    ]
  }

  func prove(
    _ peer: PeerID, _ signature: Signature, _ client: Client
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
  func follow(_ state: RoomState, _ client: Client) throws(ServiceError) -> [JSONMember] {
    guard client.ownKey != nil else { throw Self.noKey }
    guard !state.isTournament else { throw .refused("a tournament is not followed: watch it") }
    try checkWatches(client, state.room)
    // To follow again is to be told from the beginning again.
    client.watches[state.room] = Told(followed: 0)
    return Self.named(state.room)
  }

  func write(
    _ event: [UInt8], _ signature: Signature, in state: RoomState, _ client: Client
  ) async throws(ServiceError) -> [JSONMember] {
    guard let key = client.ownKey else { throw Self.noKey }
    let id = try await service.take(event, signature, of: key, in: state.room)
    // Neighbours are asked for what comes there: none of this process's own keys need have a part in it.
    _ = try await service.perform(.want(name: state.room.description))
    return Self.named(state.room) + [JSONMember("event", .string(id.description))]
  }

  /// Opens a table of games that a client has created with its own key; a bot asks for a seat there where one is
  /// wanted, and the client grants it. Bots that a client has played against come to a rematch. To create a table that
  /// is here does nothing.
  func create(
    _ body: [UInt8], _ signature: Signature, bot name: String?, _ client: Client
  ) async throws(ServiceError) -> [JSONMember] {
    guard let key = client.ownKey else { throw Self.noKey }
    let (room, create) = try created(body, by: key)
    if try await service.state(of: room) != nil { return Self.named(room) }
    let rules = try rules(of: create)
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
    return Self.named(room)
  }

  /// The room that a peer creates by a body, and what it fixed.
  private func created(
    _ body: [UInt8], by key: PeerID
  ) throws(ServiceError) -> (RoomID, Create) {
    let event: Event
    do throws(FormatError) {
      event = try Event(body: body, hasher: EventHasher(network: service.networkID))
    } catch { throw .refused("that is no event: \(error)") }
    guard event.author == key else {
      throw .refused("that event is another peer's than this socket's")
    }
    guard case .create(let create) = event.action, create.edition == Create.edition,
      case .games(.none, _, _) = create.purpose
    else {
      throw .refused("with a key of one's own tables of games are created, and nothing else")
    }
    return (event.room, create)
  }

  private func rules(of create: Create) throws(ServiceError) -> any GameRules {
    guard let definition = games.definition(create.rules, version: create.rulesVersion),
      let parameters = Parameters(encoded: create.parameters)
    else { throw .refused("the rules of that game are not known here") }
    let rules: any GameRules
    do throws(RulesError) { rules = try definition.rules(parameters) } catch {
      throw .refused(error.description)
    }
    guard rules.seats == Int(create.seats) else {
      throw .refused("that game has \(rules.seats) seats, and not \(create.seats)")
    }
    return rules
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
    let entries = try await service.rooms.durableEntries(of: room, from: start, to: end)
    guard start > 0 || entries.count <= Self.limitFollowed else {
      return Followed(start: start, end: start, messages: [Self.tooMany(room, entries.count)])
    }
    let messages = stride(from: 0, to: entries.count, by: Self.limitPiece).map { first in
      Self.message(room, entries[first...].prefix(Self.limitPiece))
    }
    return Followed(start: start, end: start + entries.count, messages: messages)
  }

  private static func message(
    _ room: RoomID, _ entries: ArraySlice<(event: Event, signature: Signature?)>
  ) -> [UInt8] {
    let events: [JSONValue] = entries.map { entry in
      var body: [UInt8] = []
      entry.event.append(to: &body, withID: false)
      return [
        "event": .string(body.hex), "signature": .optional(entry.signature.map { $0.bytes.hex }),
      ]
    }
    return message("events", room, JSONMember("events", .array(events)))
  }

  private static func tooMany(_ room: RoomID, _ count: Int) -> [UInt8] {
    let words = "the room has \(count) events, and at most \(limitFollowed) are told"
    return message("not-followed", room, JSONMember("words", .string(words)))
  }

  private static func message(_ type: String, _ room: RoomID, _ member: JSONMember) -> [UInt8] {
    let members = [JSONMember("type", .string(type)), JSONMember("room", .string(room.description)), member]
    return Array(JSONLine(members).text.utf8)
  }
}

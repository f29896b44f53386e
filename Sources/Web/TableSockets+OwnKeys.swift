internal import Events
internal import JSON
internal import Network
internal import Projection
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

  private static let noKey = ServiceError.refused("show a key first, with challenge and prove")

  /// The messages by which a client that follows a table learns of its events; `nil` for one that watches alone.
  /// - Parameters:
  ///   - told: how many it was told.
  ///   - end: how many there are that are durable; `nil` for a room that is over and in the store alone.
  func followed(_ room: RoomID, _ told: Int?, to end: Int?) async throws(ServiceError) -> Followed? {
    guard let start = told else { return nil }
    let entries = try await service.storedEntries(of: room, from: start, to: end)
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

internal import Events
internal import JSON
internal import Network
internal import Service

/// A client of tables, from its opening on.
final class TableClient {
  /// Who a client is.
  enum Person {
    /// Somebody who has not said hello, and only looks on.
    case onlooker
    case guest(Guest)
    case owner
  }

  /// What a client was told of a table.
  struct Told {
    var isTold = false
    /// When it was told of a table, in milliseconds of the loop.
    var time: UInt64 = 0
    /// How many of its events a client was told that follows them; `nil` for one that watches alone.
    var followed: Int?
    /// How many events the room had; `nil` for a room that was over.
    var events: Int?
    /// The state of who is there.
    var presence = 0
    /// The rematches that waited for somebody.
    var rematches: [RoomID] = []
    var message: [UInt8] = []

    /// Whether there may be something new.
    func isDue(_ events: Int?, _ presence: Int, _ rematches: [RoomID]) -> Bool {
      guard isTold else { return true }
      return events != self.events || events != nil && presence != self.presence
        || rematches != self.rematches
    }
  }

  /// How many games a client may open at once, and how many a minute in the long run.
  private static let gamesPerMinute = 20
  /// How many files may be made of rooms, and games be looked at, a minute.
  private static let filesPerMinute = 10

  let socket: WebSocket
  /// Whose sockets they are.
  private let owner: PeerID
  private let limitWatches: Int
  /// What it may still ask for.
  var requests: TokenBucket
  /// The games that it may still open.
  var games: TokenBucket
  /// The files of rooms that may still be made for it.
  var files: TokenBucket
  var person = Person.onlooker
  var (name, emoji) = ("", "")
  /// What the client is to sign to show a key of its own, once; and the key that it has shown.
  var (challenge, ownKey): (Bytes32?, PeerID?) = (nil, nil)
  /// The tables that it watches, and what it was told of them.
  var watches: [RoomID: Told] = [:]
  /// What it was told of the list of tables; `nil` when it does not follow that.
  var toldList: [UInt8]?
  /// What it wants, in order.
  var wants: [Result<TableRequest, TableRequest.Refusal>] = []
  var isBusy = false
  /// When it was answered last, in milliseconds of the loop.
  var answered: UInt64 = 0

  init(_ socket: WebSocket, _ settings: WebSettings, owner: PeerID, at now: UInt64) {
    self.socket = socket
    self.owner = owner
    limitWatches = settings.limitWatches
    requests = TokenBucket(
      limit: settings.burstMessages, count: settings.messagesPerSecond, inSeconds: 1, at: now)
    games = TokenBucket(limit: Self.gamesPerMinute, count: Self.gamesPerMinute, inSeconds: 60, at: now)
    files = TokenBucket(limit: Self.filesPerMinute, count: Self.filesPerMinute, inSeconds: 60, at: now)
  }

  var isOwner: Bool { if case .owner = person { true } else { false } }

  /// Who it is in tables.
  var viewer: PeerID {
    switch person {
    case .owner: owner
    case .guest(let guest): guest.peer
    case .onlooker: .none
    }
  }

  /// Who it is at one table: who follows it sees it with its own key's eyes.
  func viewer(at room: RoomID) -> PeerID {
    guard watches[room]?.followed != nil, let key = ownKey else { return viewer }
    return key
  }

  /// How a client is shown.
  var profile: Profile {
    guard case .guest(let guest) = person else {
      return Profile(name: name.isEmpty ? "Owner" : name, emoji: emoji)
    }
    return guest.profile(name: name, emoji: emoji)
  }

  /// Something new for a client to sign. It names this server and this socket: what is signed of it is of no use on
  /// another one.
  func challenged(by service: PeerService) -> [JSONMember] {
    let challenge = Bytes32(service.shell.random(), at: 0)
    self.challenge = challenge
    return [
      JSONMember("challenge", .string(challenge.hex)),
      JSONMember("server", .string(service.peer.description)),
      JSONMember("network", .string(service.networkID.description)),
    ]
  }

  /// When it may be told again of a table that is made for many; `nil` for now. Who has just asked for something sees
  /// at once what becomes of it.
  func pause(_ told: Told, at now: UInt64) -> UInt64? {
    let pause = TableSockets.pauseMilliseconds
    return !told.isTold || now < answered + pause || now >= told.time + pause ? nil : told.time + pause
  }

  /// Refuses one table more than a socket may watch.
  func checkWatches(_ room: RoomID = .none) throws(ServiceError) {
    guard watches[room] == nil, watches.count >= limitWatches else { return }
    throw .refused("a socket watches at most \(limitWatches) tables: unwatch one first")
  }

  func watch(_ room: RoomID) throws(ServiceError) {
    try checkWatches(room)
    // Who follows it goes on to.
    guard watches[room]?.followed == nil else { return }
    watches[room] = Told()
  }
}

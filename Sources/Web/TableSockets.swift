internal import BotKit
internal import Events
internal import JSON
internal import Network
internal import Projection
internal import Rules
internal import Service

/// Tables for clients that are not ours: the sub-protocol `parlor.1` (Docs/SOCKET.md).
///
/// A client asks, and gets an answer to each request; of the tables that it watches it is told when they change. What
/// it wants becomes an intent of the peer's service, and what it is told is the service's table: neither is made here.
actor TableSockets {
  /// A client, from its opening on.
  final class Client {
    let socket: WebSocket
    var bucket: TokenBucket
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

    init(_ socket: WebSocket, _ bucket: TokenBucket, games: TokenBucket, files: TokenBucket) {
      self.socket = socket
      self.bucket = bucket
      self.games = games
      self.files = files
    }
  }

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

  nonisolated let loop: EventLoop
  let service: PeerService
  let settings: WebSettings
  let token: OwnerToken
  let games: GameCatalog
  let bots: BotCatalog
  let players: SocketBots
  var clients: [Int: Client] = [:]
  /// The games that all together may still open.
  var openings: TokenBucket
  /// The files of rooms that may still be made for all together, and those that are fetched.
  var allFiles: TokenBucket
  /// The tournaments that clients watch, and those of the list.
  var watchedTournaments: [RoomID: WatchedTournament] = [:]
  var listedTournaments = ListedTournaments()
  var held = HeldFiles<RoomID>(limitBytes: TableSockets.limitFilesBytes)
  var reviews = GameReviews()
  /// Guests of this owner, so far as they were met.
  private var met: Set<PeerID> = []
  /// Guests whose keys act and who have no client, those who went first in front.
  private var absent: [PeerID] = []
  /// Who is connected, and a number for each state of who is there.
  var (connected, presence) = (Set<PeerID>(), 0)
  var (isUpdating, isStale) = (false, false)
  /// What the owner's sockets watched when it was looked at last.
  var attended: Set<RoomID> = []
  private var watcher: Task<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.ownersExecutor }

  /// The most requests of a client that wait.
  private static let limitWants = 64
  /// How many games a client may open at once, and how many a minute in the long run.
  private static let gamesPerMinute = 20
  /// How many guests are remembered without a look at their keys.
  private static let limitMet = 4_096

  init(
    _ service: PeerService, _ settings: WebSettings, _ token: OwnerToken, _ games: GameCatalog,
    _ bots: BotCatalog
  ) {
    self.service = service
    self.settings = settings
    self.token = token
    self.games = games
    self.bots = bots
    loop = service.loop
    players = SocketBots(service, games, bots, limitThinking: settings.limitThinking)
    openings = TokenBucket(
      limit: settings.burstGames, count: settings.gamesPerMinute, inSeconds: 60, at: loop.now)
    allFiles = TokenBucket(
      limit: Self.allFilesPerMinute, count: Self.allFilesPerMinute, inSeconds: 60, at: loop.now)
  }

  /// Begins: guests whose games are on act again, and so do bots.
  func begin() async {
    for state in await service.rooms.underWay() {
      let names = [(state.creator, state.create.profile.name)]
      let seated = state.seats.compactMap { $0.map { ($0.peer, $0.profile.name) } }
      for (peer, name) in names + seated {
        guard absent.count < settings.limitAbsent, !absent.contains(peer),
          let guest = Guest(name, peer, owner: service.ownerKey, .table)
        else { continue }
        await service.admit(guest.key, isPerson: true)
        absent.append(peer)
      }
    }
    await players.begin()
    let changes = await service.changes()
    watcher = Task { for await _ in changes { await self.update() } }
  }

  /// Ends. Games that are on wait for their players.
  func close() async {
    watcher?.cancel()
    reviews.stop()
    clients = [:]
    await players.close()
  }

  // MARK: - What comes from sockets

  /// Takes what happens at a socket of this sub-protocol.
  func take(_ event: WebServer.Event) {
    switch event {
    case .opened(let socket):
      let now = loop.now
      clients[socket.number] = Client(
        socket,
        TokenBucket(
          limit: settings.burstMessages, count: settings.messagesPerSecond, inSeconds: 1, at: now),
        games: TokenBucket(limit: Self.gamesPerMinute, count: Self.gamesPerMinute, inSeconds: 60, at: now),
        files: TokenBucket(limit: Self.filesPerMinute, count: Self.filesPerMinute, inSeconds: 60, at: now))
    case .received(let socket, let message):
      if let client = clients[socket.number] { take(message, client) }
    case .closed(let socket):
      guard let client = clients.removeValue(forKey: socket.number) else { return }
      client.wants = []
      held.drop(socket.number)
      guard case .guest(let guest) = client.person else { return noteComingOrGoing(client) }
      noteComingOrGoing(client)
      Task { await self.part(guest) }
    }
  }

  private func take(_ text: [UInt8], _ client: Client) {
    guard client.bucket.take(at: loop.now), client.wants.count < Self.limitWants else {
      return client.socket.close(.policy, "it sends more messages than are taken")
    }
    client.wants.append(Result { () throws(TableRequest.Refusal) in try TableRequest(text) })
    work(for: client)
  }

  /// Does what a client wants, one thing after the other. It is told of nothing between a request and its answer.
  private func work(for client: Client) {
    guard !client.isBusy, !client.wants.isEmpty else { return }
    let want = client.wants.removeFirst()
    if case .success(let request) = want, case .analyze = request.wish {
      // That takes long, and what comes behind it does not rest on it.
      Task { client.socket.send(JSONLine(await self.answer(want, client)).text) }
      return work(for: client)
    }
    client.isBusy = true
    Task {
      client.socket.send(JSONLine(await self.answer(want, client)).text)
      client.isBusy = false
      if self.clients[client.socket.number] == nil, case .guest(let guest) = client.person {
        await self.part(guest)
      }
      await self.update()
      self.work(for: client)
    }
  }

  // MARK: - Guests

  /// Who a client acts as, whose key acts from now on.
  func actor(_ client: Client) async throws(ServiceError) -> PeerID {
    switch client.person {
    case .onlooker: throw .refused("say hello first: who has not only looks on")
    case .owner: return service.peer
    case .guest(let guest):
      absent.removeAll { $0 == guest.peer }
      await service.admit(guest.key, isPerson: true, from: client.socket.address)
      return guest.peer
    }
  }

  /// Somebody with a seat has come or gone, which others see.
  func noteComingOrGoing(_ client: Client) {
    if case .onlooker = client.person, client.ownKey == nil { return }
    presence += 1
    Task { await self.update() }
  }

  /// A guest's client is gone. Its key goes on acting in the games that are on, so that others need not wait for what
  /// is owed without a decision.
  private func part(_ guest: Guest) async {
    let peer = guest.peer
    guard !isHere(peer), !absent.contains(peer) else { return }
    absent.append(peer)
    let isNeeded = await service.rooms.need(peer)
    guard !isHere(peer) else { return absent.removeAll { $0 == peer } }
    if !isNeeded { await dismiss(peer) }
    while absent.count > settings.limitAbsent { await dismiss(absent[0]) }
  }

  private func dismiss(_ peer: PeerID) async {
    absent.removeAll { $0 == peer }
    // A store that takes nothing more ends the process, and with it all keys.
    do throws(ServiceError) { try await service.dismiss(peer) } catch {}
  }

  /// Whether a guest has a client.
  private func isHere(_ peer: PeerID) -> Bool { presentGuests.contains(peer) }

  /// The guests who have clients.
  var presentGuests: Set<PeerID> {
    // tidy: order does not matter because they are a set
    Set(clients.values.compactMap { if case .guest(let guest) = $0.person { guest.peer } else { nil } })
  }

  /// Whether a peer is a guest of this owner.
  func isGuest(_ peer: PeerID, name: String) -> Bool {
    if met.contains(peer) { return true }
    guard Guest(name, peer, owner: service.ownerKey, .table) != nil else { return false }
    if met.count >= Self.limitMet { met = [] }
    met.insert(peer)
    return true
  }
}

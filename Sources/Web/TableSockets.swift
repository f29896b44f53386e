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
  nonisolated let loop: EventLoop
  let service: PeerService
  let settings: WebSettings
  let token: OwnerToken
  let games: GameCatalog
  let bots: BotCatalog
  let players: SocketBots
  var clients: [Int: TableClient] = [:]
  /// The games that all together may still open.
  var openings: TokenBucket
  /// The files of rooms that may still be made for all together, and those that are fetched.
  var allFiles: TokenBucket
  /// The tournaments that clients watch, and those of the list.
  var watchedTournaments = WatchedTournaments()
  var listedTournaments = ListedTournaments()
  var held = HeldFiles<RoomID>(limitBytes: TableSockets.limitFilesBytes)
  var reviews: GameReviews
  var guests: SocketGuests
  /// Who is connected, and a number for each state of who is there.
  var (connected, presence) = (Set<PeerID>(), 0)
  var (isUpdating, isStale) = (false, false)
  /// When followers of the list were told of it last, in milliseconds of the loop.
  var listsTold: UInt64 = 0
  /// What rings when somebody may be told again, and when it does.
  var (laterTimer, laterDue): ((any LoopTimer)?, UInt64?) = (nil, nil)
  /// What the owner's sockets watched when it was looked at last.
  var attended: Set<RoomID> = []
  private var watcher: Task<Void, Never>?
  /// Whether it has ended.
  var isClosed: Bool { watcher?.isCancelled == true }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.ownersExecutor }

  /// The most requests of a client that wait.
  private static let limitWants = 64

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
    reviews = GameReviews(service.shell)
    guests = SocketGuests(owner: service.ownerKey, limitAbsent: settings.limitAbsent)
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
        guard let guest = guests.absentee(peer, name: name) else { continue }
        await service.admit(guest.key, isPerson: true)
        guests.noteAbsent(peer)
      }
    }
    await players.begin()
    let changes = await service.changes()
    watcher = Task { for await _ in changes { await self.update() } }
  }

  /// Ends. Games that are on wait for their players.
  func close() async {
    watcher?.cancel()
    laterTimer?.close()
    reviews.stop()
    clients = [:]
    await players.close()
  }

  // MARK: - What comes from sockets

  /// Takes what happens at a socket of this sub-protocol.
  func take(_ event: WebSocket.Event) {
    switch event {
    case .opened(let socket):
      clients[socket.number] = TableClient(socket, settings, owner: service.peer, at: loop.now)
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

  private func take(_ text: [UInt8], _ client: TableClient) {
    guard client.requests.take(at: loop.now), client.wants.count < Self.limitWants else {
      return client.socket.close(.policy, "it sends more messages than are taken")
    }
    client.wants.append(Result { () throws(TableRequest.Refusal) in try TableRequest(text) })
    work(for: client)
  }

  /// Does what a client wants, one thing after the other. It is told of nothing between a request and its answer.
  private func work(for client: TableClient) {
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
      (client.isBusy, client.answered) = (false, self.loop.now)
      if self.clients[client.socket.number] == nil, case .guest(let guest) = client.person {
        await self.part(guest)
      }
      await self.update()
      self.work(for: client)
    }
  }

  // MARK: - Guests

  /// Who a client acts as, whose key acts from now on.
  func actor(_ client: TableClient) async throws(ServiceError) -> PeerID {
    switch client.person {
    case .onlooker: throw .refused("say hello first: who has not only looks on")
    case .owner: return service.peer
    case .guest(let guest):
      guests.noteHere(guest.peer)
      await service.admit(guest.key, isPerson: true, from: client.socket.address)
      return guest.peer
    }
  }

  /// Somebody with a seat has come or gone, which others see.
  func noteComingOrGoing(_ client: TableClient) {
    if case .onlooker = client.person, client.ownKey == nil { return }
    presence += 1
    Task { await self.update() }
  }

  /// A guest's client is gone. Its key goes on acting in the games that are on, so that others need not wait for what
  /// is owed without a decision.
  private func part(_ guest: Guest) async {
    let peer = guest.peer
    guard !isHere(peer), !guests.isAbsent(peer) else { return }
    guests.noteAbsent(peer)
    let isNeeded = await service.rooms.need(peer)
    guard !isHere(peer) else { return guests.noteHere(peer) }
    if !isNeeded { await dismiss(peer) }
    while let first = guests.absentBeyondLimit { await dismiss(first) }
  }

  private func dismiss(_ peer: PeerID) async {
    guests.noteHere(peer)
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
}

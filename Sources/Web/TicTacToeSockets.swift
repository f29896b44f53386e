internal import BotKit
internal import Events
internal import Network
internal import Peer
internal import Projection
internal import Rules
internal import Service

/// Tic-tac-toe for clients that are not ours: the sub-protocol `tictactoe` (Docs/SOCKET.md).
///
/// Each client is a guest of the peer, with a key that this process keeps for it, and each game a room like any other,
/// which the peer creates and where it keeps no seat. A client never says what the board is: of the board that it sends
/// only the one new mark is read, and played as a move. What clients are told follows from what is durable.
actor TicTacToeSockets {
  /// A client, from its first message on.
  private final class Client {
    let socket: WebSocket
    var bucket: TokenBucket
    /// The id that it has told.
    var id = ""
    var guest: Guest?
    /// Where it plays, or waits.
    var room: RoomID?
    /// What it was told last of that room.
    var told: TicTacToeMessage?
    /// How many events the room had then.
    var seen: Int?
    /// What it wants, in order.
    var wants: [TicTacToeMessage] = []
    var isBusy = false

    init(_ socket: WebSocket, _ bucket: TokenBucket) {
      self.socket = socket
      self.bucket = bucket
    }
  }

  private nonisolated let loop: EventLoop
  private let service: PeerService
  private let settings: WebSettings
  /// Those of tic-tac-toe.
  private let rules: any GameRules
  private var clients: [Int: Client] = [:]
  /// The room that has a free seat for the next client.
  private var waiting: RoomID?
  /// Those who have a seat in a game that is on, and whose clients have not come since the start.
  private var absent: [(guest: Guest, room: RoomID)] = []
  /// Those whose keys are here since the start for what they owe to a game that is over.
  private var debtors: [Guest] = []
  /// Games that are left, where the disk has not taken that yet, and by whom; `nil` for the peer itself.
  private var unwritten: [(room: RoomID, guest: Guest?)] = []
  private var games: TokenBucket
  /// The last coming or going that was begun: they happen one after the other.
  private var turnstile: Task<Void, Never>?
  private var watcher: Task<Void, Never>?
  private var patience: (any LoopTimer)?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.ownersExecutor }

  /// The most messages of a client that wait.
  private static let limitWants = 8

  /// - Parameter rules: those of tic-tac-toe, as the program's catalog has them.
  init(_ service: PeerService, _ settings: WebSettings, rules: any GameRules) {
    self.service = service
    self.settings = settings
    self.rules = rules
    loop = service.loop
    games = TokenBucket(
      limit: settings.burstGames, count: settings.gamesPerMinute, inSeconds: 60, at: loop.now)
  }

  /// Begins: waits for those who were in a game when the process before ended.
  func begin() async {
    for state in await service.rooms.forGuests() { await findGuests(state) }
    let changes = await service.changes()
    watcher = Task { for await _ in changes { await self.update() } }
    if !absent.isEmpty || !debtors.isEmpty {
      let timer = loop.timer { self.assumeIsolated { $0.giveUpAbsent() } }
      timer.set(loop.now + settings.patienceMilliseconds)
      patience = timer
    }
  }

  /// Ends. Games that are on wait for their players.
  func close() {
    watcher?.cancel()
    patience?.close()
    clients = [:]
  }

  private func findGuests(_ state: RoomState) async {
    guard state.create.rules == rules.definition.name else { return }
    // Whoever waited there gets a seat anew, where others come.
    if state.phase == .waiting { return await leave(state.room, nil) }
    for case .some(let holder) in state.seats {
      guard let guest = Guest(holder.profile.name, holder.peer, owner: service.ownerKey) else { continue }
      await service.admit(guest.key)
      if state.phase == .playing { absent.append((guest, state.room)) } else { debtors.append(guest) }
    }
  }

  private func giveUpAbsent() {
    let (gone, paid) = (absent, debtors)
    (absent, debtors) = ([], [])
    for (guest, room) in gone { inTurn(.giveUp(guest, room)) }
    for guest in paid { inTurn(.dismiss(guest)) }
  }

  // MARK: - What comes from sockets

  var clientCount: Int { clients.count }

  /// Takes what happens at a socket of this sub-protocol.
  func take(_ event: WebSocket.Event) {
    switch event {
    case .opened(let socket):
      let bucket = TokenBucket(
        limit: settings.burstMessages, count: settings.messagesPerSecond, inSeconds: 1, at: loop.now)
      clients[socket.number] = Client(socket, bucket)
    case .received(let socket, let message):
      if let client = clients[socket.number] { take(message, client) }
    case .closed(let socket):
      guard let client = clients.removeValue(forKey: socket.number) else { return }
      client.wants = []
      if !client.isBusy { inTurn(.part(client)) }
    }
  }

  private func take(_ text: [UInt8], _ client: Client) {
    guard client.bucket.take(at: loop.now), client.wants.count < Self.limitWants else {
      return client.socket.close(.policy, "it sends more messages than are taken")
    }
    do throws(TicTacToeMessage.Refusal) { client.wants.append(try TicTacToeMessage(text)) } catch {
      // The board that counts says more than a reason that nobody shows.
      guard client.room == nil else { return sendAgain(client) }
      return client.socket.close(.policy, error.words)
    }
    work(for: client)
  }

  /// Does what a client wants, one thing after the other.
  private func work(for client: Client) {
    guard !client.isBusy, !client.wants.isEmpty else { return }
    let want = client.wants.removeFirst()
    client.isBusy = true
    Task {
      await self.perform(want, client)
      client.isBusy = false
      if self.clients[client.socket.number] == nil {
        self.inTurn(.part(client))
      } else {
        self.work(for: client)
      }
    }
  }

  private func perform(_ want: TicTacToeMessage, _ client: Client) async {
    switch want {
    case .join(let player): await inTurn(.join(player, client)).value
    case .turn(let board, let player): await play(board, player, client)
    case .finish, .stop: break
    }
  }

  // MARK: - Seats

  /// Somebody comes or goes.
  private enum Passage {
    case join(String, Client)
    case part(Client)
    case giveUp(Guest, RoomID)
    case dismiss(Guest)
    case leaveAgain
  }

  /// Has one come or go after the other.
  @discardableResult private func inTurn(_ passage: Passage) -> Task<Void, Never> {
    let before = turnstile
    let task = Task {
      await before?.value
      switch passage {
      case .join(let player, let client): await self.join(player, client)
      case .part(let client): await self.part(client)
      case .dismiss(let guest): await self.dismiss(guest)
      case .leaveAgain: await self.leaveAgain()
      case .giveUp(let guest, let room):
        await self.leave(room, guest)
        await self.dismiss(guest)
      }
    }
    turnstile = task
    return task
  }

  private func join(_ id: String, _ client: Client) async {
    guard clients[client.socket.number] != nil else { return }
    guard client.room == nil else { return sendAgain(client) }
    guard client.id.isEmpty || client.id == id else {
      return client.socket.close(.policy, "a client has one id")
    }
    let guest = client.guest ?? Guest(secret: id.lowercased(), owner: service.ownerKey)
    // tidy: order does not matter because a guest has one client
    if let other = clients.values.first(where: { $0 !== client && $0.guest?.peer == guest.peer }) {
      // The id is the client's secret: it is the same one, whose connection was lost without a word.
      other.socket.close(.policy, "the same player has connected anew")
      clients[other.socket.number] = nil
      client.room = other.room
    }
    await service.admit(guest.key)
    (client.id, client.guest) = (id, guest)
    if let at = absent.firstIndex(where: { $0.guest.peer == guest.peer }) {
      client.room = absent.remove(at: at).room
    }
    if client.room == nil { await seat(client, guest) }
    await update(client)
  }

  /// Finds a seat for a guest: in the room where somebody waits, else in a new one.
  private func seat(_ client: Client, _ guest: Guest) async {
    // A guest has one game at a time, also after a crash.
    if isLeaving(guest) { await leaveAgain() }
    guard !isLeaving(guest) else {
      return client.socket.close(.tryLater, "the last game is still to be left: the disk is full")
    }
    do throws(ServiceError) {
      if let room = waiting, try await hasSeat(room) {
        return try await request(room, client, guest)
      }
      guard games.take(at: loop.now) else {
        return client.socket.close(.tryLater, "many games were opened; try again in a minute")
      }
      let new = Intent.NewRoom(
        rules: rules, seat: Create.noSeat, starter: .jointDraw, scope: .local,
        profile: Profile(name: "Socket"), allowsUndo: false)
      let room = try await service.perform(.create(new))
      waiting = room
      try await request(room, client, guest)
    } catch { client.socket.close(.tryLater, "the game cannot begin: \(error)") }
  }

  private func request(_ room: RoomID, _ client: Client, _ guest: Guest) async throws(ServiceError) {
    _ = try await service.perform(
      .join(room, seat: Create.noSeat, guest.profile, terms: Terms()), as: guest.peer)
    client.room = room
  }

  private func hasSeat(_ room: RoomID) async throws(ServiceError) -> Bool {
    guard let state = try await service.state(of: room), state.phase == .waiting else { return false }
    return state.seats.count { $0 == nil } > state.openRequests.count
  }

  /// A client is gone: its guest leaves the game, unless the same player has come back by another socket.
  private func part(_ client: Client) async {
    guard let guest = client.guest, !isHere(guest) else { return }
    if let room = client.room { await leave(room, guest) }
    await dismiss(guest)
  }

  /// Whether a guest has a client.
  private func isHere(_ guest: Guest) -> Bool {
    // tidy: order does not matter because any will do
    clients.values.contains { $0.guest?.peer == guest.peer }
  }

  /// A guest's key acts no more, unless the guest is here, or has still to leave a game.
  private func dismiss(_ guest: Guest) async {
    guard !isHere(guest), !isLeaving(guest) else { return }
    // A store that takes nothing more ends the process, and with it all keys.
    do throws(ServiceError) { try await service.dismiss(guest.peer) } catch {}
  }

  /// A guest leaves its game. A room where somebody has waited for another is closed.
  private func leave(_ room: RoomID, _ guest: Guest?) async {
    do throws(ServiceError) {
      let isWaiting = try await service.state(of: room)?.phase == .waiting
      if isWaiting, waiting == room { waiting = nil }
      let peer = isWaiting ? service.peer : guest?.peer ?? service.peer
      _ = try await service.perform(.act(room, .leave), as: peer)
    } catch {
      // A game that is over needs no leaving.
      if error.passes { unwritten.append((room, guest)) }
    }
  }

  private func isLeaving(_ guest: Guest) -> Bool { unwritten.contains { $0.guest?.peer == guest.peer } }

  /// Leaves what the disk has not taken the leaving of.
  private func leaveAgain() async {
    let all = unwritten
    unwritten = []
    for (room, guest) in all {
      await leave(room, guest)
      if let guest { await dismiss(guest) }
    }
  }

  // MARK: - Play

  /// Plays the one mark that a client's board has and the true board has not.
  private func play(_ board: [TicTacToeMessage.Mark], _ player: String, _ client: Client) async {
    guard let guest = client.guest, let room = client.room, player == client.id else {
      if client.room == nil { return client.socket.close(.policy, "a client joins before it plays") }
      return sendAgain(client)
    }
    do throws(ServiceError) {
      guard let state = try await service.state(of: room), let game = state.currentGame,
        let seat = state.seatToChoose(of: guest.peer), let cell = Self.move(game, seat, board)
      else { return sendAgain(client) }
      let choice = BotChoice(MoveCode(UInt32(cell)))
      _ = try await service.perform(
        .act(
          room,
          .choose(choice, game: UInt16(clamping: game.number), ply: UInt16(clamping: game.plies.count))),
        as: guest.peer)
    } catch { return sendAgain(client) }
    await update(client)
  }

  /// The cell of the one mark that is new; `nil` when the board is another one in any other way.
  private static func move(_ game: GameRecord, _ seat: Seat, _ board: [TicTacToeMessage.Mark]) -> Int? {
    let before = marks(game)
    let changed = board.indices.filter { board[$0] != before[$0] }
    let own: TicTacToeMessage.Mark = seat == game.first ? .first : .second
    guard changed.count == 1, before[changed[0]] == .none, board[changed[0]] == own else { return nil }
    return changed[0]
  }

  /// The board as it stands: who moves first has X.
  private static func marks(_ game: GameRecord) -> [TicTacToeMessage.Mark] {
    var board = [TicTacToeMessage.Mark](repeating: .none, count: 9)
    for ply in game.plies { board[Int(ply.code.rawValue)] = ply.seat == game.first ? .first : .second }
    return board
  }

  // MARK: - What clients are told

  /// Tells every client of whose room something new is durable.
  private func update() async {
    if !unwritten.isEmpty { inTurn(.leaveAgain) }
    let players = clients.keys.sorted().compactMap { clients[$0] }.filter { $0.room != nil }
    let rooms = players.compactMap(\.room)
    let counts = await service.rooms.durableEvents(of: rooms)
    for (client, count) in zip(players, counts) where count != client.seen || count == nil {
      await update(client)
    }
  }

  private func update(_ client: Client) async {
    guard let guest = client.guest, let room = client.room else { return }
    let found: (state: RoomState, events: Int?)?
    do throws(ServiceError) { found = try await service.rooms.durableState(of: room) } catch { return }
    // What is not durable yet is told when it is.
    guard let (state, count) = found, client.room == room else { return }
    client.seen = count
    guard client.told != nil || isThere(guest, state) else {
      // Others have taken both seats, or the room was closed by another command.
      client.room = nil
      client.wants.insert(.join(player: client.id), at: 0)
      return work(for: client)
    }
    guard let message = message(state, guest, client) else { return }
    if message != client.told { client.socket.send(message.text) }
    client.told = message
    switch message {
    case .finish, .stop: (client.room, client.told, client.seen) = (nil, nil, nil)
    case .join, .turn: break
    }
  }

  /// Whether a guest has its seat in a room, or may still get it.
  private func isThere(_ guest: Guest, _ state: RoomState) -> Bool {
    switch state.phase {
    case .closed: false
    case .waiting: true
    default: state.seat(of: guest.peer) != nil
    }
  }

  private func message(_ state: RoomState, _ guest: Guest, _ client: Client) -> TicTacToeMessage? {
    guard let game = state.currentGame, isThere(guest, state) else {
      return client.told == nil ? nil : .stop(board: [TicTacToeMessage.Mark](repeating: .none, count: 9))
    }
    let board = Self.marks(game)
    let name = { (seat: Seat) -> String in
      guard let peer = state.seats[seat.index]?.peer, peer != guest.peer else { return client.id }
      return TicTacToeMessage.publicID(of: peer)
    }
    guard let ending = game.ending else {
      guard case .seat(let seat) = game.turn else { return nil }
      return .turn(board: board, player: name(seat))
    }
    guard case .rules = ending.cause else { return .stop(board: board) }
    return .finish(board: board, winner: ending.outcome?.winner.map(name))
  }

  /// Tells a client once more how its game stands.
  private func sendAgain(_ client: Client) {
    if let told = client.told { client.socket.send(told.text) }
  }
}

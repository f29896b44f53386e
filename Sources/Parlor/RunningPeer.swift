public import BotKit
public import EventLog
public import Events
public import Games
import Network
public import Peer
import Platform
public import Projection
public import Rules
public import Service

/// A peer that runs in this process: its key, its log, its connections, and all that the protocol owes.
///
/// Whatever a call does is durable when it returns, and on its way to the peers that are connected. The peer itself
/// grants seats, signs rosters and results, reveals what it committed to, and passes on what others wrote. What others
/// send is checked before anything of it counts.
///
/// ```swift
/// let peer = try await RunningPeer.start(in: "/home/me/games", listen: "[::]:0")
/// let room = try await peer.create(GameDefinition(TicTacToe.self).rules(), as: Profile(name: "Ada"))
/// try await peer.state(of: room) { $0.seatToChoose(of: peer.id) != nil }
/// try await peer.play(MoveCode(4), in: room)
/// try await peer.close()
/// ```
///
/// A peer goes on until `close`, also when nothing refers to it any more. After that every call throws.
public final class RunningPeer: Sendable {
  /// The peer's public key.
  public let id: PeerID
  private let parts: Guarded<Parts?>

  /// What lets go of the data folder when nobody holds it any more.
  private struct Parts: Sendable {
    let service: PeerService
    let log: LMDBEventLog
    let marks: FolderMarks
  }

  private init(_ parts: Parts) {
    id = parts.service.peer
    self.parts = Guarded(parts)
  }

  private static let closed = ServiceError.refused("the peer was closed")

  private var service: PeerService {
    get throws(ServiceError) {
      guard let parts = parts.withLock({ $0 }) else { throw Self.closed }
      return parts.service
    }
  }

  private var log: LMDBEventLog {
    get throws(LogError) {
      guard let parts = parts.withLock({ $0 }) else { throw .stopped("the peer was closed") }
      return parts.log
    }
  }

  /// Starts the peer of a data folder, which is created with a new key when it is absent.
  ///
  /// One process at a time writes into a data folder; `parlor` commands on it work through that process.
  /// - Parameters:
  ///   - folder: the data folder's path. Nothing is written anywhere else.
  ///   - games: the games that it plays; rooms of others are kept, and not played.
  ///   - listen: where it waits for others: `HOST:PORT` or `[HOST]:PORT`, port 0 lets the system choose; `nil` for
  ///     nowhere.
  ///   - tellsOfPeers: whether it tells peers of each other, and connects to those that it is told of.
  ///   - presharedKey: 32 bytes that the peers of a private network share; `nil` for the public network.
  /// - Throws: `LogError` when the log cannot be used (`.locked` while another process writes it), `IdentityError` when
  ///   the key cannot, `ServiceError` when the address cannot.
  public static func start(
    in folder: String, games: GameCatalog = Games.catalog, listen: String? = nil, tellsOfPeers: Bool = true,
    presharedKey: [UInt8]? = nil
  ) async throws -> RunningPeer {
    let address = try listen.map { text throws(ServiceError) in try Self.address(text) }
    if let presharedKey, presharedKey.count != 32 {
      throw ServiceError.refused("a preshared key has 32 bytes, and not \(presharedKey.count)")
    }
    guard !folder.isEmpty else { throw ServiceError.refused("no data folder is named") }
    do throws(SystemError) { try FileSystem.makePrivateFolder(folder) } catch {
      throw LogError.noPermission("the data folder cannot be made: \(error)")
    }
    // The lock comes first: who is refused must not have made an identity.
    let log = try LMDBEventLog(folder: folder + "/log", access: .writing, network: .standard)
    do {
      return try await start(in: folder, log, games: games, address, tellsOfPeers: tellsOfPeers, presharedKey)
    } catch {
      log.close()
      throw error
    }
  }

  private static func start(
    in folder: String, _ log: LMDBEventLog, games: GameCatalog, _ listen: Address?, tellsOfPeers: Bool,
    _ presharedKey: [UInt8]?
  ) async throws -> RunningPeer {
    let marks = try log.takeMarks(of: folder)
    do {
      let key = try Identity.loadOrCreate(folder: folder).key
      try marks.noteKey(key.peer)
      let settings = ServiceSettings(
        signer: key, log: log, games: games, folder: folder, listen: listen, tellsOfPeers: tellsOfPeers,
        presharedKey: presharedKey, marks: marks, now: { WallClock.milliseconds() })
      return RunningPeer(
        Parts(service: try await PeerService.open(settings, policy: .program), log: log, marks: marks))
    } catch {
      // What kept the peer from starting says more than what kept the folder from being left in order.
      do throws(LogError) { try marks.leave { () throws(LogError) in try log.nextRoom() } } catch {}
      throw error
    }
  }

  private static func address(_ text: String) throws(ServiceError) -> Address {
    do throws(NetworkError) { return try Address(text) } catch { throw .network(error.description) }
  }

  /// Stops: says goodbye to all, and leaves the data folder to others. What was done before is durable.
  /// - Throws: `LogError` when the folder cannot be marked as left in order; then the next process there asks other
  ///   peers how far this one's feeds go, before it writes into old rooms.
  public func close() async throws {
    let closed = parts.withLock { parts in
      defer { parts = nil }
      return parts
    }
    guard let closed else { return }
    await closed.service.close()
    defer { closed.log.close() }
    try closed.marks.leave { () throws(LogError) in try closed.log.nextRoom() }
  }

  // MARK: - Others

  /// Where the peer waits for others, as `connect` reads it; `nil` when it does not.
  public var address: String? {
    get async { await parts.withLock { $0?.service }?.address?.description }
  }

  /// Stays connected to the peer at an address: `HOST:PORT` or `[HOST]:PORT`. What both hold they exchange by
  /// themselves.
  public func connect(to address: String) async throws(ServiceError) {
    try await service.found(try Self.address(address))
  }

  /// The peers that this one is connected with, ascending.
  public func neighbours() async throws(ServiceError) -> [PeerID] {
    try await service.neighbours().compactMap { $0.state == .connected ? $0.peer : nil }.sorted()
  }

  /// A signal for each time that something may have changed; several that nobody has taken yet are one. It ends when
  /// the peer stops.
  public func changes() async throws(ServiceError) -> AsyncStream<Void> {
    let changes = try await service.changes()
    return AsyncStream {
      var next = changes.makeAsyncIterator()
      return await next.next()
    }
  }

  // MARK: - Rooms

  /// The rooms in the log, newest first.
  public func rooms() throws(LogError) -> [RoomID] { try log.roomIDs().rooms }

  /// What a room amounts to; `nil` while it is not here.
  public func state(of room: RoomID) async throws(ServiceError) -> RoomState? {
    try await service.state(of: room)
  }

  /// Waits until a room's state is as wanted.
  /// - Throws: `.refused` when the peer is closed before, or the task that waits is cancelled; what stopped the peer
  ///   when it stopped by itself.
  @discardableResult
  public func state(
    of room: RoomID, when isWanted: @Sendable (RoomState) -> Bool
  ) async throws(ServiceError) -> RoomState {
    let service = try service
    let changes = await service.changes()
    if let state = try await state(of: room), isWanted(state) { return state }
    for await _ in changes {
      if let state = try await state(of: room), isWanted(state) { return state }
    }
    guard !Task.isCancelled else { throw .refused("the wait was cancelled") }
    throw await service.failure() ?? Self.closed
  }

  /// A room's events in the order in which they came, which is a causal order.
  /// - Throws: `.unknownRoom`, or what keeps the log from being read.
  public func events(of room: RoomID) async throws(LogError) -> [Event] {
    guard let service = parts.withLock({ $0?.service }) else { throw .stopped("the peer was closed") }
    return try await service.rooms.log(of: room).events
  }

  /// Checks what is stored of a room as if a stranger had sent it: ids, links, and signatures.
  /// - Throws: only what says nothing of the room: it is unknown, or the log cannot be read.
  public func verify(_ room: RoomID) throws(LogError) -> RoomReport { try log.verify(room) }

  /// Creates a room in which others can take the seats that are left.
  /// - Parameters:
  ///   - rules: the game, of the catalog that the peer was started with.
  ///   - profile: how this peer is shown, and which bot plays for it.
  ///   - seat: its own seat.
  ///   - starter: who moves first.
  ///   - scope: who may hold the room.
  ///   - invited: who may take a seat where the scope is `.invited`.
  ///   - terms: the referee and the time limits.
  ///   - allowsUndo: whether moves can be taken back.
  ///   - games: how many games the room has, 1 to 256; `nil` for one, or with `wins` for 256 at the most.
  ///   - wins: how many of them a seat must win for the series to be over before; `nil` where all are played.
  /// - Returns: the room's id, by which others join.
  public func create(
    _ rules: any GameRules, as profile: Profile, seat: Seat = Seat(0), starter: Create.Starter = .jointDraw,
    scope: Scope = .local, invited: [PeerID] = [], terms: Terms = Terms(), allowsUndo: Bool = true,
    games: Int? = nil, wins: Int? = nil
  ) async throws(ServiceError) -> RoomID {
    var room = Intent.NewRoom(
      rules: rules, seat: UInt16(seat.index), starter: starter, scope: scope, profile: profile,
      allowsUndo: allowsUndo, invited: invited)
    room.terms = terms
    try room.setSeries(games: games, wins: wins)
    return try await service.perform(.create(room))
  }

  /// Asks for a seat; the room's creator grants it. The room must be here: its creator, or who holds it, is connected.
  /// - Parameters:
  ///   - room: the room.
  ///   - profile: how this peer is shown, and which bot plays for it.
  ///   - seat: which one; `nil` for any.
  ///   - terms: the referee and the limits that are agreed to; a room with others refuses.
  public func join(
    _ room: RoomID, as profile: Profile, seat: Seat? = nil, terms: Terms = Terms()
  ) async throws(ServiceError) {
    let seat = seat.map { UInt16($0.index) } ?? Create.noSeat
    _ = try await service.perform(.join(room, seat: seat, profile, terms: terms))
  }

  /// Invites a peer to a room that this one created.
  public func invite(_ peer: PeerID, to room: RoomID) async throws(ServiceError) {
    _ = try await service.perform(.invite(room, peer))
  }

  /// Does something at a table.
  public func perform(_ act: TableAct, in room: RoomID) async throws(ServiceError) {
    _ = try await service.perform(.act(room, act))
  }

  /// Plays a move, or commits to a choice, where the room waits for it now.
  public func play(_ move: MoveCode, in room: RoomID) async throws(ServiceError) {
    guard let game = try await state(of: room)?.currentGame else { throw .peer(.unknownRoom(room)) }
    try await perform(
      .choose(BotChoice(move), game: UInt16(clamping: game.number), ply: UInt16(clamping: game.plies.count)),
      in: room)
  }

  /// Has a bot play for this peer until the room's games are over. The peer came to the room with a profile that names
  /// the bot: `Profile(name: "Deep", bot: BotEntry(bot.declaration, seed: 1))`.
  /// - Returns: what the room amounts to in the end.
  /// - Throws: `.refused` when the bot does not play this game, or the profile names none.
  @discardableResult
  public func play(_ bot: any Bot, in room: RoomID) async throws(ServiceError) -> RoomState {
    while true {
      let state = try await state(of: room) { state in
        state.seatToChoose(of: id) != nil || !(state.phase == .waiting || state.phase == .playing)
      }
      guard let seat = state.seatToChoose(of: id) else { return state }
      guard state.seats[seat.index]?.profile.bot != nil else {
        throw .refused("the profile with which this peer took its seat names no bot")
      }
      try await service.choose(bot, in: room)
    }
  }
}

internal import BotKit
internal import Events
internal import Network
internal import Peer
internal import Projection
internal import Rules
internal import Service

/// The bots that sit opposite clients of `parlor.1`. Each kind of bot is a peer, whose key follows from the owner's.
actor SocketBots {
  private nonisolated let loop: EventLoop
  private let service: PeerService
  private let games: GameCatalog
  private let bots: BotCatalog
  private let limitThinking: Int
  /// Where bots sit, or have asked to, and by the room the kind of bot.
  private var tables: [RoomID: String] = [:]
  private var thinking: Set<RoomID> = []
  private var watcher: Task<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.ownersExecutor }

  /// - Parameter limitThinking: at how many tables bots think at a time.
  init(_ service: PeerService, _ games: GameCatalog, _ bots: BotCatalog, limitThinking: Int) {
    self.service = service
    self.games = games
    self.bots = bots
    self.limitThinking = limitThinking
    loop = service.loop
  }

  /// Begins: bots go on with the games that they were in when the process before ended.
  func begin() async {
    for state in await service.rooms.underWay() {
      for case .some(let holder) in state.seats {
        guard let specification = holder.profile.bot?.specification else { continue }
        let key = key(specification)
        guard key.peer == holder.peer else { continue }
        await service.admit(key)
        tables[state.room] = specification
      }
    }
    let changes = await service.changes()
    watcher = Task { for await _ in changes { await self.look() } }
    await look()
  }

  func close() { watcher?.cancel() }

  /// Which peer a bot is here.
  nonisolated func peer(of bot: any Bot) -> PeerID { key(bot.declaration.specification).peer }

  private nonisolated func key(_ specification: String) -> SigningKey {
    SigningKey(seed: service.ownerKey.derivedSeed(name: "table-bot:" + specification))
  }

  /// Has a bot take a seat.
  func sit(_ bot: any Bot, in room: RoomID) async throws(ServiceError) {
    let specification = bot.declaration.specification
    let key = key(specification)
    await service.admit(key)
    tables[room] = specification
    let profile = Profile(name: specification, bot: BotEntry(bot.declaration, seed: seed))
    _ = try await service.perform(
      .join(room, seat: Create.noSeat, profile, terms: Terms()), as: key.peer)
  }

  /// Has the bots of a room come to its rematch.
  func follow(_ state: RoomState, to next: RoomID) async throws(ServiceError) {
    for case .some(let holder) in state.seats {
      guard let specification = holder.profile.bot?.specification,
        key(specification).peer == holder.peer, let bot = bot(specification, state)
      else { continue }
      try await sit(bot, in: next)
    }
  }

  private func bot(_ specification: String, _ state: RoomState) -> (any Bot)? {
    guard let rules = games.rules(of: state.create) else { return nil }
    // Who came to such a room made the same bot before.
    do throws(BotError) { return try bots.bot(specification, for: rules) } catch { return nil }
  }

  private var seed: UInt64 {
    service.shell.random().prefix(8).reduce(0) { $0 << 8 | UInt64($1) } >> 1
  }

  /// Has bots think where games wait for them.
  private func look() async {
    for room in tables.keys.sorted() where thinking.count < limitThinking && !thinking.contains(room) {
      guard let specification = tables[room] else { continue }
      let state: RoomState?
      do throws(ServiceError) { state = try await service.state(of: room) } catch { return }
      guard let state, Steward.isUnderWay(state) else {
        tables[room] = nil
        continue
      }
      let peer = key(specification).peer
      guard state.seatToChoose(of: peer) != nil, let bot = bot(specification, state),
        thinking.count < limitThinking, thinking.insert(room).inserted
      else { continue }
      Task {
        var failure: ServiceError?
        do throws(ServiceError) { try await self.service.choose(bot, in: room, as: peer) } catch {
          failure = error
        }
        self.thinking.remove(room)
        // When there is space again that is a change, at which it looks.
        if case .peer(.full) = failure { return }
        // Any other bot that cannot choose here never will.
        if failure != nil { self.tables[room] = nil }
        await self.look()
      }
    }
  }
}

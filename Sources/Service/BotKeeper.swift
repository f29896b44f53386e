package import BotKit
package import Events
internal import Network
internal import Peer
internal import Projection
package import Rules

/// A bot as a peer of its own: keeps a game open, comes when it is invited, and plays any number of games at once.
///
/// What it chooses depends on the position and on the seed that it declares in each game, never on time or order.
package actor BotKeeper {
  /// What happened, for whoever shows it.
  package enum Report: Sendable {
    case opened(RoomID)
    case joined(RoomID)
    /// It has asked for a seat in a tournament.
    case entered(RoomID)
    case ended(RoomID)
    /// A game cannot go on; why, in words.
    case failed(RoomID, String)
  }

  private nonisolated let service: PeerService
  // The peer keeps its loop, and this keeper the peer, as long as it lives.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { service.loop.ownersExecutor }
  private let bot: any Bot
  private let rules: any GameRules
  private let name: String
  private let scope: Scope
  private let limitThinking: Int
  /// The tournament that it enters, by the name that was given; `nil` for one that keeps games open.
  private let tournament: String?
  private let report: @Sendable (Report) -> Void
  /// The seed of the next game.
  private var seed: UInt64
  /// Rooms in which the bot thinks.
  private var thinking: Set<RoomID> = []
  /// Rooms that were begun and have not ended, as told.
  private var known: Set<RoomID> = []
  /// Those to which it does not come.
  private var passed: Set<RoomID> = []
  /// Rooms in which the bot cannot choose.
  private var failed: Set<RoomID> = []
  private var isStopped = false
  /// Whether the tournament that it has entered is over.
  private var hasEnded = false
  private var hasAsked = false

  /// A bot's keeper; the peer's policy is that of bots.
  /// - Parameters:
  ///   - seed: of the first game; each further game has the next one.
  ///   - limitThinking: in how many games at a time it thinks.
  ///   - tournament: the code or the first digits of the id of the tournament that it enters, and in which alone it
  ///     plays.
  package init(
    _ service: PeerService, bot: any Bot, rules: any GameRules, name: String, scope: Scope, seed: UInt64,
    limitThinking: Int, tournament: String? = nil, report: @escaping @Sendable (Report) -> Void
  ) {
    self.service = service
    self.bot = bot
    self.rules = rules
    self.name = name
    self.scope = scope
    self.seed = seed
    self.limitThinking = limitThinking
    self.tournament = tournament
    self.report = report
  }

  /// Plays until the peer stops, or the tournament is over; again where that goes on.
  package func run() async throws(ServiceError) {
    (isStopped, hasEnded) = (false, false)
    let changes = await service.changes()
    do throws(ServiceError) {
      try await look()
      // Where all is over already there may be no change any more.
      if !hasEnded {
        for await _ in changes {
          try await look()
          if hasEnded { break }
        }
      }
    } catch {
      // What was begun when the peer stopped cannot be done any more.
      guard await service.isClosed else { throw error }
    }
    isStopped = true
  }

  /// Does everything that can be done now.
  private func look() async throws(ServiceError) {
    let table = await service.table()
    if let tournament {
      try await enter(tournament)
    } else {
      for room in table.invitations where !known.contains(room) && !passed.contains(room) {
        try await answer(room)
      }
      if table.hosted.isEmpty {
        do throws(ServiceError) { try await open() } catch {
          // It is tried again when there is space.
          guard case .peer(.full) = error else { throw error }
        }
      }
    }
    // Nobody else reads tables for this: one that was read before could bring back what has ended since.
    known.formUnion(table.toChoose + table.others)
    for room in table.toChoose { begin(room) }
    let now = await service.table()
    for room in known.sorted() where !now.isAlive(room) {
      known.remove(room)
      report(.ended(room))
    }
  }

  private func profile() -> Profile {
    defer { seed &+= 1 }
    return Profile(name: name, bot: BotEntry(bot.declaration, seed: seed))
  }

  private func open() async throws(ServiceError) {
    let room = try await service.perform(
      .create(
        Intent.NewRoom(rules: rules, seat: 0, starter: .jointDraw, scope: scope, profile: profile())))
    known.insert(room)
    report(.opened(room))
  }

  /// Asks for a seat in the tournament, once that is here.
  private func enter(_ name: String) async throws(ServiceError) {
    guard let room = try await service.room(named: name), let state = try await service.state(of: room) else {
      if !hasAsked { _ = try await service.perform(.want(name: name)) }
      hasAsked = true
      return
    }
    guard state.isTournament else { throw .refused("the room \(room.short) is no tournament") }
    guard state.create.rules == rules.definition.name,
      state.create.rulesVersion == rules.definition.version,
      state.create.parameters == rules.parameters.encoded
    else {
      throw .refused(
        "the tournament is of \(state.create.rules), or has other settings than this bot was given")
    }
    if try await service.isComplete(room) { return hasEnded = true }
    guard state.seat(of: service.peer) == nil,
      !state.openRequests.contains(where: { $0.peer == service.peer })
    else { return }
    guard state.phase == .waiting && state.seats.contains(nil) || state.lateSeats > 0 else {
      throw .refused("the tournament is full, has started without this bot, or is closed")
    }
    let profile = profile()
    guard state.create.bots.admits(profile) else {
      throw .refused("the tournament does not admit this bot: its policy is \(state.create.bots.words)")
    }
    do throws(ServiceError) {
      _ = try await service.perform(
        .join(room, seat: Create.noSeat, profile, terms: Terms(state.create)))
    } catch {
      guard error.passes else { throw error }
      return
    }
    report(.entered(room))
  }

  /// Comes to a game or declines. What keeps it from one keeps it from no other: anybody can make rooms.
  private func answer(_ room: RoomID) async throws(ServiceError) {
    do throws(ServiceError) { try await join(room) } catch {
      switch error {
      case _ where error.passes: break
      case .refused, .peer: passed.insert(room)
      case .network, .system, .busy, .gone: throw error
      }
    }
  }

  /// Comes to a game of its own rules that somebody has invited it to. Nobody is here who could agree to a referee.
  private func join(_ room: RoomID) async throws(ServiceError) {
    guard let state = try await service.state(of: room) else { return }
    guard state.create.rules == rules.definition.name,
      state.create.rulesVersion == rules.definition.version, !state.create.referee.isSome
    else {
      _ = try await service.perform(.decline(room))
      return
    }
    _ = try await service.perform(.join(room, seat: Create.noSeat, profile(), terms: Terms()))
    known.insert(room)
    report(.joined(room))
  }

  private func begin(_ room: RoomID) {
    guard thinking.count < limitThinking, !failed.contains(room), thinking.insert(room).inserted else {
      return
    }
    Task {
      var failure: ServiceError?
      do throws(ServiceError) { try await self.service.choose(self.bot, in: room) } catch { failure = error }
      await self.finish(room, failure)
    }
  }

  private func finish(_ room: RoomID, _ failure: ServiceError?) async {
    thinking.remove(room)
    // When there is space again that is a change, at which it looks.
    if case .peer(.full) = failure { return }
    if let failure, await !service.isClosed {
      failed.insert(room)
      report(.failed(room, failure.description))
    }
    guard !isStopped else { return }
    // Others may have waited for a place, and in this room it may be the bot's turn again.
    for room in await service.table().toChoose { begin(room) }
  }

}

extension PeerService {
  /// Has a bot choose once in a room, where that waits for a seat that was declared for a bot.
  /// - Parameter guest: who holds the seat; `nil` for this peer.
  package func choose(
    _ bot: any Bot, in room: RoomID, as guest: PeerID? = nil
  ) async throws(ServiceError) {
    let author = guest ?? peer
    guard let state = try await state(of: room), let seat = state.seatToChoose(of: author),
      let game = state.currentGame, let entry = state.seats[seat.index]?.profile.bot
    else { return }
    let (number, ply) = (UInt16(clamping: game.number), UInt16(clamping: game.plies.count))
    let now = elapsed()
    let turn = BotTurn(
      state, for: seat, at: tournaments.known.occasion(of: state).place(seed: entry.seed),
      leftMilliseconds: duties.clocks(of: state, at: now)?.left(of: seat, at: now))
    let choice: BotChoice
    let result = await shell.wait { Result { () throws(BotError) in try bot.choose(turn) } }
    do throws(BotError) { choice = try result.get() } catch {
      guard case .resigns = error else { throw .refused(error.description) }
      return try await resign(in: room, as: author, from: number)
    }
    // What it was asked about may have been taken back while it thought, and played otherwise: then it is asked again.
    guard try await self.state(of: room)?.tip == state.tip else { return }
    guard turn.game.isLegal(choice.code) else {
      throw .refused("the bot \(entry.specification) chose a move that the rules do not allow")
    }
    do throws(ServiceError) {
      _ = try await perform(.act(room, .choose(choice, game: number, ply: ply)), as: author)
    } catch {
      // The game has gone on, or ended, while the bot thought.
      guard case .peer(.notAllowed) = error else { throw error }
    }
  }

  /// Resigns for a bot that gives up this game, unless the game is over.
  private func resign(in room: RoomID, as author: PeerID, from number: UInt16) async throws(ServiceError) {
    guard let game = try await state(of: room)?.currentGame, game.number == Int(number), game.ending == nil
    else { return }
    do throws(ServiceError) { _ = try await perform(.act(room, .resign), as: author) } catch {
      guard case .peer(.notAllowed) = error else { throw error }
    }
  }
}

extension Create.BotPolicy {
  /// Which bots may take a seat, in words.
  package var words: String {
    switch admission {
    case .excluded: return "people only"
    case .allowed, .required:
      let budget =
        nodeLimit > 0 ? "a declared budget of at most \(nodeLimit) nodes" : "a declared budget of nodes"
      return nodeLimit > 0 || isRecomputableOnly ? "bots with \(budget) only" : "any bot"
    }
  }
}

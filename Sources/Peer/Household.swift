package import BotKit
package import EventLog
package import Events
package import Projection
package import Rules
package import Tournaments

/// The parts of a process that every room played in it shares.
package struct Household: Sendable {
  /// The owner of the data folder.
  package let owner: SigningKey
  package let log: any EventLog
  package let committer: any EventCommitter
  package let games: GameCatalog
  package let bots: BotCatalog
  /// The marks of the data folder that this process writes; `nil` where another process does, or nobody can have
  /// used a copy.
  package let marks: FolderMarks?
  /// Random bytes that tell the rooms of this process from those of a copy of its data folder.
  package let salt: [UInt8]
  /// Milliseconds since 1970, for people to read in events.
  package let now: @Sendable () -> UInt64
  /// Milliseconds of a clock that only goes forward, for the pace of commits.
  package let elapsed: @Sendable () -> UInt64

  /// - Parameter committer: who makes durable what is played; the log's own when there is none.
  package init(
    owner: SigningKey, log: any EventLog, committer: (any EventCommitter)? = nil, games: GameCatalog,
    bots: BotCatalog, marks: FolderMarks? = nil, salt: [UInt8] = [],
    now: @escaping @Sendable () -> UInt64, elapsed: @escaping @Sendable () -> UInt64
  ) {
    self.owner = owner
    self.log = log
    self.committer = committer ?? GroupCommitter(log)
    self.games = games
    self.bots = bots
    self.marks = marks
    self.salt = salt
    self.now = now
    self.elapsed = elapsed
  }

  /// A peer of this process with a key of its own.
  package func core(_ signer: any Signer) -> PeerCore {
    var core = PeerCore(signer: signer, network: log.network, catalog: games, scheme: Ed25519(), now: now)
    core.ownHeads = ownHeads
    return core
  }

  /// Into which rooms may be written, as the marks have it now.
  var ownHeads: OwnHeads {
    var heads = OwnHeads()
    if let allowed = marks?.allowed { heads.doubt(but: allowed) }
    return heads
  }

  /// The key of a local bot: derived from the owner's by name, so that it is the same after a crash.
  package func botKey(_ name: String) -> SigningKey {
    SigningKey(seed: owner.derivedSeed(name: "bot:" + name))
  }

  /// A bot as a player that asks for a seat.
  package func player(
    bot: any Bot, key: any Signer, name: String, seat: UInt16, seed: UInt64, signsEachGame: Bool
  ) -> Session.Player {
    let conduct = PeerCore.Conduct(
      profile: Profile(name: name, bot: BotEntry(bot.declaration, seed: seed)), wantedSeat: seat,
      signsEachGame: signsEachGame, acceptsUndo: true,
      declinesDraws: true)
    return Session.Player(signer: key, conduct: conduct, bot: bot)
  }

  /// Whether all of a tournament's entrants are bots of this household.
  package func plays(_ tournament: TournamentRoom) -> Bool {
    tournament.entrants.allSatisfy { botKey($0.profile.name).peer == $0.peer }
  }

  /// Reads a stored room that is to be played on.
  func load(_ room: RoomID) async throws(PeerError) -> RoomLog {
    do throws(LogError) { try await committer.reserve(room) } catch { throw PeerError(error) }
    let stored = try read(room)
    try checkComeBack(stored)
    return stored
  }

  /// Reads a stored room into which nothing is to be written.
  func read(_ room: RoomID) throws(PeerError) -> RoomLog {
    let stored: RoomLog
    do throws(LogError) { stored = try log.load(room, verify: false) } catch { throw PeerError(error) }
    guard stored.graph.isWhole else {
      throw .unplayable(
        "the log of room \(room.short) is damaged: `parlor log verify \(room.short)` tells where")
    }
    return stored
  }

  /// Refuses a room that was forgotten and in which not all has come back that this machine's keys wrote there.
  private func checkComeBack(_ stored: RoomLog) throws(PeerError) {
    let forgotten: ForgottenRoom?
    do throws(LogError) { forgotten = try log.forgottenRoom(stored.room) } catch { throw PeerError(error) }
    guard let room = forgotten else { return }
    for entry in room.own where !stored.hasComeBack(entry) { throw PeerError(entry, in: stored.room) }
  }

  /// Sixteen bytes that only the owner can make from these words: tells rooms of one moment apart.
  package func nonce(_ words: String) -> [UInt8] {
    Array(owner.derivedSeed(name: "nonce:" + words + salt.hex).prefix(16))
  }
}

/// How a session of bots ended.
package enum Played: Sendable {
  /// The series is over.
  case finished
  /// The caller asked to stop; what was played is durable.
  case stopped
}

extension Household {
  /// The longest that played moves wait to be made durable while bots play on, in milliseconds.
  package static let commitPaceMilliseconds: UInt64 = 250

  /// Makes what was played so far durable.
  package func commit(_ session: inout Session) async throws(PeerError) {
    guard let change = try session.core.prepareCommit(session.room) else { return }
    try await store(change, allowed: session.core.ownHeads.takeAllowed())
    session.core.markDurable(change)
  }

  /// Makes a change durable.
  /// - Parameter allowed: rooms that may be written to from now on though the store is in doubt.
  func store(_ change: RoomChange, allowed: [RoomID]) async throws(PeerError) {
    do throws(LogError) {
      try marks?.noteAllowed(allowed)
      try await committer.commit([change])
    } catch { throw PeerError(error) }
  }

  /// Lets bots play until the series is over. Moves are made durable several times a second and at the end.
  /// - Parameters:
  ///   - isCancelled: asked before each choice, and by bots while they think.
  ///   - onGame: called as each game ends, which may be before it is durable.
  package func playOut(
    _ session: inout Session, isCancelled: @escaping @Sendable () -> Bool,
    onGame: (@Sendable (GameRecord) -> Void)? = nil
  ) async throws(PeerError) -> Played {
    var committed = elapsed()
    var over = session.state.endedGames(from: 0)
    var answer = try ask(&session, isCancelled)
    while let player = answer.player {
      var isMidGame = false
      if case .choice(let choice, _) = answer {
        isMidGame = try session.play(choice, by: player)
      } else {
        try session.perform(.resign, by: player)
      }
      if !isMidGame {
        let ended = session.state.endedGames(from: over)
        for game in session.state.games[over..<ended] {
          session.conclude(game)
          onGame?(game)
        }
        over = ended
      }
      try session.signRuns()
      if elapsed() - committed >= Self.commitPaceMilliseconds {
        try await commit(&session)
        committed = elapsed()
      }
      answer = try ask(&session, isCancelled)
    }
    try await commit(&session)
    if case .stopped = answer { return .stopped }
    guard case .over = session.wait() else {
      throw .unplayable(
        "the room \(session.room.short) waits for something that is not here; `parlor log verify` tells whether"
          + " its log is damaged")
    }
    return .finished
  }

  /// What came of asking the bot for which a session waits.
  private enum Answer {
    case choice(BotChoice, by: Int)
    /// The bot gives up the game that is on.
    case resigns(by: Int)
    case stopped
    /// It waits for none.
    case noBot

    /// Who does something; `nil` where nobody does.
    var player: Int? {
      switch self {
      case .choice(_, let player), .resigns(let player): player
      case .stopped, .noBot: nil
      }
    }
  }

  /// Asks the bot for which a session waits. What it is asked shares the game's plies and position, and ends here:
  /// a choice that is played while it lasts copies both.
  private func ask(
    _ session: inout Session, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(PeerError) -> Answer {
    guard case .bot(let player, var turn) = session.wait() else { return .noBot }
    turn.isCancelled = isCancelled
    guard !isCancelled(), let bot = session.players.span[player].bot else { return .stopped }
    return switch try think(bot, turn) {
    case .choice(let choice): .choice(choice, by: player)
    case .resigns: .resigns(by: player)
    case .stopped: .stopped
    }
  }
}

package import BotKit
package import Events
package import Projection
package import Rules

/// Plays the moves of a room's bots again, and names each that the bot of its version, seed and budget would not have
/// made.
///
/// A bot is a pure function of its turn (`Bot`), and a turn follows from the log (`BotTurn`): so whoever has the log
/// and the bot can compute its moves. What it has left of its time is not in a turn that is made from the log. No bot
/// of a catalog looks at that, and a program that does must not declare itself recomputable.
package struct BotAudit: Sendable {
  /// How long a bot may think for a move, and who is asked whether to go on.
  package struct Patience: Sendable {
    /// Milliseconds for a move. Past that, what is left of the seat's moves is not checked: what a bot declares stands
    /// in a file of somebody else, and may take years.
    package var limitMilliseconds: UInt64
    /// Milliseconds of a clock that only goes forward.
    package var elapsed: @Sendable () -> UInt64
    /// Whether to stop.
    package var isCancelled: @Sendable () -> Bool

    package init(
      limitMilliseconds: UInt64, elapsed: @escaping @Sendable () -> UInt64,
      isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
      self.limitMilliseconds = limitMilliseconds
      self.elapsed = elapsed
      self.isCancelled = isCancelled
    }
  }

  /// Something that the bot would not have done.
  package struct Finding: Hashable, Sendable {
    /// What it is.
    package enum Kind: Hashable, Sendable {
      /// The bot plays another move.
      case move(MoveCode)
      /// The bot gives up the game.
      case resigns
      /// The move's note speaks of more nodes than the bot declares.
      case nodes(UInt64)
    }

    /// The number of the game in its room, from 0.
    package let game: Int
    /// How many plies there were before.
    package let ply: Int
    package let seat: Seat
    /// The node of the ply.
    package let event: EventID
    /// What was played.
    package let played: MoveCode
    package let kind: Kind
  }

  /// What was found of one seat.
  package struct SeatReport: Sendable {
    package let seat: Seat
    package let peer: PeerID
    package let profile: Profile
    /// How many of its moves stand, and of those how many were played again.
    package fileprivate(set) var moves = 0
    package fileprivate(set) var checked = 0
    /// How many moves its feed has that do not stand: they were taken back, or had no effect. Nothing looks at them.
    package fileprivate(set) var fallen = 0
    /// Why the others were not played again; `nil` where all were.
    package fileprivate(set) var reason: AuditReason?
    package fileprivate(set) var findings: [Finding] = []

    /// How many of its moves the bot does not make.
    package var differing: Int {
      findings.count { if case .nodes = $0.kind { false } else { true } }
    }
    /// How many of its moves took more nodes than it declares, as it says itself.
    package var overspent: Int { findings.count - differing }
  }

  /// A seat at work.
  private struct Player: Sendable {
    var report: SeatReport
    /// Its bot, until something keeps it from being asked.
    var bot: (any Bot)?
    let place: Session.Place
  }

  /// The seats that are taken, in order.
  package var seats: [SeatReport] { players.map(\.report) }

  private var players: [Player] = []
  private let patience: Patience

  /// Audits a room.
  /// - Parameters:
  ///   - rules: those of the room; `nil` when they are not known here.
  ///   - bots: those that are known here. Programs must be among them only as far as this user names them: a file
  ///     could start them otherwise.
  ///   - occasion: what its games are played for.
  ///   - onMove: called after each move that was played again or passed over.
  /// - Returns: `nil` when it was asked to stop.
  package init?(
    _ events: [Event], _ state: RoomState, rules: (any GameRules)?, bots: BotCatalog,
    occasion: Result<Session.Occasion, Session.Occasion.Unknown>, patience: Patience, onMove: () -> Void = {}
  ) {
    self.patience = patience
    for (index, occupant) in state.seats.enumerated() {
      guard let occupant else { continue }
      let seat = Seat(UInt16(truncatingIfNeeded: index))
      players.append(Self.player(occupant, in: seat, rules, bots, occasion))
    }
    if let rules {
      for game in state.games {
        guard audit(game, rules, onMove) else { return nil }
      }
    }
    countFallen(events, state)
  }

  private static func player(
    _ occupant: RoomState.Occupant, in seat: Seat, _ rules: (any GameRules)?, _ bots: BotCatalog,
    _ occasion: Result<Session.Occasion, Session.Occasion.Unknown>
  ) -> Player {
    var report = SeatReport(seat: seat, peer: occupant.peer, profile: occupant.profile)
    let seed = occupant.profile.bot?.seed ?? 0
    do throws(AuditReason) {
      let bot = try bot(occupant.profile.bot, rules, bots)
      switch occasion {
      case .success(let occasion): return Player(report: report, bot: bot, place: occasion.place(seed: seed))
      case .failure(.match): throw .unnamedMatch
      case .failure(.tournament): throw .absentTournament
      }
    } catch {
      report.reason = error
      return Player(report: report, bot: nil, place: Session.Place(seed: seed))
    }
  }

  /// The bot that an entry declares, as this program has it.
  private static func bot(
    _ entry: BotEntry?, _ rules: (any GameRules)?, _ bots: BotCatalog
  ) throws(AuditReason) -> any Bot {
    guard let entry else { throw .person }
    guard let rules else { throw .unknownRules }
    let isProgram = BotCatalog.isCommand(entry.specification)
    // A program that declares itself recomputable has a budget in the log, and no other has.
    if isProgram, entry.nodeBudget == 0 { throw .unbounded("it is a program") }
    let bot: any Bot
    do throws(BotError) {
      bot = try bots.bot(entry.specification, version: entry.version, for: rules)
    } catch {
      if isProgram {
        if case .unknownBot = error { throw .program }
        throw .refused(error.description)
      }
      if case .unknownVersion(_, _, let known) = error, let newest = known.first {
        throw .otherVersion(entry.version, here: newest)
      }
      throw entry.nodeBudget == 0 ? .unbounded(error.description) : .unknownBot(error.description)
    }
    let declaration = bot.declaration
    if isProgram {
      guard declaration.nodeBudget > 0 else { throw .notRecomputable }
      guard declaration.version == entry.version else {
        throw .otherVersion(entry.version, here: declaration.version)
      }
    }
    guard declaration.nodeBudget == entry.nodeBudget else {
      throw .otherBudget(entry.nodeBudget, here: declaration.nodeBudget)
    }
    return bot
  }

  // MARK: - Playing again

  /// - Returns: `false` when it was asked to stop.
  private mutating func audit(_ game: GameRecord, _ rules: any GameRules, _ onMove: () -> Void) -> Bool {
    var position = rules.start(first: game.first)
    for index in game.plies.indices {
      // A bot may have chosen before it heard that somebody else dropped out.
      var earlier: [any GameState] = []
      for gone in game.dropOuts where gone.ply == index {
        earlier.append(position)
        position.dropOut(gone.seat)
      }
      let ply = game.plies[index]
      // Nobody chose the moves of an opening.
      for (seat, choice) in ply.choices.enumerated() where index >= game.opening {
        guard let choice else { continue }
        let mover = ply.seat?.index ?? seat
        guard let player = players.firstIndex(where: { $0.report.seat.index == mover }) else { continue }
        let move = Move(game: game, index: index, code: choice)
        guard check(move, in: [position] + earlier, by: player) else { return false }
        onMove()
      }
      guard position.play(ply) else {
        preconditionFailure("game \(game.number) does not replay at ply \(index)")
      }
    }
    for player in players {
      let source = BotTurn(position, of: game, after: 0, for: player.report.seat, at: player.place).randomness
      player.bot?.conclude(BotEnding(randomness: source, outcome: game.ending?.outcome))
    }
    return true
  }

  /// One choice of one seat.
  private struct Move {
    let game: GameRecord
    let index: Int
    let code: MoveCode

    func finding(_ kind: Finding.Kind, of seat: Seat) -> Finding {
      Finding(
        game: game.number, ply: index, seat: seat, event: game.plies[index].node, played: code, kind: kind)
    }
  }

  /// Compares a choice with what the bot chooses.
  /// - Parameter positions: in which it may have been asked; what it does in the first one is told.
  /// - Returns: `false` when it was asked to stop.
  private mutating func check(_ move: Move, in positions: [any GameState], by player: Int) -> Bool {
    let seat = players[player].report.seat
    players[player].report.moves += 1
    let budget = players[player].report.profile.bot?.nodeBudget ?? 0
    if budget > 0, let note = move.game.plies[move.index].note, note.nodes > budget {
      players[player].report.findings.append(move.finding(.nodes(note.nodes), of: seat))
    }
    guard let bot = players[player].bot else { return !patience.isCancelled() }
    var told: Finding.Kind?
    for position in positions {
      let turn = BotTurn(position, of: move.game, after: move.index, for: seat, at: players[player].place)
      do throws(BotError) {
        let choice = try answer(bot, turn)
        if choice == move.code {
          told = nil
          break
        }
        told = told ?? choice.map { .move($0) } ?? .resigns
      } catch {
        guard !patience.isCancelled() else { return false }
        players[player].bot = nil
        players[player].report.reason =
          error == .cancelled ? .slow(milliseconds: patience.limitMilliseconds) : .refused(error.description)
        return true
      }
    }
    players[player].report.checked += 1
    if let told { players[player].report.findings.append(move.finding(told, of: seat)) }
    return true
  }

  /// The bot's choice; `nil` when it gives up.
  private func answer(_ bot: any Bot, _ turn: BotTurn) throws(BotError) -> MoveCode? {
    var turn = turn
    let (patience, begin) = (patience, patience.elapsed())
    turn.isCancelled = {
      patience.isCancelled() || patience.elapsed() &- begin >= patience.limitMilliseconds
    }
    guard !patience.isCancelled() else { throw .cancelled }
    do throws(BotError) { return try bot.choose(turn).code } catch {
      if case .resigns = error { return nil }
      throw error
    }
  }

  /// Counts the moves of each seat that do not stand.
  private mutating func countFallen(_ events: [Event], _ state: RoomState) {
    var standing: Set<EventID> = []
    for game in state.games {
      for ply in game.plies where ply.seat != nil || game.hasOpenRounds { standing.insert(ply.node) }
    }
    if state.games.contains(where: \.hasOpenRounds) {
      // In an open round the last choice alone is a ply's node; it names the one before it.
      standing.insert(state.tip)
      for event in events where standing.contains(event.id) {
        if case .move(let step, _, _) = event.action { standing.insert(step.node) }
      }
    }
    for event in events where event.kind == .move && !standing.contains(event.id) {
      guard let player = players.firstIndex(where: { $0.report.peer == event.author }) else { continue }
      players[player].report.fallen += 1
    }
  }
}

/// Why moves of a seat were not played again.
package enum AuditReason: Error, Hashable, Sendable {
  /// Nobody says that a bot made them.
  case person
  /// The rules are not known here.
  case unknownRules
  /// A bot that is not known here, or not for this game; why, in words.
  case unknownBot(String)
  /// The same, and it declares no budget of nodes either: not even its own program could compute them again.
  case unbounded(String)
  /// A program, and this user names none that is called so.
  case program
  /// A program; the one that this user names does not declare itself recomputable.
  case notRecomputable
  /// The bot of this version; the one that is known here has another.
  case otherVersion(UInt16, here: UInt16)
  /// The bot with this budget; the one that is known here has another.
  case otherBudget(UInt64, here: UInt64)
  /// The tournament is not here, from which the bot's random numbers follow.
  case absentTournament
  /// The room does not say which of its match it is, from which the bot's random numbers follow.
  case unnamedMatch
  /// One of them took longer than this.
  case slow(milliseconds: UInt64)
  /// The bot cannot be asked; why, in words.
  case refused(String)

  /// Its name for programs.
  package var name: String {
    switch self {
    case .person: "person"
    case .unknownRules: "unknown-rules"
    case .unknownBot: "unknown-bot"
    case .unbounded: "no-budget"
    case .program: "program"
    case .notRecomputable: "not-recomputable"
    case .otherVersion: "other-version"
    case .otherBudget: "other-budget"
    case .absentTournament: "absent-tournament"
    case .unnamedMatch: "unnamed-match"
    case .slow: "slow"
    case .refused: "refused"
    }
  }

  /// All names.
  package static let names = [
    "person", "unknown-rules", "unknown-bot", "no-budget", "program", "not-recomputable", "other-version",
    "other-budget", "absent-tournament", "unnamed-match", "slow", "refused",
  ]
}

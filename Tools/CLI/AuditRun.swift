import BotKit
import EventLog
import Events
import LineBots
import Peer
import Platform
import Projection
import Rules
import Terminal
import Tournaments

/// Rooms that are audited one after the other.
struct AuditRun {
  /// A command that may be started to be asked again.
  struct Program {
    let typed: String
    /// What the log calls it.
    let name: String
    /// Whether a seat was found whose bot is called so.
    var isMet = false
  }

  /// Where tournaments are looked for; `nil` for nowhere.
  var store: LMDBEventLog?
  private let context: Context
  private let limitMilliseconds: UInt64
  private var programs: [Program]
  private let bots: BotCatalog
  /// Those that were looked for, with `nil` for what is no tournament here.
  private var tournaments: [RoomID: TournamentRoom?] = [:]
  private var total = AuditReport.Total()
  /// Of the first room that could not be read.
  private var unread: ExitStatus?

  init(_ context: Context, limitMilliseconds: UInt64, programs: [Program]) {
    self.context = context
    self.limitMilliseconds = limitMilliseconds
    self.programs = programs
    bots = BotCatalog(context.bots) { [lineBots = context.ownBots.commands] (name, rules) throws(BotError) in
      try lineBots.bot(playingAgain: name, for: rules)
    }
  }

  /// Audits rooms of the log that are games. People hear of those in which something is found, and the sums.
  mutating func audit(_ rooms: [RoomID]) throws {
    guard let store else { return }
    let progress = progress("rooms", rooms.count)
    defer { progress.finish() }
    for id in rooms {
      try context.checkStop()
      do {
        let room = try Room(id, in: store, games: context.games)
        if !room.isTournament, room.state.hosted == nil {
          let report = try report(on: room) {}
          if context.isJSON || report.isNegative { try report.show(context) }
        }
      } catch {
        let failure = Failure(error)
        guard !failure.isInterruption, let words = failure.words else { throw error }
        context.console.report(error: "room \(id.short): \(words)", hint: failure.hint)
        unread = unread ?? failure.status
      }
      progress.advance()
    }
  }

  /// Audits one room, and tells everything.
  mutating func audit(_ room: Room) throws {
    let moves = room.state.games.reduce(0) { $0 + $1.plies.reduce(0) { $0 + $1.choices.count { $0 != nil } } }
    let progress = progress("moves", moves)
    defer { progress.finish() }
    let report = try report(on: room) { progress.advance() }
    progress.finish()
    try report.show(context)
  }

  /// Tells the sums.
  func conclude() throws -> ExitStatus {
    try total.show(context)
    if let program = programs.first(where: { !$0.isMet }) {
      throw Failure(
        unread ?? .noInput,
        "no seat that was audited has a bot that its log calls \(SafeText(program.name).text)",
        hint:
          "--with takes the command with the arguments that stand in the log; of a path from the root the log has"
          + " the last part, and --bot-folder says where other paths begin")
    }
    return total.isNegative ? .negative : unread ?? .ok
  }

  private mutating func report(on room: Room, onMove: () -> Void) throws -> AuditReport {
    try meetPrograms(room)
    let occasion = try Session.Occasion.read(room.log, room.state) { id throws(LogError) in try tournament(id)
    }
    let isCancelled = context.isCancelled
    let audit = BotAudit(
      room.log.events, room.state, rules: room.rules, bots: bots, occasion: occasion,
      patience: .init(
        limitMilliseconds: limitMilliseconds, elapsed: { MonotonicClock.tickMilliseconds },
        isCancelled: isCancelled),
      onMove: onMove)
    guard let audit else { throw Failure(.interrupted, nil) }
    let report = AuditReport(room: room, seats: audit.seats, programs: Set(programs.map(\.name)))
    total.add(report)
    return report
  }

  /// Starts the commands that are asked again in a room, so that one that cannot be started is named.
  private mutating func meetPrograms(_ room: Room) throws(Failure) {
    for occupant in room.state.seats {
      guard let entry = occupant?.profile.bot,
        let index = programs.firstIndex(where: { $0.name == entry.specification })
      else { continue }
      programs[index].isMet = true
      guard let rules = room.rules else { continue }
      do throws(BotError) { _ = try bots.bot(entry.specification, for: rules) } catch {
        throw OwnBots.unavailable(programs[index].typed, error)
      }
    }
  }

  /// A tournament by its organizer's words, from which its pairings follow.
  private mutating func tournament(_ id: RoomID) throws(LogError) -> TournamentRoom? {
    if let known = tournaments[id] { return known }
    let found: TournamentRoom?
    do throws(LogError) { found = try store?.tournament(byWords: id, context.games) } catch {
      switch error {
      case .unknownRoom, .corrupt: found = nil
      default: throw error
      }
    }
    tournaments[id] = .some(found)
    return found
  }

  private func progress(_ unit: String, _ total: Int) -> ProgressLine {
    ProgressLine(
      on: context.console, label: "auditing", unit: unit, total: total, now: ContinuousClock().stopwatch)
  }
}

import BotKit
import EventLog
import Events
import Peer
import Platform
import Projection
import Rules
import Terminal
import Tournaments

/// Rooms that are audited one after the other.
struct AuditRun {
  /// Where tournaments are looked for; `nil` for nowhere.
  var store: LMDBEventLog?
  private let context: Context
  private let limitMilliseconds: UInt64
  /// Those that were looked for, with `nil` for what is no tournament here.
  private var tournaments: [RoomID: TournamentRoom?] = [:]
  private var total = AuditReport.Total()
  /// Of the first room that could not be read.
  private var unread: ExitStatus?

  init(_ context: Context, limitMilliseconds: UInt64) {
    self.context = context
    self.limitMilliseconds = limitMilliseconds
  }

  /// Audits rooms of the log that are games. People hear of those in which something is found, and the sums.
  mutating func audit(_ rooms: [RoomID]) throws {
    guard let store else { return }
    let progress = progress("rooms", rooms.count)
    defer { progress.finish() }
    for id in rooms {
      try context.checkStop()
      do {
        let room = try context.room(id, in: store)
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
    return total.isNegative ? .negative : unread ?? .ok
  }

  private mutating func report(on room: Room, onMove: () -> Void) throws -> AuditReport {
    let occasion = try Session.Occasion.read(room.log, room.state) { id throws(LogError) in try tournament(id)
    }
    let isCancelled = context.isCancelled
    let audit = BotAudit(
      room.log.events, room.state, rules: room.rules, bots: context.bots, occasion: occasion,
      patience: .init(
        limitMilliseconds: limitMilliseconds, elapsed: { MonotonicClock.tickMilliseconds },
        isCancelled: isCancelled),
      onMove: onMove)
    guard let audit else { throw Failure(.interrupted, nil) }
    let report = AuditReport(room: room, seats: audit.seats)
    total.add(report)
    return report
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
    ProgressLine(on: context.console, label: "auditing", unit: unit, total: total, now: context.stopwatch)
  }
}

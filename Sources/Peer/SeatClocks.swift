package import Events
package import Projection
package import Rules

/// How long the seats of a room take, as one peer saw it by its own clock.
///
/// No clock is evidence (Docs/PROTOCOL.md §1.8): a player's only permits a claim, and the referee's says when a claim
/// is ruled on. What a peer did not see is not counted, so that one that has just started is never too strict.
/// Times are milliseconds of a clock that only goes forward.
package struct SeatClocks: Sendable {
  /// What a seat owes, and since when.
  private struct Debt: Sendable {
    let node: EventID
    /// Whether it has committed and owes the reveal.
    let isReveal: Bool
    let since: UInt64
  }

  /// What limits a seat's time.
  package enum Limit: String, Sendable {
    case move = "move-limit"
    case clock
  }

  private let moveLimit: UInt64
  private let clock: UInt64
  private let increment: UInt64
  /// The game that they are of, and how many of its plies were seen.
  private var game = -1
  private var plies = 0
  /// By seat.
  private var debts: [Debt?]
  private var used: [UInt64]
  private var gained: [UInt64]

  /// Clocks of a room that was not looked at yet; `nil` where it has no time limits.
  package init?(_ create: Create) {
    guard create.hasTimeLimits else { return nil }
    moveLimit = UInt64(create.moveLimitMilliseconds)
    clock = UInt64(create.clockMilliseconds)
    increment = UInt64(create.incrementMilliseconds)
    debts = Array(repeating: nil, count: Int(create.seats))
    used = Array(repeating: 0, count: Int(create.seats))
    gained = used
  }

  /// Takes notice of where the room stands now.
  package mutating func observe(_ state: RoomState, at now: UInt64) {
    let number = state.games.count - 1
    if number != game {
      // Plies from before the first look count for nothing, and neither does the time that they took.
      (game, plies) = (number, game < 0 ? state.plyCount : state.currentGame?.opening ?? 0)
      debts = debts.map { _ in nil }
      used = used.map { _ in 0 }
      gained = used
    }
    addIncrements(state)
    for index in debts.indices { observe(Seat(UInt16(truncatingIfNeeded: index)), state, at: now) }
  }

  private mutating func addIncrements(_ state: RoomState) {
    let all = state.currentGame?.plies ?? []
    for ply in all.dropFirst(plies) {
      for seat in ply.seat.map({ [$0.index] }) ?? Array(gained.indices) where gained.indices.contains(seat) {
        gained[seat] += increment
      }
    }
    plies = all.count
  }

  private mutating func observe(_ seat: Seat, _ state: RoomState, at now: UInt64) {
    let isReveal = state.round.commit(of: seat) != nil
    let owes = state.owes(seat)
    if let debt = debts[seat.index] {
      if owes, debt.node == state.tip, debt.isReveal == isReveal { return }
      used[seat.index] += Self.span(from: debt.since, to: now)
    }
    debts[seat.index] = owes ? Debt(node: state.tip, isReveal: isReveal, since: now) : nil
  }

  /// When a seat's time for what it owes is up; `nil` when it owes nothing.
  package func due(of seat: Seat) -> UInt64? { end(of: seat)?.due }

  /// When a seat's time for what it owes is up, and which limit says so first; `nil` when it owes nothing.
  func end(of seat: Seat) -> (due: UInt64, limit: Limit)? {
    guard debts.indices.contains(seat.index), let debt = debts[seat.index] else { return nil }
    let move = moveLimit > 0 ? (due: debt.since &+ moveLimit, limit: Limit.move) : nil
    let all = clock > 0 ? (due: debt.since &+ left(of: seat.index), limit: Limit.clock) : nil
    return [move, all].compactMap(\.self).min { $0.due < $1.due }
  }

  /// The milliseconds that a seat has left for what it owes, or, when it owes nothing, of its clock; `nil` when
  /// nothing limits it.
  package func left(of seat: Seat, at now: UInt64) -> UInt64? {
    if let due = due(of: seat) { return Self.span(from: now, to: due) }
    return clock > 0 && used.indices.contains(seat.index) ? left(of: seat.index) : nil
  }

  private func left(of seat: Int) -> UInt64 { Self.span(from: used[seat], to: clock + gained[seat]) }

  /// From one moment to another; nothing when that is not later.
  private static func span(from start: UInt64, to end: UInt64) -> UInt64 { end > start ? end - start : 0 }
}

extension Create {
  /// Whether seats have a time in which they must move.
  package var hasTimeLimits: Bool { moveLimitMilliseconds > 0 || clockMilliseconds > 0 }
}

import EventLog
package import Events
package import Projection
package import Rules

/// What the time limits of rooms ask of one peer: rulings where it is the referee, and claims where it is told to make
/// them. A value that is told the time.
package struct Timekeeper: Sendable {
  /// What is to be written into a room now.
  package enum Act: Equatable, Sendable {
    /// The referee's ruling on this claim, against this seat, whose time is up by this limit.
    case rule(claim: EventID, against: Seat, SeatClocks.Limit)
    /// A claim that this seat is silent.
    case claim(Seat)
  }

  private let peer: PeerID
  /// Whether this peer, where it has a seat, claims as soon as another seat's time is up; else a person does.
  private let claimsByItself: Bool
  private var clocks: [RoomID: SeatClocks] = [:]
  /// When each room is to be looked at again.
  private var due: [RoomID: UInt64] = [:]

  package init(_ peer: PeerID, claimsByItself: Bool) {
    self.peer = peer
    self.claimsByItself = claimsByItself
  }

  /// Looks at a room: after each change, and when its time has come.
  /// - Returns: what is to be written now; after it, the room has changed.
  package mutating func look(at state: RoomState, at now: UInt64) -> Act? {
    due[state.room] = nil
    guard let seen = clocks(of: state, at: now) else { return nil }
    let acts = state.referee == peer ? rulings(state, seen) : claims(state, seen)
    guard let first = acts.min(by: { $0.due < $1.due }) else { return nil }
    guard first.due > now else { return first.act }
    due[state.room] = first.due
    return nil
  }

  /// The clocks of a room where this peer is the referee or has a seat, as of now; `nil` where nothing is limited.
  package mutating func clocks(of state: RoomState, at now: UInt64) -> SeatClocks? {
    guard let referee = state.referee, state.turn != nil, referee == peer || state.seat(of: peer) != nil,
      var seen = clocks[state.room] ?? SeatClocks(state.create)
    else {
      clocks[state.room] = nil
      return nil
    }
    seen.observe(state, at: now)
    clocks[state.room] = seen
    return seen
  }

  private func rulings(_ state: RoomState, _ clocks: SeatClocks) -> [(act: Act, due: UInt64)] {
    state.claims.compactMap { claim in
      clocks.end(of: claim.silent).map { end in
        (.rule(claim: claim.id, against: claim.silent, end.limit), end.due)
      }
    }
  }

  private func claims(_ state: RoomState, _ clocks: SeatClocks) -> [(act: Act, due: UInt64)] {
    guard claimsByItself else { return [] }
    let own = state.seat(of: peer)
    let silent = state.owing.filter { seat in
      seat != own && !state.claims.contains { $0.claimant == own && $0.silent == seat }
    }
    return silent.compactMap { seat in clocks.due(of: seat).map { (.claim(seat), $0) } }
  }

  /// Whether a room's clocks are kept.
  package func isWatching(_ room: RoomID) -> Bool { clocks[room] != nil }

  /// When a room is to be looked at although nothing changed; `nil` while none is.
  package var nextDue: UInt64? { due.values.min() }

  /// The rooms to be looked at now, ascending; each is told once, until it was looked at.
  package mutating func takeRooms(dueAt now: UInt64) -> [RoomID] {
    let rooms = due.filter { $0.value <= now }.keys.sorted()
    for room in rooms { due[room] = nil }
    return rooms
  }
}

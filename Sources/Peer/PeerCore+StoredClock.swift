package import EventLog
package import Events
internal import Gossip
package import Projection

// Rooms that are offered by what is stored of them, without their events.

extension PeerCore {
  /// Offers a room that stays in the store until somebody wants of it.
  package mutating func know(_ stored: StoredClock) {
    guard withLog(of: stored.room, { _ in true }) == nil else { return }
    let tournament = stored.tournament
    gossip.know(stored.room, Access(stored), stored.clock, of: tournament.isSome ? tournament : nil)
  }

  /// What is to be stored of what an open room offers; `nil` unless all of it is durable.
  /// - Parameter rule: by which rule the room is over.
  package mutating func storedClock(of room: RoomID, rule: UInt8) -> StoredClock? {
    guard isDurable(room), let state = state(of: room) else { return nil }
    let held = withLog(of: room) { log in (events: log.graph.events.count, clock: log.clock) }
    return held.flatMap { StoredClock(state, events: $0.events, $0.clock, rule: rule) }
  }
}

extension StoredClock {
  /// What follows from a room's events, all of which are durable and each feed of which ends signed.
  ///
  /// That, and whether a room is over, follows from the events alone, with one exception: a program that knows more
  /// rules may find a game where this one sees none. So there is nothing to store of a room of unknown rules.
  package init?(_ state: RoomState, events: Int, _ clock: VectorClock, rule: UInt8) {
    guard state.phase.isKnown else { return nil }
    var tournament = RoomID.none
    if case .games(let room, _, _) = state.create.purpose { tournament = room }
    self.init(
      room: state.room, events: events, rule: rule, scope: state.create.scope, tournament: tournament,
      members: state.members ?? [], clock: clock)
  }
}

extension Access {
  /// Who may hold a room by what is stored of it.
  fileprivate init(_ stored: StoredClock) {
    switch stored.scope {
    case .open: self = .open
    case .local: self = .local
    case .invited: self = .invited(stored.members)
    }
  }
}

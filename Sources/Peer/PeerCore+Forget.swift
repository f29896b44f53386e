package import EventLog
package import Events
package import Gossip
import Projection

// Rooms that this peer has had and was told to forget.

extension PeerCore {
  /// Stops holding rooms, which need not be open, and takes them in no more until somebody here asks for them.
  package mutating func forget(_ rooms: [ForgottenRoom], at now: Tick) {
    for room in rooms { ownHeads.keep(room) }
    carryOut(gossip.forget(rooms, at: now))
    effects.forget(Set(rooms.map(\.room)))
  }

  /// A room was to be forgotten, and is in the store still: it is held as before.
  package mutating func takeBackForgetting(_ log: RoomLog, at now: Tick) {
    ownHeads.letGo(log.room)
    gossip.takeIn(log.room)
    open(log, isDurable: true, at: now)
  }

  /// Notes rooms that were forgotten before this start.
  /// - Parameter isHere: whether a room has come back since: then only what was written there is remembered.
  package mutating func remember(_ room: ForgottenRoom, isHere: Bool) {
    ownHeads.keep(room)
    if !isHere { gossip.remember(room) }
  }

  /// Says which peers' rooms are not taken in, and who is granted no seat. What they write elsewhere counts as ever.
  package mutating func block(_ peers: Set<PeerID>, at now: Tick) { carryOut(gossip.block(peers, at: now)) }

  /// What is to be remembered of an open room when it is forgotten.
  package mutating func forgotten(_ room: RoomID) -> ForgottenRoom? {
    guard let clock = gossip.rooms.withLog(of: room, { $0.clock }) else { return nil }
    let own = ownAuthors(in: room)
    return ForgottenRoom(room, clock) { own.contains($0) }
  }

  /// Whether nobody on this machine has written into an open room, nor takes part in the tournament of which it has
  /// games.
  package mutating func isOfStrangers(_ room: RoomID) -> Bool {
    let ids = keys.ids
    let hasWritten = withLog(of: room) { log in ids.contains { log.number(of: $0) != nil } }
    return hasWritten != true && !keys.playTournament(ofGamesIn: room, gossip.rooms)
      && ownAuthors(in: room).isEmpty
  }

  /// Whether somebody whose key is here has written into a stored room; one that is read is open by now.
  package mutating func isOwn(_ stored: StoredRoom) -> Bool {
    if let clock = stored.clock?.clock, gossip.rooms.place(of: stored.room) == nil {
      return clock.entries.contains { keys.contains($0.author) }
    }
    return !isOfStrangers(stored.room)
  }

  /// Those who have written into a room and whose keys are of this machine.
  private mutating func ownAuthors(in room: RoomID) -> [PeerID] {
    guard let authors = gossip.rooms.withLog(of: room, { log in log.feeds.map(\.author) }) else { return [] }
    var own = authors.filter(keys.contains)
    guard let state = state(of: room) else { return own }
    for case let seat? in state.seats
    where keys.isLocalBot(seat.peer, seat.profile) && !own.contains(seat.peer) {
      own.append(seat.peer)
    }
    return own
  }
}

extension PeerError {
  /// Of a room that was forgotten a feed has not come back.
  init(_ kept: VectorClock.Entry, in room: RoomID) {
    self = .notWhole(room, kept.isUncertain ? ForgottenRoom.unknown : kept.sequence)
  }
}

extension RoomLog {
  /// Whether all that was here of a feed when the room was forgotten is here again.
  func hasComeBack(_ kept: VectorClock.Entry) -> Bool { kept.isForked || contains(kept.head) }
}

extension Keyring {
  /// Whether an open room was made for an open tournament by somebody who takes part in it, as one of these does:
  /// without it nobody here sees how that goes on. Others can only say that theirs are.
  fileprivate func playTournament(ofGamesIn room: RoomID, _ rooms: borrowing RoomTable) -> Bool {
    guard let first = rooms.withLog(of: room, { log in log.graph.events.first }) ?? nil,
      case .create(let create) = first.action, case .games(let tournament, _, _) = create.purpose,
      tournament.isSome
    else { return false }
    return rooms.withLog(of: tournament) { log in
      log.membership.contains(first.author) && ids.contains { log.membership.contains($0) }
    } ?? false
  }
}

import EventLog
import Events
import Peer
import Projection
import Rules

extension Intent {
  /// The room that it is about; `nil` before there is one.
  var room: RoomID? {
    switch self {
    case .create, .host, .connect, .want, .block: nil
    case .join(let room, _, _, _), .act(let room, _), .invite(let room, _), .admit(let room, _),
      .decline(let room), .rounds(let room, _):
      room
    }
  }

  /// The rooms that must be in memory for it: its own, and the one whose scores it goes on with.
  var rooms: [RoomID] {
    if case .host(let new) = self, new.continues.isSome { return [new.continues] }
    return room.map { [$0] } ?? []
  }
}

extension Intent {
  /// Why the answer to this is no, in words; `nil` when it may be tried.
  func refusal(in core: inout PeerCore, by member: Int) -> String? {
    guard let room, let state = core.state(of: room) else { return nil }
    let me = core.keys.ids[member]
    switch self {
    case .join(_, let seat, _, let agreed):
      return state.refusal(ofSeat: seat, by: me) ?? state.refusal(ofTerms: agreed, by: me)
    case .decline:
      return state.invited.contains(me)
        ? nil : "nobody has invited this peer to the game \(room.short)"
    case .invite(_, let peer):
      if peer == state.create.referee { return "that peer is the game's referee, who holds no seat" }
      if state.creator != me {
        return "only the peer that created the game may invite others to it"
      }
      // Whoever was invited may have come meanwhile.
      let isOpen = state.phase == .waiting || !state.invited.contains(peer) || state.seat(of: peer) != nil
      return isOpen ? nil : "the game has begun already"
    case .admit(_, let peer): return state.refusal(ofEntrant: peer, by: me)
    case .act(_, .leave): return nil
    case .rounds(_, let act): return state.refusal(of: act, by: me)
    default: return state.phase.refusalOfEdition
    }
  }

  /// Does it.
  /// - Parameter now: milliseconds of a clock that only goes forward.
  /// - Returns: the room that it was done in.
  func perform(
    in core: inout PeerCore, nonce: [UInt8], by member: Int, at now: UInt64 = 0
  ) throws(PeerError) -> RoomID {
    switch self {
    case .create(let new): return try new.create(in: &core, nonce: nonce, by: member)
    case .join(let room, let seat, let profile, _):
      let me = core.keys.ids[member]
      guard let state = core.state(of: room) else { throw .unknownRoom(room) }
      guard state.seat(of: me) == nil, !state.openRequests.contains(where: { $0.peer == me }) else {
        return room
      }
      _ = try core.write(.request(seat: seat, profile), in: room, by: member)
    case .act(let room, let act): try core.perform(act, in: room, by: member)
    case .invite(let room, let peer): try Self.invite(peer, to: room, in: &core, by: member)
    case .admit(let room, let peer): try Self.admit(peer, to: room, in: &core, by: member)
    case .decline(let room):
      let me = core.keys.ids[member]
      guard core.withLog(of: room, { $0.hasDeclined(me) }) != true else { return room }
      _ = try core.write(.leave(node: .none), in: room, by: member)
    case .host(let new): return try new.create(in: &core, nonce: nonce, by: member)
    case .rounds(let room, let act): try core.perform(act, in: room, by: member, at: now)
    case .connect, .want, .block: break
    }
    return room ?? .none
  }

  private static func admit(
    _ peer: PeerID, to room: RoomID, in core: inout PeerCore, by member: Int
  ) throws(PeerError) {
    guard let state = core.state(of: room) else { throw .unknownRoom(room) }
    guard let request = state.openRequests.first(where: { $0.peer == peer })?.id else { return }
    let seat = UInt16(truncatingIfNeeded: state.seats.count)
    _ = try core.write(.grant(request: request, seat: seat), in: room, citing: [request], by: member)
  }

  fileprivate static func invite(
    _ peer: PeerID, to room: RoomID, in core: inout PeerCore, by member: Int
  ) throws(PeerError) {
    guard let state = core.state(of: room) else { throw .unknownRoom(room) }
    guard !state.invited.contains(peer) else { return }
    try core.keys.ids[member].checkInvites(Set(state.invited).union([peer]))
    _ = try core.write(.invite(peer), in: room, by: member)
  }
}

extension Intent.NewRoom {
  fileprivate func create(
    in core: inout PeerCore, nonce: [UInt8], by member: Int
  ) throws(PeerError) -> RoomID {
    let me = core.keys.ids[member]
    guard terms.referee != me || seat == Create.noSeat else {
      throw .notAllowed("a player cannot be the referee: name another peer")
    }
    guard !terms.referee.isSome || !invited.contains(terms.referee) else {
      throw .notAllowed("the referee holds no seat, and so is not invited")
    }
    // Before anything is written: half a room is none.
    try me.checkInvites(Set(invited))
    let room = try core.create(create(nonce: nonce), by: member)
    for peer in invited { try Intent.invite(peer, to: room, in: &core, by: member) }
    return room
  }
}

extension PeerID {
  /// Throws unless a room of this peer may have invited these.
  fileprivate func checkInvites(_ peers: Set<PeerID>) throws(PeerError) {
    guard !peers.contains(self) else { throw .notAllowed("a peer does not invite itself") }
    guard !peers.contains(.none) else { throw .notAllowed("no peer has a key of zeros, so none is invited") }
    guard peers.count <= Create.limitInvited else {
      throw .notAllowed("at most \(Create.limitInvited) peers can be invited to a game")
    }
  }
}

extension RoomState {
  fileprivate func refusal(ofEntrant peer: PeerID, by me: PeerID) -> String? {
    guard isTournament, creator == me else {
      return "only the peer that created a tournament lets entrants into it"
    }
    guard start != nil else { return "it has not started: whoever asks gets a seat by itself" }
    if lateSeats == 0 { return Self.noLateSeat }
    return openRequests.contains { $0.peer == peer } ? nil : "that peer does not ask to come in"
  }

  private static let noLateSeat =
    "nobody can come in any more: its places are taken, or its format takes nobody after the start"

  fileprivate func refusal(ofSeat seat: UInt16, by me: PeerID) -> String? {
    if creator == me { return "it is this peer's own game; `parlor join` goes on with it by its id" }
    switch phase {
    case .waiting: break
    case .playing where isTournament:
      if lateSeats == 0 { return "the tournament has started without this peer" }
      if !takesLateEntrants { return "the tournament is over" }
    case .closed: return "the game was closed before it began"
    case .unknownRules: return "this program does not know the rules of that game"
    case .unknownEdition: return phase.refusalOfEdition
    case .playing, .finished, .abandoned: return "the seat is taken: the game has begun without this peer"
    }
    guard isCasual || isTournament else { return "its seats belong to a tournament" }
    if create.scope == .invited, !invited.contains(me) {
      return "only invited peers may play there"
    }
    let isFree =
      seat == Create.noSeat
      ? seats.contains(nil) : Int(seat) < seats.count && seats[Int(seat)] == nil
    if !isFree, lateSeats == 0 { return "the seat is taken" }
    return create.hasOpenRounds
      ? "its rounds are played in the open: who chooses last would see what this peer has chosen" : nil
  }

  /// Who takes a seat in a game with a referee has agreed to that one and to the time limits, and is no referee.
  fileprivate func refusal(ofTerms agreed: Terms, by me: PeerID) -> String? {
    let named = create.referee
    if named == me { return "this peer is the game's referee, who holds no seat" }
    guard named.isSome else { return nil }
    if referee == nil { return "the game's referee holds a seat of it, and so could rule for itself" }
    if Terms(create) == agreed { return nil }
    return named == agreed.referee
      ? "the game has other time limits than those to which this peer has agreed"
      : "the game has a referee, \(named), who can decide it, and to whom this peer has not agreed"
  }
}

import EventLog
package import Events
import Projection
import Rules

/// What a peer does in a room without being asked: everything that the protocol owes and nobody chooses.
extension PeerCore {
  /// How a peer behaves in a room.
  package struct Conduct: Sendable {
    /// How it is shown, and as a bot what it is.
    package var profile: Profile
    /// Whether it asks for a seat, and which one; `nil` to stay a spectator.
    package var wantedSeat: UInt8?
    /// As the creator: who may have which seat; `nil` grants to anybody.
    package var guests: [PeerID: UInt8]?
    /// Whether it signs the result after each game, or once when the series is over.
    package var signsEachGame: Bool
    /// Whether it agrees to take-backs.
    package var acceptsUndo: Bool

    package init(
      profile: Profile, wantedSeat: UInt8? = nil, guests: [PeerID: UInt8]? = nil, signsEachGame: Bool = true,
      acceptsUndo: Bool = false
    ) {
      self.profile = profile
      self.wantedSeat = wantedSeat
      self.guests = guests
      self.signsEachGame = signsEachGame
      self.acceptsUndo = acceptsUndo
    }
  }

  /// Does what is owed now in a room.
  /// - Returns: whether anything was written; then there may be more to do.
  package mutating func doDuties(in room: RoomID, _ conduct: Conduct) throws(PeerError) -> Bool {
    guard let state = state(of: room) else { return false }
    switch state.phase {
    case .waiting: return try prepare(state, conduct)
    case .playing where state.create.isTournament: return false
    case .playing:
      if try reveal(state) { return true }
      if try signResult(state, conduct) { return true }
      return try acceptUndo(state, conduct)
    case .finished: return try signResult(state, conduct)
    case .abandoned, .closed, .unknownRules: return false
    }
  }

  // MARK: - Before play

  private mutating func prepare(_ state: RoomState, _ conduct: Conduct) throws(PeerError) -> Bool {
    if state.creator == id, try grant(state, conduct) { return true }
    let seat = state.seat(of: id)
    if seat == nil, let wanted = conduct.wantedSeat, state.creator != id,
      !state.openRequests.contains(where: { $0.peer == id })
    {
      _ = try write(.request(seat: wanted, conduct.profile), in: state.room)
      return true
    }
    guard let roster = roster(of: state) else { return false }
    if state.create.isTournament { return try startTournament(state, roster) }
    if let seat, !(state.seats[seat.index]?.isReady ?? true) {
      let commitment =
        state.create.starter == .jointDraw
        ? Commitments.draw(
          nonce: drawNonce(state), room: state.room, roster: roster, seat: seat.rawValue, author: id) : .none
      _ = try write(.ready(roster: roster, commitment: commitment), in: state.room)
      return true
    }
    guard state.seats.allSatisfy({ $0?.isReady ?? false }) else { return false }
    if seat != nil, state.create.starter == .jointDraw, !hasWritten(.draw, in: state.room) {
      _ = try write(.draw(nonce: drawNonce(state)), in: state.room)
      return true
    }
    return try start(state, roster)
  }

  /// The creator grants the next open request.
  private mutating func grant(_ state: RoomState, _ conduct: Conduct) throws(PeerError) -> Bool {
    for request in state.openRequests {
      let reserved = conduct.guests.map { $0[request.peer] }
      if case .some(.none) = reserved { continue }
      let wanted = (reserved ?? nil) ?? request.seat
      let free = state.seats.indices.first { index in
        state.seats[index] == nil && (wanted == Create.noSeat || Int(wanted) == index)
      }
      // A seat that was not asked for would not be taken.
      guard let free, request.seat == Create.noSeat || Int(request.seat) == free else { continue }
      let grant = Action.grant(request: request.id, seat: UInt8(truncatingIfNeeded: free))
      _ = try write(grant, in: state.room, citing: [request.id])
      return true
    }
    return false
  }

  private mutating func start(_ state: RoomState, _ roster: Digest) throws(PeerError) -> Bool {
    guard state.creator == id, !hasWritten(.start, in: state.room) else { return false }
    if state.create.starter == .jointDraw {
      let draws = state.seats.compactMap { $0?.peer }.filter { hasWritten(.draw, in: state.room, by: $0) }
      guard draws.count == state.seats.count else { return false }
    }
    _ = try write(.start(roster: roster), in: state.room)
    return true
  }

  private mutating func startTournament(_ state: RoomState, _ roster: Digest) throws(PeerError) -> Bool {
    guard state.creator == id, !hasWritten(.start, in: state.room) else { return false }
    _ = try write(.start(roster: roster), in: state.room)
    return true
  }

  private func roster(of state: RoomState) -> Digest? {
    let seats = state.seats.compactMap { seat in seat.map { (author: $0.peer, grant: $0.grant) } }
    return seats.count == state.seats.count ? Commitments.roster(room: state.room, seats: seats) : nil
  }

  /// This peer's part of a joint draw: a salt that a crash does not lose.
  private func drawNonce(_ state: RoomState) -> Digest {
    Digest(signer.salt(room: state.room, game: .max, round: .max, seat: Create.noSeat, sequence: 0))
  }

  private func hasWritten(_ kind: Kind, in room: RoomID, by author: PeerID? = nil) -> Bool {
    guard let log = log(of: room), let feed = log.feed(author ?? id) else { return false }
    return feed.positions.contains { log.entries[$0].event.kind == kind }
  }

  // MARK: - In play

  /// Opens the own choice once every seat has committed. The choice is found again from the commitment: its
  /// salt can be derived, and the legal choices are few.
  private mutating func reveal(_ state: RoomState) throws(PeerError) -> Bool {
    guard case .everyone? = state.turn, let seat = state.seat(of: id), let game = state.currentGame,
      state.round.commits.count == state.seats.count, state.round.reveals[seat] == nil,
      let commit = state.round.commits[seat], let log = log(of: state.room),
      let position = log.position(of: commit)
    else { return false }
    guard case .commit(let step, let commitment) = log.entries[position].event.action else { return false }
    let salt = Digest(
      signer.salt(
        room: state.room, game: step.game, round: step.ply, seat: seat.rawValue,
        sequence: log.entries[position].event.sequence))
    let choice = game.state.legalMoves(of: seat).first { code in
      commitment
        == Commitments.choice(
          code.rawValue, salt: salt, room: state.room, game: step.game, round: step.ply, seat: seat.rawValue,
          author: id)
    }
    guard let choice else {
      throw .unplayable(
        "the choice behind commit \(commit.short) cannot be derived: it was made with another key")
    }
    let at = Action.Step(game: step.game, ply: step.ply, node: commit)
    _ = try write(.reveal(at, choice: choice.rawValue, salt: salt), in: state.room)
    return true
  }

  /// Signs the result of the last game that is over and that this seat has not signed.
  private mutating func signResult(_ state: RoomState, _ conduct: Conduct) throws(PeerError) -> Bool {
    guard state.seat(of: id) != nil, conduct.signsEachGame || state.phase == .finished else { return false }
    guard let game = state.games.last(where: { $0.ending?.outcome != nil }), !game.isAgreed,
      let ending = game.ending, let outcome = ending.outcome, !state.hasForkedSeat,
      !hasSigned(game: game.number, in: state.room)
    else { return false }
    let number = UInt16(truncatingIfNeeded: game.number)
    _ = try write(.result(game: number, ending: ending.node, scores: outcome.scores), in: state.room)
    return true
  }

  private func hasSigned(game: Int, in room: RoomID) -> Bool {
    guard let log = log(of: room), let feed = log.feed(id) else { return false }
    return feed.positions.reversed().contains { position in
      if case .result(let number, _, _) = log.entries[position].event.action {
        Int(number) == game
      } else {
        false
      }
    }
  }

  private mutating func acceptUndo(_ state: RoomState, _ conduct: Conduct) throws(PeerError) -> Bool {
    guard conduct.acceptsUndo, let request = state.undoRequest, let seat = state.seat(of: id),
      request.seat == seat.opponent
    else { return false }
    _ = try write(.undoAccept(request: request.id), in: state.room, citing: [request.id])
    return true
  }
}

extension RoomState {
  /// Whether somebody at the table has a forked feed.
  var hasForkedSeat: Bool { seats.contains { $0.map { forked.contains($0.peer) } ?? false } }
}

import EventLog
package import Events
import Gossip
import Projection
import Rules

// What a member does in a room without being asked: everything that the protocol owes and nobody chooses.

extension PeerCore {
  /// How a peer behaves in a room.
  package struct Conduct: Sendable {
    /// How it is shown, and as a bot what it is.
    package var profile: Profile
    /// Whether it asks for a seat, and which one; `nil` to stay a spectator.
    package var wantedSeat: UInt16?
    /// As the creator: who may have which seat; `nil` grants to anybody.
    package var guests: [PeerID: UInt16]?
    /// Whether it signs the result after each game, or once when the series is over.
    package var signsEachGame: Bool
    /// Whether it agrees to take-backs.
    package var acceptsUndo: Bool
    /// Whether it declines draws that are offered, as bots do.
    package var declinesDraws: Bool
    /// Whether it starts a tournament of its own as soon as all places are taken; else a person says when.
    package var startsTournaments: Bool

    package init(
      profile: Profile, wantedSeat: UInt16? = nil, guests: [PeerID: UInt16]? = nil,
      signsEachGame: Bool = true,
      acceptsUndo: Bool = false, declinesDraws: Bool = false, startsTournaments: Bool = true
    ) {
      self.profile = profile
      self.wantedSeat = wantedSeat
      self.guests = guests
      self.signsEachGame = signsEachGame
      self.acceptsUndo = acceptsUndo
      self.declinesDraws = declinesDraws
      self.startsTournaments = startsTournaments
    }
  }

  /// Does what a member owes now in a room.
  /// - Returns: whether anything was written; then there may be more to do.
  package mutating func doDuties(
    in room: RoomID, _ conduct: Conduct, by member: Int = 0
  ) throws(PeerError) -> Bool {
    guard let duty = try duty(of: member, in: room, conduct) else { return false }
    _ = try write(duty.action, in: room, citing: duty.citing, opening: duty.opening, by: member)
    return true
  }

  /// What a member owes. Where it stands is let go before anything is written, or its rooms would be copied.
  private mutating func duty(
    of member: Int, in room: RoomID, _ conduct: Conduct
  ) throws(PeerError) -> Standing.Duty? {
    try standing(of: member, in: room)?.duty(conduct)
  }
}

extension Standing {
  /// What a peer owes: an event to write, and what it must cite.
  fileprivate struct Duty {
    let action: Action
    var citing: [EventID] = []
    /// What opens it, where it is a commit.
    var opening: Room.OwnFeed.Opening?
  }

  /// What this member owes now.
  fileprivate func duty(_ conduct: PeerCore.Conduct) throws(PeerError) -> Duty? {
    switch state.phase {
    case .waiting: return prepare(conduct)
    case .playing where state.isTournament: return nil
    case .playing:
      if let reveal = try reveal() { return reveal }
      if let share = share() { return share }
      if let result = result(conduct) { return result }
      return acceptUndo(conduct) ?? declineDraw(conduct)
    case .finished: return result(conduct)
    case .abandoned, .closed, .unknownRules, .unknownEdition: return nil
    }
  }

  // MARK: - Before play

  private func prepare(_ conduct: PeerCore.Conduct) -> Duty? {
    if state.creator == me, !state.isDrawing, let grant = grant(conduct) { return grant }
    let seat = state.seat(of: me)
    if seat == nil, let wanted = conduct.wantedSeat, state.mayRequest(me),
      !state.openRequests.contains(where: { $0.peer == me })
    {
      return Duty(action: .request(seat: wanted, conduct.profile))
    }
    if let draw = state.seeding { return part(of: draw) }
    guard let roster = state.roster else { return nil }
    if state.isTournament { return conduct.startsTournaments ? start(roster) : nil }
    if let seat, !(state.seats[seat.index]?.isReady ?? true) {
      return Duty(action: ready(seat: seat, roster: roster))
    }
    guard state.seats.allSatisfy({ $0?.isReady ?? false }) else { return nil }
    if state.create.starter == .jointDraw {
      if seat != nil, !hasWritten(.draw, by: me) {
        return Duty(action: .draw(nonce: secrets.draw))
      }
      let isDrawn = state.seats.allSatisfy { seat in
        seat.map { hasWritten(.draw, by: $0.peer) } ?? false
      }
      guard isDrawn else { return nil }
    }
    return start(roster)
  }

  /// What a member owes to the draw of a tournament's seeds: an entrant its answer and its part; the organizer its own
  /// part once all that were called have answered, and the start once all that answered have opened theirs.
  private func part(of draw: SeedingDraw) -> Duty? {
    if state.creator == me {
      // With too few the format may have no pairings, and nobody can be called once a part is open.
      guard state.refusal(of: .start, by: me) == nil else { return nil }
      if draw.isOpened {
        return draw.drawn.count == draw.answered.count
          ? draw.result.flatMap { start($0) } : nil
      }
      return draw.answered.count == draw.called.count
        ? Duty(action: .draw(nonce: secrets.draw)) : nil
    }
    if draw.isOpened {
      guard draw.answered.contains(me), !draw.drawn.contains(me) else { return nil }
      return Duty(action: .draw(nonce: secrets.draw))
    }
    guard let seat = draw.called.firstIndex(of: me), !draw.answered.contains(me) else { return nil }
    return Duty(action: answer(at: seat, draw.roster))
  }

  /// The creator grants the next open request.
  private func grant(_ conduct: PeerCore.Conduct) -> Duty? {
    // A referee that held a seat could rule nothing.
    for request in state.openRequests
    where request.peer != state.create.referee && !blocked.contains(request.peer) {
      let reserved = conduct.guests.map { $0[request.peer] }
      if case .some(.none) = reserved { continue }
      let wanted = (reserved ?? nil) ?? request.seat
      let free = state.seats.indices.first { index in
        state.seats[index] == nil && (wanted == Create.noSeat || Int(wanted) == index)
      }
      // A seat that was not asked for would not be taken.
      guard let free, request.seat == Create.noSeat || Int(request.seat) == free else { continue }
      return Duty(
        action: .grant(request: request.id, seat: UInt16(truncatingIfNeeded: free)), citing: [request.id])
    }
    return nil
  }

  private func start(_ roster: Digest) -> Duty? {
    guard state.creator == me, !hasWritten(.start, by: me) else { return nil }
    return Duty(action: .start(roster: roster))
  }

  // MARK: - In play

  /// Commits to the own share of the chance of a round in which the own seat does not choose, or as the referee.
  private func share() -> Duty? {
    if state.refereeOfChance == me, state.round.refereeCommit == nil {
      return share(seat: Seat(Create.noSeat))
    }
    guard case .round(let choosing)? = state.turn, let seat = state.seat(of: me),
      !choosing.contains(seat), state.playing.contains(seat), state.round.commit(of: seat) == nil
    else { return nil }
    return share(seat: seat)
  }

  private func share(seat: Seat) -> Duty {
    let (action, opening) = secrets.commitment(
      to: .none, state.nextStep, seat: seat, sequence: nextSequence)
    return Duty(action: action, opening: opening)
  }

  /// The own commit that is to be opened now, and the seat that it is of: a seat's once all have committed, the
  /// referee's once all seats have revealed.
  private func commitToOpen() -> (EventID, Seat)? {
    guard state.turn?.isRound == true, state.round.committed == state.playing.count else { return nil }
    if state.refereeOfChance == me {
      guard state.refereeOwes, let commit = state.round.refereeCommit else { return nil }
      return (commit, Seat(Create.noSeat))
    }
    guard let seat = state.seat(of: me), state.owes(seat), let commit = state.round.commit(of: seat) else {
      return nil
    }
    return (commit, seat)
  }

  /// Opens the own choice, as it was made in this process.
  private func reveal() throws(PeerError) -> Duty? {
    guard let (commit, seat) = commitToOpen() else { return nil }
    guard let opening = opening(of: commit) else {
      return try revealAnew(commit, seat)
    }
    var at = state.nextStep
    at.node = commit
    return Duty(action: .reveal(at, choice: opening.choice.rawValue, salt: opening.salt))
  }

  /// Opens a choice that was made before this start. It is found again from the commitment: its salt can be derived,
  /// and the legal choices are few.
  private func revealAnew(
    _ commit: EventID, _ seat: Seat
  ) throws(PeerError) -> Duty? {
    guard let game = state.currentGame,
      let event = withLog({ log in log.position(of: commit).map { log.graph.events[$0] } }),
      case .commit(let step, let commitment) = event.action
    else { return nil }
    let isChoosing = state.turn?.choosing.contains(seat) == true
    let choices = isChoosing ? game.state.legalMoves(of: seat) : [.none]
    for salt in secrets.choices(step, seat: seat, sequence: event.sequence) {
      let choice = choices.first { code in
        commitment
          == Commitments.choice(
            code.rawValue, salt: salt, room: state.room, game: step.game, round: step.ply,
            seat: seat.rawValue,
            author: me)
      }
      guard let choice else { continue }
      let at = Action.Step(game: step.game, ply: step.ply, node: commit)
      return Duty(action: .reveal(at, choice: choice.rawValue, salt: salt))
    }
    throw .unplayable(
      "the choice behind commit \(commit.short) cannot be derived: it was made with another key")
  }

  /// The result of the last game that is over and that this seat has not signed.
  private func result(_ conduct: PeerCore.Conduct) -> Duty? {
    guard conduct.signsEachGame || state.phase == .finished, state.seat(of: me) != nil else { return nil }
    guard let game = state.games.last(where: { $0.ending?.outcome != nil }), !game.isAgreed,
      let ending = game.ending, let outcome = ending.outcome, !state.hasForkedSeat,
      !hasSigned(game: game.number)
    else { return nil }
    let number = UInt16(truncatingIfNeeded: game.number)
    return Duty(action: .result(game: number, ending: ending.node, scores: outcome.scores))
  }

  private func hasSigned(game: Int) -> Bool {
    hasWritten(me) { event in
      if case .result(let number, _, _) = event.action { Int(number) == game } else { false }
    }
  }

  private func acceptUndo(_ conduct: PeerCore.Conduct) -> Duty? {
    guard conduct.acceptsUndo, let request = state.undoRequest, let seat = state.seat(of: me),
      request.seat == seat.opponent
    else { return nil }
    return Duty(action: .undoAccept(request: request.id), citing: [request.id])
  }

  private func declineDraw(_ conduct: PeerCore.Conduct) -> Duty? {
    guard conduct.declinesDraws, let seat = state.seat(of: me),
      let offer = state.drawOffers.first(where: { $0.seat != seat })
    else { return nil }
    return Duty(action: .drawDecline(offer: offer.id), citing: [offer.id])
  }
}

extension RoomState {
  /// Whether entrants are drawing seeds, so that whoever comes now would not be among them.
  fileprivate var isDrawing: Bool { seeding.map { $0.isOpened || $0.answered.count > 1 } ?? false }
}

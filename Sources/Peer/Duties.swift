import EventLog
package import Events
import Gossip
import Projection
import Rules

/// What a peer does in a room without being asked: everything that the protocol owes and nobody chooses.
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

  /// What a peer owes: an event to write, and what it must cite.
  private struct Duty {
    let action: Action
    var citing: [EventID] = []
    /// What opens it, where it is a commit.
    var opening: Room.OwnFeed.Opening?
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

  private mutating func duty(of member: Int, in room: RoomID, _ conduct: Conduct) throws(PeerError) -> Duty? {
    guard let state = state(of: room) else { return nil }
    switch state.phase {
    case .waiting: return prepare(member, state, conduct)
    case .playing where state.isTournament: return nil
    case .playing:
      if let reveal = try reveal(member, state) { return reveal }
      if let share = share(member, state) { return share }
      if let result = result(member, state, conduct) { return result }
      return acceptUndo(member, state, conduct) ?? declineDraw(member, state, conduct)
    case .finished: return result(member, state, conduct)
    case .abandoned, .closed, .unknownRules, .unknownEdition: return nil
    }
  }

  // MARK: - Before play

  private func prepare(_ member: Int, _ state: RoomState, _ conduct: Conduct) -> Duty? {
    let id = id(of: member)
    if state.creator == id, !state.isDrawing, let grant = grant(state, conduct) { return grant }
    let seat = state.seat(of: id)
    if seat == nil, let wanted = conduct.wantedSeat, state.mayRequest(id),
      !state.openRequests.contains(where: { $0.peer == id })
    {
      return Duty(action: .request(seat: wanted, conduct.profile))
    }
    if let draw = state.seeding { return part(member, state, of: draw) }
    guard let roster = state.roster else { return nil }
    if state.isTournament { return conduct.startsTournaments ? start(member, state, roster) : nil }
    if let seat, !(state.seats[seat.index]?.isReady ?? true) {
      return Duty(action: ready(member, state, seat: seat, roster: roster))
    }
    guard state.seats.allSatisfy({ $0?.isReady ?? false }) else { return nil }
    if state.create.starter == .jointDraw {
      if seat != nil, !hasWritten(.draw, in: state.room, by: id) {
        return Duty(action: .draw(nonce: drawNonce(member, state)))
      }
      let isDrawn = state.seats.allSatisfy { seat in
        seat.map { hasWritten(.draw, in: state.room, by: $0.peer) } ?? false
      }
      guard isDrawn else { return nil }
    }
    return start(member, state, roster)
  }

  /// What a member owes to the draw of a tournament's seeds: an entrant its answer and its part; the organizer its own
  /// part once all that were called have answered, and the start once all that answered have opened theirs.
  private func part(_ member: Int, _ state: RoomState, of draw: SeedingDraw) -> Duty? {
    let id = id(of: member)
    if state.creator == id {
      // With too few the format may have no pairings, and nobody can be called once a part is open.
      guard state.refusal(of: .start, by: id) == nil else { return nil }
      if draw.isOpened {
        return draw.drawn.count == draw.answered.count
          ? draw.result.flatMap { start(member, state, $0) } : nil
      }
      return draw.answered.count == draw.called.count
        ? Duty(action: .draw(nonce: drawNonce(member, state))) : nil
    }
    if draw.isOpened {
      guard draw.answered.contains(id), !draw.drawn.contains(id) else { return nil }
      return Duty(action: .draw(nonce: drawNonce(member, state)))
    }
    guard let seat = draw.called.firstIndex(of: id), !draw.answered.contains(id) else { return nil }
    return Duty(action: answer(member, state, at: seat, draw.roster))
  }

  /// A part of the draw of a tournament's seeds, committed to.
  private func answer(_ member: Int, _ state: RoomState, at seat: Int, _ roster: Digest) -> Action {
    .ready(
      roster: roster,
      commitment: Commitments.draw(
        nonce: drawNonce(member, state), room: state.room, roster: roster,
        seat: UInt16(truncatingIfNeeded: seat), author: id(of: member)))
  }

  /// What the organizer does to start a tournament whose seeds are drawn: it calls those who have seats, or calls them
  /// again where others have come, goes on without those who do not answer, and starts without those who do not open
  /// their parts.
  func startDraw(_ member: Int, _ state: RoomState) -> Action {
    if state.isToBeCalled {
      let seats = Commitments.roster(room: state.room, seats: state.taken)
      return answer(member, state, at: Int(Create.noSeat), seats)
    }
    return state.seeding?.result.map { .start(roster: $0) } ?? .draw(nonce: drawNonce(member, state))
  }

  /// The creator grants the next open request.
  private func grant(_ state: RoomState, _ conduct: Conduct) -> Duty? {
    // A referee that held a seat could rule nothing.
    for request in state.openRequests
    where request.peer != state.create.referee && !isBlocked(request.peer) {
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

  private func start(_ member: Int, _ state: RoomState, _ roster: Digest) -> Duty? {
    let id = id(of: member)
    guard state.creator == id, !hasWritten(.start, in: state.room, by: id) else { return nil }
    return Duty(action: .start(roster: roster))
  }

  private func ready(_ member: Int, _ state: RoomState, seat: Seat, roster: Digest) -> Action {
    let commitment =
      state.create.starter == .jointDraw
      ? Commitments.draw(
        nonce: drawNonce(member, state), room: state.room, roster: roster, seat: seat.rawValue,
        author: id(of: member))
      : .none
    return .ready(roster: roster, commitment: commitment)
  }

  /// The creator's word that the seats that are taken are all: its `ready` over them, numbered anew.
  func call(_ member: Int, _ state: RoomState) -> Action? {
    let taken = state.taken
    guard let seat = taken.firstIndex(where: { $0.author == id(of: member) }) else { return nil }
    return ready(
      member, state, seat: Seat(UInt16(truncatingIfNeeded: seat)),
      roster: Commitments.roster(room: state.room, seats: taken))
  }

  /// A member's part of a joint draw: a salt that a crash does not lose.
  private func drawNonce(_ member: Int, _ state: RoomState) -> Digest {
    Digest(
      signer(of: member).salt(room: state.room, game: .max, round: .max, seat: Create.noSeat, sequence: 0))
  }

  private func hasWritten(_ kind: Kind, in room: RoomID, by author: PeerID) -> Bool {
    let hasWritten = withLog(of: room) { log in
      log.feed(author)?.positions.contains { log.graph.events[$0].kind == kind } ?? false
    }
    return hasWritten ?? false
  }

  // MARK: - In play

  /// Commits to the own share of the chance of a round in which the own seat does not choose, or as the referee.
  private mutating func share(_ member: Int, _ state: RoomState) -> Duty? {
    if state.refereeOfChance == id(of: member), state.round.refereeCommit == nil {
      return share(member, state, seat: Seat(Create.noSeat))
    }
    guard case .round(let choosing)? = state.turn, let seat = state.seat(of: id(of: member)),
      !choosing.contains(seat), state.playing.contains(seat), state.round.commit(of: seat) == nil
    else { return nil }
    return share(member, state, seat: seat)
  }

  private mutating func share(_ member: Int, _ state: RoomState, seat: Seat) -> Duty {
    let (action, opening) = commitment(to: .none, state.nextStep, seat: seat, in: state.room, by: member)
    return Duty(action: action, opening: opening)
  }

  /// The own commit that is to be opened now, and the seat that it is of: a seat's once all have committed, the
  /// referee's once all seats have revealed.
  private func commitToOpen(_ id: PeerID, _ state: RoomState) -> (EventID, Seat)? {
    guard state.turn?.isRound == true, state.round.committed == state.playing.count else { return nil }
    if state.refereeOfChance == id {
      guard state.refereeOwes, let commit = state.round.refereeCommit else { return nil }
      return (commit, Seat(Create.noSeat))
    }
    guard let seat = state.seat(of: id), state.owes(seat), let commit = state.round.commit(of: seat) else {
      return nil
    }
    return (commit, seat)
  }

  /// Opens the own choice, as it was made in this process.
  private func reveal(_ member: Int, _ state: RoomState) throws(PeerError) -> Duty? {
    guard let (commit, seat) = commitToOpen(id(of: member), state) else { return nil }
    guard let opening = opening(of: commit, in: state.room, by: member) else {
      return try revealAnew(commit, seat, member, state)
    }
    var at = state.nextStep
    at.node = commit
    return Duty(action: .reveal(at, choice: opening.choice.rawValue, salt: opening.salt))
  }

  /// What opens a commit that a member has written last.
  private func opening(of commit: EventID, in room: RoomID, by member: Int) -> Room.OwnFeed.Opening? {
    guard let at = gossip.rooms.place(of: room), gossip.rooms.open[at].own.indices.contains(member),
      gossip.rooms.open[at].own[member].last?.id == commit
    else { return nil }
    return gossip.rooms.open[at].own[member].opening
  }

  /// Opens a choice that was made before this start. It is found again from the commitment: its salt can be derived,
  /// and the legal choices are few.
  private func revealAnew(
    _ commit: EventID, _ seat: Seat, _ member: Int, _ state: RoomState
  ) throws(PeerError) -> Duty? {
    let id = id(of: member)
    guard let game = state.currentGame,
      let event = withLog(of: state.room, { log in log.position(of: commit).map { log.graph.events[$0] } }),
      case .commit(let step, let commitment)? = event?.action, let sequence = event?.sequence
    else { return nil }
    let isChoosing = state.turn?.choosing.contains(seat) == true
    let choices = isChoosing ? game.state.legalMoves(of: seat) : [.none]
    for salt in salts(of: member, in: state.room, step, seat: seat, sequence: sequence) {
      let choice = choices.first { code in
        commitment
          == Commitments.choice(
            code.rawValue, salt: salt, room: state.room, game: step.game, round: step.ply,
            seat: seat.rawValue,
            author: id)
      }
      guard let choice else { continue }
      let at = Action.Step(game: step.game, ply: step.ply, node: commit)
      return Duty(action: .reveal(at, choice: choice.rawValue, salt: salt))
    }
    throw .unplayable(
      "the choice behind commit \(commit.short) cannot be derived: it was made with another key")
  }

  /// The result of the last game that is over and that this seat has not signed.
  private func result(_ member: Int, _ state: RoomState, _ conduct: Conduct) -> Duty? {
    let id = id(of: member)
    guard conduct.signsEachGame || state.phase == .finished, state.seat(of: id) != nil else { return nil }
    guard let game = state.games.last(where: { $0.ending?.outcome != nil }), !game.isAgreed,
      let ending = game.ending, let outcome = ending.outcome, !state.hasForkedSeat,
      !hasSigned(game: game.number, in: state.room, by: id)
    else { return nil }
    let number = UInt16(truncatingIfNeeded: game.number)
    return Duty(action: .result(game: number, ending: ending.node, scores: outcome.scores))
  }

  private func hasSigned(game: Int, in room: RoomID, by author: PeerID) -> Bool {
    let hasSigned = withLog(of: room) { log in
      log.feed(author)?.positions.reversed().contains { position in
        if case .result(let number, _, _) = log.graph.events[position].action {
          Int(number) == game
        } else {
          false
        }
      } ?? false
    }
    return hasSigned ?? false
  }

  private func acceptUndo(_ member: Int, _ state: RoomState, _ conduct: Conduct) -> Duty? {
    guard conduct.acceptsUndo, let request = state.undoRequest, let seat = state.seat(of: id(of: member)),
      request.seat == seat.opponent
    else { return nil }
    return Duty(action: .undoAccept(request: request.id), citing: [request.id])
  }

  private func declineDraw(_ member: Int, _ state: RoomState, _ conduct: Conduct) -> Duty? {
    guard conduct.declinesDraws, let seat = state.seat(of: id(of: member)),
      let offer = state.drawOffers.first(where: { $0.seat != seat })
    else { return nil }
    return Duty(action: .drawDecline(offer: offer.id), citing: [offer.id])
  }
}

extension RoomState {
  /// Whether entrants are drawing seeds, so that whoever comes now would not be among them.
  fileprivate var isDrawing: Bool { seeding.map { $0.isOpened || $0.answered.count > 1 } ?? false }

  /// Who holds the seats that are taken, in their order, and by which grants.
  var taken: [(author: PeerID, grant: EventID)] {
    seats.compactMap { seat in seat.map { ($0.peer, $0.grant) } }
  }

  /// What everybody says who is ready, and the creator at the start; `nil` until every seat is taken.
  var roster: Digest? { seats.contains(nil) ? nil : Commitments.roster(room: room, seats: taken) }

  /// Whether somebody at the table has a forked feed.
  var hasForkedSeat: Bool { seats.contains { $0.map { forked.contains($0.peer) } ?? false } }
}

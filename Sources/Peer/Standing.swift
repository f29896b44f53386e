import EventLog
import Events
import Gossip
import Projection
import Rules

/// Where one member stands in a room: what it may do there, what it owes, and what it would write. It writes nothing.
///
/// What follows from `state` and from what was written is decided here; `PeerCore` writes it.
struct Standing {
  /// The member's number, and its key.
  let member: Int
  let me: PeerID
  let state: RoomState
  fileprivate let signer: any Signer
  fileprivate let saltNames: [RoomID: RoomID]
  /// The open rooms, and where this one lies: one that is taken out of them would be copied.
  fileprivate let rooms: [Room]
  fileprivate let place: Int
  /// Those who are given no seat.
  let blocked: Set<PeerID>

  /// What this member keeps to itself here.
  var secrets: RoomSecrets { RoomSecrets(of: signer, in: state.room, name: saltNames[state.room]) }

  /// The sequence of this member's next event.
  var nextSequence: UInt64 { rooms.span[place].log.length(of: me) + 1 }

  /// What opens a commit, where this member has written it last and in this process.
  func opening(of commit: EventID) -> Room.OwnFeed.Opening? {
    guard rooms.span[place].own.indices.contains(member), rooms.span[place].own[member].last?.id == commit
    else { return nil }
    return rooms.span[place].own[member].opening
  }

  /// Reads the room's events where they are.
  func withLog<Result>(_ body: (borrowing RoomLog) -> Result) -> Result { body(rooms.span[place].log) }

  /// Whether somebody has written an event like this.
  func hasWritten(_ author: PeerID, _ isIt: (borrowing Event) -> Bool) -> Bool {
    rooms.span[place].log.hasWritten(author, isIt)
  }

  /// Whether somebody has written an event of this kind.
  func hasWritten(_ kind: Kind, by author: PeerID) -> Bool { hasWritten(author) { $0.kind == kind } }

  // MARK: - Before play

  /// A part of the draw of a tournament's seeds, committed to.
  func answer(at seat: Int, _ roster: Digest) -> Action {
    .ready(
      roster: roster,
      commitment: Commitments.draw(
        nonce: secrets.draw, room: state.room, roster: roster, seat: UInt16(truncatingIfNeeded: seat),
        author: me))
  }

  /// What a seat says that is ready, with its part of a joint draw where there is one.
  func ready(seat: Seat, roster: Digest) -> Action {
    let commitment =
      state.create.starter == .jointDraw
      ? Commitments.draw(
        nonce: secrets.draw, room: state.room, roster: roster, seat: seat.rawValue, author: me)
      : .none
    return .ready(roster: roster, commitment: commitment)
  }

  /// What the organizer does to start a tournament whose seeds are drawn: it calls those who have seats, or calls them
  /// again where others have come, goes on without those who do not answer, and starts without those who do not open
  /// their parts.
  private func startDraw() -> Action {
    if state.isToBeCalled {
      let seats = Commitments.roster(room: state.room, seats: state.taken)
      return answer(at: Int(Create.noSeat), seats)
    }
    return state.seeding?.result.map { .start(roster: $0) } ?? .draw(nonce: secrets.draw)
  }

  /// The creator's word that the seats that are taken are all: its `ready` over them, numbered anew.
  private func call() -> Action? {
    let taken = state.taken
    guard let seat = taken.firstIndex(where: { $0.author == me }) else { return nil }
    return ready(
      seat: Seat(UInt16(truncatingIfNeeded: seat)),
      roster: Commitments.roster(room: state.room, seats: taken))
  }

  // MARK: - At the table

  /// Where a choice belongs, and whether it is to be hidden by a commitment.
  func place(for code: MoveCode) throws(PeerError) -> (Action.Step, Seat, isSecret: Bool) {
    guard let seat = state.seatToChoose(of: me), let game = state.position else {
      throw .notAllowed(RoomState.notTheTurn)
    }
    guard game.isLegal(code, by: seat) else {
      throw .notAllowed("the move \(game.text(of: code)) is not legal here")
    }
    return (state.nextStep, seat, state.turn?.isRound == true)
  }

  /// What is written for an act at a table that is no choice, and what that must cite; nothing for empty words.
  func action(for act: TableAct) throws(PeerError) -> (Action?, citing: [EventID]) {
    if let words = state.refusal(of: act.kind, by: me) { throw .notAllowed(words) }
    switch act {
    case .choose: return (nil, [])
    case .start where state.create.drawsSeeds: return (startDraw(), [])
    case .start where state.isTournament:
      return (.start(roster: Commitments.roster(room: state.room, seats: state.taken)), [])
    case .start: return (call(), [])
    case .resign: return (.resign(node: state.tip), [])
    case .leave: return (.leave(node: state.start == nil ? .none : state.tip), [])
    case .requestUndo:
      return (.undoRequest(node: state.tip, ply: UInt16(truncatingIfNeeded: state.lastPly(of: me) ?? 0)), [])
    case .agreeToUndo:
      let request = state.undoRequest?.id
      return (request.map { .undoAccept(request: $0) }, request.map { [$0] } ?? [])
    case .claim:
      return (state.silentSeat(for: me).map { .claim(node: state.tip, seat: $0.rawValue) }, [])
    case .offerDraw: return (.drawOffer(node: state.tip), [])
    case .agreeToDraw:
      let offer = state.drawOffer(to: me)?.id
      return (offer.map { .drawAccept(node: state.tip, offer: $0) }, offer.map { [$0] } ?? [])
    case .declineDraw:
      let offer = state.drawOffer(to: me)?.id
      return (offer.map { .drawDecline(offer: $0) }, offer.map { [$0] } ?? [])
    case .say(let text):
      let cut = text.prefix(utf8Bytes: Action.limitChatBytes)
      return (cut.isEmpty ? nil : .chat(cut), [])
    }
  }

  /// What a timekeeper says, where it is still so: what it looked at may have changed.
  func action(for act: Timekeeper.Act) -> (Action, citing: [EventID])? {
    switch act {
    case .rule(let claim, _, _):
      guard state.referee == me, state.claims.contains(where: { $0.id == claim }),
        !hasWritten(me, { $0.action == .ruling(claim: claim) })
      else { return nil }
      return (.ruling(claim: claim), [claim])
    case .claim(let seat):
      guard state.seat(of: me) != nil, state.owes(seat) else { return nil }
      return (.claim(node: state.tip, seat: seat.rawValue), [])
    }
  }
}

extension PeerCore {
  /// Where a member stands in a room; `nil` while the room's `create` is not here.
  mutating func standing(of member: Int, in room: RoomID) -> Standing? {
    guard let state = state(of: room), let place = gossip.rooms.place(of: room) else { return nil }
    return Standing(
      member: member, me: keys.ids[member], state: state, signer: keys.signers[member], saltNames: saltNames,
      rooms: gossip.rooms.open, place: place, blocked: gossip.blocked)
  }

  /// A member's secrets in a room.
  func secrets(of member: Int, in room: RoomID) -> RoomSecrets {
    RoomSecrets(of: keys.signers[member], in: room, name: saltNames[room])
  }
}

extension RoomState {
  /// Where the next step stands.
  var nextStep: Action.Step {
    Action.Step(
      game: UInt16(truncatingIfNeeded: games.count - 1), ply: UInt16(truncatingIfNeeded: plyCount), node: tip)
  }

  /// Who holds the seats that are taken, in their order, and by which grants.
  var taken: [(author: PeerID, grant: EventID)] {
    seats.compactMap { seat in seat.map { ($0.peer, $0.grant) } }
  }

  /// What everybody says who is ready, and the creator at the start; `nil` until every seat is taken.
  var roster: Digest? { seats.contains(nil) ? nil : Commitments.roster(room: room, seats: taken) }

  /// Whether somebody at the table has a forked feed.
  var hasForkedSeat: Bool { seats.contains { $0.map { forked.contains($0.peer) } ?? false } }
}

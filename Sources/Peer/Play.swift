public import BotKit
import EventLog
public import Events
import Gossip
public import Projection
public import Rules

/// What a seat chooses to do.
extension PeerCore {
  /// Plays a move, or commits to a choice.
  package mutating func choose(
    _ code: MoveCode, note: MoveNote? = nil, in room: RoomID, by member: Int = 0
  ) throws(PeerError) {
    let (step, seat, isSecret) = try place(for: code, in: room, by: member)
    if isSecret {
      try commit(to: code, step, seat: seat, in: room, by: member)
    } else {
      let note = note.map { Action.Note(value: $0.value, isProven: $0.isProven, nodes: $0.nodes) }
      _ = try write(.move(step, code: code.rawValue, note), in: room, by: member)
    }
  }

  /// Where a choice belongs. The state is let go before anything is written, or its games would be copied.
  private mutating func place(
    for code: MoveCode, in room: RoomID, by member: Int
  ) throws(PeerError) -> (Action.Step, Seat, isSecret: Bool) {
    guard let state = state(of: room) else { throw .unknownRoom(room) }
    guard let seat = state.seatToChoose(of: id(of: member)), let game = state.position else {
      throw .notAllowed(RoomState.notTheTurn)
    }
    guard game.isLegal(code, by: seat) else {
      throw .notAllowed("the move \(game.text(of: code)) is not legal here")
    }
    return (state.nextStep, seat, state.turn?.isRound == true)
  }

  private mutating func commit(
    to code: MoveCode, _ step: Action.Step, seat: Seat, in room: RoomID, by member: Int
  ) throws(PeerError) {
    let (action, opening) = commitment(to: code, step, seat: seat, in: room, by: member)
    _ = try write(action, in: room, opening: opening, by: member)
  }

  /// A member's commitment to a choice, or to its share of the chance of a round in which it does not choose, and what
  /// opens it.
  mutating func commitment(
    to code: MoveCode, _ step: Action.Step, seat: Seat, in room: RoomID, by member: Int
  ) -> (Action, Room.OwnFeed.Opening) {
    let author = id(of: member)
    let sequence = nextSequence(of: author, in: room)
    let salt = salt(of: member, in: room, step, seat: seat, sequence: sequence)
    let commitment = Commitments.choice(
      code.rawValue, salt: salt, room: room, game: step.game, round: step.ply, seat: seat.rawValue,
      author: author)
    return (.commit(step, commitment: commitment), Room.OwnFeed.Opening(choice: code, salt: salt))
  }

  /// The salt of a member's choice, which a crash does not lose.
  /// - Parameter sequence: of the commit.
  func salt(
    of member: Int, in room: RoomID, _ step: Action.Step, seat: Seat, sequence: UInt64
  ) -> Digest {
    Digest(
      signer(of: member).salt(
        room: saltNames[room] ?? room, game: step.game, round: step.ply, seat: seat.rawValue,
        sequence: sequence))
  }

  /// The salts with which a member may have made a choice before this start: as now, or as editions before this one.
  func salts(
    of member: Int, in room: RoomID, _ step: Action.Step, seat: Seat, sequence: UInt64
  ) -> [Digest] {
    let earlier = (signer(of: member) as? RoomSigner)?.earlierSalt(
      room: saltNames[room] ?? room, game: step.game, round: step.ply, seat: seat.rawValue, sequence: sequence
    )
    return [salt(of: member, in: room, step, seat: seat, sequence: sequence)]
      + (earlier.map { [Digest($0)] } ?? [])
  }

  /// Refuses what was meant for another place.
  mutating func checkPlace(_ room: RoomID, _ game: UInt16, _ ply: UInt16) throws(PeerError) {
    guard let state = state(of: room) else { throw .unknownRoom(room) }
    guard let current = state.currentGame, current.number == Int(game), current.plies.count == Int(ply)
    else { throw .notAllowed("the game has gone on meanwhile; look at the position again") }
  }

  /// Does something at a table.
  package mutating func perform(
    _ act: TableAct, in room: RoomID, by member: Int = 0
  ) throws(PeerError) {
    if case .choose(let choice, let game, let ply) = act {
      try checkPlace(room, game, ply)
      return try choose(choice.code, note: choice.note, in: room, by: member)
    }
    let (action, citing) = try action(for: act, in: room, by: member)
    guard let action else { return }
    _ = try write(action, in: room, citing: citing, by: member)
  }

  /// What is written for an act at a table that is no choice, and what that must cite; nothing for empty words.
  private mutating func action(
    for act: TableAct, in room: RoomID, by member: Int
  ) throws(PeerError) -> (Action?, citing: [EventID]) {
    guard let state = state(of: room) else { throw .unknownRoom(room) }
    let id = id(of: member)
    if let words = state.refusal(of: act.kind, by: id) { throw .notAllowed(words) }
    switch act {
    case .choose: return (nil, [])
    case .start where state.create.drawsSeeds: return (startDraw(member, state), [])
    case .start where state.isTournament:
      return (.start(roster: Commitments.roster(room: state.room, seats: state.taken)), [])
    case .start: return (call(member, state), [])
    case .resign: return (.resign(node: state.tip), [])
    case .leave: return (.leave(node: state.start == nil ? .none : state.tip), [])
    case .requestUndo:
      return (.undoRequest(node: state.tip, ply: UInt16(truncatingIfNeeded: state.lastPly(of: id) ?? 0)), [])
    case .agreeToUndo:
      let request = state.undoRequest?.id
      return (request.map { .undoAccept(request: $0) }, request.map { [$0] } ?? [])
    case .claim:
      return (state.silentSeat(for: id).map { .claim(node: state.tip, seat: $0.rawValue) }, [])
    case .offerDraw: return (.drawOffer(node: state.tip), [])
    case .agreeToDraw:
      let offer = state.drawOffer(to: id)?.id
      return (offer.map { .drawAccept(node: state.tip, offer: $0) }, offer.map { [$0] } ?? [])
    case .declineDraw:
      let offer = state.drawOffer(to: id)?.id
      return (offer.map { .drawDecline(offer: $0) }, offer.map { [$0] } ?? [])
    case .say(let text):
      let cut = text.prefix(utf8Bytes: Action.limitChatBytes)
      return (cut.isEmpty ? nil : .chat(cut), [])
    }
  }
}

extension RoomState {
  /// Where the next step stands.
  var nextStep: Action.Step {
    Action.Step(
      game: UInt16(truncatingIfNeeded: games.count - 1), ply: UInt16(truncatingIfNeeded: plyCount), node: tip)
  }

  /// The seat of a peer that has to choose now: a move, or in a round a choice to which it has not committed.
  public func seatToChoose(of peer: PeerID) -> Seat? {
    guard let turn, let seat = seat(of: peer) else { return nil }
    switch turn {
    case .seat(seat): return seat
    case .round(let choosing) where choosing.contains(seat): return round.commit(of: seat) == nil ? seat : nil
    default: return nil
    }
  }
}

extension BotEntry {
  /// What a bot says of itself where it takes a seat.
  /// - Parameter seed: where its random numbers come from.
  public init(_ declaration: BotDeclaration, seed: UInt64) {
    self.init(
      specification: declaration.specification, version: declaration.version,
      nodeBudget: declaration.nodeBudget, seed: seed)
  }
}

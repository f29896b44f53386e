package import BotKit
import EventLog
package import Events
import Projection
package import Rules

/// What a seat chooses to do.
extension PeerCore {
  /// Plays a move, or commits to a choice.
  package mutating func choose(
    _ code: MoveCode, note: MoveNote? = nil, in room: RoomID
  ) throws(PeerError) {
    let (step, seat, isSecret) = try place(for: code, in: room)
    if isSecret {
      try commit(to: code, step, seat: seat, in: room)
    } else {
      let note = note.map { Action.Note(value: $0.value, isProven: $0.isProven, nodes: $0.nodes) }
      _ = try write(.move(step, code: code.rawValue, note), in: room)
    }
  }

  /// Where a choice belongs. The state is let go before anything is written, or its games would be copied.
  private mutating func place(
    for code: MoveCode, in room: RoomID
  ) throws(PeerError) -> (Action.Step, Seat, isSecret: Bool) {
    guard let state = state(of: room) else { throw .unknownRoom(room) }
    guard let seat = state.seatToChoose(of: id), let game = state.position else {
      throw .notAllowed(RoomState.notTheTurn)
    }
    guard game.isLegal(code, by: seat) else {
      throw .notAllowed("the move \(game.text(of: code)) is not legal here")
    }
    let step = Action.Step(
      game: UInt16(truncatingIfNeeded: state.games.count - 1),
      ply: UInt16(truncatingIfNeeded: state.plyCount), node: state.tip)
    return (step, seat, state.turn == .everyone)
  }

  private mutating func commit(
    to code: MoveCode, _ step: Action.Step, seat: Seat, in room: RoomID
  ) throws(PeerError) {
    let author = id
    let sequence = (withLog(of: room) { $0.head(of: author).event?.sequence ?? 0 } ?? 0) + 1
    let salt = signer.salt(
      room: room, game: step.game, round: step.ply, seat: seat.rawValue, sequence: sequence)
    let commitment = Commitments.choice(
      code.rawValue, salt: Digest(salt), room: room, game: step.game, round: step.ply, seat: seat.rawValue,
      author: id)
    _ = try write(.commit(step, commitment: commitment), in: room)
  }

  /// Does something at a table as one of the members.
  package mutating func perform(
    _ act: TableAct, in room: RoomID, by member: Int
  ) throws(PeerError) {
    self.act(as: member)
    switch act {
    case .choose(let choice, let game, let ply):
      try checkPlace(room, game, ply)
      try choose(choice.code, note: choice.note, in: room)
    case .resign: try resign(in: room)
    case .requestUndo: try requestUndo(in: room)
    case .agreeToUndo: try agreeToUndo(in: room)
    case .claim: try claim(in: room)
    case .offerDraw: try offerDraw(in: room)
    case .agreeToDraw: try answerDraw(true, in: room)
    case .declineDraw: try answerDraw(false, in: room)
    case .say(let text):
      _ = try state(in: room, for: .say)
      try say(text, in: room)
    case .leave:
      _ = try state(in: room, for: .leave)
      try leave(room)
    }
  }

  /// Refuses what was meant for another place.
  mutating func checkPlace(_ room: RoomID, _ game: UInt16, _ ply: UInt16) throws(PeerError) {
    guard let state = state(of: room) else { throw .unknownRoom(room) }
    guard let current = state.currentGame, current.number == Int(game), current.plies.count == Int(ply)
    else { throw .notAllowed("the game has gone on meanwhile; look at the position again") }
  }

  /// The state of a room in which the member who acts may do something.
  private mutating func state(
    in room: RoomID, for act: TableAct.Kind
  ) throws(PeerError) -> RoomState {
    guard let state = state(of: room) else { throw .unknownRoom(room) }
    if let words = state.refusal(of: act, by: id) { throw .notAllowed(words) }
    return state
  }

  /// Gives up the game that is on.
  package mutating func resign(in room: RoomID) throws(PeerError) {
    _ = try write(.resign(node: state(in: room, for: .resign).tip), in: room)
  }

  /// Leaves the room: before play it closes, in play the game is lost.
  package mutating func leave(_ room: RoomID) throws(PeerError) {
    guard let state = state(of: room) else { throw .unknownRoom(room) }
    _ = try write(.leave(node: state.start == nil ? .none : state.tip), in: room)
  }

  /// Asks to take back the own last move, and the answer to it when there is one.
  package mutating func requestUndo(in room: RoomID) throws(PeerError) {
    let state = try state(in: room, for: .requestUndo)
    let ply = state.lastPly(of: id) ?? 0
    _ = try write(.undoRequest(node: state.tip, ply: UInt16(truncatingIfNeeded: ply)), in: room)
  }

  /// Agrees to what the other seat asks to take back.
  private mutating func agreeToUndo(in room: RoomID) throws(PeerError) {
    guard let request = try state(in: room, for: .agreeToUndo).undoRequest else { return }
    _ = try write(.undoAccept(request: request.id), in: room, citing: [request.id])
  }

  /// Claims that another seat, which owes a step, is silent; the referee rules on it.
  package mutating func claim(in room: RoomID) throws(PeerError) {
    let state = try state(in: room, for: .claim)
    guard let silent = state.silentSeat(for: id) else { return }
    _ = try write(.claim(node: state.tip, seat: silent.rawValue), in: room)
  }

  /// Offers a draw.
  package mutating func offerDraw(in room: RoomID) throws(PeerError) {
    _ = try write(.drawOffer(node: state(in: room, for: .offerDraw).tip), in: room)
  }

  /// Takes the draw that the other seat offers, or declines it.
  package mutating func answerDraw(_ accepts: Bool, in room: RoomID) throws(PeerError) {
    let state = try state(in: room, for: accepts ? .agreeToDraw : .declineDraw)
    guard let offer = state.drawOffer(to: id) else { return }
    _ = try write(
      accepts ? .drawAccept(node: state.tip, offer: offer.id) : .drawDecline(offer: offer.id), in: room,
      citing: [offer.id])
  }

  /// Says something to everybody in the room.
  package mutating func say(_ text: String, in room: RoomID) throws(PeerError) {
    let cut = text.prefix(utf8Bytes: Action.limitChatBytes)
    guard !cut.isEmpty else { return }
    _ = try write(.chat(cut), in: room)
  }
}

extension RoomState {
  /// The seat of a peer that has to choose now: a move, or a commitment in a round of simultaneous choices.
  package func seatToChoose(of peer: PeerID) -> Seat? {
    guard let turn, let seat = seat(of: peer) else { return nil }
    switch turn {
    case .seat(seat): return seat
    case .everyone: return round.commits[seat] == nil ? seat : nil
    default: return nil
    }
  }
}

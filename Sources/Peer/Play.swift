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
      throw .notAllowed("it is not this seat's turn")
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

  /// Gives up the game that is on.
  package mutating func resign(in room: RoomID) throws(PeerError) {
    guard let state = state(of: room), state.turn != nil, state.seat(of: id) != nil else {
      throw .notAllowed("there is no game to resign")
    }
    _ = try write(.resign(node: state.tip), in: room)
  }

  /// Leaves the room: before play it closes, in play the game is lost.
  package mutating func leave(_ room: RoomID) throws(PeerError) {
    guard let state = state(of: room) else { throw .unknownRoom(room) }
    _ = try write(.leave(node: state.start == nil ? .none : state.tip), in: room)
  }

  /// Asks to take back the own last move, and the answer to it when there is one.
  package mutating func requestUndo(in room: RoomID) throws(PeerError) {
    guard let state = state(of: room), let seat = state.seat(of: id), let game = state.currentGame else {
      throw .unknownRoom(room)
    }
    guard state.create.allowsUndo else {
      throw .notAllowed("take-backs were not allowed when the game was created")
    }
    guard let ply = game.plies.lastIndex(where: { $0.seat == seat }), game.ending == nil else {
      throw .notAllowed("there is no move of yours to take back")
    }
    _ = try write(.undoRequest(node: state.tip, ply: UInt16(truncatingIfNeeded: ply)), in: room)
  }

  /// Claims that another seat, which owes a step, is silent; the referee rules on it.
  package mutating func claim(in room: RoomID) throws(PeerError) {
    guard let state = state(of: room), state.turn != nil, let seat = state.seat(of: id) else {
      throw .notAllowed("there is no game here in which somebody could be silent")
    }
    guard state.referee != nil else {
      throw .notAllowed(
        "the game has no referee who could rule: it waits, and goes on when the other side's step comes")
    }
    guard let silent = state.owing.first(where: { $0 != seat }) else {
      throw .notAllowed("nobody else owes a step now")
    }
    guard !state.claims.contains(where: { $0.claimant == seat && $0.silent == silent }) else {
      throw .notAllowed(
        "that is claimed already; the referee rules when its own clock says that the time is up")
    }
    _ = try write(.claim(node: state.tip, seat: silent.rawValue), in: room)
  }

  /// Offers a draw.
  package mutating func offerDraw(in room: RoomID) throws(PeerError) {
    guard let state = state(of: room), state.turn != nil, let seat = state.seat(of: id) else {
      throw .notAllowed("there is no game here that could be drawn")
    }
    guard state.allowsDraws else {
      throw .notAllowed(
        "a draw cannot be agreed on in this game: its rules know none, or seats choose at once")
    }
    guard !state.drawOffers.contains(where: { $0.seat == seat }) else {
      throw .notAllowed("you offer a draw already; the offer stands until the other side moves or declines")
    }
    _ = try write(.drawOffer(node: state.tip), in: room)
  }

  /// Takes the draw that the other seat offers, or declines it.
  package mutating func answerDraw(_ accepts: Bool, in room: RoomID) throws(PeerError) {
    guard let state = state(of: room), let seat = state.seat(of: id),
      let offer = state.drawOffers.first(where: { $0.seat != seat })
    else { throw .notAllowed("the other side offers no draw") }
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

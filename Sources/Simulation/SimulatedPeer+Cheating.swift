import BotKit
import EventLog
import Events
import Peer
import Projection
import Rules

/// Play that breaks the rules, written through the same calls as honest play: the core signs whatever it is asked
/// to.
extension SimulatedPeer {
  /// How many own events a program has in a room.
  func ownCount(in room: RoomID, face: Int) -> UInt64 {
    guard faces.indices.contains(face) else { return 0 }
    return faces[face].withLog(of: room) { $0.feed(id)?.last ?? 0 } ?? 0
  }

  /// Says something, once more.
  mutating func chatter(_ words: String, in number: Int) throws(PeerError) {
    guard let table = tables[number] else { return }
    try faces[0].perform(.say(words), in: table.room)
  }

  /// Writes something that is out of place.
  mutating func cheat(in number: Int, face: Int) throws(PeerError) {
    guard let table = tables[number], let state = faces[face].state(of: table.room),
      let action = wildAction(in: state, face: face)
    else { return }
    _ = try faces[face].write(action, in: table.room)
  }

  private mutating func wildAction(in state: RoomState, face: Int) -> Action? {
    let ids = faces[face].withLog(of: state.room) { log in log.entries.suffix(24).map(\.event) } ?? []
    guard let any = random.pick(ids) else { return nil }
    let node = random.oneIn(2) ? any.id : state.tip
    let game = random.oneIn(4) ? random.below(3) : max(0, state.games.count - 1)
    let ply = random.oneIn(4) ? random.below(9) : state.games.last?.plies.count ?? 0
    let step = Action.Step(game: UInt16(game), ply: UInt16(ply), node: node)
    let seat = state.seat(of: id)?.rawValue ?? UInt16(random.below(2))
    switch random.below(18) {
    case 0: return .request(seat: UInt16(random.below(3)), Profile(name: "again"))
    case 1: return .grant(request: any.id, seat: UInt16(random.below(3)))
    case 2: return .ready(roster: Digest(any.id.bytes), commitment: .none)
    case 3: return .draw(nonce: Digest(any.id.bytes))
    case 4: return .start(roster: Digest(any.id.bytes))
    case 5, 6, 7: return again(of: ids, step) ?? .move(step, code: UInt32(random.below(10)), nil)
    case 8, 9: return commitment(step, state, seat: seat)
    case 10: return earlyReveal(of: ids, seat: seat)
    case 11: return .resign(node: node)
    case 12: return .undoAccept(request: any.id)
    case 13: return .result(game: UInt16(game), ending: node, scores: random.oneIn(2) ? [1, 0] : [0, 1])
    case 14: return .claim(node: node, seat: seat ^ 1)
    case 15: return .drawOffer(node: node)
    case 16:
      return random.oneIn(2) ? .drawAccept(node: node, offer: any.id) : .drawDecline(offer: any.id)
    default: return random.oneIn(4) ? .leave(node: node) : .ruling(claim: any.id)
    }
  }

  /// The own last move once more, with another choice.
  private func again(of events: [Event], _ step: Action.Step) -> Action? {
    for event in events.reversed() where event.author == id {
      if case .move(let step, let code, _) = event.action { return .move(step, code: (code + 1) % 9, nil) }
    }
    return nil
  }

  private mutating func commitment(_ step: Action.Step, _ state: RoomState, seat: UInt16) -> Action {
    let salt = signer.salt(room: state.room, game: step.game, round: step.ply, seat: seat, sequence: 1)
    return .commit(
      step,
      commitment: Commitments.choice(
        UInt32(random.below(4)), salt: Digest(salt), room: state.room, game: step.game, round: step.ply,
        seat: seat, author: id))
  }

  /// Opens an own commit, whether the others have committed or not.
  private func earlyReveal(of events: [Event], seat: UInt16) -> Action? {
    for event in events.reversed() where event.author == id {
      guard case .commit(let step, let commitment) = event.action else { continue }
      let salt = Digest(
        signer.salt(
          room: event.room, game: step.game, round: step.ply, seat: seat, sequence: event.sequence))
      let choice = (0..<4).first { choice in
        commitment
          == Commitments.choice(
            UInt32(choice), salt: salt, room: event.room, game: step.game, round: step.ply, seat: seat,
            author: id)
      }
      guard let choice else { return nil }
      return .reveal(
        .init(game: step.game, ply: step.ply, node: event.id), choice: UInt32(choice), salt: salt)
    }
    return nil
  }
}

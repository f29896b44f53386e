package import BotKit
import EventLog
package import Events
package import Peer
import Projection
import Rules

/// Somebody dishonest at work in a room: what it writes breaks the rules of play, well-formed and signed with its own
/// key, through the same calls as honest play, since a core signs whatever it is asked to.
package struct Cheat: Sendable {
  package let signer: any Signer
  package var random: RandomStream
  /// What it has tried in rounds, and boxes of others that it could read.
  package private(set) var triedFrauds: [RoundFraud] = []
  package var readBoxes: [(room: RoomID, entry: EventID)] = []

  package init(signer: any Signer, random: RandomStream) {
    self.signer = signer
    self.random = random
  }

  var id: PeerID { signer.peer }

  /// Writes an event and notes it as a fraud.
  mutating func write(
    _ kind: RoundFraud.Kind, _ action: Action, about: EventID = .none, citing: [EventID] = [],
    in room: RoomID, _ core: inout PeerCore
  ) throws(PeerError) {
    let event = try core.write(action, in: room, citing: citing)
    triedFrauds.append(RoundFraud(kind: kind, room: room, event: event.id, about: about))
  }

  /// Writes something that is out of place.
  package mutating func cheat(in room: RoomID, _ core: inout PeerCore) throws(PeerError) {
    guard let state = core.state(of: room), let action = wildAction(in: state, &core) else { return }
    _ = try core.write(action, in: room)
  }

  private mutating func wildAction(in state: RoomState, _ core: inout PeerCore) -> Action? {
    let ids = core.withLog(of: state.room) { log in log.entries.suffix(24).map(\.event) } ?? []
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

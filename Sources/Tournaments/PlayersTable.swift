package import Events
package import Projection
import Rules

// The table of an attempt: the room that the two who are paired make themselves, wherever they are
// (Docs/PROTOCOL.md §1.9). Every byte of its `create` follows from the tournament, so there is one.

extension TournamentRoom {
  /// With what the first seat of an attempt creates its table, at the time of ``createdAt``.
  package func table(of attempt: PairingAttempt) -> Create {
    var hash = Blake2b(domain: "parlor-pairing-1")
    hash.update(room)
    hash.update(bigEndian: attempt.pairing.number.rawValue)
    hash.update([attempt.attempt])
    // Whoever has the first seat may come to another opponent, by a ruling that is taken back.
    hash.update(peers(of: attempt)[1])
    return Create(
      rules: create.rules, rulesVersion: create.rulesVersion, parameters: create.parameters, seats: 2,
      games: UInt16(truncatingIfNeeded: attempt.games), nonce: Array(hash.digest().bytes.prefix(16)),
      profile: entrants[attempt.entrants[0].index].profile, creatorSeat: 0, scope: create.scope,
      bots: create.bots,
      moveLimitMilliseconds: create.moveLimitMilliseconds, clockMilliseconds: create.clockMilliseconds,
      incrementMilliseconds: create.incrementMilliseconds, referee: referee(of: attempt),
      openings: openings(of: attempt),
      purpose: .games(tournament: room, pairing: attempt.pairing.number.rawValue, attempt: attempt.attempt))
  }

  /// Whether a room is the table of an attempt.
  package func isTable(_ made: Create, by creator: PeerID, at time: UInt64, of attempt: PairingAttempt)
    -> Bool
  {
    creator == peers(of: attempt)[0] && time == createdAt && made == table(of: attempt)
  }

  func isTable(_ room: PairingRoom.Told, of attempt: PairingAttempt) -> Bool {
    isTable(room.create, by: room.creator, at: room.createdAt, of: attempt)
  }

  /// The rooms that a peer is to come to now: of the first round in which it has any that can be played.
  /// - Parameter all: whether it comes to all that can be played, as programs do, which play at many tables at once.
  package func attempts(of peer: PeerID, all: Bool) -> [PairingAttempt] {
    let own = state.ready.filter { peers(of: $0).contains(peer) }
    let round = own.map(\.pairing.round).min()
    return all ? own : own.filter { $0.pairing.round == round }
  }
}

extension TournamentRoom {
  /// What an organizer says of an attempt whose table stands like this; `nil` while the players go on, and where it
  /// does not tell who is to blame that they do not.
  /// - Parameter heads: how far the room's feeds reach.
  package func word(
    on attempt: PairingAttempt, _ state: RoomState, heads: [Action.PairingResult.Head]
  ) -> Action.PairingResult? {
    let number = attempt.pairing.number.rawValue
    // Whoever opened it has given the other's seat to somebody else: nothing that is played there is of the pairing.
    if misfit(of: PairingRoom.Told(state), to: attempt) != nil {
      return Action.PairingResult(
        pairing: number, attempt: attempt.attempt, room: .none, heads: [], walkover: .firstAbsent, games: [])
    }
    let scores = state.endedScores
    var walkover = Action.PairingResult.Walkover.played
    if scores.count < attempt.games {
      guard let absence = absence(in: state, of: attempt) else { return nil }
      walkover = absence
    }
    return Action.PairingResult(
      pairing: number, attempt: attempt.attempt, room: state.room, heads: heads, walkover: walkover,
      games: scores)
  }

  /// Who keeps a table's games from being played out: a seat that left, or has a forked feed.
  private func absence(
    in state: RoomState, of attempt: PairingAttempt
  ) -> Action.PairingResult.Walkover? {
    var gone = Set(state.forked)
    switch state.phase {
    case .abandoned(let seat): if let peer = state.seats[seat.index]?.peer { gone.insert(peer) }
    case .closed(let peer): gone.insert(peer)
    case .finished: break
    case .waiting, .playing, .unknownRules, .unknownEdition: return nil
    }
    return switch peers(of: attempt).map(gone.contains) {
    case [true, false]: .firstAbsent
    case [false, true]: .secondAbsent
    case [true, true]: .bothAbsent
    default: nil
    }
  }
}

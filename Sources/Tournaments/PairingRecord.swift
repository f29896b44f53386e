/// How a pairing ended.
package struct Decision: Hashable, Sendable {
  /// What settled a pairing. Raw values are the codes in canonical standings.
  package enum Reason: UInt8, Hashable, Sendable {
    /// The points of its games.
    case games = 1
    /// A decider game.
    case decider = 2
    /// One entrant, or both, did not play to the end.
    case walkover = 3
    /// The better seed, after level deciders.
    case seeding = 4
  }

  /// Who won the pairing, and in a knock-out goes through; `nil` when it ended level, or in a knock-out when both
  /// entrants were absent and nobody goes through.
  package var winner: EntrantIndex?
  /// What settled it.
  package var reason: Reason
}

/// A pairing with what was played of it.
package struct PairingRecord: Hashable, Sendable {
  /// The pairing.
  package let pairing: Pairing
  /// The counted results, that of attempt *k* at index *k*. A walkover after a withdrawal is among them, as
  /// a result of the open room without games.
  package private(set) var results: [PairingResult] = []
  /// How it ended; `nil` while a room is still to be played.
  package private(set) var decision: Decision?

  /// A pairing of which nothing is played.
  init(pairing: Pairing) { self.pairing = pairing }

  /// The room to be played now; `nil` when the pairing is decided.
  package var open: PairingAttempt? { decision == nil ? pairing.attempt(results.count) : nil }

  /// Counts the result of the open room; it has been checked.
  mutating func count(_ result: PairingResult) {
    results.append(result)
    decision = decide()
  }

  /// Ends the pairing when one of its entrants has withdrawn and it is still open.
  mutating func settle(hasWithdrawn: (EntrantIndex) -> Bool) {
    guard let open else { return }
    let absence = Absence(
      isFirstSeat: hasWithdrawn(open.entrants[0]), isSecondSeat: hasWithdrawn(open.entrants[1]))
    guard absence != .nobody else { return }
    count(PairingResult(pairing: pairing.number, attempt: open.attempt, absence: absence, games: []))
  }

  /// What both entrants gained in all counted rooms: the pairing's first entrant, then its second.
  package var tallies: (first: GameTally, second: GameTally) {
    var sums = (first: GameTally(), second: GameTally())
    for index in results.indices {
      let (first, second) = tallies(attempt: index)
      sums.first += first
      sums.second += second
    }
    return sums
  }

  /// What both entrants gained in one counted room, by entrant and not by seat.
  private func tallies(attempt index: Int) -> (first: GameTally, second: GameTally) {
    let room = PairingAttempt(pairing: pairing, attempt: results[index].attempt)
    let (seat0, seat1) = results[index].tallies(planned: room.games)
    return room.isSwapped ? (seat1, seat0) : (seat0, seat1)
  }

  private func decide() -> Decision? {
    guard let last = results.last else { return nil }
    let leader = leader(attempt: results.count - 1)
    guard let deciders = pairing.deciders else {
      return Decision(winner: leader, reason: last.absence == .nobody ? .games : .walkover)
    }
    if last.absence != .nobody { return knockOutWalkover(last) }
    if let leader { return Decision(winner: leader, reason: results.count == 1 ? .games : .decider) }
    return results.count > deciders ? Decision(winner: pairing.betterSeed, reason: .seeding) : nil
  }

  private func leader(attempt index: Int) -> EntrantIndex? {
    let (first, second) = tallies(attempt: index)
    if first.halfPoints == second.halfPoints { return nil }
    return first.halfPoints > second.halfPoints ? pairing.first : pairing.second
  }

  private func knockOutWalkover(_ result: PairingResult) -> Decision {
    let room = PairingAttempt(pairing: pairing, attempt: result.attempt)
    return switch result.absence {
    case .nobody, .bothSeats: Decision(winner: nil, reason: .walkover)
    case .firstSeat: Decision(winner: room.entrants[1], reason: .walkover)
    case .secondSeat: Decision(winner: room.entrants[0], reason: .walkover)
    }
  }
}

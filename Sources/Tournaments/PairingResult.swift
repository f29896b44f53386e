package import Rules

/// Who did not play a room to its end.
///
/// Raw values are the codes in events.
package enum Absence: UInt8, Hashable, Sendable, CaseIterable {
  /// Nobody: every game has an outcome.
  case nobody = 0
  /// The entrant in seat 0.
  case firstSeat = 1
  /// The entrant in seat 1.
  case secondSeat = 2
  /// Both entrants.
  case bothSeats = 3

  /// Who is absent, by seat.
  package init(isFirstSeat: Bool, isSecondSeat: Bool) {
    self =
      switch (isFirstSeat, isSecondSeat) {
      case (false, false): .nobody
      case (true, false): .firstSeat
      case (false, true): .secondSeat
      case (true, true): .bothSeats
      }
  }

  /// Whether the entrant in seat 0 is absent.
  package var includesFirstSeat: Bool { self == .firstSeat || self == .bothSeats }

  /// Whether the entrant in seat 1 is absent.
  package var includesSecondSeat: Bool { self == .secondSeat || self == .bothSeats }
}

/// The result of one room of a pairing, by the room's own seats.
///
/// Who is absent loses the games that have no outcome and, in a knock-out, the pairing.
package struct PairingResult: Hashable, Sendable {
  /// The pairing.
  package var pairing: PairingNumber
  /// Which of its rooms, from 0.
  package var attempt: UInt8
  /// Who did not play the room to its end.
  package var absence: Absence
  /// The outcome of each game played, in order, with one score for each of the room's two seats. The higher
  /// score wins a game. There are as many as the room has games, or fewer when somebody is absent.
  package var games: [Outcome]

  /// A result as the organizer states it; nothing is checked here.
  package init(pairing: PairingNumber, attempt: UInt8, absence: Absence = .nobody, games: [Outcome]) {
    self.pairing = pairing
    self.attempt = attempt
    self.absence = absence
    self.games = games
  }

  /// What both seats gained in a room of `planned` games.
  /// - Returns: the first and the second seat's tally.
  func tallies(planned: Int) -> (GameTally, GameTally) {
    var first = GameTally()
    var second = GameTally()
    for outcome in games where outcome.scores.count == 2 {
      first.count(outcome.scores[0], against: outcome.scores[1])
      second.count(outcome.scores[1], against: outcome.scores[0])
    }
    guard absence != .nobody else { return (first, second) }
    let missing = max(0, planned - games.count)
    first.forfeit(missing, isLost: absence.includesFirstSeat)
    second.forfeit(missing, isLost: absence.includesSecondSeat)
    return (first, second)
  }
}

/// Why an entry of the organizer's has no effect on the tournament.
package enum EntryRejection: Error, Hashable, Sendable, CustomStringConvertible {
  /// The tournament has no pairing of this number.
  case unknownPairing(PairingNumber, pairings: Int)
  /// Earlier pairings must be decided before anybody knows who plays in this one.
  case notReady(PairingNumber)
  /// This room's first result stands.
  case alreadyCounted(PairingNumber, attempt: UInt8)
  /// The pairing is decided, no further room of it counts.
  case alreadyDecided(PairingNumber)
  /// Another room of the pairing is to be played first.
  case notThisAttempt(UInt8, expected: UInt8)
  /// The result has too few or too many games, for a room of `planned` games and who was absent.
  case gameCount(Int, planned: Int)
  /// A game's outcome, counted from 0, has not two scores.
  case scoreCount(game: Int, scores: Int)
  /// The tournament has no such entrant.
  case unknownEntrant(EntrantIndex, entrants: Int)
  /// Nobody comes into a tournament of this format after its start, or not with this seed.
  case notNext(EntrantIndex)
  /// The entrant has withdrawn before.
  case alreadyWithdrawn(EntrantIndex)
  /// The entrant was disqualified before.
  case alreadyDisqualified(EntrantIndex)
  /// The organizer plays in the pairing, and the tournament names no referee besides.
  case organizerPlays(PairingNumber)
  /// The organizer plays in the pairing and calls its opponent absent.
  case organizerGains(PairingNumber)

  /// What happened.
  package var description: String {
    switch self {
    case .unknownPairing(let number, let pairings):
      "the tournament has no pairing \(number), only M1 to M\(pairings)"
    case .notReady(let number):
      "the entrants of pairing \(number) are not known yet"
    case .alreadyCounted(let number, let attempt):
      "pairing \(number) has a result for room \(Int(attempt) + 1); the first one stands"
    case .alreadyDecided(let number):
      "pairing \(number) is decided; further results do not count"
    case .notThisAttempt(let attempt, let expected):
      "a result for room \(Int(attempt) + 1) came before that for room \(Int(expected) + 1)"
    case .gameCount(let games, let planned):
      "a room of \(planned) games cannot have a result of \(games) games with this absence"
    case .scoreCount(let game, let scores):
      "game \(game + 1) has \(scores) scores for two seats"
    case .unknownEntrant(let entrant, let entrants):
      "there is no \(entrant) among \(entrants) entrants"
    case .notNext(let entrant):
      "\(entrant) cannot come in after the start"
    case .alreadyWithdrawn(let entrant):
      "\(entrant) has withdrawn before"
    case .alreadyDisqualified(let entrant):
      "\(entrant) was disqualified before"
    case .organizerPlays(let number):
      "the organizer plays in \(number), and the tournament names no referee but the organizer: "
        + "only what both seats signed counts there"
    case .organizerGains(let number):
      "the organizer plays in \(number) and cannot call its opponent absent there: the referee rules on that"
    }
  }
}

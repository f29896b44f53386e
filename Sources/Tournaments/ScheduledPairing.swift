/// One place of a round: two slots, filled as far as known.
package struct ScheduledPairing: Hashable, Sendable {
  /// One side of a place.
  package enum Slot: Hashable, Sendable {
    /// This entrant.
    case entrant(EntrantIndex)
    /// Whoever goes through from another pairing.
    case winner(of: PairingNumber)
    /// Whoever loses another pairing.
    case loser(of: PairingNumber)
    /// Whoever comes to this place of a group, counted from 0, once the groups are over.
    case qualifier(group: Int, place: Int)
    /// Nobody: the other side does not play in this round.
    case bye

    /// The entrant, when known.
    package var entrant: EntrantIndex? {
      if case .entrant(let entrant) = self { entrant } else { nil }
    }
  }

  /// The round, from 0.
  package var round: Int
  /// The place in the round, from 0, from the top of the bracket.
  package var position: Int
  /// The pairing's number; `nil` when a side is a bye.
  package var number: PairingNumber?
  /// The upper side of the bracket; seat 0 in a round robin.
  package var upper: Slot
  /// The lower side of the bracket; seat 1 in a round robin.
  package var lower: Slot
  /// How it ended; `nil` for a bye and while it is open.
  package var decision: Decision?
  /// What the place is in its format, such as “lower 2”, “third place” or “group 1”; `nil` in a plain bracket.
  package var stage: String?

  /// Both entrants; `nil` while one is unknown, and for a bye.
  package var entrants: (upper: EntrantIndex, lower: EntrantIndex)? {
    guard let upper = upper.entrant, let lower = lower.entrant else { return nil }
    return (upper, lower)
  }

  /// The rounds of a tournament that pairs one after the other, as far as they are paired.
  static func rounds(of ledger: TournamentLedger) -> [[ScheduledPairing]] {
    var rounds = [[ScheduledPairing]](repeating: [], count: ledger.roundCount)
    for case let record? in ledger.records {
      let pairing = record.pairing
      rounds[pairing.round].append(
        ScheduledPairing(
          round: pairing.round, position: pairing.position, number: pairing.number,
          upper: .entrant(pairing.first), lower: .entrant(pairing.second), decision: record.decision))
    }
    return rounds
  }

  /// A place whose entrants are known and that a tournament has not listed yet.
  typealias Unlisted = (
    place: ScheduledPairing, number: PairingNumber, upper: EntrantIndex, lower: EntrantIndex
  )
}

extension [[ScheduledPairing]] {
  /// All such places.
  func unlisted(in ledger: TournamentLedger) -> [ScheduledPairing.Unlisted] {
    joined().compactMap { place in
      guard let number = place.number, ledger.record(number) == nil, let (upper, lower) = place.entrants
      else { return nil }
      return (place, number, upper, lower)
    }
  }

  /// How many pairings a tournament has not listed yet, at most.
  func unlistedCount(in ledger: TournamentLedger) -> Int {
    joined().count { place in place.number.map { ledger.record($0) == nil } ?? false }
  }

  /// The same places with what was decided.
  func decided(by ledger: TournamentLedger) -> [[ScheduledPairing]] {
    map { round in
      round.map { place in
        var place = place
        place.decision = place.number.flatMap { ledger.record($0)?.decision }
        return place
      }
    }
  }
}

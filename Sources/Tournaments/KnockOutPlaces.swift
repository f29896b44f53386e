/// The places of a knock-out by rounds, whose slots are filled by winners and losers of places before them.
struct KnockOutPlaces {
  /// The rounds, with slots as they are before the first result.
  private(set) var rounds: [[ScheduledPairing]] = []
  /// How many pairings there are.
  private(set) var count = 0

  /// Where winners and losers of a round's places go on, by position.
  struct Round {
    /// Who goes through: a bye where both sides are one.
    var winners: [ScheduledPairing.Slot] = []
    /// Who does not; a bye for a place of one side.
    var losers: [ScheduledPairing.Slot] = []
    /// Whether anybody plays in it; it is left out otherwise.
    var hasPairings = false
  }

  /// Adds a round of these places. A bye goes below, and a place of two byes is left out.
  mutating func add(
    _ pairs: [(ScheduledPairing.Slot, ScheduledPairing.Slot)], stage: String? = nil
  ) -> Round {
    var round = Round()
    var places: [ScheduledPairing] = []
    for pair in pairs {
      let (upper, lower) = pair.0 == .bye ? (pair.1, pair.0) : pair
      var place = ScheduledPairing(
        round: rounds.count, position: places.count, upper: upper, lower: lower, stage: stage)
      if lower != .bye {
        place.number = PairingNumber(index: count)
        count += 1
      }
      round.winners.append(place.number.map { .winner(of: $0) } ?? upper)
      round.losers.append(place.number.map { .loser(of: $0) } ?? .bye)
      if upper != .bye { places.append(place) }
    }
    // Who passes a round without any pairing is in the next one.
    round.hasPairings = places.contains { $0.number != nil }
    if round.hasPairings { rounds.append(places) }
    return round
  }

  /// Adds a place to the last round.
  mutating func addToLast(
    _ upper: ScheduledPairing.Slot, _ lower: ScheduledPairing.Slot, stage: String
  ) {
    let round = rounds.count - 1
    rounds[round].append(
      ScheduledPairing(
        round: round, position: rounds[round].count, number: PairingNumber(index: count), upper: upper,
        lower: lower, stage: stage))
    count += 1
  }

  /// The slots of a round as neighbours meet.
  static func neighbours(
    _ slots: [ScheduledPairing.Slot]
  ) -> [(ScheduledPairing.Slot, ScheduledPairing.Slot)] {
    (0..<slots.count / 2).map { (slots[2 * $0], slots[2 * $0 + 1]) }
  }

  /// The rounds, filled as far as known. Where both entrants of a pairing were absent nobody goes on from it, and
  /// whoever would have met them has a bye.
  func filled(by ledger: TournamentLedger) -> [[ScheduledPairing]] {
    var ends = [End?](repeating: nil, count: count)
    func resolve(_ slot: ScheduledPairing.Slot) -> ScheduledPairing.Slot {
      switch slot {
      case .entrant, .bye: slot
      case .winner(let number): ends[number.index]?.winner ?? slot
      case .loser(let number): ends[number.index]?.loser ?? slot
      }
    }
    return rounds.map { round in
      round.map { place in
        var place = place
        let (upper, lower) = (resolve(place.upper), resolve(place.lower))
        (place.upper, place.lower) = upper == .bye ? (lower, upper) : (upper, lower)
        guard let number = place.number else { return place }
        if place.lower == .bye {
          place.number = nil
          if place.upper == .bye || place.upper.entrant != nil {
            ends[number.index] = End(winner: place.upper, loser: .bye)
          }
        } else if let record = ledger.record(number), let decision = record.decision {
          place.decision = decision
          ends[number.index] = End(
            winner: decision.winner.map { .entrant($0) } ?? .bye,
            loser: record.loser.map { .entrant($0) } ?? .bye)
        }
        return place
      }
    }
  }

  /// Who goes on from a place that is decided, on either way: a bye for nobody.
  private struct End {
    let winner: ScheduledPairing.Slot
    let loser: ScheduledPairing.Slot
  }
}

extension PairingRecord {
  /// Who lost the pairing; `nil` while it is open, and where nobody won.
  var loser: EntrantIndex? {
    decision?.winner.map { $0 == pairing.first ? pairing.second : pairing.first }
  }
}

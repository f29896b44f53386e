/// The places of a knock-out by rounds, whose slots are filled by winners and losers of places before them.
struct KnockOutPlaces {
  /// The rounds, with slots as they are before the first result.
  private(set) var rounds: [[ScheduledPairing]] = []
  /// The number of the first round.
  let firstRound: Int
  /// The number behind the last pairing.
  private(set) var count: Int
  /// Where winner and loser of each pairing go on: place in ``rounds`` and position.
  private var followers: [PairingNumber: [(round: Int, position: Int)]] = [:]

  /// No places yet.
  /// - Parameters:
  ///   - rounds: how many rounds a tournament has before them.
  ///   - pairings: how many pairings it has before them.
  init(afterRounds rounds: Int = 0, pairings: Int = 0) {
    firstRound = rounds
    count = pairings
  }

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
        round: firstRound + rounds.count, position: places.count, upper: upper, lower: lower, stage: stage)
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
    if round.hasPairings {
      rounds.append(places)
      for place in places { noteFollower(place) }
    }
    return round
  }

  /// Adds a place to the last round.
  mutating func addToLast(
    _ upper: ScheduledPairing.Slot, _ lower: ScheduledPairing.Slot, stage: String
  ) {
    let round = rounds.count - 1
    let place = ScheduledPairing(
      round: firstRound + round, position: rounds[round].count, number: PairingNumber(index: count),
      upper: upper, lower: lower, stage: stage)
    rounds[round].append(place)
    noteFollower(place)
    count += 1
  }

  private mutating func noteFollower(_ place: ScheduledPairing) {
    for slot in [place.upper, place.lower] {
      switch slot {
      case .winner(let number), .loser(let number):
        followers[number, default: []].append((place.round - firstRound, place.position))
      case .entrant, .qualifier, .bye: continue
      }
    }
  }

  /// The slots of a round as neighbours meet.
  static func neighbours(
    _ slots: [ScheduledPairing.Slot]
  ) -> [(ScheduledPairing.Slot, ScheduledPairing.Slot)] {
    (0..<slots.count / 2).map { (slots[2 * $0], slots[2 * $0 + 1]) }
  }

  /// The places whose entrants are known and that a tournament has not listed yet, by ascending number. After a result
  /// that somebody has won only those are looked at to which it leads.
  func unlisted(in ledger: TournamentLedger) -> [ScheduledPairing.Unlisted] {
    // Nobody goes on from what nobody has won, and byes move through the brackets.
    guard ledger.knownCount > 0, !ledger.hasUnwon else { return filled(by: ledger).unlisted(in: ledger) }
    func entrant(_ slot: ScheduledPairing.Slot) -> EntrantIndex? {
      switch slot {
      case .entrant(let entrant): entrant
      case .winner(let number): ledger.record(number)?.decision?.winner
      case .loser(let number): ledger.record(number)?.loser
      case .qualifier, .bye: nil
      }
    }
    var found: [PairingNumber: ScheduledPairing.Unlisted] = [:]
    for (round, position) in ledger.news.flatMap({ followers[$0] ?? [] }) {
      let place = rounds[round][position]
      guard let number = place.number, ledger.record(number) == nil, let upper = entrant(place.upper),
        let lower = entrant(place.lower)
      else { continue }
      found[number] = (place, number, upper, lower)
    }
    return found.values.sorted { $0.number < $1.number }
  }

  /// The rounds, filled as far as known. Where both entrants of a pairing were absent nobody goes on from it, and
  /// whoever would have met them has a bye.
  /// - Parameter qualifier: who came to a place of a group, a bye for nobody; the slot itself while that is not known.
  func filled(
    by ledger: TournamentLedger,
    qualifier: (ScheduledPairing.Slot) -> ScheduledPairing.Slot = { $0 }
  ) -> [[ScheduledPairing]] {
    var ends = [End?](repeating: nil, count: count)
    func resolve(_ slot: ScheduledPairing.Slot) -> ScheduledPairing.Slot {
      switch slot {
      case .entrant, .bye: slot
      case .qualifier: qualifier(slot)
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

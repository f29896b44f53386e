extension TournamentFormat {
  /// Round robins in groups, then a knock-out of the best of each.
  package static let groups = TournamentFormat(
    code: 7, name: "groups",
    summary: "round robins in groups, both colours; the best of each group go on to a single elimination",
    standardGames: 2, options: [.groups, .advance, .thirdPlace(bit: 7)], isTree: true, followsWords: true,
    results: .tree, system: { GroupStage(settings: $0) })
}

extension FormatOption {
  /// How many groups there are. When nothing is said they are a power of two, and have three entrants or more.
  static let groups = FormatOption(
    name: "groups", placeholder: "N",
    summary:
      "The groups, 1 to 16 of at least 2 entrants each: when not given, 1, 2, 4, 8 or 16, with 3 entrants or more.",
    limits: { entrants in
      let most = GroupStage.mostInGroup
      return (entrants + most - 1) / most...max(1, min(16, entrants / 2))
    },
    standard: { entrants in [16, 8, 4, 2].first { 3 * $0 <= entrants } ?? 1 }, bits: (0, 4), least: 1)

  /// How many of each group go on.
  static let advance = FormatOption(
    name: "advance", placeholder: "N",
    summary: "How many of each group go on to the single elimination, 1 to 8: 2 when not given.",
    limits: { entrants in 1...min(8, entrants) }, standard: { _ in 2 }, bits: (4, 3), least: 1)
}

/// A group stage and a knock-out: entrants play a round robin in each group, and the best of each go on to a bracket.
///
/// Entrants are dealt to the groups in the order of seeds, there and back: with three groups seeds 1 to 6 go to groups
/// 1, 2, 3, 3, 2, 1. Each group plays a ``RoundRobin`` of one cycle, by its standings; whom these do not tell apart are
/// taken by seed.
///
/// When all pairings of the groups are decided, the first ones of each group go on who have not withdrawn by then; in a
/// group that is short of them a place of the bracket stays empty. The bracket is that of ``SingleElimination``, with
/// two deciders, and its seeds are those of ``GroupSeeding``. The better seed of the tournament has seat 0.
///
/// Standings go by the bracket; behind it come the others by their places in the groups, and those of one place share
/// their rank.
package struct GroupStage: PairingSystem {
  /// The most entrants of a group, who all meet each other.
  static let mostInGroup = 256

  private let settings: TournamentSettings
  /// The entrants of each group, by seed.
  let groups: [[EntrantIndex]]
  /// The pairings of each group.
  private let numbers: [[PairingNumber]]
  private let groupRounds: [[ScheduledPairing]]
  private let groupPairings: Int
  private let seeding: [GroupSeeding.Place]
  private let places: KnockOutPlaces

  /// The groups and the empty bracket of these settings.
  package init(settings: TournamentSettings) {
    self.settings = settings
    let count = settings.value(of: .groups) ?? 1
    var groups = [[EntrantIndex]](repeating: [], count: count)
    for seed in settings.seeds {
      let (row, column) = seed.index.quotientAndRemainder(dividingBy: count)
      groups[row.isMultiple(of: 2) ? column : count - 1 - column].append(seed)
    }
    self.groups = groups
    (groupRounds, numbers) = Self.rounds(of: groups)
    groupPairings = numbers.reduce(0) { $0 + $1.count }
    seeding = GroupSeeding.places(groups: count, advancing: settings.value(of: .advance) ?? 1)
    let qualifiers = seeding.map { ScheduledPairing.Slot.qualifier(group: $0.group, place: $0.place) }
    var places = KnockOutPlaces(afterRounds: groupRounds.count, pairings: groupPairings)
    SingleElimination.add(
      SingleElimination.slots(entrants: qualifiers.count).map {
        $0.entrant.map { qualifiers[$0.index] } ?? $0
      },
      to: &places, hasThirdPlace: settings.value(of: .thirdPlace) == 1)
    self.places = places
  }

  /// The rounds of all groups side by side, and each group's pairings.
  private static func rounds(
    of groups: [[EntrantIndex]]
  ) -> (rounds: [[ScheduledPairing]], numbers: [[PairingNumber]]) {
    let tables = groups.map { RoundRobin.places(entrants: $0.count) }
    var rounds: [[ScheduledPairing]] = []
    var numbers = [[PairingNumber]](repeating: [], count: groups.count)
    var next = 0
    for round in 0..<(tables.map(\.count).max() ?? 0) {
      var places: [ScheduledPairing] = []
      for (group, table) in tables.enumerated() where round < table.count {
        for var place in table[round] {
          func entrant(_ slot: ScheduledPairing.Slot) -> ScheduledPairing.Slot {
            slot.entrant.map { .entrant(groups[group][$0.index]) } ?? slot
          }
          (place.upper, place.lower) = (entrant(place.upper), entrant(place.lower))
          place.position = places.count
          place.stage = "group \(group + 1)"
          if place.number != nil {
            place.number = PairingNumber(index: next)
            numbers[group].append(PairingNumber(index: next))
            next += 1
          }
          places.append(place)
        }
      }
      rounds.append(places)
    }
    return (rounds, numbers)
  }

  package var pairingCount: Int { places.count }

  package var bracketRound: Int { groupRounds.count }

  package func awaitsWords(after ledger: TournamentLedger) -> Bool { ledger.qualified == nil }

  package func nextPairings(after ledger: TournamentLedger) -> NextPairings {
    if ledger.qualified != nil { return NextPairings(bracketPairings(after: ledger)) }
    guard ledger.knownCount > 0 else {
      return NextPairings(
        groupRounds.unlisted(in: ledger).map { settings.pairing($0, $1, first: $2, second: $3) })
    }
    return ledger.decidedCount < groupPairings
      ? NextPairings([]) : NextPairings(qualified: qualified(in: ledger))
  }

  private func bracketPairings(after ledger: TournamentLedger) -> [Pairing] {
    filled(by: ledger).unlisted(in: ledger).map { place, number, upper, lower in
      var pairing = settings.pairing(place, number, first: min(upper, lower), second: max(upper, lower))
      pairing.deciders = FormatOption.deciders.standard(settings.entrants)
      return pairing
    }
  }

  /// Who goes on, by seed of the bracket.
  private func qualified(in ledger: TournamentLedger) -> [EntrantIndex?] {
    let present = groupStandings(in: ledger).map { $0.map(\.entrant).filter { !ledger.hasWithdrawn($0) } }
    return seeding.map { $0.place < present[$0.group].count ? present[$0.group][$0.place] : nil }
  }

  private func filled(by ledger: TournamentLedger) -> [[ScheduledPairing]] {
    guard let qualified = ledger.qualified else { return places.rounds }
    var ends: [ScheduledPairing.Slot: ScheduledPairing.Slot] = [:]
    for (place, entrant) in zip(seeding, qualified) {
      ends[.qualifier(group: place.group, place: place.place)] = entrant.map { .entrant($0) } ?? .bye
    }
    return places.filled(by: ledger) { ends[$0] ?? $0 }
  }

  package func unknownPairings(after ledger: TournamentLedger) -> Int {
    filled(by: ledger).unlistedCount(in: ledger)
  }

  package func schedule(of ledger: TournamentLedger) -> [[ScheduledPairing]] {
    groupRounds.decided(by: ledger) + filled(by: ledger)
  }

  // MARK: - Standings

  /// The standings of each group, from its own pairings.
  private func groupStandings(in ledger: TournamentLedger) -> [[Standing]] {
    zip(groups, numbers).map { group, numbers in
      RoundRobin.standings(of: group, by: numbers.lazy.compactMap { ledger.record($0) }, in: ledger)
    }
  }

  package func standings(of ledger: TournamentLedger) -> [Standing] {
    var lines = settings.seeds.map { Standing(entrant: $0, isWithdrawn: ledger.hasWithdrawn($0)) }
    Standing.addTallies(of: ledger, to: &lines)
    SingleElimination.addRounds(of: filled(by: ledger), to: &lines)
    var ranks = [Int64](repeating: 0, count: lines.count)
    for (group, standings) in groupStandings(in: ledger).enumerated() {
      for standing in standings {
        lines[standing.entrant.index].measures = [
          .init(title: "GROUP", key: "group", group + 1, parts: 1),
          .init(title: "PLACE", key: "groupPlace", standing.rank, parts: 1),
          .init(title: "POINTS", key: "groupHalfPoints", standing.tally.halfPoints, parts: 2),
        ]
        ranks[standing.entrant.index] = -Int64(standing.rank)
      }
    }
    // Whoever is in the bracket is before all others, and its place in the group counts no more.
    for case let entrant? in ledger.qualified ?? [] { ranks[entrant.index] = 1 }
    return Standing.ranked(lines) { line in
      [min(1, max(0, ranks[line.entrant.index]))] + SingleElimination.tieBreaks(line) + [
        ranks[line.entrant.index]
      ]
    }
  }
}

extension ScheduledPairing.Slot {
  /// A place of a group in words, such as “2nd of group 1”; `nil` for another slot.
  package var qualifierWords: String? {
    guard case .qualifier(let group, let place) = self else { return nil }
    let endings = ["st", "nd", "rd"]
    return "\(place + 1)\(place < endings.count ? endings[place] : "th") of group \(group + 1)"
  }
}

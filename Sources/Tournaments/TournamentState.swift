/// A tournament as everybody derives it alike: a fold of the organizer's entries, in their order.
///
/// Entries come from outside: those that do not fit are refused with a reason and change nothing. The first
/// result of a room stands. Entries of different pairings may be swapped as long as each comes after those
/// that make its pairing known, and, when there are withdrawals, on the same side of those of its entrants.
package struct TournamentState: Hashable, Sendable {
  /// What happened so far.
  package private(set) var ledger: TournamentLedger
  private let system: any PairingSystem
  /// Whether pairings after the first ones come from another reading of the tournament.
  private let follows: Bool
  /// Whether pairings may still become known. Once none may the tournament has ended, whoever leaves later.
  private var awaitsPairings = true

  /// A tournament before its first result.
  /// - Parameter follows: whether the pairings that follow from results come from another state, by ``follow(_:)``.
  package init(settings: TournamentSettings, follows: Bool = false) {
    system = settings.system
    self.follows = follows
    ledger = TournamentLedger(settings: settings, pairingCount: system.pairingCount)
    addPairings()
  }

  /// Folds entries in their order.
  /// - Returns: the state, and for each entry, by its index, why it had no effect; `nil` when it had.
  package static func replay(
    _ entries: [TournamentEntry], settings: TournamentSettings
  ) -> (state: TournamentState, rejections: [EntryRejection?]) {
    var state = TournamentState(settings: settings)
    let rejections = entries.map { state.apply($0) }
    return (state, rejections)
  }

  /// Takes one entry.
  /// - Returns: why it had no effect; `nil` when it had.
  package mutating func apply(_ entry: TournamentEntry) -> EntryRejection? {
    if let rejection = rejection(of: entry) { return rejection }
    switch entry {
    case .result(let result): ledger.count(result)
    case .entry:
      ledger.enter()
      // Where pairings follow from no results, who comes in is paired whenever it comes.
      if !settings.format.followsWords { awaitsPairings = true }
    case .withdrawal(let entrant): ledger.withdraw(entrant)
    case .disqualification(let entrant): ledger.disqualify(entrant)
    }
    makePairings()
    return nil
  }

  /// Why an entry would have no effect now; `nil` when it would.
  package func rejection(of entry: TournamentEntry) -> EntryRejection? {
    switch entry {
    case .result(let result): return ledger.rejection(of: result)
    case .entry(let entrant):
      return entrant.index == ledger.entrants && ledger.entrants < settings.format.mostLateEntrants
        ? nil : .notNext(entrant)
    case .withdrawal(let entrant), .disqualification(let entrant):
      guard entrant.index < ledger.entrants else {
        return .unknownEntrant(entrant, entrants: ledger.entrants)
      }
      if case .disqualification = entry {
        return ledger.disqualified.contains(entrant) ? .alreadyDisqualified(entrant) : nil
      }
      return ledger.hasWithdrawn(entrant) ? .alreadyWithdrawn(entrant) : nil
    }
  }

  private mutating func makePairings() {
    if follows, system.awaitsWords(after: ledger) { ledger.forgetNews() } else { addPairings() }
  }

  private mutating func addPairings() {
    while awaitsPairings {
      let next = system.nextPairings(after: ledger)
      ledger.forgetNews()
      if let qualified = next.qualified {
        ledger.qualify(qualified)
        continue
      }
      if next.pairings.isEmpty {
        awaitsPairings = ledger.decidedCount < ledger.knownCount
        return
      }
      for bye in next.byes { ledger.add(bye) }
      for pairing in next.pairings { ledger.add(pairing) }
    }
    ledger.forgetNews()
  }

  /// Takes the pairings and byes that another reading of the same tournament has, or who goes on from the groups there.
  package mutating func follow(_ other: TournamentState) {
    precondition(follows, "pairings are made here, or elsewhere, and not both")
    guard system.awaitsWords(after: ledger) else { return }
    if let qualified = other.ledger.qualified {
      ledger.qualify(qualified)
      return addPairings()
    }
    awaitsPairings = !other.isComplete
    guard other.ledger.knownCount > ledger.knownCount else { return }
    for bye in other.ledger.byes.dropFirst(ledger.byes.count) { ledger.add(bye) }
    for case let record? in other.ledger.records where ledger.record(record.pairing.number) == nil {
      ledger.add(record.pairing)
    }
    ledger.forgetNews()
  }

  /// Equal settings and happenings are equal tournaments.
  package static func == (a: TournamentState, b: TournamentState) -> Bool { a.ledger == b.ledger }

  /// Hashes what ``==(_:_:)`` compares.
  package func hash(into hasher: inout Hasher) { hasher.combine(ledger) }
}

extension TournamentState {
  /// What was fixed before the first pairing.
  package var settings: TournamentSettings { ledger.settings }

  /// The rooms that can be played now, by ascending number of their pairing.
  package var ready: [PairingAttempt] { Array(ledger.ready) }

  /// The first rooms that can be played now and are not begun: so many at most.
  package func ready(
    first count: Int, where isNew: (PairingAttempt) -> Bool
  ) -> [PairingAttempt] {
    var found: [PairingAttempt] = []
    for attempt in ledger.ready {
      if found.count >= count { break }
      if isNew(attempt) { found.append(attempt) }
    }
    return found
  }

  /// The pairings whose entrants are known, by ascending number.
  package var known: [PairingRecord] { ledger.records.compactMap { $0 } }

  /// The decided pairings, by ascending number.
  package var decided: [PairingRecord] {
    ledger.records.compactMap { record in record?.decision == nil ? nil : record }
  }

  /// The pairing of this number; `nil` when there is none or its entrants are not known.
  package func record(_ number: PairingNumber) -> PairingRecord? { ledger.record(number) }

  /// The rounds with their places, filled as far as known: the bracket of a knock-out.
  package var schedule: [[ScheduledPairing]] { system.schedule(of: ledger) }

  /// The rounds of the bracket, as ``schedule`` has them.
  package var bracket: [[ScheduledPairing]] { Array(schedule.dropFirst(bracketRound)) }

  /// The first round of the bracket.
  package var bracketRound: Int { system.bracketRound }

  /// One line for each entrant, best first. The format's type says what they are ordered by. Who is disqualified comes
  /// behind all others, and those behind move up.
  package var standings: [Standing] {
    let lines = system.standings(of: ledger)
    return ledger.disqualified.isEmpty ? lines : Standing.moved(ledger.disqualified, toEndOf: lines)
  }

  /// Every entrant so far, by seed.
  package var seeds: [EntrantIndex] { ledger.seeds }

  /// The entrants who have withdrawn or are disqualified, by seed.
  package var withdrawn: [EntrantIndex] { ledger.seeds.filter(ledger.hasWithdrawn) }

  /// The pairings of the whole tournament, known or not: the most that there can be until it is complete.
  package var pairingCount: Int {
    ledger.knownCount + (isComplete ? 0 : system.unknownPairings(after: ledger))
  }

  /// The pairings that are decided.
  package var decidedCount: Int { ledger.decidedCount }

  /// Whether every pairing is decided, and no other one follows.
  package var isComplete: Bool { decidedCount == ledger.knownCount && !awaitsPairings }

  /// Whether somebody who came in now would have something to play: in a round that is not paired yet, or at any time
  /// where pairings follow from no results.
  package var takesEntrants: Bool {
    ledger.entrants < settings.format.mostLateEntrants && !isComplete
      && (!settings.format.followsWords || pairingCount > ledger.knownCount)
  }

  /// What the format says of the end, in a sentence; `nil` for nothing.
  package var remark: String? { isComplete ? system.remark(on: ledger) : nil }

  /// Whether scores come before points where standings are shown.
  package var showsScoreFirst: Bool { system.showsScoreFirst }

  /// The byes that are worth something, by round.
  package var byes: [Bye] { ledger.byes }

  /// The winner of the tournament; `nil` until it is complete, and where entrants share the first rank.
  package var champion: EntrantIndex? { leaders.count == 1 ? leaders.first : nil }

  /// Those who have the first rank when the tournament is complete, by seed; none before, and where all are
  /// disqualified.
  package var leaders: [EntrantIndex] {
    guard isComplete, ledger.disqualified.count < ledger.entrants else { return [] }
    let standings = standings
    return standings.prefix { $0.rank == standings.first?.rank }.map(\.entrant)
  }
}

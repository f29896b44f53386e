import Rules

/// What has happened in a tournament so far: pairings made, results counted, entrants withdrawn.
package struct TournamentLedger: Hashable, Sendable {
  /// The tournament's settings.
  package let settings: TournamentSettings
  /// The pairings by number; `nil` while their entrants are not known.
  package private(set) var records: [PairingRecord?]
  /// How many pairings have known entrants.
  package private(set) var knownCount = 0
  /// How many pairings are decided.
  package private(set) var decidedCount = 0
  /// The byes that are worth something, by round.
  package private(set) var byes: [Bye] = []
  /// How many rounds have known pairings.
  package private(set) var roundCount = 0
  private var withdrawals: [Bool]
  /// The entrants who are disqualified.
  package private(set) var disqualified: Set<EntrantIndex> = []

  /// A tournament of so many pairings in which nothing has happened.
  init(settings: TournamentSettings, pairingCount: Int) {
    self.settings = settings
    records = [PairingRecord?](repeating: nil, count: pairingCount)
    withdrawals = [Bool](repeating: false, count: settings.entrants)
  }

  /// The pairing of this number; `nil` when there is none or its entrants are not known.
  package func record(_ number: PairingNumber) -> PairingRecord? {
    number.index < records.count ? records[number.index] : nil
  }

  /// Whether the entrant has withdrawn, or is disqualified.
  package func hasWithdrawn(_ entrant: EntrantIndex) -> Bool {
    entrant.index < withdrawals.count && withdrawals[entrant.index]
  }

  /// Enters a pairing that is not known yet. It is decided at once when an entrant has withdrawn.
  mutating func add(_ pairing: Pairing) {
    var record = PairingRecord(pairing: pairing)
    record.settle(hasWithdrawn: hasWithdrawn)
    knownCount += 1
    decidedCount += record.decision == nil ? 0 : 1
    records[pairing.number.index] = record
    roundCount = max(roundCount, pairing.round + 1)
  }

  /// Enters a bye.
  mutating func add(_ bye: Bye) { byes.append(bye) }

  /// Counts a result that ``rejection(of:)`` does not refuse.
  mutating func count(_ result: PairingResult) {
    records[result.pairing.index]?.count(result)
    decidedCount += record(result.pairing)?.decision == nil ? 0 : 1
  }

  /// Withdraws an entrant who has not withdrawn yet; its open pairings are decided.
  mutating func withdraw(_ entrant: EntrantIndex) {
    withdrawals[entrant.index] = true
    for index in records.indices {
      guard var record = records[index], record.decision == nil else { continue }
      guard record.pairing.entrants.contains(entrant) else { continue }
      record.settle(hasWithdrawn: hasWithdrawn)
      decidedCount += 1
      records[index] = record
    }
  }

  /// Disqualifies an entrant.
  mutating func disqualify(_ entrant: EntrantIndex) {
    disqualified.insert(entrant)
    if !hasWithdrawn(entrant) { withdraw(entrant) }
  }

  /// Why a result does not count; `nil` when it does.
  func rejection(of result: PairingResult) -> EntryRejection? {
    guard result.pairing.index < records.count else {
      return .unknownPairing(result.pairing, pairings: records.count)
    }
    guard let record = records[result.pairing.index] else { return .notReady(result.pairing) }
    if Int(result.attempt) < record.results.count {
      return .alreadyCounted(result.pairing, attempt: result.attempt)
    }
    guard let open = record.open else { return .alreadyDecided(result.pairing) }
    guard result.attempt == open.attempt else {
      return .notThisAttempt(result.attempt, expected: open.attempt)
    }
    return rejection(of: result, in: open)
  }

  private func rejection(of result: PairingResult, in room: PairingAttempt) -> EntryRejection? {
    let count = result.games.count
    let fits = result.absence == .nobody ? count == room.games : count < room.games
    guard fits else { return .gameCount(count, planned: room.games) }
    guard let game = result.games.firstIndex(where: { $0.scores.count != 2 }) else { return nil }
    return .scoreCount(game: game, scores: result.games[game].scores.count)
  }
}

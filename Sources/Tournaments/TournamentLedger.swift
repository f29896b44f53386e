import Rules

/// What has happened in a tournament so far: pairings made, results counted, entrants withdrawn.
package struct TournamentLedger: Hashable, Sendable {
  /// The tournament's settings.
  package let settings: TournamentSettings
  /// The pairings by number; `nil` while their entrants are not known. They become more where entrants come in late.
  package private(set) var records: [PairingRecord?]
  /// How many pairings have known entrants.
  package private(set) var knownCount = 0
  /// How many pairings are decided.
  package private(set) var decidedCount = 0
  /// The byes that are worth something, by round.
  package private(set) var byes: [Bye] = []
  /// Who has come from the groups to the bracket, by seed of the bracket, with `nil` for nobody; `nil` while that is
  /// not known.
  package private(set) var qualified: [EntrantIndex?]?
  /// How many rounds have known pairings.
  package private(set) var roundCount = 0
  private var withdrawals: [Bool]
  private var open: OpenPairings
  /// The pairings that were decided since pairings were made last.
  private(set) var news: [PairingNumber] = []
  /// Whether a pairing is decided that nobody has won.
  private(set) var hasUnwon = false
  /// The entrants who are disqualified.
  package private(set) var disqualified: Set<EntrantIndex> = []

  /// A tournament of so many pairings in which nothing has happened.
  init(settings: TournamentSettings, pairingCount: Int) {
    self.settings = settings
    records = [PairingRecord?](repeating: nil, count: pairingCount)
    withdrawals = [Bool](repeating: false, count: settings.entrants)
    open = OpenPairings(count: pairingCount)
  }

  /// The pairing of this number; `nil` when there is none or its entrants are not known.
  package func record(_ number: PairingNumber) -> PairingRecord? {
    number.index < records.count ? records[number.index] : nil
  }

  /// The rooms that can be played now, by ascending number of their pairing. What is decided costs nothing.
  var ready: some Sequence<PairingAttempt> { open.lazy.compactMap { records[$0]?.open } }

  /// How many entrants there are, with those that came in after the start.
  package var entrants: Int { withdrawals.count }

  /// Every entrant so far, by seed.
  package var seeds: [EntrantIndex] { withdrawals.indices.map(EntrantIndex.init(index:)) }

  /// Has one more entrant, behind all others.
  mutating func enter() { withdrawals.append(false) }

  /// Whether the entrant has withdrawn, or is disqualified.
  package func hasWithdrawn(_ entrant: EntrantIndex) -> Bool {
    entrant.index < withdrawals.count && withdrawals[entrant.index]
  }

  /// Enters a pairing that is not known yet. It is decided at once when an entrant has withdrawn.
  mutating func add(_ pairing: Pairing) {
    var record = PairingRecord(pairing: pairing)
    record.settle(hasWithdrawn: hasWithdrawn)
    knownCount += 1
    if records.count <= pairing.number.index {
      records += [PairingRecord?](repeating: nil, count: pairing.number.index + 1 - records.count)
    }
    records[pairing.number.index] = record
    open.insert(pairing.number.index)
    noteDecision(of: pairing.number)
    roundCount = max(roundCount, pairing.round + 1)
  }

  /// Enters a bye.
  mutating func add(_ bye: Bye) { byes.append(bye) }

  /// Enters who goes on from the groups.
  mutating func qualify(_ entrants: [EntrantIndex?]) { qualified = entrants }

  /// Counts a result that ``rejection(of:)`` does not refuse.
  mutating func count(_ result: PairingResult) {
    records[result.pairing.index]?.count(result)
    noteDecision(of: result.pairing)
  }

  private mutating func noteDecision(of number: PairingNumber) {
    guard let decision = record(number)?.decision else { return }
    decidedCount += 1
    open.remove(number.index)
    news.append(number)
    if decision.winner == nil { hasUnwon = true }
  }

  /// All that is decided was looked at for pairings that follow.
  mutating func forgetNews() { news = [] }

  /// Withdraws an entrant who has not withdrawn yet; its open pairings are decided.
  mutating func withdraw(_ entrant: EntrantIndex) {
    withdrawals[entrant.index] = true
    for index in Array(open) {
      guard var record = records[index], record.pairing.entrants.contains(entrant) else { continue }
      record.settle(hasWithdrawn: hasWithdrawn)
      records[index] = record
      noteDecision(of: record.pairing.number)
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

/// The pairings whose entrants are known and that are not decided, a bit each: among a hundred thousand the first ones
/// are found without a look at the others' records.
private struct OpenPairings: Hashable, Sendable, Sequence {
  private var words: [UInt64]

  init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

  mutating func insert(_ number: Int) {
    if words.count <= number / 64 {
      words += [UInt64](repeating: 0, count: number / 64 + 1 - words.count)
    }
    words[number / 64] |= 1 << UInt64(number % 64)
  }

  mutating func remove(_ number: Int) { words[number / 64] &= ~(1 << UInt64(number % 64)) }

  func makeIterator() -> Iterator { Iterator(words: words) }

  /// Their numbers, ascending.
  struct Iterator: IteratorProtocol {
    private let words: [UInt64]
    private var at = 0
    /// What is left of the word there.
    private var left: UInt64

    init(words: [UInt64]) {
      self.words = words
      left = words.first ?? 0
    }

    mutating func next() -> Int? {
      while left == 0 {
        at += 1
        guard at < words.count else { return nil }
        left = words[at]
      }
      defer { left &= left - 1 }
      return at * 64 + left.trailingZeroBitCount
    }
  }
}

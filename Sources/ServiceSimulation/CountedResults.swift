import Events
import Projection
import Rules
import Tournaments

/// What counts in a tournament on one peer's disk, and on what each result rests.
struct CountedResults {
  /// An attempt at a pairing.
  struct Key: Hashable, Comparable {
    let pairing: UInt32
    let attempt: UInt8

    static func < (a: Key, b: Key) -> Bool { (a.pairing, a.attempt) < (b.pairing, b.attempt) }
  }

  /// Why a result counts.
  enum Basis {
    /// The organizer's word says it.
    case word(Action.PairingResult)
    /// All seats have signed it.
    case signed
    /// An entrant has withdrawn, or is disqualified.
    case absence
  }

  struct Result {
    let entrants: [EntrantIndex]
    let absence: UInt8
    let games: [[Int32]]
    let basis: Basis

    /// Such as “1–4, absent 1, [[1, 0]], by a word”.
    var words: String {
      let reason =
        switch basis {
        case .word: "by a word"
        case .signed: "signed"
        case .absence: "by absence"
        }
      let seeds = entrants.map { "\($0.index + 1)" }.joined(separator: "–")
      return "\(seeds), absent \(absence), \(games), \(reason)"
    }

    func isEqual(_ other: Result) -> Bool {
      entrants == other.entrants && absence == other.absence && games == other.games
    }
  }

  /// A result that is not what it was.
  struct Change {
    let key: Key
    let old: Result
    /// `nil` where nothing counts there any more.
    let new: Result?
  }

  let results: [Key: Result]
  /// The walkovers that the organizer has taken back.
  private let revoked: Set<Action.PairingResult>
  /// How much it has taken back in all.
  private let revocations: Int
  /// Who has withdrawn, or is disqualified.
  private let withdrawn: Set<EntrantIndex>
  /// Whether winners and losers go to other pairings, whose entrants change with them.
  private let isTree: Bool
  /// Whether words, with the withdrawals between them, open rounds.
  private let followsWords: Bool

  init(_ tournament: TournamentRoom, _ words: [RoomState.TournamentWord]) {
    var said: [Key: Action.PairingResult] = [:]
    var revoked: Set<Action.PairingResult> = []
    for case .result(let word, let event) in words {
      guard !tournament.revoked.contains(event) else {
        revoked.insert(word)
        continue
      }
      let key = Key(pairing: word.pairing, attempt: word.attempt)
      said[key] = said[key] ?? word
    }
    var results: [Key: Result] = [:]
    for record in tournament.state.known {
      for counted in record.results {
        let key = Key(pairing: counted.pairing.rawValue, attempt: counted.attempt)
        let (absence, games) = (counted.absence.rawValue, counted.games.map(\.scores))
        let basis: Basis =
          if let word = said[key], word.walkover.rawValue == absence, word.games == games {
            .word(word)
          } else {
            absence == 0 ? .signed : .absence
          }
        let entrants = record.pairing.attempt(Int(counted.attempt))?.entrants ?? []
        results[key] = Result(entrants: entrants, absence: absence, games: games, basis: basis)
      }
    }
    self.results = results
    self.revoked = revoked
    revocations = tournament.revoked.count
    withdrawn = Set(tournament.state.withdrawn)
    followsWords = tournament.state.settings.format.followsWords
    isTree = tournament.state.settings.format.results == .tree
  }

  /// What has changed since, the first pairings first.
  func changes(to later: CountedResults) -> [Change] {
    results.keys.sorted().compactMap { key in
      guard let old = results[key] else { return nil }
      let new = later.results[key]
      return new.map(old.isEqual) == true ? nil : Change(key: key, old: old, new: new)
    }
  }

  /// Whether what a result rested on may have changed: the organizer has taken back a word or a disqualification; or
  /// both entrants are out, and which of them was first is known better, which makes no difference to any other; or who
  /// has left was paired all the same by a word of the organizer's, which had not seen that.
  func excuses(_ change: Change, since before: CountedResults) -> Bool {
    switch change.old.basis {
    case .word(let word): revoked.contains(word)
    case .absence:
      revocations != before.revocations || withdrawn.isSuperset(of: change.old.entrants)
        || followsWords && change.new?.entrants != change.old.entrants
    case .signed: false
    }
  }

  /// Why something that counted may not have been undone so (Docs/PROTOCOL.md §1.9); `nil` where it may.
  /// - Parameters:
  ///   - before: what has changed at the same moment in pairings before it.
  ///   - isIgnorant: whether a word was made without all signatures of the seats in its past.
  func complaint(
    about change: Change, after before: some Collection<Change>,
    isIgnorant: (Action.PairingResult) throws -> Bool
  ) rethrows -> String? {
    // Whoever came to the pairing by a result that stands no more does not play there.
    if change.new.map({ $0.entrants != change.old.entrants }) ?? true {
      if case .word = change.old.basis {
        // A signed result that comes late undoes the walkover of who has withdrawn since, and so takes a word on the
        // pairing behind it its entrants.
        let isExcused = before.contains { if case .absence = $0.old.basis { true } else { false } }
        return isTree && isExcused ? nil : "the organizer's word counts no more"
      }
      return isTree && !before.isEmpty ? nil : "a result counts no more, and none before it was undone"
    }
    switch (change.old.basis, change.new?.basis) {
    case (.word, _): return "the organizer's word was undone"
    case (.signed, .word(let word)?):
      return try isIgnorant(word) ? nil : "a word that had all signatures in its past undid what was signed"
    case (.signed, .absence?) where isTree && !before.isEmpty:
      // The result that had brought these two here stands no more. They came again by another one, behind which one of
      // them is out: the pairing was never to be played, so that nothing of it could count.
      return nil
    case (.signed, _): return "what was signed was undone, and by no word"
    case (.absence, .absence?): return "an absence became another one"
    case (.absence, _): return nil
    }
  }
}

/// A tournament format at work: who plays whom next, and who stands where, from what happened so far.
///
/// All functions are pure. A format whose pairings follow from results (Swiss, double elimination) fits as
/// well as one whose pairings are known from the start: it names a pairing once its entrants are known.
package protocol PairingSystem: Sendable {
  /// The most pairings that the whole tournament can have, known before the first result. Numbers are below it.
  var pairingCount: Int { get }

  /// What has become known and `ledger` does not hold.
  ///
  /// It is entered into the ledger and the question is asked again until nothing is left, as a pairing with a
  /// withdrawn entrant is decided at once. Where every known pairing is decided and the answer is nothing, the
  /// tournament is complete.
  func nextPairings(after ledger: TournamentLedger) -> NextPairings

  /// How many pairings are still to become known, at most.
  func unknownPairings(after ledger: TournamentLedger) -> Int

  /// The rounds with their places, filled as far as known.
  func schedule(of ledger: TournamentLedger) -> [[ScheduledPairing]]

  /// One line for each entrant, best first.
  func standings(of ledger: TournamentLedger) -> [Standing]

  /// What is to be said of a tournament that is complete, in a sentence; `nil` for nothing.
  func remark(on ledger: TournamentLedger) -> String?

  /// Whether scores come before points where standings are shown.
  var showsScoreFirst: Bool { get }

  /// The first round of the bracket, where rounds before it are none of it.
  var bracketRound: Int { get }

  /// Whether what becomes known next follows from the organizer's words, where a format's pairings do at all.
  func awaitsWords(after ledger: TournamentLedger) -> Bool
}

extension PairingSystem {
  /// All that are not known.
  package func unknownPairings(after ledger: TournamentLedger) -> Int { pairingCount - ledger.knownCount }

  /// Nothing.
  package func remark(on ledger: TournamentLedger) -> String? { nil }

  /// Points come first.
  package var showsScoreFirst: Bool { false }

  /// All rounds are of the bracket.
  package var bracketRound: Int { 0 }

  /// Always.
  package func awaitsWords(after ledger: TournamentLedger) -> Bool { true }
}

/// Pairings that have become known, and who has a bye besides; or who goes on to a bracket.
package struct NextPairings: Sendable {
  /// The pairings, by ascending number.
  package var pairings: [Pairing]
  /// The byes that are worth something. One whose bye is worth nothing is in no list.
  package var byes: [Bye] = []
  /// Who goes on from the groups to a bracket, by seed of the bracket, with `nil` for nobody; `nil` while that is not
  /// known, or was before.
  var qualified: [EntrantIndex?]?

  /// Pairings without a bye.
  init(_ pairings: [Pairing], byes: [Bye] = []) {
    self.pairings = pairings
    self.byes = byes
  }

  /// Who goes on to a bracket, whose pairings are asked for then.
  init(qualified: [EntrantIndex?]) {
    pairings = []
    self.qualified = qualified
  }
}

/// A round in which an entrant has no opponent and gains what the format says.
package struct Bye: Hashable, Sendable {
  /// The round, from 0.
  package let round: Int
  /// Who has it.
  package let entrant: EntrantIndex
}

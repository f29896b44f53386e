/// A tournament format at work: who plays whom next, and who stands where, from what happened so far.
///
/// All functions are pure. A format whose pairings follow from results (Swiss, double elimination) fits as
/// well as one whose pairings are known from the start: it names a pairing once its entrants are known.
package protocol PairingSystem: Sendable {
  /// The number of pairings of the whole tournament, known before the first result.
  var pairingCount: Int { get }

  /// The pairings whose entrants have become known and that `ledger` does not hold, by ascending number.
  ///
  /// They are entered into the ledger and the question is asked again until none is left, as a pairing with a
  /// withdrawn entrant is decided at once.
  func nextPairings(after ledger: TournamentLedger) -> [Pairing]

  /// The rounds with their places, filled as far as known.
  func schedule(of ledger: TournamentLedger) -> [[ScheduledPairing]]

  /// One line for each entrant, best first.
  func standings(of ledger: TournamentLedger) -> [Standing]
}

extension TournamentSettings {
  /// The format at work with these settings.
  package var system: any PairingSystem {
    switch format {
    case .singleElimination: SingleElimination(settings: self)
    case .roundRobin: RoundRobin(settings: self)
    }
  }

  /// A pairing with the games of these settings.
  func pairing(
    _ place: ScheduledPairing, _ number: PairingNumber, first: EntrantIndex, second: EntrantIndex
  ) -> Pairing {
    Pairing(
      number: number, round: place.round, position: place.position, first: first, second: second,
      games: games, deciders: format == .singleElimination ? deciders : nil)
  }
}

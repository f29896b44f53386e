/// Something that changes a tournament.
///
/// Entries have one order, that of the organizer's feed. An entrant's withdrawal stands in it where the
/// organizer has first seen it; one that the organizer has not seen comes last.
package enum TournamentEntry: Hashable, Sendable {
  /// The result of one room of a pairing.
  case result(PairingResult)
  /// An entrant comes in after the start, with the next seed: it has the pairings that are made from then on.
  case entry(EntrantIndex)
  /// An entrant withdraws: its pairings that are open or come later are walkovers.
  case withdrawal(EntrantIndex)
  /// The organizer disqualifies an entrant: it counts as withdrawn, and has no place among the others.
  case disqualification(EntrantIndex)
}

package import Events
package import Projection

extension TournamentRoom {
  /// The organizer's words without those that it has taken back, and without revocations; of a tournament at its start.
  ///
  /// A revocation is void where another result of the organizer's rests on what it takes back: each one between the two
  /// has to count with it and without it, read by words alone, and with the same entrants. It is void as well in a
  /// pairing that the organizer plays itself: it would gain by it.
  /// - Returns: the words that stand, and the events of those that were taken back, in the order of that.
  package func standing(
    _ said: [RoomState.TournamentWord]
  ) -> (words: [RoomState.TournamentWord], revoked: [EventID]) {
    var standing: [RoomState.TournamentWord] = []
    var revoked: [EventID] = []
    for word in said {
      guard case .revocation(let target, _) = word else {
        standing.append(word)
        continue
      }
      guard let place = standing.firstIndex(where: { $0.event == target }) else { continue }
      var without = standing
      without.remove(at: place)
      guard var kept = entrants(of: standing, from: place), let left = entrants(of: without, from: place)
      else { continue }
      if case .result = standing[place] {
        guard !kept.removeFirst().contains(where: { entrants[$0.index].peer == organizer }) else { continue }
      }
      guard kept == left else { continue }
      standing = without
      revoked.append(target)
    }
    return (standing, revoked)
  }

  /// The entrants of each pairing on which there is a word from a place on, read by words alone; `nil` where one does
  /// not count.
  private func entrants(
    of words: [RoomState.TournamentWord], from place: Int
  ) -> [[EntrantIndex]]? {
    var fold = TournamentFold<Never>(self)
    var found: [[EntrantIndex]] = []
    for (at, word) in words.enumerated() {
      let count = fold.tournament.rooms.count
      fold.takeNext(word)
      guard at >= place, case .result(let result, _) = word else { continue }
      guard fold.tournament.rooms.count > count,
        let pairing = fold.tournament.state.record(PairingNumber(result.pairing))?.pairing
      else { return nil }
      found.append(pairing.entrants)
    }
    return found
  }
}

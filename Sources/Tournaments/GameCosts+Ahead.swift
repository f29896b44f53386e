extension GameCosts {
  /// How far the pairing at a table is.
  package struct Begun: Hashable, Sendable {
    /// The games that are over.
    package var ended: Int
    /// How long the game that is on has taken, in milliseconds.
    package var milliseconds: Int64

    package init(ended: Int, milliseconds: Int64) { (self.ended, self.milliseconds) = (ended, milliseconds) }
  }

  /// What of a tournament is to be played, in the order of rounds.
  /// - Parameters:
  ///   - state: the tournament as it stands.
  ///   - begun: how far a pairing is; `nil` for one that is not at a table.
  package static func ahead(
    of state: TournamentState, begun: (PairingAttempt) -> Begun?
  ) -> [Games] {
    let schedule = state.schedule.joined().filter { $0.number != nil }
    // Who plays in later rounds follows from results, so that rounds are played one after the other.
    let waits = schedule.contains { $0.entrants == nil }
    var ahead: [Games] = []
    var places: [PairingNumber: Int] = [:]
    func side(_ slot: ScheduledPairing.Slot) -> Side? {
      switch slot {
      case .entrant(let entrant): .entrant(entrant)
      case .winner(let number): places[number].map { .winner(of: $0) }
      case .loser(let number): places[number].map { .loser(of: $0) }
      case .qualifier: .anyone
      case .bye: nil
      }
    }
    for place in schedule where place.decision == nil {
      guard let number = place.number, let one = side(place.upper), let other = side(place.lower) else {
        continue
      }
      let open = state.record(number)?.open
      let table = open.flatMap(begun)
      let count = max(0, (open?.games ?? state.settings.games) - (table?.ended ?? 0))
      places[number] = ahead.count
      ahead.append(
        Games(
          one, other, count: count, begun: count > 0 ? max(0, table?.milliseconds ?? 0) : 0,
          round: waits ? place.round : 0))
    }
    // Of rounds that are not paired yet nobody knows who meets; each is as large as those before.
    guard let last = schedule.last?.round else { return ahead }
    let size = max(1, schedule.count / (last + 1))
    for more in 0..<max(0, state.pairingCount - schedule.count) {
      ahead.append(Games(.anyone, .anyone, count: state.settings.games, round: last + 1 + more / size))
    }
    return ahead
  }
}

public import Rules

// What counts of what players say, and what that is worth.

extension TapRace {
  /// The most taps of a player that count until then.
  /// - Parameter milliseconds: since the host opened the race.
  public static func allowance(until milliseconds: UInt32) -> UInt32 {
    UInt32(UInt64(rate) * UInt64(milliseconds) / 1_000)
  }

  /// The taps of each player that count, by number; players of whom none counts are not among them.
  func tallies(_ round: HostedRound) -> [Tally] {
    var tallies: [UInt16: Tally] = [:]
    for (at, entry) in round.entries.enumerated() where isInTime(entry, round) {
      guard let taps = entry.choice.flatMap(Self.taps) else { continue }
      var tally = tallies[entry.player] ?? Tally(player: entry.player)
      var most = Self.allowance(until: entry.milliseconds)
      if case .taps(let goal) = aim { most = min(most, goal) }
      // Both are far below the largest number.
      let counted = min(tally.taps + UInt32(taps), most)
      guard counted > tally.taps else { continue }
      (tally.taps, tally.last) = (counted, at)
      tallies[entry.player] = tally
    }
    return tallies.values.sorted { $0.player < $1.player }
  }

  private func isInTime(_ entry: HostedRound.Entry, _ round: HostedRound) -> Bool {
    guard entry.milliseconds <= round.closedMilliseconds else { return false }
    if case .seconds(let seconds) = aim { return entry.milliseconds <= 1_000 * seconds }
    return true
  }

  /// Whether a tally is before another one: by taps, and among those who have all they want by who had them first.
  private func isBefore(_ one: Tally, _ other: Tally) -> Bool {
    if one.taps != other.taps { return one.taps > other.taps }
    guard case .taps(one.taps) = aim else { return false }
    return one.last < other.last
  }

  /// The players who have tapped by place; those of equal places by number.
  private func places(_ round: HostedRound) -> [(tally: Tally, place: Int)] {
    let sorted = tallies(round).sorted { one, other in
      isBefore(one, other) || !isBefore(other, one) && one.player < other.player
    }
    var places: [(tally: Tally, place: Int)] = []
    for tally in sorted {
      let isTied = places.last.map { !isBefore($0.tally, tally) } ?? false
      places.append((tally, isTied ? places[places.count - 1].place : places.count + 1))
    }
    return places
  }

  public func counts(_ round: HostedRound) -> [HostedCount] {
    places(round).map { HostedCount(player: $0.tally.player, count: $0.tally.taps, place: $0.place) }
  }

  /// A race to so many taps is over when somebody has them.
  public func isDecided(_ round: HostedRound) -> Bool {
    guard case .taps(let goal) = aim else { return false }
    return tallies(round).contains { $0.taps == goal }
  }

  /// The points of a player's place are those of its last entry that counts; all others are worth nothing.
  public func points(_ round: HostedRound) -> [UInt32] {
    var points = [UInt32](repeating: 0, count: round.entries.count)
    for (tally, place) in places(round) where place <= Self.pointsByPlace.count {
      points[tally.last] = Self.pointsByPlace[place - 1]
    }
    return points
  }
}

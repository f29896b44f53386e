/// A knock-out as it is drawn: its brackets, and where each place of them lies. The value that pictures of it show.
///
/// What a bracket of winners leads to stands in the first one, the final and its reset with it; where losers go is
/// the second one: a lower bracket, or the place for the third. A place lies half-way between those that its entrants
/// come from in the same bracket, so places of one column never overlap. A place that nobody plays at because its
/// entrant has a bye is left out.
package struct BracketPlan: Hashable, Sendable {
  /// One place.
  package struct Place: Hashable, Sendable {
    /// Who meets there, and how it ended.
    package let pairing: ScheduledPairing
    /// Its column, from 0.
    package let column: Int
    /// Its distance from the highest one, in ``unit``s of the distance of neighbours.
    package let height: Int
    /// Its sources in the same bracket, by their place in it: whose winners come here.
    package let sources: [Int]
  }

  /// Places that winners connect.
  package struct Bracket: Hashable, Sendable {
    /// The places, by column, each after its sources.
    package let places: [Place]
    /// How many columns there are.
    package let columns: Int
    /// How many places lie one above the other where they are the most.
    package let rows: Int
  }

  /// The brackets, from the top.
  package let brackets: [Bracket]
  /// The parts of the distance between neighbours; a height is a whole number of them.
  package static let unit = 1 << 12

  /// The plan of a tournament; `nil` when its results are no tree.
  package init?(_ state: TournamentState) {
    guard state.settings.format.results == .tree else { return nil }
    // Slots of the empty tournament say where winners and losers go, those of this one who they are.
    let empty = TournamentState(settings: state.settings).bracket
    let sites = Sites(empty, filled: state.bracket)
    brackets = sites.sections.map { sites.bracket($0) }
  }
}

/// The places of a knock-out with where their entrants come from.
private struct Sites {
  private struct Site {
    let filled: ScheduledPairing
    /// Whose winners come here, in any bracket.
    var winners: [Int] = []
    var section = 0
  }

  private var sites: [Site] = []
  /// The places of each section, in order of rounds.
  private(set) var sections: [[Int]] = [[], []]

  init(_ empty: [[ScheduledPairing]], filled: [[ScheduledPairing]]) {
    var numbers: [PairingNumber: Int] = [:]
    for (round, places) in empty.enumerated() where round < filled.count {
      for (place, now) in zip(places, filled[round]) {
        guard let number = place.number else { continue }
        var site = Site(filled: now)
        var losers: [Int] = []
        for slot in [place.upper, place.lower] {
          if case .winner(let number) = slot, let source = numbers[number] { site.winners.append(source) }
          if case .loser(let number) = slot, let source = numbers[number] { losers.append(source) }
        }
        site.section = section(winners: site.winners, losers: losers)
        numbers[number] = sites.count
        sections[site.section].append(sites.count)
        sites.append(site)
      }
    }
    sections.removeAll(where: \.isEmpty)
  }

  /// Losers go to the second bracket, but those who meet the winner of the same place again.
  private func section(winners: [Int], losers: [Int]) -> Int {
    if !losers.isEmpty { return losers == winners ? sites[winners[0]].section : 1 }
    return winners.isEmpty || winners.contains { sites[$0].section == 0 } ? 0 : 1
  }

  func bracket(_ members: [Int]) -> BracketPlan.Bracket {
    let section = members.first.map { sites[$0].section }
    let sources = members.map { sites[$0].winners.filter { sites[$0].section == section } }
    let places = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1, $0) })
    let inner = sources.map { $0.compactMap { places[$0] } }
    var heights = [Int?](repeating: nil, count: members.count)
    var rows = 0
    func settle(_ place: Int) -> Int {
      if let height = heights[place] { return height }
      let above = inner[place].map(settle)
      let height: Int
      if let first = above.first, let last = above.last {
        height = (first + last) / 2
      } else {
        height = rows * BracketPlan.unit
        rows += 1
      }
      heights[place] = height
      return height
    }
    let taken = Set(inner.joined())
    for root in members.indices where !taken.contains(root) { _ = settle(root) }
    var columns: [Int: Int] = [:]
    for member in members where columns[sites[member].filled.round] == nil {
      columns[sites[member].filled.round] = columns.count
    }
    return BracketPlan.Bracket(
      places: members.indices.map { place in
        let filled = sites[members[place]].filled
        return BracketPlan.Place(
          pairing: filled, column: columns[filled.round] ?? 0, height: settle(place), sources: inner[place])
      }, columns: columns.count, rows: rows)
  }
}

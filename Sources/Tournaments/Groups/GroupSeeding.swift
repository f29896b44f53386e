/// The seeds of the bracket behind groups: the winners of the groups, those in second place, and so on.
///
/// Those of one place are spread over their seeds so that two of one group meet as late as can be. Of all ways to
/// spread them those count in which the earliest round in which one of them could meet another of its group that has a
/// seed already is the latest; of these the first seed has the first group that it has in any, then the second one the
/// first that is left for it, and so on.
///
///     two of each of four groups, as lines of the bracket
///     1st of group 1 v 2nd of group 3      1st of group 2 v 2nd of group 4
///     1st of group 4 v 2nd of group 2      1st of group 3 v 2nd of group 1
enum GroupSeeding {
  /// A place of a group, both from 0.
  struct Place: Hashable {
    let group: Int
    let place: Int
  }

  /// The place of a group that has each seed.
  static func places(groups: Int, advancing: Int) -> [Place] {
    var size = 1
    while size < groups * advancing { size *= 2 }
    // The line of each seed.
    var lines = [Int](repeating: 0, count: size)
    for (line, seed) in SingleElimination.lines(size).enumerated() { lines[seed] = line }
    var seeds = (0..<groups).map { Place(group: $0, place: 0) }
    for place in 1..<max(1, advancing) {
      // For each seed and group the first round in which it could meet one of that group, from 1.
      let rounds = (0..<groups).map { own in
        (0..<groups).map { group in
          seeds.indices.filter { seeds[$0].group == group }.map { other in
            Int.bitWidth - (lines[place * groups + own] ^ lines[other]).leadingZeroBitCount
          }.min() ?? 0
        }
      }
      seeds += spread(rounds).map { Place(group: $0, place: place) }
    }
    return seeds
  }

  /// The group of each seed, where as many seeds as groups meet each group so early.
  private static func spread(_ rounds: [[Int]]) -> [Int] {
    let latest = rounds.joined().sorted(by: >)
    let found = latest.lazy.compactMap { least in
      Spread(allowed: rounds.map { $0.map { $0 >= least } }).first()
    }.first
    guard let found else { preconditionFailure("every group may have every seed in the end") }
    return found
  }
}

/// Which group may have which seed, each one seed.
private struct Spread {
  /// By seed, then group.
  let allowed: [[Bool]]

  /// The first way in which all have one; `nil` where there is none.
  func first() -> [Int]? {
    var fixed: [Int] = []
    for seed in allowed.indices {
      let next = allowed.indices.first { group in
        !fixed.contains(group) && allowed[seed][group] && hasWay(after: fixed + [group])
      }
      guard let next else { return nil }
      fixed.append(next)
    }
    return fixed
  }

  /// Whether the seeds behind those that have a group can all have one too: each in turn, where others make room.
  private func hasWay(after fixed: [Int]) -> Bool {
    var seeds = [Int?](repeating: nil, count: allowed.count)
    func place(_ seed: Int, _ tried: inout Set<Int>) -> Bool {
      for group in allowed.indices where allowed[seed][group] && !fixed.contains(group) {
        guard tried.insert(group).inserted else { continue }
        if let other = seeds[group], !place(other, &tried) { continue }
        seeds[group] = seed
        return true
      }
      return false
    }
    return allowed.indices.dropFirst(fixed.count).allSatisfy { seed in
      var tried: Set<Int> = []
      return place(seed, &tried)
    }
  }
}

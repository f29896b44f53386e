import Games

extension Strategy {
  /// Entries of the second tournament that are no relatives of tit-for-tat by another name.
  static let secondTournament = [
    tester, gladstein, graaskampAndKatzen, secondGrofman, weiner, white, mikkelson, colbert, champion,
    eatherley,
  ]

  /// The first round in which the other defected.
  private static func firstDefection(_ past: Past) -> Int? {
    (0..<past.rounds).first { past.other[$0] == .defect }
  }

  /// David Gladstein's entry as the article describes it.
  static let tester = Strategy(
    "tester",
    "defects first; apologizes to who ever defects, then tit-for-tat; else defects every other round",
    .axelrod1980b
  ) { past in
    if past.rounds == 0 { return .defect }
    guard let first = firstDefection(past) else {
      return .defect(if: past.rounds >= 3 && past.rounds % 2 == 1)
    }
    return first == past.rounds - 1 ? .cooperate : past.titForTat
  }

  /// David Gladstein's entry as it was programmed.
  static let gladstein = Strategy(
    "gladstein", "tester that defects when it cooperated in more than half of the rounds", .axelrod1980b
  ) { past in
    if past.rounds == 0 { return .defect }
    guard let first = firstDefection(past) else {
      return .defect(if: 2 * past.own.cooperations > past.rounds)
    }
    return first == past.rounds - 1 ? .cooperate : past.titForTat
  }

  /// The article's scores, for payoffs 5, 3, 1, 0.
  private static let leastScores = [10: 23, 20: 53, 30: 83, 40: 113, 50: 143, 100: 293]

  static let graaskampAndKatzen = Strategy(
    "graaskamp-and-katzen", "tit-for-tat that defects for ever when its score falls behind", .axelrod1980b,
    from: false
  ) { isBehind, past in
    if let least = leastScores[past.rounds], past.ownScore < least { isBehind = true }
    return isBehind ? .defect : past.titForTat
  }

  static let secondGrofman = Strategy(
    "second-grofman", "tit-for-tat at first, then by the other's defections in the last eight rounds but one",
    .axelrod1980b, memory: 8
  ) { past in
    if past.rounds < 2 { return .cooperate }
    if past.rounds < 7 { return past.titForTat }
    let defections = past.other.defections(inLast: 8) - (past.other.last == .defect ? 1 : 0)
    return .defect(if: defections > (past.own.last == .cooperate ? 2 : 1))
  }

  /// It forgives a defection that follows an odd run of defections and one cooperation, and then, for 20 rounds more
  /// each time, none; five defections in the last 12 rounds but one always make it defect.
  static let weiner = Strategy(
    "weiner", "tit-for-tat that forgives single defections, but not five in twelve rounds", .axelrod1980b,
    from: (forgives: false, grudge: 0, run: 0)
  ) { state, past in
    guard let last = past.other.last else { return .cooperate }
    var choice = last
    if state.forgives {
      if last == .defect, state.grudge <= past.rounds {
        state.grudge += 20
        choice = .cooperate
      }
      state = (forgives: false, grudge: state.grudge, run: 0)
    } else if last == .defect {
      state.run += 1
    } else {
      state = (forgives: state.run % 2 == 1, grudge: state.grudge, run: 0)
    }
    return past.other.defections(inLast: 13) - (last == .defect ? 1 : 0) >= 5 ? .defect : choice
  }

  /// The logarithm of the round's number, rounded down, in whole numbers: the powers of e that games may reach.
  static let white = Strategy(
    "white", "answers a defection when there were too many for the length of the game", .axelrod1980b
  ) { past in
    let round = past.rounds + 1
    if round <= 10 || past.other.last == .cooperate { return .cooperate }
    let logarithm = [8, 21, 55, 149, 404].count { round >= $0 } + 1
    return .defect(if: logarithm * past.other.defections >= round)
  }

  /// A cooperation adds one to the other's credit, up to 8, a defection takes two, down to -7.
  static let mikkelson = Strategy(
    "mikkelson", "defects when the other's credit is spent, and grants credit anew in the first ten rounds",
    .axelrod1980b, from: 7
  ) { credit, past in
    guard let last = past.other.last else { return .cooperate }
    credit = last == .cooperate ? min(credit + 1, 8) : max(credit - 2, -7)
    guard credit <= 0 else { return .cooperate }
    if past.rounds < 10 { credit = 4 }
    return .defect
  }

  static let colbert = Strategy(
    "colbert", "defects in the sixth of the first eight rounds, then answers a defection with DDCC",
    .axelrod1980b, memory: 4, from: 0
  ) { left, past in
    if past.rounds < 8 { return .defect(if: past.rounds == 5) }
    if left == 0, past.other.last == .defect { left = 4 }
    guard left > 0 else { return .cooperate }
    left -= 1
    return .defect(if: left >= 2)
  }

  static let champion = Strategy(
    "champion",
    "cooperates ten times, tit-for-tat for 15, then answers who cooperates less than 60 % at random",
    .axelrod1980b
  ) { past, random in
    if past.rounds < 10 { return .cooperate }
    if past.rounds < 25 || past.other.last == .cooperate { return past.titForTat }
    if 5 * past.other.cooperations > 3 * past.rounds { return .cooperate }
    return .cooperate(past.other.cooperations, in: past.rounds, &random)
  }

  static let eatherley = Strategy(
    "eatherley", "answers a defection with the share of defections as its probability", .axelrod1980b
  ) { past, random in
    guard past.other.last == .defect else { return .cooperate }
    return .cooperate(past.other.cooperations, in: past.rounds, &random)
  }
}

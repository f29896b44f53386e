import Games

extension Strategy {
  /// Relatives of tit-for-tat.
  static let reciprocators = [
    titForTwoTats, twoTitsForTat, hardTitForTat, hardTitForTwoTats, threeTitsForTwoTats, suspiciousTitForTat,
    antiTitForTat, bully, contriteTitForTat, forgivingTitForTat, adaptiveTitForTat, omegaTitForTat,
    sneakyTitForTat, spitefulTitForTat, slowTitForTwoTats, doubler, alternator, winShiftLoseStay,
    delayedAllOrNone, allOrNone, capri, appeaser,
  ]

  static let titForTwoTats = Strategy(
    "tit-for-two-tats", "defects after two defections in a row", .axelrod1980, memory: 2
  ) { .defect(if: $0.other.ends(with: "DD")) }

  static let twoTitsForTat = Strategy(
    "two-tits-for-tat", "answers a defection with two", .axelrod1980b, memory: 2
  ) { .defect(if: $0.other.defections(inLast: 2) > 0) }

  static let hardTitForTat = Strategy(
    "hard-tit-for-tat", "defects after a defection in the last three rounds", .prison1998, memory: 3
  ) { .defect(if: $0.other.defections(inLast: 3) > 0) }

  static let hardTitForTwoTats = Strategy(
    "hard-tit-for-two-tats", "defects after two defections in a row in the last three rounds", .stewart2012,
    memory: 3
  ) { .defect(if: $0.other.ends(with: "DD") || $0.other.ends(with: "DDC")) }

  static let threeTitsForTwoTats = Strategy(
    "three-tits-for-two-tats", "answers two defections in a row with three", .knight2023, memory: 3, from: 0
  ) { left, past in
    if past.other.ends(with: "DD") { left = 3 }
    guard left > 0 else { return .cooperate }
    left -= 1
    return .defect
  }

  static let suspiciousTitForTat = Strategy(
    "suspicious-tit-for-tat", "tit-for-tat that defects first", .beaufils1997, memory: 1
  ) { $0.other.last ?? .defect }

  static let antiTitForTat = Strategy(
    "anti-tit-for-tat", "cooperates first, then does the opposite of what the other did", .common, memory: 1
  ) { .defect(if: $0.other.last == .cooperate) }

  static let bully = Strategy(
    "bully", "defects first, then does the opposite of what the other did", .nachbar1992, memory: 1
  ) { .defect(if: $0.other.last != .defect) }

  /// A seat is in good standing when it last cooperated, or defected in good standing against one in bad standing.
  /// Without noise it plays as tit-for-tat does.
  static let contriteTitForTat = Strategy(
    "contrite-tit-for-tat", "tit-for-tat that bears the answer to its own defections by noise", .axelrod1995,
    from: (own: true, other: true)
  ) { good, past in
    if let own = past.own.last, let other = past.other.last {
      good = (
        own: own == .cooperate || (good.own && !good.other),
        other: other == .cooperate || (good.other && !good.own)
      )
    }
    return .defect(if: good.own && !good.other)
  }

  static let forgivingTitForTat = Strategy(
    "forgiving-tit-for-tat", "tit-for-tat while the other defects in more than a tenth of the rounds",
    .knight2023
  ) { 10 * $0.other.defections > $0.rounds ? $0.titForTat : .cooperate }

  /// The image of the other goes half of the way to 1 with each cooperation and half of the way to 0 with each
  /// defection, in binary fractions of 53 bits: after as many cooperations it is 1, and bears one defection.
  static let adaptiveTitForTat = Strategy(
    "adaptive-tit-for-tat", "cooperates while its image of the other, which moves by halves, is good",
    .tzafestas2000, from: 0.5
  ) { image, past in
    guard let last = past.other.last else { return .cooperate }
    if last == .cooperate { image += 0.5 * (1 - image) } else { image -= 0.5 * image }
    return .defect(if: image < 0.5)
  }

  static let omegaTitForTat = Strategy(
    "omega-tit-for-tat", "tit-for-tat that breaks deadlocks and gives up on those who seem random",
    .slany2007,
    from: (deadlock: 0, randomness: 0)
  ) { state, past in
    guard let last = past.other.last, let before = past.other.secondLast else { return past.titForTat }
    if state.deadlock >= 3 {
      state.deadlock = state.deadlock == 3 ? 4 : 0
      return .cooperate
    }
    if past.other.ends(with: "CC") { state.randomness -= 1 }
    if last != before { state.randomness += 1 }
    if last != past.own.last { state.randomness += 1 }
    if state.randomness >= 8 { return .defect }
    state.deadlock = last == before ? 0 : state.deadlock + 1
    return last
  }

  static let sneakyTitForTat = Strategy(
    "sneaky-tit-for-tat", "tries a defection from the third round on and repents when it is punished",
    .knight2023
  ) { past in
    if past.rounds < 2 { return .cooperate }
    if !past.other.hasDefected { return .defect }
    return past.other.last == .defect && past.own.secondLast == .defect ? .cooperate : past.titForTat
  }

  static let spitefulTitForTat = Strategy(
    "spiteful-tit-for-tat", "tit-for-tat until two defections in a row, then defects for ever", .prison1998,
    from: false
  ) { isSpiteful, past in
    if past.other.ends(with: "DD") { isSpiteful = true }
    return isSpiteful ? .defect : past.titForTat
  }

  static let slowTitForTwoTats = Strategy(
    "slow-tit-for-two-tats-2", "changes its choice after the other did the same twice", .prison1998, memory: 2
  ) { past in
    guard let own = past.own.last, past.rounds > 1 else { return .cooperate }
    return past.other.last == past.other.secondLast ? past.titForTat : own
  }

  static let doubler = Strategy(
    "doubler", "answers a defection unless the other cooperated more than twice as often", .prison1998
  ) { .defect(if: $0.other.last == .defect && $0.other.cooperations <= 2 * $0.other.defections) }

  static let alternator = Strategy(
    "alternator", "cooperates first, then does the opposite of what it did", .axelrod1980b, memory: 1
  ) { .defect(if: $0.own.last == .cooperate) }

  static let winShiftLoseStay = Strategy(
    "win-shift-lose-stay", "defects first, then changes its choice exactly when the other cooperated",
    .li2011,
    memory: 1
  ) { .defect(if: $0.own.last == $0.other.last) }

  /// Answers by the outcomes of the round before the last and of the last, CC, CD, DC, DD each.
  static let delayedAllOrNone = Strategy(
    "delayed-aon-1", "all-or-none that looks at the round before the last one too", .hilbe2017, memory: 2
  ) { past in
    if past.rounds < 2 { return .cooperate }
    return .letter(4 * past.outcome(past.rounds - 2) + past.outcome(past.rounds - 1), of: "CDDCDDDCDDDCCDDC")
  }

  static let allOrNone = Strategy(
    "aon-2", "cooperates when both chose alike in each of the last two rounds", .hilbe2017, memory: 2
  ) { past in
    if past.rounds < 2 { return .cooperate }
    return .defect(if: (1...2).contains { past.own[past.rounds - $0] != past.other[past.rounds - $0] })
  }

  /// Own and the other's last three choices after which it cooperates, by the rules of the paper: cooperate, accept,
  /// punish and recover. What was before the first round counts as cooperation.
  private static let capriCooperates: Set<String> = [
    "CCC CCC", "CCD CCC", "CDC CCD", "DCC CDC", "CCC DCC", "CCD CDC", "CDC DCC", "DCC CCC", "DDD DDC",
    "DDC DCC",
    "DDC DDD", "DCC DDC",
  ]

  static let capri = Strategy(
    "capri", "cooperates, accepts punishment, punishes, recovers, and otherwise defects", .murase2020,
    memory: 3
  ) { past in
    .defect(if: !capriCooperates.contains("\(past.own.letters(last: 3)) \(past.other.letters(last: 3))"))
  }

  static let appeaser = Strategy(
    "appeaser", "cooperates first, then changes its choice after each defection", .knight2023
  ) { past in
    guard let own = past.own.last else { return .cooperate }
    return past.other.last == .defect ? own.opposite : own
  }
}

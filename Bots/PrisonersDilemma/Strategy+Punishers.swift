import Games

extension Strategy {
  /// Those that answer defections with more than one, or for ever.
  static let punishers = [
    softGrudger, forgetfulGrudger, oppositeGrudger, aggravater, punisher, inversePunisher, gradual,
    originalGradual, onceBitten, easyGo, grumpy, retaliate(10, "retaliate"), retaliate(8, "retaliate-2"),
    retaliate(5, "retaliate-3"), limitedRetaliate, resurrection, doubleResurrection,
  ]

  static let softGrudger = Strategy(
    "soft-grudger", "answers a defection with DDDDCC", .li2011, memory: 6, from: 0
  ) { left, past in
    if left == 0, past.other.last == .defect { left = 6 }
    guard left > 0 else { return .cooperate }
    left -= 1
    return .defect(if: left >= 2)
  }

  static let forgetfulGrudger = Strategy(
    "forgetful-grudger", "answers a defection with ten", .knight2023, memory: 10, from: 0
  ) { left, past in
    if left == 0, past.other.last == .defect { left = 10 }
    guard left > 0 else { return .cooperate }
    left -= 1
    return .defect
  }

  static let oppositeGrudger = Strategy(
    "opposite-grudger", "defects until the other cooperates once, then cooperates for ever", .knight2023
  ) { .defect(if: $0.other.cooperations == 0) }

  static let aggravater = Strategy(
    "aggravater", "grudger that defects in the first three rounds", .knight2023
  ) { .defect(if: $0.rounds < 3 || $0.other.hasDefected) }

  static let punisher = Strategy(
    "punisher", "answers a defection with up to 21, the more the more often the other defected", .knight2023,
    from: 0
  ) { left, past in
    if left > 1 {
      left -= 1
      return .defect
    }
    guard past.other.last == .defect else { return .cooperate }
    left = past.other.defections * 20 / past.rounds + 1
    return .defect
  }

  static let inversePunisher = Strategy(
    "inverse-punisher", "answers a defection with 2 to 21, the more the less often the other defected",
    .knight2023, from: 0
  ) { left, past in
    if left > 1 {
      left -= 1
      return .defect
    }
    guard past.other.last == .defect else { return .cooperate }
    left = max(1, past.other.cooperations * 20 / past.rounds) + 1
    return .defect
  }

  static let gradual = Strategy(
    "gradual", "answers a defection with as many as there were in all, then cooperates twice", .cristal2018,
    from: (punish: 0, calm: 0)
  ) { state, past in
    if state.punish == 0, state.calm == 0, past.other.last == .defect { state = (past.other.defections, 2) }
    if state.punish > 0 {
      state.punish -= 1
      return .defect
    }
    if state.calm > 0 { state.calm -= 1 }
    return .cooperate
  }

  static let originalGradual = Strategy(
    "original-gradual", "answers the nth defection outside punishments with n, then cooperates twice",
    .beaufils1997, from: (punish: 0, calm: 0, times: 0)
  ) { state, past in
    if state.punish == 0, state.calm == 0, past.other.last == .defect {
      state = (punish: state.times + 1, calm: 2, times: state.times + 1)
    }
    if state.punish > 0 {
      state.punish -= 1
      return .defect
    }
    if state.calm > 0 { state.calm -= 1 }
    return .cooperate
  }

  static let onceBitten = Strategy(
    "once-bitten", "answers two defections in a row with eleven", .knight2023, memory: 12, from: 0
  ) { left, past in
    if left == 0, past.other.ends(with: "DD") { left = 11 }
    guard left > 0 else { return .cooperate }
    left -= 1
    return .defect
  }

  static let easyGo = Strategy(
    "easy-go", "defects until the other defects once, then cooperates for ever", .prison1998
  ) { .defect(if: !$0.other.hasDefected) }

  static let grumpy = Strategy(
    "grumpy", "defects once the other defected 10 times more than it cooperated, until it is 10 less",
    .knight2023, from: false
  ) { isGrumpy, past in
    let grumpiness = past.other.defections - past.other.cooperations
    isGrumpy = isGrumpy ? grumpiness >= -10 : grumpiness > 10
    return .defect(if: isGrumpy)
  }

  private static func retaliate(_ percent: Int, _ name: String) -> Strategy {
    Strategy(
      name, "defects while it was exploited in more than \(percent) % as many rounds as it exploited",
      .knight2023
    ) { .defect(if: 100 * $0.rounds(with: .exploited) > percent * $0.rounds(with: .exploiting)) }
  }

  static let limitedRetaliate = Strategy(
    "limited-retaliate", "retaliate that cooperates after each 20 defections in a row", .knight2023, from: 0
  ) { done, past in
    guard done < 20, 10 * past.rounds(with: .exploited) > past.rounds(with: .exploiting) else {
      done = 0
      return .cooperate
    }
    done += 1
    return .defect
  }

  static let resurrection = Strategy(
    "resurrection", "tit-for-tat that defects for ever after five defections of its own in a row",
    .cristal2018,
    memory: 5
  ) { $0.own.ends(with: "DDDDD") ? .defect : $0.titForTat }

  static let doubleResurrection = Strategy(
    "double-resurrection", "tit-for-tat that does the opposite after doing the same five times", .cristal2018,
    memory: 5
  ) { past in
    if past.own.ends(with: "CCCCC") { return .defect }
    return past.own.ends(with: "DDDDD") ? .cooperate : past.titForTat
  }
}

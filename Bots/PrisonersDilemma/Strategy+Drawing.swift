import Games

extension Strategy {
  /// Others that draw random numbers.
  static let drawing = [
    worseAndWorse, worseAndWorse2, knowledgeableWorseAndWorse, dynamicTwoTitsForTat, negation, inverse,
    remorsefulProber,
  ]

  static let worseAndWorse = Strategy(
    "worse-and-worse", "defects in round n in n of 1,000 cases", .prison1998
  ) { past, random in
    .cooperate(1000 - past.rounds - 1, in: 1000, &random)
  }

  static let worseAndWorse2 = Strategy(
    "worse-and-worse-2", "tit-for-tat for 20 rounds, then defects in round n in 20 of n cases less",
    .prison1998
  ) { past, random in
    past.rounds < 20 ? past.titForTat : .cooperate(20, in: past.rounds + 1, &random)
  }

  static let knowledgeableWorseAndWorse = Strategy(
    "knowledgeable-worse-and-worse", "defects in round n in n cases of as many as the game has rounds",
    .prison1998
  ) { past, random in
    .cooperate(past.game.rounds - past.rounds - 1, in: past.game.rounds, &random)
  }

  static let dynamicTwoTitsForTat = Strategy(
    "dynamic-two-tits-for-tat", "two-tits-for-tat that forgives as often as the other cooperated", .knight2023
  ) { past, random in
    guard past.other.defections(inLast: 2) > 0 else { return .cooperate }
    return .cooperate(past.other.cooperations, in: past.rounds, &random)
  }

  static let negation = Strategy(
    "negation", "draws first, then does the opposite of what the other did", .prison1998, memory: 1
  ) { past, random in
    past.other.last?.opposite ?? .cooperate(1, in: 2, &random)
  }

  static let inverse = Strategy(
    "inverse", "defects with a probability that falls with the rounds since the other's last defection",
    .knight2023
  ) { past, random in
    guard let last = (0..<past.rounds).last(where: { past.other[$0] == .defect }) else { return .cooperate }
    let distance = past.rounds - last
    return .cooperate(distance - 1, in: distance, &random)
  }

  static let remorsefulProber = Strategy(
    "remorseful-prober", "joss that repents when its own defection is answered", .li2011, memory: 2,
    from: false
  ) { isProbing, past, random in
    guard past.other.last == .defect else {
      let choice: Choice = past.rounds == 0 ? .cooperate : .cooperate(9, in: 10, &random)
      isProbing = choice == .defect
      return choice
    }
    defer { isProbing = false }
    return isProbing ? .cooperate : .defect
  }
}

import Games

extension Strategy {
  /// Those that were here first: the winners, the extremes, and the two that draw.
  static let basics = [
    titForTat, grudger, winStayLoseShift, defector, cooperator, random, joss,
  ]

  /// Anatol Rapoport's entry, the winner of both tournaments.
  static let titForTat = Strategy(
    "tit-for-tat", "cooperates first, then does what the other did in the round before", .axelrod1980,
    memory: 1
  ) { $0.titForTat }

  /// James W. Friedman's entry, also called grim trigger.
  static let grudger = Strategy(
    "grudger", "cooperates until the other defects once, then defects for ever", .axelrod1980
  ) { .defect(if: $0.other.hasDefected) }

  /// Also called Pavlov.
  ///
  /// Temptation and reward count as wins, both of which need the other to cooperate: the choice is kept after
  /// the other cooperated and changed after it defected, which is to cooperate exactly when both chose alike.
  static let winStayLoseShift = Strategy(
    "win-stay-lose-shift", "cooperates first, then keeps its choice exactly when the other cooperated",
    .nowak1993, memory: 1
  ) { .defect(if: $0.own.last != $0.other.last) }

  static let defector = Strategy("defector", "always defects", .axelrod1980, memory: 0) { _ in .defect }

  static let cooperator = Strategy("cooperator", "always cooperates", .axelrod1980, memory: 0) { _ in
    .cooperate
  }

  /// The entry RANDOM.
  static let random = Strategy(
    "random", "cooperates or defects with equal probability", .axelrod1980, memory: 0
  ) { _, random in
    .cooperate(1, in: 2, &random)
  }

  /// Johann Joss's entry.
  static let joss = Strategy(
    "joss", "tit-for-tat that answers one cooperation in ten with a defection", .axelrod1980, memory: 1
  ) { past, random in
    guard past.other.last == .cooperate else { return past.titForTat }
    return .cooperate(9, in: 10, &random)
  }
}

import Games

extension Strategy {
  static let cyclers = [
    cycler("CCD"), cycler("DDC"), cycler("CCCD"), cycler("CCCCCD"), cycler("DC"), cycler("CCCDCD"),
  ]

  private static func cycler(_ letters: String) -> Strategy {
    Strategy(
      "cycler-\(letters)".lowercased(), "plays \(letters) again and again",
      letters.utf8.count == 3 ? .mittal2009 : .prison1998,
      memory: letters.utf8.count - 1
    ) { .letter($0.rounds % letters.utf8.count, of: letters) }
  }

  static let majorities =
    [nil, 5, 10, 20, 40].map { goByMajority($0, isHard: false) }
    + [nil, 5, 10, 20, 40].map { goByMajority($0, isHard: true) }

  private static func goByMajority(_ memory: Int?, isHard: Bool) -> Strategy {
    Strategy(
      "\(isHard ? "hard-" : "")go-by-majority\(memory.map { "-\($0)" } ?? "")",
      "does what the other did most\(memory.map { " in the last \($0) rounds" } ?? "")"
        + (isHard ? ", defects on a tie" : ", cooperates on a tie"),
      memory == nil ? .axelrod1980b : .prison1998, memory: memory
    ) { past in
      let balance =
        past.other.defections(inLast: memory ?? past.rounds)
        - past.other.cooperations(inLast: memory ?? past.rounds)
      return .defect(if: isHard ? balance >= 0 : balance > 0)
    }
  }

  /// Those that look for a kind of opponent, and defect on it.
  static let hunters = [
    cooperatorHunter, defectorHunter, alternatorHunter, cycleHunter, eventualCycleHunter,
    mathConstantHunter,
  ]

  static let cooperatorHunter = Strategy(
    "cooperator-hunter", "defects, from the fifth round on, on who always cooperated", .knight2023
  ) { .defect(if: $0.rounds >= 4 && !$0.other.hasDefected) }

  static let defectorHunter = Strategy(
    "defector-hunter", "defects, from the fifth round on, on who always defected", .knight2023
  ) { .defect(if: $0.rounds >= 4 && $0.other.cooperations == 0) }

  static let alternatorHunter = Strategy(
    "alternator-hunter", "defects for ever on who alternated in the first six rounds", .knight2023
  ) { .defect(if: $0.other.starts(with: "CDCDCD") || $0.other.starts(with: "DCDCDC")) }

  static let cycleHunter = Strategy(
    "cycle-hunter", "defects for ever on who repeated 3 to 12 choices that were not all alike", .knight2023,
    from: false
  ) { isFound, past in
    if !isFound, let period = past.other.period(from: 0, in: 3...12) {
      isFound = (1...period - 1).contains(past.other.letters(0...period - 1).utf8.count { $0 == 0x44 })
    }
    return .defect(if: isFound)
  }

  static let eventualCycleHunter = Strategy(
    "eventual-cycle-hunter", "defects on who repeats itself after ten rounds, as each tenth round shows",
    .knight2023, from: false
  ) { isFound, past in
    guard past.rounds >= 10, past.other.hasDefected else { return .cooperate }
    if past.rounds % 10 == 0 { isFound = past.other.period(from: 10, in: 1...12) != nil }
    return .defect(if: isFound)
  }

  /// The halves overlap: the first one, the middle one and the last one.
  static let mathConstantHunter = Strategy(
    "math-constant-hunter", "defects while both cooperate about as often in each half of the game",
    .knight2023
  ) { past in
    let rounds = past.rounds
    guard rounds >= 8, past.other.hasDefected, past.other.cooperations > 0 else { return .cooperate }
    let halves = [0..<rounds / 2, rounds / 4..<3 * rounds / 4, rounds / 2..<rounds]
    let rates = halves.map { half in
      0.5 * Double(past.own.cooperations(in: half) + past.other.cooperations(in: half)) / Double(half.count)
    }
    return .defect(if: rates[1...].allSatisfy { abs(rates[0] - $0) < 0.2 })
  }

  /// Those that weigh what they saw.
  static let observers = [adaptive, veryBad]

  static let adaptive = Strategy(
    "adaptive", "plays CCCCCCDDDDD, then what paid more in all rounds so far", .li2011
  ) { past in
    if past.rounds < 11 { return .defect(if: past.rounds >= 6) }
    let payoffs = past.game.payoffs
    let cooperating =
      Int(payoffs.reward) * past.rounds(with: .cooperation) + Int(payoffs.sucker)
      * past.rounds(with: .exploited)
    let defecting =
      Int(payoffs.temptation) * past.rounds(with: .exploiting)
      + Int(payoffs.punishment) * past.rounds(with: .defection)
    return .defect(if: defecting >= cooperating)
  }

  static let veryBad = Strategy(
    "very-bad", "cooperates three times, then does what the other did most; tit-for-tat on a tie", .andre2013
  ) { past in
    let balance = past.other.cooperations - past.other.defections
    if past.rounds < 3 || balance > 0 { return .cooperate }
    return balance < 0 ? .defect : past.titForTat
  }

  /// Those that know when the game ends. Where chance ends it, they play on.
  static let endings = [alexei, eugineNier, backStabber, doubleCrosser]

  static let alexei = Strategy(
    "alexei", "tit-for-tat that defects in the last round", .lessWrong2011
  ) { $0.isInLast(1) ? .defect : $0.titForTat }

  static let eugineNier = Strategy(
    "eugine-nier", "alexei that defects for ever after five defections", .lessWrong2011
  ) { $0.isInLast(1) || $0.other.defections >= 5 ? .defect : $0.titForTat }

  static let backStabber = Strategy(
    "back-stabber", "forgives three defections, then defects for ever, and in the last two rounds",
    .knight2023
  ) { .defect(if: $0.isInLast(2) || $0.other.defections > 3) }

  static let doubleCrosser = Strategy(
    "double-crosser",
    "back-stabber that from round 8 to 180 answers who began with CCCCCCC for two tats alone",
    .knight2023
  ) { past in
    if past.isInLast(2) { return .defect }
    if (8...180).contains(past.rounds + 1), past.other.starts(with: "CCCCCCC") {
      return .defect(if: past.other.ends(with: "DD"))
    }
    return .defect(if: past.other.defections > 3)
  }
}

extension Past.Choices {
  /// The least period in which the choices since a round repeat themselves, at least twice; `nil` for none.
  func period(from start: Int, in periods: ClosedRange<Int>) -> Int? {
    let most = min(periods.upperBound, (count - start) / 2)
    guard most >= periods.lowerBound else { return nil }
    return (periods.lowerBound...most).first { period in
      (start + period..<count).allSatisfy { self[$0] == self[$0 - period] }
    }
  }
}

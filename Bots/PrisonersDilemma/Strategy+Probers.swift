import Games

extension Strategy {
  /// Those that try the other out in the first rounds, or exploit who lets them.
  static let probers = [
    prober, prober2, prober3, prober4, hardProber, detective, handshake, trickyCooperator, trickyDefector,
  ]

  static let prober = Strategy(
    "prober", "plays DCC; defects for ever after cooperation in rounds 2 and 3, else tit-for-tat", .li2011
  ) { past in
    if past.rounds < 3 { return .letter(past.rounds, of: "DCC") }
    return past.other.letters(1...2) == "CC" ? .defect : past.titForTat
  }

  static let prober2 = Strategy(
    "prober-2", "plays DCC; cooperates for ever after DC in rounds 2 and 3, else tit-for-tat", .prison1998
  ) { past in
    if past.rounds < 3 { return .letter(past.rounds, of: "DCC") }
    return past.other.letters(1...2) == "DC" ? .cooperate : past.titForTat
  }

  static let prober3 = Strategy(
    "prober-3", "plays DC; defects for ever after cooperation in round 2, else tit-for-tat", .prison1998
  ) { past in
    if past.rounds < 2 { return .letter(past.rounds, of: "DC") }
    return past.other[1] == .cooperate ? .defect : past.titForTat
  }

  /// Defections of the other count as provoked in rounds in which it defected itself.
  static let prober4 = Strategy(
    "prober-4", "tries 20 rounds; defects for ever on who defects whether provoked or not, else tit-for-tat",
    .prison1998
  ) { past in
    if past.rounds < 20 { return .letter(past.rounds, of: "CCDCDDDCCDCDCCDCDDCD") }
    let provoked = (0..<19).count { past.own[$0] == .defect && past.other[$0] == .defect }
    let unprovoked = (0..<19).count { past.own[$0] == .cooperate && past.other[$0] == .defect }
    if abs(provoked - unprovoked) <= 2 { return .defect }
    return past.rounds < 25 ? .cooperate : past.titForTat
  }

  static let hardProber = Strategy(
    "hard-prober", "plays DDCC; defects for ever after cooperation in rounds 2 and 3, else tit-for-tat",
    .prison1998
  ) { past in
    if past.rounds < 4 { return .letter(past.rounds, of: "DDCC") }
    return past.other.letters(1...2) == "CC" ? .defect : past.titForTat
  }

  static let detective = Strategy(
    "detective", "plays CDCC; defects for ever on who bore it, else tit-for-tat", .case2019
  ) { past in
    if past.rounds < 4 { return .letter(past.rounds, of: "CDCC") }
    return past.other.starts(with: "CCCC") ? .defect : past.titForTat
  }

  static let handshake = Strategy(
    "handshake", "plays CD; cooperates for ever with who did the same, else defects", .robson1990
  ) { past in
    if past.rounds < 2 { return .letter(past.rounds, of: "CD") }
    return .defect(if: !past.other.starts(with: "CD"))
  }

  static let trickyCooperator = Strategy(
    "tricky-cooperator", "defects, from the fourth round on, on who cooperated in the last ten rounds",
    .knight2023, memory: 10
  ) { .defect(if: $0.rounds >= 3 && $0.other.defections(inLast: 10) == 0) }

  static let trickyDefector = Strategy(
    "tricky-defector", "defects, but cooperates after DDD with who ever cooperated", .knight2023
  ) { .defect(if: $0.other.cooperations == 0 || !$0.other.ends(with: "DDD")) }
}

import Games

extension Strategy {
  /// Look-up tables.
  ///
  /// After the opening, the last own choices, the last ones and then the first ones of the other, each from the
  /// earliest on and C before D, are the place in the table.
  static let tables = [
    table(
      "winner-12", "looks at its last choice and the other's last two", .mathieu2015, "CC", 1, 2, "CDCDDCDD"),
    table("winner-21", "winner-12 with another opening and table", .mathieu2015, "DC", 1, 2, "CDCDCDDD"),
    table(
      "evolved-looker-up-1-1-1", "looks at both last choices and the other's first, evolved", .harper2017,
      "C", 1, 1,
      first: 1, "CDDDDCDD"),
    table(
      "evolved-looker-up-2-2-2", "looks at both last two choices and the other's first two, evolved",
      .harper2017,
      "CC", 2, 2, first: 2, "CDDCDCDDCDDDCDDDDDCDCDCCCDDCCDCDDDCCCCCDDDCDDDDDDDDDCCDDCDDDCCCD"),
  ]

  private static func table(
    _ name: String, _ summary: String, _ source: Source, _ opening: String, _ own: Int, _ other: Int,
    first: Int = 0, _ choices: String
  ) -> Strategy {
    precondition(choices.utf8.count == 1 << (own + other + first), "\(name): \(choices)")
    return Strategy(name, summary, source, memory: first > 0 ? nil : max(own, other)) { past in
      let rounds = past.rounds
      if rounds < opening.utf8.count { return .letter(rounds, of: opening) }
      let seen =
        (rounds - own..<rounds).map { past.own[$0] } + (rounds - other..<rounds).map { past.other[$0] }
        + (0..<first).map { past.other[$0] }
      return .letter(seen.reduce(0) { 2 * $0 + Int($1.rawValue) }, of: choices)
    }
  }
}

internal import Rules

extension RulesSuite {
  /// Rounds by chance: the same random numbers lead to the same position, and where rules say that they draw none, so
  /// do all others.
  static func checkChance<R: Rules>(_ rules: R, _ game: RandomGame<R>, _ findings: inout Findings) {
    for (ply, step) in game.steps.enumerated() where rules.turn(in: game.positions[ply]).isRound {
      func after(_ chance: Chance) -> [UInt8] {
        rules.encode(rules.after(step, by: chance, in: game.positions[ply]))
      }
      let chance = game.chances[ply]
      let led = rules.encode(game.positions[ply + 1])
      findings.expect(
        after(chance) == led, .chance, "the same numbers lead elsewhere: \(game.place(ply))")
      guard !rules.usesChance else { continue }
      findings.expect(
        [.none, Chance(seed: 1), Chance(seed: 2)].allSatisfy { after($0) == led }, .chance,
        "rules that draw no numbers go by them: \(game.place(ply))")
    }
  }
}

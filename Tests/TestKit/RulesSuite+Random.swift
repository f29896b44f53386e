import Rules

extension RulesSuite {
  /// In one position of each game: every legal move comes about as often as the others, and no other move comes.
  static func checkRandomMoves<R: Rules>(
    _ rules: R, _ games: [RandomGame<R>], extent: Extent, _ findings: inout Findings
  ) {
    for (number, game) in games.enumerated() {
      // The start of the first game, then later and later positions.
      let ply = game.positions.count * number / max(games.count, 1)
      let position = game.positions[ply]
      for seat in rules.seatsToChoose(in: position) {
        let codes = rules.legalMoves(of: seat, in: position).map { rules.code(of: $0) }
        guard !codes.isEmpty else { continue }
        var chance = Chance(seed: UInt64(number))
        var counts: [MoveCode: Int] = [:]
        for _ in 0..<(expectedDraws * codes.count) {
          counts[rules.code(of: rules.randomMove(of: seat, in: position, by: &chance)), default: 0] += 1
        }
        findings.expect(
          Set(counts.keys).isSubset(of: codes), .random,
          "randomMove of \(seat) gives a move that is not listed: \(game.place(ply))")
        // Of so many draws half as many or half as many again are some seven standard deviations away.
        findings.expect(
          codes.allSatisfy { code in
            (expectedDraws / 2...expectedDraws * 3 / 2).contains(counts[code] ?? 0)
          }, .random, "the moves of \(seat) are not equally likely (\(counts)): \(game.place(ply))")
      }
    }
  }

  /// How often each legal move is drawn, when all are equally likely.
  private static var expectedDraws: Int { 200 }

  /// A random game is the one of `randomMove` and of the checked calls with the same random numbers.
  static func checkPlayOuts<R: Rules>(
    _ rules: R, _ games: [RandomGame<R>], extent: Extent, _ findings: inout Findings
  ) {
    // Rules without an end are found elsewhere; here they would not return.
    guard games.allSatisfy({ $0.steps.count < extent.plyLimit }) else { return }
    for (number, game) in games.enumerated() {
      let start = game.positions[game.positions.count * number / max(games.count, 1)]
      var (end, chance) = (start, Chance(seed: UInt64(number)))
      let moves = rules.playOut(&end, by: &chance)
      let stepped = playedOut(rules, from: start, by: Chance(seed: UInt64(number)))
      findings.expect(
        stepped?.end == end && stepped?.moves == moves && stepped?.chance == chance, .random,
        "playOut of game \(number) ends otherwise than its moves one by one, or one of them is refused")
    }
  }

  /// Where a game ends that is played out through the checked calls; `nil` when one refuses its move.
  private static func playedOut<R: Rules>(_ rules: R, from start: R.Position, by random: Chance)
    -> (end: R.Position, moves: Int, chance: Chance)?
  {
    var (position, moves, chance) = (start, 0, random)
    while true {
      let turn = rules.turn(in: position)
      let choosing = rules.seatsToChoose(in: position)
      if turn.outcome != nil { return (position, moves, chance) }
      let choices = choosing.map { rules.randomMove(of: $0, in: position, by: &chance) }
      guard zip(choosing, choices).allSatisfy({ rules.isLegal($1, by: $0, in: position) }) else { return nil }
      moves += choices.count
      if case .seat(let seat) = turn {
        guard rules.play(code: rules.code(of: choices[0]), by: seat, in: &position) != nil else { return nil }
      } else {
        let all = rules.allSeats.map { seat in choosing.firstIndex(of: seat).map { choices[$0] } }
        rules.resolve(all, by: &chance, in: &position)
      }
    }
  }
}

import Rules

extension RulesSuite {
  static func checkLegality<R: Rules>(
    _ rules: R, _ game: RandomGame<R>, extent: Extent, _ findings: inout Findings
  ) {
    for (ply, position) in game.positions.enumerated() {
      let waitsFor = rules.seatsToChoose(in: position)
      let place = game.place(ply)
      for seat in rules.allSeats + [Seat(UInt16(truncatingIfNeeded: rules.seats)), Seat(255)] {
        let codes = rules.legalMoves(of: seat, in: position).map { rules.code(of: $0) }
        let legal = legalCodes(rules, of: seat, in: position, trying: extent.codes)
        findings.expect(
          zip(codes, codes.dropFirst()).allSatisfy { $0 < $1 }, .legality,
          "moves of \(seat) not in ascending order: \(place)")
        findings.expect(
          codes.allSatisfy { extent.codes.contains($0.rawValue) }, .legality,
          "a legal code of \(seat) is not among those tried: \(place)")
        findings.expect(
          codes.sorted() == legal, .legality,
          "forEachMove gives \(codes), isLegal allows \(legal) to \(seat): \(place)")
        findings.expect(
          waitsFor.contains(seat) || legal.isEmpty && codes.isEmpty, .legality,
          "\(seat) may move out of turn: \(place)")
      }
    }
  }

  static func checkOutcome<R: Rules>(
    _ rules: R, _ game: RandomGame<R>, extent: Extent, _ findings: inout Findings
  ) {
    findings.expect(
      game.steps.count < extent.plyLimit, .outcome, "a game of \(game.steps.count) plies does not end")
    for (ply, position) in game.positions.enumerated() {
      let place = game.place(ply)
      let movers = rules.allSeats.filter { !rules.legalMoves(of: $0, in: position).isEmpty }
      switch rules.turn(in: position) {
      case .over(let outcome):
        findings.expect(movers.isEmpty, .outcome, "the game is over and \(movers) can move: \(place)")
        findings.expect(
          outcome.scores.count == rules.seats, .outcome,
          "\(outcome.scores.count) scores, \(rules.seats) seats: \(place)")
      case .seat(let seat):
        findings.expect(movers == [seat], .outcome, "the turn is \(seat)'s and \(movers) can move: \(place)")
      case .round(let choosing):
        findings.expect(
          movers == Array(choosing), .outcome, "\(Array(choosing)) choose, and \(movers) can: \(place)")
        findings.expect(
          choosing.allSatisfy { $0.index < rules.seats }, .outcome, "\(Array(choosing)) choose: \(place)"
        )
      }
    }
  }

  static func checkFirstMover<R: Rules>(_ rules: R, _ findings: inout Findings) {
    let starts = rules.allSeats.map { rules.start(first: $0) }
    for (seat, start) in zip(rules.allSeats, starts) {
      switch rules.turn(in: start) {
      case .seat(let mover):
        findings.expect(mover == seat, .firstMover, "\(seat) was named to move first, and \(mover) does")
      case .round(let choosing):
        findings.expect(
          start == starts[0] || choosing.isEmpty, .firstMover,
          "seats choose together, and \(seat) changes the start")
      case .over:
        findings.expect(false, .firstMover, "the game is over at its start with \(seat) first")
      }
    }
  }

  private static func legalCodes<R: Rules>(
    _ rules: R, of seat: Seat, in position: R.Position, trying codes: ClosedRange<UInt32>
  ) -> [MoveCode] {
    codes.lazy.map { MoveCode($0) }.filter { code in
      rules.move(code: code).map { rules.isLegal($0, by: seat, in: position) } ?? false
    }
  }
}

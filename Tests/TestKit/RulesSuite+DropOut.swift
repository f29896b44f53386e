import BotKit
import Rules

extension RulesSuite {
  /// In games of more than two seats, the others go on without one that drops out, from some 20 places of each game.
  static func checkDropOut<R: Rules>(
    _ rules: R, _ game: RandomGame<R>, extent: Extent, _ findings: inout Findings
  ) {
    guard rules.seats > 2 else { return }
    var random = RandomStream(seed: extent.seed)
    let step = max(1, game.positions.count / 20)
    for (ply, position) in game.positions.enumerated()
    where ply.isMultiple(of: step) && rules.turn(in: position).outcome == nil {
      let place = game.place(ply)
      var gone: [Seat] = []
      var position = position
      while gone.count < rules.seats - 1, rules.turn(in: position).outcome == nil {
        let staying = rules.allSeats.filter { !gone.contains($0) }
        let seat = staying[Int(random.below(UInt64(staying.count)))]
        let before = choices(rules, in: position)
        rules.dropOut(seat, in: &position)
        checkChoices(rules, before, in: position, place, &findings)
        gone.append(seat)
        let waitsFor = rules.seatsToChoose(in: position)
        findings.expect(
          waitsFor.allSatisfy { !gone.contains($0) }, .outcome,
          "\(gone) dropped out, and \(waitsFor) are waited for: \(place)")
        guard random.below(3) > 0 else { continue }
        position = played(rules, from: position, plies: Int(random.below(4)), &random)
      }
      let end = played(rules, from: position, plies: extent.plyLimit, &random)
      let outcome = rules.turn(in: end).outcome
      findings.expect(
        outcome?.scores.count == rules.seats, .outcome,
        "the game does not end after \(gone) dropped out: \(place)")
    }
  }

  /// The legal moves of each seat that chooses.
  private static func choices<R: Rules>(_ rules: R, in position: R.Position) -> [Seat: [R.Move]] {
    let choosing = rules.seatsToChoose(in: position).map { ($0, rules.legalMoves(of: $0, in: position)) }
    return Dictionary(choosing) { first, _ in first }
  }

  /// What the others may have committed to stays legal where the position still waits for their choice.
  private static func checkChoices<R: Rules>(
    _ rules: R, _ before: [Seat: [R.Move]], in position: R.Position, _ place: some CustomStringConvertible,
    _ findings: inout Findings
  ) {
    for seat in rules.seatsToChoose(in: position) {
      guard let moves = before[seat] else { continue }
      findings.expect(
        moves.allSatisfy { rules.isLegal($0, by: seat, in: position) }, .outcome,
        "what \(seat) could choose is not legal after another one dropped out: \(place)")
    }
  }

  private static func played<R: Rules>(
    _ rules: R, from position: R.Position, plies: Int, _ random: inout RandomStream
  ) -> R.Position {
    let game = RandomGame(rules, first: Seat(0), from: position, plyLimit: plies, random: &random)
    return game.positions[game.positions.count - 1]
  }
}

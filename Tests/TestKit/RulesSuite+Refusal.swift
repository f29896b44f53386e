import BotKit
import Rules

extension RulesSuite {
  /// Offers random inputs that are not legal at random positions; each must be refused and change nothing.
  static func checkRefusal<R: Rules>(
    _ rules: R, _ games: [RandomGame<R>], extent: Extent, _ findings: inout Findings
  ) {
    var random = RandomStream(seed: extent.seed &+ 1)
    var refused = 0
    var tries = 0
    while refused < extent.illegalInputs, tries < extent.illegalInputs * 20, !games.isEmpty {
      tries += 1
      let game = games[Int(random.below(UInt64(games.count)))]
      let ply = Int(random.below(UInt64(game.positions.count)))
      let state = GameOf(rules: rules, position: game.positions[ply])
      let input = illegalInput(state, extent: extent, &random)
      guard let input else { continue }
      refused += 1
      var after = state
      let isAccepted = input.isTogether ? after.resolve(input.codes, by: .none) : after.play(input.codes[0])
      let place = game.place(ply)
      findings.expect(!isAccepted, .refusal, "\(input) is not legal and was accepted: \(place)")
      findings.expect(after == state, .refusal, "\(input) is not legal and changed the game: \(place)")
      guard !input.isTogether else { continue }
      for seat in rules.allSeats {
        let turn = after.play(input.codes[0], by: seat)
        findings.expect(
          turn == nil && after == state, .refusal,
          "\(input) of \(seat) is not legal and was accepted: \(place)")
      }
    }
    findings.expect(
      refused == extent.illegalInputs, .refusal, "only \(refused) illegal inputs were found in \(tries) tries"
    )
  }

  private struct Input: CustomStringConvertible {
    var codes: [MoveCode]
    var isTogether: Bool

    var description: String { "\(isTogether ? "together" : "alone") \(codes.map(\.rawValue))" }
  }

  /// One input, `nil` when it happens to be legal.
  private static func illegalInput<R: Rules>(
    _ state: GameOf<R>, extent: Extent, _ random: inout RandomStream
  ) -> Input? {
    let isTogether = random.below(4) == 0 || state.turn.isRound && random.below(4) > 0
    let count = !isTogether ? 1 : random.below(3) == 0 ? Int(random.below(5)) : state.seats
    let codes = (0..<count).map { _ in code(extent: extent, &random) }
    let input = Input(codes: codes, isTogether: isTogether)
    switch state.turn {
    case .over:
      return input
    case .seat(let seat):
      let isLegal = !isTogether && state.legalMoves(of: seat).contains(codes[0])
      return isLegal ? nil : input
    case .round(let choosing):
      let isLegal =
        isTogether && count == state.seats
        && state.rules.allSeats.allSatisfy { seat in
          (choosing.contains(seat) ? state.legalMoves(of: seat) : [.none]).contains(codes[seat.index])
        }
      return isLegal ? nil : input
    }
  }

  private static func code(extent: Extent, _ random: inout RandomStream) -> MoveCode {
    let span = UInt64(extent.codes.upperBound - extent.codes.lowerBound) + 1
    return random.below(4) == 0
      ? MoveCode(UInt32(truncatingIfNeeded: random.next()))
      : MoveCode(extent.codes.lowerBound + UInt32(truncatingIfNeeded: random.below(span)))
  }
}

import BotKit
import Events
package import Projection
package import Rules

extension GameRules {
  /// How often an opening is drawn anew that ends the game, or is there already.
  private static var limitTries: Int { 64 }

  /// Openings of random moves, no two alike and none that ends the game: so many as are wanted, or as are found and fit
  /// into a room. The same seed gives the same ones.
  /// - Parameters:
  ///   - plies: how many moves each has, at least 1.
  ///   - count: how many are wanted at the most.
  /// - Throws: where games of these rules have no openings, or are over after so many moves.
  package func drawnOpenings(
    plies: Int, count: Int, seed: UInt64
  ) throws(OpeningFault) -> [[UInt16]] {
    _ = try opened(with: [], first: Seat(0))
    var openings: [[UInt16]] = []
    var known: Set<[UInt16]> = []
    for number in 0..<min(count, Create.limitOpenings / (plies + 1)) {
      guard let opening = drawnOpening(plies: plies, number: number, seed: seed, besides: known) else {
        break
      }
      known.insert(opening)
      openings.append(opening)
    }
    if openings.isEmpty { throw .ends(place: plies) }
    return openings
  }

  private func drawnOpening(
    plies: Int, number: Int, seed: UInt64, besides known: Set<[UInt16]>
  ) -> [UInt16]? {
    var random = RandomSource(
      seed: seed, round: .max, pairing: UInt32(truncatingIfNeeded: number), game: .max, seat: Seat(0), ply: 0
    ).generator()
    for _ in 0..<Self.limitTries {
      var game = start(first: Seat(0))
      var codes: [UInt16] = []
      while codes.count < plies, case .seat(let seat) = game.turn {
        let moves = game.legalMoves(of: seat)
        let move = moves[Int(random.below(UInt64(moves.count)))]
        guard let code = UInt16(exactly: move.rawValue), game.play(move) else { break }
        codes.append(code)
      }
      if codes.count == plies, game.turn.outcome == nil, !known.contains(codes) { return codes }
    }
    return nil
  }
}

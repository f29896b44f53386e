package import Rules

/// Why a game cannot begin with some moves.
package enum OpeningFault: Error, Hashable, Sendable {
  /// Its rules have no openings: seats do not move in turn, chance decides, or there are not two seats.
  case noOpenings(game: String)
  /// The move at this place, from 1, is not legal there.
  case illegal(place: Int)
  /// The move at this place, from 1, ends the game.
  case ends(place: Int)
}

extension OpeningFault: CustomStringConvertible {
  /// What is wrong, in words.
  package var description: String {
    switch self {
    case .noOpenings(let game):
      "\(game) has no openings: they are for games of two who move in turn, without chance"
    case .illegal(let place): "move \(place) is not legal there"
    case .ends(let place): "move \(place) ends the game, so nothing is left to be played"
    }
  }
}

extension GameRules {
  /// Whether games may begin with the moves of these codes, whoever moves first.
  package func mayOpen(with codes: [UInt16]) -> Bool {
    do throws(OpeningFault) {
      for seat in 0..<UInt16(truncatingIfNeeded: seats) {
        _ = try opened(with: codes.map { MoveCode(UInt32($0)) }, first: Seat(seat))
      }
      return true
    } catch {
      return false
    }
  }

  /// The position after the moves of an opening.
  package func opened(with codes: [MoveCode], first: Seat) throws(OpeningFault) -> any GameState {
    var game = start(first: first)
    guard seats == 2, !game.usesChance, !game.turn.isRound else {
      throw .noOpenings(game: definition.name)
    }
    for (index, code) in codes.enumerated() {
      guard case .seat = game.turn, game.play(code) else { throw .illegal(place: index + 1) }
      if game.turn.outcome != nil { throw .ends(place: index + 1) }
    }
    return game
  }
}

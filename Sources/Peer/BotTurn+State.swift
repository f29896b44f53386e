package import BotKit
package import Projection
package import Rules

extension BotTurn {
  /// What a bot is asked that has to choose for a seat of a room where a game is on.
  /// - Parameters:
  ///   - place: where its random numbers come from, apart from game, seat and ply.
  ///   - left: the milliseconds that the seat has; `nil` where nothing limits it.
  package init(
    _ state: RoomState, for seat: Seat, at place: Session.Place, leftMilliseconds left: UInt64? = nil
  ) {
    guard let position = state.position else { preconditionFailure("a turn without a game in \(state.room)") }
    let source = RandomSource(
      seed: place.seed, round: place.round, pairing: place.pairing,
      game: UInt32(truncatingIfNeeded: state.games.count - 1), seat: seat,
      ply: UInt32(truncatingIfNeeded: state.plyCount))
    self.init(
      game: position, seat: seat, randomness: source,
      history: GameHistory(RecordedPlies(plies: state.plies)), leftMilliseconds: left)
  }
}

/// The plies of a room's game, where its state has them.
private struct RecordedPlies: GamePlies {
  let plies: [GameRecord.Ply]

  var count: Int { plies.count }

  func ply(at index: Int) -> GameHistory.Ply {
    GameHistory.Ply(seat: plies[index].seat, choices: plies[index].choices)
  }
}

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
    let plies = state.plies
    self.init(
      position, game: state.games.count - 1, RecordedPlies(plies: plies, count: plies.count), for: seat,
      at: place,
      leftMilliseconds: left)
  }

  /// What a bot was asked that had to choose for a seat when a game had so many plies: what `init(_:for:at:)` gave it
  /// then, where nothing limited it.
  /// - Parameter position: after these plies.
  package init(
    _ position: any GameState, of game: GameRecord, after plies: Int, for seat: Seat, at place: Session.Place
  ) {
    self.init(
      position, game: game.number, RecordedPlies(plies: game.plies, count: plies), for: seat, at: place,
      leftMilliseconds: nil)
  }

  private init(
    _ position: any GameState, game: Int, _ plies: RecordedPlies, for seat: Seat, at place: Session.Place,
    leftMilliseconds left: UInt64?
  ) {
    let source = RandomSource(
      seed: place.seed, round: place.round, pairing: place.pairing, game: UInt32(truncatingIfNeeded: game),
      seat: seat,
      ply: UInt32(truncatingIfNeeded: plies.count))
    self.init(
      game: position, seat: seat, randomness: source, history: GameHistory(plies), leftMilliseconds: left)
  }
}

/// The first plies of a room's game, where its state has them.
private struct RecordedPlies: GamePlies {
  let plies: [GameRecord.Ply]
  let count: Int

  func ply(at index: Int) -> GameHistory.Ply {
    GameHistory.Ply(seat: plies[index].seat, choices: plies[index].choices)
  }
}

internal import BotKit
internal import Events
internal import JSON
internal import Network
internal import Platform
internal import Projection
internal import Rules
internal import SearchBots
internal import Service

// What the moves of a game that is over were worth.

extension TableSockets {
  /// The most moves of a game that is looked at.
  private static let limitMoves = 512

  /// What each move of a game was worth, and which one lost it. A game that is on is not looked at: that would help
  /// one player against the other.
  /// - Parameter number: the game's, from 1; `nil` for the last one.
  func analyze(_ state: RoomState, _ number: Int?, _ client: TableClient) async throws(ServiceError)
    -> [JSONMember]
  {
    let game = try state.game(numbered: number)
    let number = game.number + 1
    guard let ending = game.ending else {
      throw .refused("game \(number) is on: what its moves are worth is said when it is over")
    }
    guard SearchBots.analyzedGames.contains(state.create.rules), let rules = games.rules(of: state.create)
    else {
      throw .refused("no search knows that game")
    }
    guard game.plies.count <= Self.limitMoves else {
      throw .refused("game \(number) is too long: it has \(game.length)")
    }
    let key = GameReviews.Key(room: state.room, number: number, end: ending.node)
    let review: Task<[JSONMember]?, Never>
    if let begun = reviews.review(key) {
      review = begun
    } else {
      guard !reviews.isFull, client.files.take(at: loop.now), allFiles.take(at: loop.now) else {
        throw .refused("many games were asked for; try again in a minute")
      }
      let isStopped = reviews.isStopped
      let seats = state.seats.count
      let positions = game.positions(from: rules.start(first: game.first), plies: game.plies.count) ?? []
      review = reviews.begin(key) {
        GameReview.members(of: game, positions, seats: seats, state.create.rules) {
          isStopped.withLock { $0 }
        }
      }
      _ = await review.value
      reviews.end(key)
    }
    guard let members = await review.value else { throw .refused("that game could not be looked at") }
    return state.room.members + members
  }
}

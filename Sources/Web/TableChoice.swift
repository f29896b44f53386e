internal import BotKit
internal import Events
internal import Peer
internal import Projection
internal import Rules
internal import Service

extension TableRequest.Choice {
  /// What is done with it in the game that is on.
  /// - Parameters:
  ///   - number: the game's, from 1, where the client says it.
  ///   - plies: how many plies it has, where the client says it.
  func act(
    in state: RoomState, _ number: UInt16?, _ plies: UInt16?, by author: PeerID
  ) throws(ServiceError) -> TableAct {
    if let words = state.refusal(of: .choose, by: author) { throw .refused(words) }
    guard let game = state.currentGame, let position = state.position else {
      throw .refused("no game is on there")
    }
    guard number == nil || number.map(Int.init) == game.number + 1,
      plies == nil || plies.map(Int.init) == game.plies.count
    else {
      throw .refused(
        "the game has gone on: it is game \(game.number + 1), after \(game.length)")
    }
    let code: MoveCode
    switch self {
    case .code(let value): code = MoveCode(value)
    case .text(let text):
      guard let read = position.code(text: text) else { throw .refused("that is no move of this game") }
      code = read
    }
    return .choose(
      BotChoice(code), game: UInt16(clamping: game.number), ply: UInt16(clamping: game.plies.count))
  }
}

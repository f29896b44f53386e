import Events
import Peer
import Projection
import Rules
import Service

/// A game with somebody over the network.
struct NetworkGame: TableGame {
  let service: any Service
  let room: RoomID

  var owner: PeerID { service.peer }
  var resuming: String { "join \(room.short)" }
  var isRemote: Bool { true }

  func state() async throws -> RoomState {
    guard let state = try await service.state(of: room) else { throw PeerError.unknownRoom(room) }
    return state
  }

  func wait() async throws -> TableWait {
    let state = try await state()
    if let seat = state.seatToChoose(of: owner) { return .person(seat) }
    return state.phase == .waiting || state.turn != nil ? .others : .over
  }

  func think(isCancelled: @escaping @Sendable () -> Bool) async throws -> Bool { true }

  func hint(for seat: Seat, isCancelled: @escaping @Sendable () -> Bool) throws -> Hint? {
    throw PeerError.notAllowed("hints are for games against bots, not against people")
  }

  func perform(_ act: TableAct) async throws {
    do { _ = try await service.perform(try await intent(act)) } catch let error as ServiceError {
      switch error {
      case .peer(let error): throw error
      case .refused(let words): throw PeerError.notAllowed(words)
      default: throw error
      }
    }
  }

  private func intent(_ act: TableAct) async throws -> Intent {
    switch act {
    case .choose(let code):
      let game = try await state().currentGame
      return .choose(
        room, game: UInt16(clamping: game?.number ?? 0), ply: UInt16(clamping: game?.plies.count ?? 0), code,
        nil)
    case .resign: return .resign(room)
    case .requestUndo: return .requestUndo(room)
    case .agreeToUndo: return .agreeToUndo(room)
    case .claim: return .claim(room)
    case .offerDraw: return .offerDraw(room)
    case .agreeToDraw: return .answerDraw(room, accepts: true)
    case .declineDraw: return .answerDraw(room, accepts: false)
    case .say(let text): return .say(room, text)
    case .leave: return .leave(room)
    }
  }

  func end() {}
}

import Events
import Network
import Peer
import Service
import Terminal

/// A game with somebody over the network.
struct NetworkGame: TableGame {
  private let service: any Service
  private let room: RoomID
  let resuming: String
  private var refusals: Refusals
  private var series = SeriesPlace()

  /// - Parameters:
  ///   - addresses: where others were said to be.
  ///   - resuming: what goes on with it, where that is not to join it.
  init(_ service: any Service, _ room: RoomID, at addresses: [Address], resuming: String? = nil) {
    self.service = service
    self.room = room
    self.resuming = resuming ?? "join \(room.short)"
    refusals = Refusals(addresses)
  }

  mutating func table() async throws -> TableView {
    guard let table = try await service.table(of: room) else { throw PeerError.unknownRoom(room) }
    guard let number = series.earlier(than: table), let state = try await service.state(of: room) else {
      return table
    }
    return table.atEnd(ofGame: number, state)
  }

  mutating func goOn() -> Bool { series.goOn() }

  func think(isCancelled: @escaping @Sendable () -> Bool) async throws -> Bool { true }

  func hint(isCancelled: @escaping @Sendable () -> Bool) throws -> String? {
    throw PeerError.notAllowed("hints are for games against bots, not against people")
  }

  func perform(_ act: TableAct) async throws {
    do throws(ServiceError) { _ = try await service.perform(.act(room, act)) } catch {
      switch error {
      case .refused(let words), .busy(let words), .peer(.full(let words)): throw PeerError.notAllowed(words)
      case .peer(let error): throw error
      default: throw error
      }
    }
  }

  mutating func tellHindrances(_ console: Console) async throws { try await refusals.tell(service, console) }

  func end() {}
}

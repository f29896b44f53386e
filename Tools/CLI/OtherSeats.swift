import Events
import Network
import Projection
import Rules
import Service
import Terminal

/// Whether those who sit on the other side are connected, and what changed about it.
struct OtherSeats {
  /// What changed about a connection.
  enum Change {
    case lost(Seat)
    case back(Seat)
  }

  private let service: any Service
  /// Who was connected when it was told last.
  private var here: Set<PeerID> = []
  private var gone: Set<PeerID> = []

  private var refusals: Refusals

  /// - Parameter addresses: where others were said to be.
  init(_ service: any Service, at addresses: [Address] = []) {
    self.service = service
    refusals = Refusals(addresses)
  }

  /// Tells why an address that was named is no use, where that was not told yet.
  mutating func tellRefusals(_ console: Console) async throws { try await refusals.tell(service, console) }

  private func connected() async throws -> Set<PeerID> {
    Set(try await service.neighbours().compactMap { $0.state == .connected ? $0.peer : nil })
  }

  private func others(in state: RoomState) -> [PeerID] {
    state.seats.compactMap { $0?.peer }.filter { $0 != service.peer }
  }

  /// Whether everybody else who has a seat is connected with this peer.
  func areHere(in state: RoomState) async throws -> Bool {
    let connected = try await connected()
    return others(in: state).allSatisfy(connected.contains)
  }

  /// What changed first of what was not told yet. Who was never connected here plays through others.
  mutating func change(in state: RoomState) async throws -> Change? {
    let connected = try await connected()
    for peer in others(in: state) {
      guard let seat = state.seat(of: peer) else { continue }
      if connected.contains(peer) {
        here.insert(peer)
        if gone.remove(peer) != nil { return .back(seat) }
      } else if here.remove(peer) != nil {
        gone.insert(peer)
        return .lost(seat)
      }
    }
    return nil
  }
}

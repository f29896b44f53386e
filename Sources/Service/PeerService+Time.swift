package import Events
internal import Network
package import Peer
internal import Projection
package import Rules

// Time limits: what follows when the time of a seat is up.

/// A ruling that this peer's referee has made.
package struct ToldRuling: Hashable, Sendable {
  package let room: RoomID
  /// The seat whose time was up.
  package let seat: Seat
  /// What limited its time.
  package let limit: SeatClocks.Limit

  package init(room: RoomID, seat: Seat, limit: SeatClocks.Limit) {
    self.room = room
    self.seat = seat
    self.limit = limit
  }
}

extension PeerService {
  /// The most rulings that wait to be told; of more, the oldest are forgotten.
  private static let limitRulings = 1_024

  /// Rules, or claims, where a seat's time is up.
  func keepTime(in room: RoomID) async throws(PeerError) {
    guard let state = await networkPeer.read({ $0.state(of: room) }),
      let act = timekeeper.look(at: state, at: elapsed())
    else { return }
    let written = try await networkPeer.update { core throws(PeerError) in
      try core.perform(act, in: room) ? [room] : []
    }
    guard !written.isEmpty, case .rule(_, let seat, let limit) = act else { return }
    if rulings.count == Self.limitRulings { rulings.removeFirst() }
    rulings.append(ToldRuling(room: room, seat: seat, limit: limit))
  }

  /// What this peer has ruled as a referee, each ruling once and when it is durable.
  package func takeRulings() async throws(ServiceError) -> [ToldRuling] {
    guard !rulings.isEmpty else { return [] }
    let told = rulings
    rulings = []
    do throws(PeerError) { try await networkPeer.flush() } catch {
      guard case .full = error else { throw .peer(error) }
    }
    // What was not stored is ruled again.
    return await networkPeer.shortage == nil ? told : []
  }

  /// Has rooms looked at when the time of a seat is up.
  func setAlarm() async {
    let dues = [timekeeper.nextDue, await networkPeer.read { $0.hosting.nextDue }]
    guard let due = dues.compactMap({ $0 }).min(), !isClosed else { return }
    alarm.set(to: due, at: elapsed(), on: loop) {
      self.assumeIsolated {
        $0.alarm.rang()
        $0.noteChange()
      }
    }
  }
}

internal import EventLog
package import Events
internal import Gossip
internal import Network
internal import Peer

// Commands on the data folder that play by themselves.

extension PeerService {
  /// Reserves a room for a command on the data folder until that ends. What this process has written there is durable
  /// when it returns.
  package func reserve(_ room: RoomID, for command: Int) async throws(ServiceError) {
    try await rooms.withOpen([room]) { () async throws(ServiceError) in
      try checkReservation(room, by: command)
      if let refusal = await networkPeer.read({ $0.writingRefusal(in: room) }) { throw .peer(refusal) }
      reservations[room] = command
    }
    do throws(PeerError) { try await networkPeer.flush() } catch { throw .peer(error) }
  }

  /// Takes events that a command on the data folder has made, in a room that is new or left to it.
  /// - Parameter isLast: whether to return when everything so far is durable.
  @discardableResult
  package func take(
    _ bytes: [UInt8], isLast: Bool, from command: Int
  ) async throws(ServiceError) -> RoomID {
    guard !isClosed else { throw .gone("it stops") }
    let message: RunsMessage
    do throws(FormatError) {
      guard case .runs(let runs) = try Message(decoding: bytes, hasher: EventHasher(network: networkID))
      else {
        throw .badField("message", at: 0)
      }
      message = runs
    } catch { throw .refused("these are no events: \(error)") }
    return try await rooms.withOpen([message.room]) { () async throws(ServiceError) in
      try await adopt(message, isLast: isLast, from: command)
    }
  }

  private func adopt(
    _ message: RunsMessage, isLast: Bool, from command: Int
  ) async throws(ServiceError) -> RoomID {
    let room = message.room
    try checkReservation(room, by: command)
    let isMade = reservations[room] == nil
    if isMade {
      guard await networkPeer.read({ $0.log(of: room) == nil }) else {
        throw .refused("the room \(room.short) is not this command's")
      }
      reservations[room] = command
    }
    do throws(PeerError) {
      if isLast {
        return try await networkPeer.write { core throws(PeerError) in
          try core.adopt(message, isMade: isMade, isLast: true)
          return room
        }
      }
      try await networkPeer.update { core throws(PeerError) in
        try core.adopt(message, isMade: isMade, isLast: false)
        return [room]
      }
      return room
    } catch { throw .peer(error) }
  }

  /// A command has ended: its rooms are this process's again.
  package func release(_ command: Int) async {
    for room in reservations.filter({ $0.value == command }).keys.sorted() {
      reservations[room] = nil
      await tend(room)
    }
    presence.attendance.leave(command)
  }

  func checkReservation(_ room: RoomID, by command: Int?) throws(ServiceError) {
    guard let holder = reservations[room], holder != command else { return }
    throw .busy(
      "another command on this data folder is at work in the room \(room.short); try again when that has ended"
    )
  }
}

package import Events
internal import Gossip

// Commands on the data folder that play by themselves.

extension PeerService {
  /// Reserves a room for a command on the data folder until that ends. What this process has written there is durable
  /// when it returns.
  package func reserve(_ room: RoomID, for command: Int) async throws(ServiceError) {
    try await writer.reserve(room, for: command)
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
    return try await writer.adopt(message, isLast: isLast, from: command)
  }

  /// A command has ended: its rooms are this process's again.
  package func release(_ command: Int) async {
    for room in writer.rooms(reservedFor: command) {
      writer.release(room)
      await duties.tend(room)
    }
    presence.attendance.leave(command)
  }
}

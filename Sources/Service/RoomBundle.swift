package import EventLog
package import Events
internal import Peer
internal import Tournaments

// Rooms as files that anybody can check.

extension EventLog {
  /// A room as `log export` writes it, a tournament as `tournament export` does: what is durable of it, checked again.
  ///
  /// It is read beside the loop, because its signatures may take a second.
  /// - Parameter limitBytes: the most that it may have; what has more is refused, and not held meanwhile.
  @concurrent package func bundle(
    of room: RoomID, isTournament: Bool, limitBytes: Int
  ) async throws(ServiceError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(BundleError) {
      if isTournament {
        try checkBytes(of: room, limitBytes)
        let writer = try TournamentFileWriter(room, in: self)
        bytes = writer.heading
        for number in writer.rooms.indices {
          try checkBytes(of: writer.rooms[number], limitBytes - bytes.count)
          bytes += try writer.part(number).bytes
        }
      } else {
        try checkBytes(of: room, limitBytes)
        let log: RoomLog
        do throws(LogError) { log = try load(room, verify: true) } catch {
          throw BundleError.log(error)
        }
        try BundleWriter(log, network: network).write { (piece) throws(BundleError) in bytes += piece }
      }
    } catch .limit {
      throw .refused("that room has more than \(limitBytes >> 20) MiB: `parlor log export` writes it")
    } catch { throw .peer(.log(error.description)) }
    return bytes
  }

  /// Refuses a room whose events have more bytes than a limit, before they are held.
  private func checkBytes(of room: RoomID, _ limit: Int) throws(BundleError) {
    var bytes = 0
    do throws(LogError) {
      try read(room, verify: false) { (view, _) throws(LogError) in
        bytes += view.bodyBytes
        return bytes > limit ? .stop : .goOn
      }
    } catch { throw .log(error) }
    guard bytes <= limit else { throw .limit("\(limit) bytes") }
  }
}

package import Events

/// Writes a tournament and the rooms of its games as one file, a room in memory at a time.
package struct TournamentFileWriter {
  /// The rooms, the tournament's first.
  package let rooms: [RoomID]
  /// The results whose rooms are not here and so not in the file.
  package let missing: [Action.PairingResult]

  private let log: any EventLog
  private let tournament: RoomLog

  /// A writer of a tournament of a log.
  /// - Throws: `.log` where the log has no such tournament, or does not hold; `.limit` above the form's limits.
  package init(_ tournament: RoomID, in log: any EventLog) throws(BundleError) {
    do throws(LogError) {
      self.tournament = try log.load(tournament, verify: true)
      let games = try TournamentRooms(of: self.tournament, in: log)
      rooms = [tournament] + games.held
      missing = games.missing
    } catch { throw .log(error) }
    self.log = log
    guard rooms.count <= TournamentFile.limitRooms else { throw .limit("\(rooms.count) rooms") }
  }

  /// What stands before the rooms.
  package var heading: [UInt8] {
    var bytes = TournamentFile.magic
    bytes.append(log.network)
    bytes.append(bigEndian: UInt32(clamping: rooms.count))
    for room in rooms { bytes.append(room) }
    return bytes
  }

  /// What stands in the file of one of the rooms, and how many events that are.
  package func part(_ number: Int) throws(BundleError) -> (bytes: [UInt8], events: Int) {
    var room = tournament
    if number > 0 {
      do throws(LogError) { room = try log.load(rooms[number], verify: true) } catch { throw .log(error) }
    }
    var bundle: [UInt8] = []
    try BundleWriter(room, network: log.network).write { bundle += $0 }
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt64(bundle.count))
    return (bytes + bundle, room.graph.count)
  }
}

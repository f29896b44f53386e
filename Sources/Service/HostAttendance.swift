import Events
import Network

/// Who sits at the tables that this peer has opened: its process, the owner's sockets together, and commands on the
/// data folder, by number.
///
/// Nobody else is given a seat where no one sees it: a host may have been killed and left its game behind.
struct HostAttendance {
  /// The number of the process itself; commands are counted from 1.
  static let process = 0
  /// That of the owner's sockets.
  static let sockets = -1

  private var commands: [RoomID: Set<Int>] = [:]

  /// Notes that somebody sits down at a table.
  /// - Returns: whether nobody sat there before.
  mutating func sit(at room: RoomID, _ command: Int) -> Bool {
    defer { commands[room, default: []].insert(command) }
    return !isAttended(room)
  }

  /// Notes that somebody sits at these tables and at no others.
  /// - Returns: those where nobody sat before, ascending.
  mutating func sit(atAll rooms: Set<RoomID>, _ command: Int) -> [RoomID] {
    let before = Set(commands.keys)
    leave(command)
    // tidy: order does not matter because each room is changed alone
    for room in rooms { commands[room, default: []].insert(command) }
    return rooms.subtracting(before).sorted()
  }

  /// Notes that a command has ended.
  mutating func leave(_ command: Int) {
    // tidy: order does not matter because each room is changed alone
    for room in commands.keys {
      commands[room]?.remove(command)
      if commands[room]?.isEmpty == true { commands[room] = nil }
    }
  }

  /// Whether anybody sits there.
  func isAttended(_ room: RoomID) -> Bool { commands[room] != nil }
}

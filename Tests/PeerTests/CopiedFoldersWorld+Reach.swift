import EventLog
import Events
import Peer
import Projection

// What could have been known: who contradicts what nobody could show is not to blame on any rule.
extension CopiedFoldersWorld {
  /// A user in a room.
  struct Contradiction: Hashable {
    let user: Int
    let room: RoomID
  }

  /// Notes whether somebody of the same user has written this event before, and nobody who can be reached holds it.
  mutating func noteContradiction(
    _ process: Process, _ room: RoomID, _ sequence: UInt64, reachable: Set<Int>
  ) {
    let me = keys[process.user].peer
    func holds(_ folder: Int) -> Bool {
      (folders[folder].events[room] ?? []).contains { $0.event.author == me && $0.event.sequence >= sequence }
    }
    guard folders.indices.contains(where: holds) else { return }
    let isReachable = reachable.contains {
      processes[$0].map { $0.user != process.user && holds($0.folder) } ?? false
    }
    if isReachable {
      violations.append("user \(process.user) contradicts what can be reached")
    } else {
      undecidable.insert(Contradiction(user: process.user, room: room))
    }
  }

  /// The connection of two processes.
  func wire(_ a: Int, _ b: Int) -> UInt32? {
    wires.first { $0.value.ends.contains(a) && $0.value.ends.contains(b) }?.key
  }

  /// What a process has stored of another user's feeds.
  func held(by number: Int, of user: Int) -> [RoomID: UInt64] {
    guard let process = processes[number] else { return [:] }
    let peer = keys[user].peer
    return folders[process.folder].events.mapValues { entries in
      entries.filter { $0.event.author == peer }.map(\.event.sequence).max() ?? 0
    }
  }

  /// A store in doubt writes into a room that has left it when it made the room since, or has met all other seats, or
  /// anybody where there are none yet; from then on the room is free.
  /// - Parameter process: as it was before the write.
  mutating func checkDoubt(_ process: Process, _ room: RoomID) {
    var core = process.core
    guard core.ownHeads.certainty == .doubtful, folders[process.folder].offered.contains(room),
      folders[process.folder].made.insert(room).inserted, let state = core.state(of: room)
    else { return }
    let seats = state.seats.compactMap { $0?.peer } + [state.creator]
    let others = (0..<Self.users).filter { $0 != process.user && seats.contains(keys[$0].peer) }
    let met = folders[process.folder].met
    if others.isEmpty ? met.isEmpty : !met.isSuperset(of: others) {
      violations.append("user \(process.user) writes in doubt into \(room.short) and has not met all others")
    }
  }

  /// Whether the folder of a process is still where it was.
  func isInPlace(_ process: Process) -> Bool { places[process.user][process.place] == process.folder }

  /// The processes that one can reach, directly or through others that store what they take.
  func reachable(from number: Int) -> Set<Int> {
    var found: Set<Int> = [number]
    var next = [number]
    while let at = next.popLast() {
      guard let process = processes[at], isInPlace(process) else { continue }
      for end in wires.values.filter({ $0.ends.contains(at) }).flatMap(\.ends)
      where found.insert(end).inserted { next.append(end) }
    }
    return found
  }
}

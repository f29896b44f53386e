import EventLog
import Events
import Peer

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

  /// What a process has stored of another user's feeds.
  func held(by number: Int, of user: Int) -> [RoomID: UInt64] {
    guard let process = processes[number] else { return [:] }
    let peer = keys[user].peer
    return folders[process.folder].events.mapValues { entries in
      entries.filter { $0.event.author == peer }.map(\.event.sequence).max() ?? 0
    }
  }

  /// A store in doubt writes into a room that others may have when it made the room since, or has met all other seats.
  mutating func checkDoubt(_ process: Process, _ room: RoomID, _ seats: Set<PeerID>) {
    let folder = folders[process.folder]
    guard process.core.ownHeads.certainty == .doubtful, offered.contains(room), !folder.made.contains(room)
    else {
      return
    }
    let others = (0..<Self.users).filter { $0 != process.user && seats.contains(keys[$0].peer) }
    if others.isEmpty ? folder.met.isEmpty : !folder.met.isSuperset(of: others) {
      violations.append("user \(process.user) writes in doubt into \(room.short) and has not met all others")
    }
  }

  /// The processes that one can reach, directly or through others.
  func reachable(from number: Int) -> Set<Int> {
    var found: Set<Int> = [number]
    var next = [number]
    while let process = next.popLast() {
      for end in wires.values.filter({ $0.ends.contains(process) }).flatMap(\.ends)
      where found.insert(end).inserted { next.append(end) }
    }
    return found
  }
}

import EventLog
import Events

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

import EventLog
import Events

// What strangers may write into one room: keys are free, so that no limit for each of them is one for all.

extension RoomLog {
  /// Whether there is a place for a run: strangers have so many bytes together, members and those who are invited go by
  /// other rules. What something waits for has its place: the request that the creator has granted is a stranger's.
  @_effects(readonly)
  func hasPlace(for run: Run, strangersBytes limit: Int) -> Bool {
    let bytes = run.bytes + run.events.count * RoomLog.strangersEventBytes
    guard strangersBytes + bytes > limit, let author = run.events.first?.author else { return true }
    // Before the `create` is here nobody knows who is a stranger, and what comes waits in places of its own.
    guard contains(room), membership.isStranger(author) else { return true }
    return waitingRoom.needs(run)
  }
}

extension Room {
  /// Whether a feed is of a member or of somebody who is invited.
  mutating func isWelcome(_ key: UInt64) -> Bool {
    if welcome?.count != log.membership.welcomes {
      let keys = log.membership.welcome.map { Feed.key(room: id, author: $0) }
      welcome = (log.membership.welcomes, Set(keys))
    }
    return welcome?.keys.contains(key) ?? false
  }
}

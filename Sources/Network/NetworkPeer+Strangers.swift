internal import EventLog
internal import Events
internal import Gossip
internal import Peer

// What is kept for strangers, and how that stays bounded.

extension NetworkPeer {
  /// Says of a change in a room of strangers who brought it, and when.
  func noteUse(_ change: inout RoomChange) {
    let room = change.room
    let known = strangers.source(of: room)
    // To derive the keys of bots that sit there takes longer than all else: what was found once is true until a key of
    // this machine writes.
    let isOfStrangers = !core.isOwn(change) && (known != nil || core.isOfStrangers(room))
    guard isOfStrangers, !core.gossip.isAskedFor(room) else { return strangers.remove(room) }
    guard let source = known ?? source(of: room) else { return }
    change.use = RoomUse(milliseconds: core.wallTime, source: source)
  }

  /// The host that a room comes from; `nil` where it is no neighbour's.
  private func source(of room: RoomID) -> String? {
    guard let neighbour = core.gossip.source(of: room) else { return nil }
    return connections[neighbour].map { $0.link.remote.source } ?? ""
  }

  /// Counts what was made durable, and lets go of what is too much.
  func noteStored(_ changes: [RoomChange]) {
    for change in changes {
      guard let use = change.use else { continue }
      let bytes = change.entries.reduce(0) { $0 + $1.event.bodyBytes }
      strangers.note(change.room, cost: StrangersRooms.cost(events: change.entries.count, bytes: bytes), use)
    }
    closeUnneeded()
    forgetExcess()
  }

  /// Counts a room that is stored.
  func noteStored(_ stored: StoredRoom) {
    guard let use = stored.use, !core.isOwn(stored) else { return }
    strangers.note(stored.room, cost: StrangersRooms.cost(events: stored.events, bytes: stored.bytes), use)
  }

  /// Rooms of strangers stay in memory as long as there is room.
  func closeUnneeded() {
    // Also where more of it was asked for: somebody who announces and does not give would keep it open.
    for room in strangers.unneeded(of: core.openRooms) where mayClose(room) { core.close(room) }
  }

  /// Nothing of these rooms is sent or awaited any more.
  func noteUnneeded(_ rooms: [RoomID]) {
    guard !rooms.isEmpty else { return }
    for room in rooms { touched.add(room) }
    strangers.noteUnneeded(rooms)
    closeUnneeded()
  }

  /// Lets go of what is too much, while the store takes anything.
  func forgetExcess() {
    guard failure == nil, !isStopped, space.refusal == nil else { return }
    while let excess = strangers.beginForgetting(sparing: core.gossip.roomsOfOwnTournaments) {
      Task {
        do throws(PeerError) {
          try await forget(excess.rooms, .strangers)
          strangers.endForgetting(excess, areGone: true)
        } catch {
          // A store that takes nothing more says so to whoever writes; what has no space now is tried again.
          strangers.endForgetting(excess, areGone: false)
        }
        forgetExcess()
      }
    }
  }
}

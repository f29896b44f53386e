import BotKit
import Events
import Gossip

/// Rooms leave memory and come back; peers want some rooms and not others.
extension World {
  /// How long reading a room takes, in milliseconds.
  private static let readingMilliseconds: ClosedRange<UInt64> = 1...40

  // MARK: - Memory

  /// Somebody's rooms leave memory, as far as nothing of them is under way.
  mutating func closeRooms(_ random: inout RandomStream) {
    guard let peer = random.pick(plan.honest), peers[peer].isUp else { return }
    for stored in peers[peer].disk.rooms where random.oneIn(2) {
      guard peers[peer].isOpen(stored.room), peers[peer].mayClose(stored.room),
        !invitesMore(stored.room, peer)
      else { continue }
      tell("peer \(peer) closes room \(stored.room.short)")
      peers[peer].close(stored.room)
    }
  }

  /// Whether a creator has somebody to invite yet, for which it looks at the room now and then.
  private func invitesMore(_ room: RoomID, _ peer: Int) -> Bool {
    guard let number = number(of: room), rooms[number].plan.creator == peer else { return false }
    return rooms[number].plan.guests.contains { !privacy.mayHave(room, peers[$0.peer].id, isNearby: true) }
  }

  /// Somebody wants of a room that has left memory: it is read, which takes time.
  mutating func load(_ room: RoomID, of peer: Int) {
    guard options.planted != .leavesRoomsClosed else { return }
    schedule.add(
      .loaded(peer: peer, life: peers[peer].life, room: room),
      at: time + luck.reading.time(Self.readingMilliseconds))
  }

  mutating func loaded(_ room: RoomID, of peer: Int) {
    guard !peers[peer].isOpen(room) else { return }
    tell("peer \(peer) has read room \(room.short)")
    peers[peer].showTime(time)
    peers[peer].open(room, at: time)
    settle(peer)
  }

  /// The peer itself needs a room.
  mutating func wake(_ number: Int, of peer: Int) {
    guard hasTable(peer, number), let room = peers[peer].tables[number]?.room, !peers[peer].isOpen(room)
    else {
      return
    }
    tell("peer \(peer) opens room \(room.short)")
    peers[peer].open(room, at: time)
  }

  /// Whether somebody opens a room to look at it though nothing has happened.
  mutating func isWorthOpening(_ number: Int, of peer: Int) -> Bool {
    guard let room = peers[peer].tables[number]?.room, !peers[peer].isOpen(room) else { return true }
    guard luck.reading.oneIn(8) else { return false }
    wake(number, of: peer)
    return true
  }

  // MARK: - Subscriptions

  /// Somebody limits itself to some of its rooms, or wants everything again.
  mutating func changeSubscription(_ random: inout RandomStream) {
    guard let peer = random.pick(plan.honest) else { return }
    let known = peers[peer].tables.compactMap { $0?.room }
    let chosen = random.mixed(known).prefix(random.draw(1...4))
    // Who goes back to an old copy keeps those who know better.
    guard peers[peer].isUp, !known.isEmpty, restoring == nil else { return }
    let wanted = random.oneIn(3) ? nil : Set(chosen)
    tell("peer \(peer) wants " + (wanted.map { "\($0.count) rooms" } ?? "everything"))
    peers[peer].subscribe(to: wanted, at: time)
    settle(peer)
  }

  /// A peer that limits itself has one room more that it wants.
  mutating func want(_ room: RoomID, of peer: Int) {
    guard let wanted = peers[peer].subscription, !wanted.contains(room)
    else { return }
    peers[peer].subscribe(
      to: wanted.union([room]), isTold: options.planted != .forgetsSubscriptions, at: time)
  }
}

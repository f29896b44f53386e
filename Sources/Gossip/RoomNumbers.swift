import Events

/// Which number each room has, by id: some four bytes a slot instead of the id with its number.
///
/// Who searches compares the ids in the list of rooms. The hash is secret to the process, lest somebody grind ids
/// that fall into one place; nobody reads the order of slots.
struct RoomNumbers: Sendable {
  /// Empty slots are 0; others hold a number plus one.
  private var slots: [UInt32] = []
  private var count = 0

  /// Makes room for what comes.
  mutating func reserve(_ capacity: Int, _ rooms: [RoomID]) {
    let slotCount = max(16, capacity + capacity / 3 + 4)
    if slotCount > slots.count { grow(to: slotCount, rooms) }
  }

  /// The number of a room in `rooms`.
  func number(of room: RoomID, _ rooms: [RoomID]) -> Int? {
    guard count > 0 else { return nil }
    let slot = slots[slot(of: room, rooms)]
    return slot == 0 ? nil : Int(slot) - 1
  }

  /// Adds the last one of `rooms`, whose id is new.
  mutating func addLast(_ rooms: [RoomID]) {
    if count >= slots.count / 4 * 3 { grow(to: max(16, slots.count / 2 * 3), rooms) }
    slots[slot(of: rooms[rooms.count - 1], rooms)] = UInt32(rooms.count)
    count += 1
  }

  /// Where the room's number lies, or would lie.
  private func slot(of room: RoomID, _ rooms: [RoomID]) -> Int {
    var at = start(of: room)
    while slots[at] != 0, rooms[Int(slots[at]) - 1] != room { at = at + 1 < slots.count ? at + 1 : 0 }
    return at
  }

  /// The slot where a room is looked for first: its hash as a fraction of the slots.
  private func start(of room: RoomID) -> Int {
    let hash = UInt64(truncatingIfNeeded: room._rawHashValue(seed: 0))
    return Int(hash.multipliedFullWidth(by: UInt64(slots.count)).high)
  }

  private mutating func grow(to slotCount: Int, _ rooms: [RoomID]) {
    let old = slots
    slots = [UInt32](repeating: 0, count: slotCount)
    for number in old where number != 0 { slots[slot(of: rooms[Int(number) - 1], rooms)] = number }
  }
}

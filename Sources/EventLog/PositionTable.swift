import Events

/// Where a room's events lie in their list, by id: eight bytes a slot instead of the id with its position.
///
/// A slot holds half of an id's hash, and the position; who searches compares the ids in the list. The hash is
/// secret to the process, lest somebody grind ids that fall into one place; nobody reads the order of slots.
struct PositionTable: Sendable {
  /// Empty slots are 0; others hold 32 bits of hash above the position plus one.
  private var slots: [UInt64] = []
  private var count = 0

  /// A table with room for `capacity` positions.
  init(capacity: Int = 0) {
    if capacity > 0 { grow(to: Self.slotCount(for: capacity)) }
  }

  /// A power of two of which three quarters are enough.
  private static func slotCount(for capacity: Int) -> Int {
    var slots = 16
    while slots / 4 * 3 < capacity { slots *= 2 }
    return slots
  }

  /// Notes that the event of this id lies at a position, and at no earlier one in `entries`.
  mutating func set(_ id: EventID, at position: Int, in entries: [RoomLog.Entry]) {
    if count >= slots.count / 4 * 3 { grow(to: max(16, slots.count * 2)) }
    let hash = UInt64(truncatingIfNeeded: id._rawHashValue(seed: 0)) >> 32
    var at = Int(hash) & (slots.count - 1)
    while slots[at] != 0, slots[at] >> 32 != hash || entries[Self.position(slots[at])].event.id != id {
      at = (at + 1) & (slots.count - 1)
    }
    if slots[at] == 0 { count += 1 }
    slots[at] = hash << 32 | UInt64(position + 1)
  }

  /// The position of an event in `entries`.
  func position(of id: EventID, in entries: [RoomLog.Entry]) -> Int? {
    guard count > 0 else { return nil }
    let hash = UInt64(truncatingIfNeeded: id._rawHashValue(seed: 0)) >> 32
    var at = Int(hash) & (slots.count - 1)
    while slots[at] != 0 {
      let position = Self.position(slots[at])
      if slots[at] >> 32 == hash, entries[position].event.id == id {
        return position
      }
      at = (at + 1) & (slots.count - 1)
    }
    return nil
  }

  private static func position(_ slot: UInt64) -> Int { Int(slot & 0xFFFF_FFFF) - 1 }

  private mutating func grow(to slotCount: Int) {
    let old = slots
    slots = [UInt64](repeating: 0, count: slotCount)
    for slot in old where slot != 0 {
      var at = Int(slot >> 32) & (slotCount - 1)
      while slots[at] != 0 { at = (at + 1) & (slotCount - 1) }
      slots[at] = slot
    }
  }
}

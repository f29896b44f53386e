/// Where a room's events lie in their list, by id: eight bytes a slot instead of the id with its position.
///
/// A slot holds half of an id's hash, and the position; who searches compares the ids in the list. The hash is
/// secret to the process, lest somebody grind ids that fall into one place; nobody reads the order of slots.
package struct PositionTable: Sendable {
  /// Empty slots are 0; others hold 32 bits of hash above the position plus one.
  private var slots: [UInt64] = []
  private var count = 0

  /// A table with room for `capacity` positions.
  package init(capacity: Int = 0) {
    if capacity > 0 { grow(to: Self.slotCount(for: capacity)) }
  }

  /// A power of two of which three quarters are enough.
  private static func slotCount(for capacity: Int) -> Int {
    var slots = 16
    while slots / 4 * 3 < capacity { slots *= 2 }
    return slots
  }

  /// Notes that the event of this id lies at a position, and at no earlier one.
  /// - Parameter isAt: whether the event at a position has this id.
  package mutating func set(_ id: EventID, at position: Int, isAt: (Int) -> Bool) {
    let (hash, at) = place(for: id, isAt)
    if slots[at] == 0 { count += 1 }
    slots[at] = hash << 32 | UInt64(position + 1)
  }

  /// The position of an event.
  package func position(of id: EventID, isAt: (Int) -> Bool) -> Int? {
    guard count > 0 else { return nil }
    let slot = slots[self.slot(of: id, Self.hash(id), isAt)]
    return slot == 0 ? nil : Self.position(slot)
  }

  private static func hash(_ id: EventID) -> UInt64 {
    UInt64(truncatingIfNeeded: id._rawHashValue(seed: 0)) >> 32
  }

  /// The slot of an id, empty when it is not here, in a table that has room for it.
  private mutating func place(for id: EventID, _ isAt: (Int) -> Bool) -> (hash: UInt64, at: Int) {
    if count >= slots.count / 4 * 3 { grow(to: max(16, slots.count * 2)) }
    let hash = Self.hash(id)
    return (hash, slot(of: id, hash, isAt))
  }

  private func slot(of id: EventID, _ hash: UInt64, _ isAt: (Int) -> Bool) -> Int {
    var at = Int(hash) & (slots.count - 1)
    while slots[at] != 0, slots[at] >> 32 != hash || !isAt(Self.position(slots[at])) {
      at = (at + 1) & (slots.count - 1)
    }
    return at
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

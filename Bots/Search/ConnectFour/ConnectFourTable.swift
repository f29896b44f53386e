/// The solver's transposition table: proven bounds of positions, in eight bytes each.
///
/// ```
/// bit 63        48 47    42 41    36 35           0
///     generation   upper     lower     rest of key
/// ```
///
/// A key of 49 bits is multiplied by an odd constant modulo 2^49, which maps no two keys to one; the
/// product's highest bits choose the entry and the entry keeps the others, so a found entry is never another
/// position's. Entries of another generation count as empty: what earlier searches left behind changes
/// nothing.
///
/// A search begins in a part small enough for the processor's cache and moves to a larger one as it goes on,
/// taking its entries along. It moves late: reading an entry that is not in the cache takes longer than
/// visiting a position, so the positions that a full table makes it visit again cost less than a large table
/// (measured: one position in ten more, in a quarter less time).
@safe struct ConnectFourTable {
  /// What is known of a position.
  struct Bounds {
    var lower: Int32
    var upper: Int32
  }

  /// An entry as it was read, which may be another position's.
  ///
  /// Reading takes the processor a hundred times as long as an addition when the entry is not in its cache, but
  /// it only waits once the entry is looked at, so several are read before the first is looked at.
  struct Glance {
    fileprivate var entry: UInt64
    fileprivate var tag: UInt64

    /// A glance at nothing.
    static let none = Glance(entry: 0, tag: 1)

    /// What is known of the position whose place was read.
    @inline(__always) var bounds: Bounds? {
      guard (entry ^ tag) & ~ConnectFourTable.boundMask == 0 else { return nil }
      return Bounds(
        lower: Int32(truncatingIfNeeded: entry &>> 36 & 0x3F) &- 32,
        upper: Int32(truncatingIfNeeded: entry &>> 42 & 0x3F) &- 32)
    }
  }

  /// Where a position's entry is and what it starts with.
  struct Place {
    fileprivate var index: Int
    fileprivate var tag: UInt64
  }

  /// Sizes that a table may have, as powers of two.
  static let sizes = 15...28
  private static let firstBits = 15
  private static let growthBits = 3
  fileprivate static var boundMask: UInt64 { 0xFFF << 36 }
  private static let lastGeneration: UInt64 = 1 << 16 - 1
  private static var multiplier: UInt64 { 0x1_9E37_79B9_7F4B }

  private let entries: UnsafeMutablePointer<UInt64>
  private let capacity: Int
  private let lastBits: Int
  private var generation: UInt64 = 0
  /// The part in use: its size as a power of two, its first entry, and how the product is cut for it.
  private var bits = firstBits
  private var start = 0
  private var shift = UInt64(49 - firstBits)

  /// An empty table whose largest part has 2^bits entries. Whoever makes it calls `free` when it is done.
  init(bits: Int) {
    precondition(Self.sizes.contains(bits), "a table of 2^\(bits) entries")
    lastBits = bits
    var part = Self.firstBits
    var capacity = 1 << part
    while part < bits {
      part = min(part + Self.growthBits, bits)
      capacity += 1 << part
    }
    self.capacity = capacity
    // SAFETY: the memory is initialized here and given back by `free` alone. A part of 2^b entries starts
    // where the one before ends, and an index into it comes from the highest b bits of a 49-bit product.
    unsafe entries = .allocate(capacity: capacity)
    unsafe entries.initialize(repeating: 0, count: capacity)
  }

  /// Gives the memory back; the table must not be used afterwards.
  func free() {
    // SAFETY: allocated in `init`; the entries are trivial.
    unsafe entries.deallocate()
  }

  /// Entries of the part in use.
  private var count: Int { 1 << bits }
  /// How many positions a search may visit before it needs a larger part: eight for each entry.
  var enoughNodes: UInt64 { 8 << UInt64(bits) }
  /// Whether a larger part is left.
  var canGrow: Bool { bits < lastBits }

  /// Forgets everything and goes back to the smallest part.
  mutating func clear() {
    bits = Self.firstBits
    start = 0
    shift = UInt64(49 - bits)
    generation += 1
    if generation > Self.lastGeneration {
      // SAFETY: within the allocation of `init`.
      unsafe entries.update(repeating: 0, count: capacity)
      generation = 1
    }
  }

  /// Moves to the next larger part.
  mutating func grow() {
    precondition(canGrow, "the table is at its largest")
    let old = self
    start += count
    bits = min(bits + Self.growthBits, lastBits)
    shift = UInt64(49 - bits)
    for index in 0..<old.count {
      // SAFETY: an index into the part that was in use; the target is a place of this part.
      let entry = unsafe entries[old.start + index]
      guard entry >> 48 == generation else { continue }
      let product = UInt64(index) << old.shift | entry & (1 << old.shift - 1)
      let place = place(product: product)
      unsafe entries[place.index] = place.tag | entry & Self.boundMask
    }
  }

  /// Finds the place of a position.
  /// - Parameter key: 49 bits, different for different positions.
  @inline(__always) func place(_ key: UInt64) -> Place {
    place(product: (key &* Self.multiplier) & (1 << 49 - 1))
  }

  @inline(__always) private func place(product: UInt64) -> Place {
    Place(
      index: start &+ Int(truncatingIfNeeded: product &>> shift),
      tag: product & (1 &<< shift &- 1) | generation &<< 48)
  }

  /// Reads the entry of a place.
  @inline(__always) func glance(at place: Place) -> Glance {
    // SAFETY: see `init`.
    Glance(entry: unsafe entries[place.index], tag: place.tag)
  }

  /// Remembers bounds, in place of whatever the entry held.
  @inline(__always) func store(_ bounds: Bounds, at place: Place) {
    let lower = UInt64(truncatingIfNeeded: bounds.lower &+ 32) &<< 36
    let upper = UInt64(truncatingIfNeeded: bounds.upper &+ 32) &<< 42
    // SAFETY: see `init`.
    unsafe entries[place.index] = place.tag | lower | upper
  }
}

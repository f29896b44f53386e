/// The solver's transposition table: proven bounds of positions, in eight bytes each.
///
/// ```
/// bit 63        41 40    35 34    29 28           0
///     generation   upper     lower     rest of key
/// ```
///
/// A key of 49 bits is multiplied by an odd constant modulo 2^49, which maps no two keys to one; the product's
/// highest bits choose the entry and the entry keeps the others, so a found entry is never another position's.
/// Entries of another generation count as empty: what earlier searches left behind changes nothing.
@safe struct ConnectFourTable {
  /// What is known of a position.
  struct Bounds {
    var lower: Int32
    var upper: Int32
  }

  /// Where a position's entry is and what it starts with.
  struct Place {
    fileprivate var index: Int
    fileprivate var tag: UInt64
  }

  private static let restBits: UInt64 = 29
  private static let boundMask: UInt64 = 0xFFF << restBits
  private static let lastGeneration: UInt64 = 1 << 23 - 1
  private static let multiplier: UInt64 = 0x1_9E37_79B9_7F4B

  private let entries: UnsafeMutablePointer<UInt64>
  private let count: Int
  private let shift: UInt64
  private let restMask: UInt64
  private var generation: UInt64 = 0

  /// An empty table of 2^bits entries. Whoever makes it calls `free` when it is no longer used.
  /// - Parameter bits: 20 to 28.
  init(bits: Int) {
    precondition((20...28).contains(bits), "a table of 2^\(bits) entries")
    count = 1 << bits
    shift = UInt64(49 - bits)
    restMask = (1 << shift) - 1
    // SAFETY: every index comes from the highest `bits` bits of a 49-bit product, so it is below `count`; the
    // memory is initialized here and given back by `free` alone.
    unsafe entries = .allocate(capacity: count)
    unsafe entries.initialize(repeating: 0, count: count)
  }

  /// Gives the memory back; the table must not be used afterwards.
  func free() {
    // SAFETY: allocated in `init`; the entries are trivial.
    unsafe entries.deallocate()
  }

  /// Forgets everything.
  mutating func clear() {
    generation += 1
    if generation > Self.lastGeneration {
      // SAFETY: within the allocation of `init`.
      unsafe entries.update(repeating: 0, count: count)
      generation = 1
    }
  }

  /// Finds the place of a position.
  /// - Parameter key: 49 bits, different for different positions.
  @inline(__always) func place(_ key: UInt64) -> Place {
    let product = (key &* Self.multiplier) & (1 << 49 - 1)
    return Place(
      index: Int(truncatingIfNeeded: product &>> shift), tag: product & restMask | generation &<< 41)
  }

  /// What is known of the position at its place.
  @inline(__always) func bounds(at place: Place) -> Bounds? {
    // SAFETY: see `init`.
    let entry = unsafe entries[place.index]
    guard (entry ^ place.tag) & ~Self.boundMask == 0 else { return nil }
    return Bounds(
      lower: Int32(truncatingIfNeeded: entry &>> Self.restBits & 0x3F) &- 32,
      upper: Int32(truncatingIfNeeded: entry &>> 35 & 0x3F) &- 32)
  }

  /// Remembers bounds, in place of whatever the entry held.
  @inline(__always) func store(_ bounds: Bounds, at place: Place) {
    let lower = UInt64(truncatingIfNeeded: bounds.lower &+ 32) &<< Self.restBits
    let upper = UInt64(truncatingIfNeeded: bounds.upper &+ 32) &<< 35
    // SAFETY: see `init`.
    unsafe entries[place.index] = place.tag | lower | upper
  }
}

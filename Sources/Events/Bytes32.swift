/// Thirty-two bytes in four words: ids, keys and digests. Compared as bytes.
public struct Bytes32: Hashable, Comparable, BitwiseCopyable, Sendable {
  // As they lie in memory: most values are only compared for equality, stored and written again.
  let words: (UInt64, UInt64, UInt64, UInt64)

  /// Thirty-two zero bytes.
  public static let zero = Bytes32(words: (0, 0, 0, 0))

  private init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

  /// The bytes of a collection; `nil` unless there are exactly 32.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    var words: [4 of UInt64] = .init(repeating: 0)
    for (index, byte) in bytes.enumerated() {
      words[index >> 3] = words[index >> 3] << 8 | UInt64(byte)
    }
    self.init(
      words: (words[0].bigEndian, words[1].bigEndian, words[2].bigEndian, words[3].bigEndian))
  }

  /// Thirty-two bytes of an array, from `offset`. Traps when there are fewer.
  package init(_ bytes: [UInt8], at offset: Int) {
    self.init(bytes.rawSpan, at: offset)
  }

  /// Thirty-two bytes of a span, from `offset`. Traps when there are fewer.
  @inline(__always)
  package init(_ bytes: RawSpan, at offset: Int) {
    precondition(offset >= 0 && bytes.byteCount - offset >= 32, "32 bytes are needed at offset \(offset)")
    // SAFETY: the precondition above keeps all four loads inside the span, and integers may hold any bits.
    unsafe words = (
      bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self),
      bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 8, as: UInt64.self),
      bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 16, as: UInt64.self),
      bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 24, as: UInt64.self)
    )
  }

  /// The 32 bytes of a buffer. Traps when there are fewer.
  @unsafe package init(_ raw: UnsafeRawBufferPointer) { unsafe self.init(raw.bytes, at: 0) }

  /// Reads 64 hexadecimal digits; `nil` for anything else.
  public init?(hex: String) {
    guard let bytes = [UInt8](hex: hex) else { return nil }
    self.init(bytes)
  }

  /// The bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    append(to: &bytes)
    return bytes
  }

  /// Appends the bytes.
  package func append(to bytes: inout [UInt8]) {
    // SAFETY: four words side by side have 32 bytes, all of them initialized, read while they live.
    unsafe withUnsafeBytes(of: words) { unsafe bytes.append(contentsOf: $0) }
  }

  /// The first eight bytes as a number.
  package var prefix64: UInt64 { UInt64(bigEndian: words.0) }

  /// The first sixteen bytes as two numbers.
  package var prefix128: (high: UInt64, low: UInt64) {
    (UInt64(bigEndian: words.0), UInt64(bigEndian: words.1))
  }

  /// 64 lower-case hexadecimal digits.
  public var hex: String { bytes.hex }

  /// Orders as bytes.
  public static func < (a: Bytes32, b: Bytes32) -> Bool { a.ordered < b.ordered }

  /// Numbers that order as the bytes do.
  private var ordered: (UInt64, UInt64, UInt64, UInt64) {
    (
      UInt64(bigEndian: words.0), UInt64(bigEndian: words.1), UInt64(bigEndian: words.2),
      UInt64(bigEndian: words.3)
    )
  }

  /// Equal bytes.
  public static func == (a: Bytes32, b: Bytes32) -> Bool { a.words == b.words }

  /// Feeds the first word, which for hashes and keys is as good as all of them.
  public func hash(into hasher: inout Hasher) { hasher.combine(words.0 ^ words.3) }

  /// The quick way of tables: ids are spread already, so one multiplication is enough. The factor is this
  /// process's secret, lest somebody grind ids that fall into one place.
  public func _rawHashValue(seed: Int) -> Int {
    let product = (words.0 ^ words.3 ^ UInt64(bitPattern: Int64(seed))).multipliedFullWidth(
      by: TableHash.factor)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }
}

/// A 32-byte value with a meaning of its own.
public protocol Identifier32: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The bytes.
  var bytes: Bytes32 { get }
  /// The value of these bytes.
  init(_ bytes: Bytes32)
}

extension Identifier32 {
  /// All zero, which stands for “none” in events.
  public static var none: Self { Self(.zero) }
  /// Whether this is not “none”.
  public var isSome: Bool { bytes != .zero }
  /// 64 lower-case hexadecimal digits.
  public var description: String { bytes.hex }
  /// The first ten digits, for people; not unique.
  public var short: String { String(bytes.hex.prefix(10)) }
  /// Reads 64 hexadecimal digits; `nil` for anything else.
  public init?(hex: String) {
    guard let bytes = Bytes32(hex: hex) else { return nil }
    self.init(bytes)
  }
  /// Orders as bytes.
  public static func < (a: Self, b: Self) -> Bool { a.bytes < b.bytes }
  /// The quick way of tables.
  public func _rawHashValue(seed: Int) -> Int { bytes._rawHashValue(seed: seed) }
}

/// The hash that names an event (Docs/PROTOCOL.md §3).
public struct EventID: Identifier32, BitwiseCopyable {
  public var bytes: Bytes32
  public init(_ bytes: Bytes32) { self.bytes = bytes }
}

/// A room is named by its `create` event.
public typealias RoomID = EventID

/// An Ed25519 public key: who owns it is a peer.
public struct PeerID: Identifier32, BitwiseCopyable {
  public var bytes: Bytes32
  public init(_ bytes: Bytes32) { self.bytes = bytes }
}

/// What keeps strangers' networks apart.
public struct NetworkID: Identifier32 {
  public var bytes: Bytes32
  public init(_ bytes: Bytes32) { self.bytes = bytes }
}

/// A BLAKE2b-256 hash of anything that is not an event.
public struct Digest: Identifier32 {
  public var bytes: Bytes32
  public init(_ bytes: Bytes32) { self.bytes = bytes }
}

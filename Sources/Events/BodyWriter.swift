/// Writes a body into memory that is set aside for it. What goes over its end is counted and dropped, so that too
/// long a body is an error of whoever reads the count, and never a trap.
@safe struct BodyWriter: ~Copyable {
  // SAFETY: who makes the writer lends the memory for as long as the writer is used, and every store is inside.
  private let memory: UnsafeMutableRawBufferPointer
  /// How many bytes the body has so far.
  private(set) var count = 0

  /// A writer into this memory.
  @unsafe init(_ memory: UnsafeMutableRawBufferPointer) { unsafe self.memory = memory }

  /// Whether all that was written is there.
  var isWhole: Bool { unsafe count <= memory.count }

  /// Appends a byte.
  mutating func append(_ byte: UInt8) { append(bigEndian: byte) }

  /// Appends bytes.
  mutating func append(contentsOf bytes: [UInt8]) { append(contentsOf: bytes.rawSpan) }

  /// Appends bytes.
  @inline(__always)
  mutating func append(contentsOf bytes: RawSpan) {
    defer { count += bytes.byteCount }
    guard unsafe bytes.byteCount <= memory.count - count else { return }
    unsafe bytes.withUnsafeBytes { bytes in
      // SAFETY: so many bytes are left in the memory.
      guard let from = bytes.baseAddress, let to = unsafe memory.baseAddress else { return }
      unsafe (to + count).copyMemory(from: from, byteCount: bytes.count)
    }
  }

  /// Appends a number, most significant byte first.
  @inline(__always)
  mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(bigEndian number: Number) {
    set(bigEndian: number, at: count)
    count += MemoryLayout<Number>.size
  }

  /// Writes a number over what stands at an offset.
  @inline(__always)
  func set<Number: FixedWidthInteger & BitwiseCopyable>(bigEndian number: Number, at offset: Int) {
    guard unsafe offset <= memory.count - MemoryLayout<Number>.size else { return }
    unsafe memory.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Number.self)
  }

  /// Appends an id, key or digest.
  @inline(__always)
  mutating func append(_ identifier: some Identifier32) {
    let words = identifier.bytes.words
    // They lie in memory as they are written: a number that is read as big-endian is written so again.
    append(bigEndian: UInt64(bigEndian: words.0))
    append(bigEndian: UInt64(bigEndian: words.1))
    append(bigEndian: UInt64(bigEndian: words.2))
    append(bigEndian: UInt64(bigEndian: words.3))
  }

  /// Appends a length byte and the text's UTF-8; above 255 bytes what is written cannot be read back.
  mutating func append(text8 text: String) {
    append(UInt8(truncatingIfNeeded: text.utf8.count))
    for byte in text.utf8 { append(byte) }
  }

  /// Appends two length bytes and the text's UTF-8; above 65,535 bytes what is written cannot be read back.
  mutating func append(text16 text: String) {
    append(bigEndian: UInt16(truncatingIfNeeded: text.utf8.count))
    for byte in text.utf8 { append(byte) }
  }
}

extension [UInt8] {
  /// The bytes where they lie.
  var rawSpan: RawSpan {
    // SAFETY: `bytes` is unsafe for element types with padding, and UInt8 has none.
    @_lifetime(borrow self)
    borrowing get { unsafe _overrideLifetime(span.bytes, borrowing: self) }
  }

  /// A copy of the span's bytes.
  init(copying span: RawSpan) {
    // SAFETY: the buffer lives during the call only, and the array copies it.
    self = unsafe span.withUnsafeBytes { unsafe Array($0) }
  }

  /// Appends a number, most significant byte first.
  package mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
    // SAFETY: the bytes are read while the copy that they belong to lives.
    unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
  }

  /// Has a body written over the bytes from an offset on.
  /// - Returns: how many bytes the body has.
  @inline(__always)
  mutating func withBodyWriter(
    at offset: Int, _ write: (inout BodyWriter) throws(FormatError) -> Void
  ) throws(FormatError) -> Int {
    let result: Result<Int, FormatError> = unsafe withUnsafeMutableBytes { memory in
      // SAFETY: the writer does not outlive the memory.
      var writer = unsafe BodyWriter(UnsafeMutableRawBufferPointer(rebasing: memory[offset...]))
      do throws(FormatError) { try write(&writer) } catch { return .failure(error) }
      return .success(writer.count)
    }
    return try result.get()
  }

  /// Writes an id over the bytes at an offset.
  @inline(__always)
  mutating func set(_ identifier: some Identifier32, at offset: Int) {
    // SAFETY: the writer does not outlive the memory, and stores nothing outside of it.
    unsafe withUnsafeMutableBytes { memory in
      var writer = unsafe BodyWriter(UnsafeMutableRawBufferPointer(rebasing: memory[offset...]))
      writer.append(identifier)
    }
  }

  /// Appends an id, key or digest.
  package mutating func append(_ identifier: some Identifier32) { identifier.bytes.append(to: &self) }

  /// Appends the bytes of a span.
  mutating func append(contentsOf span: RawSpan) {
    // SAFETY: the buffer lives during the call only, and the array copies it.
    unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// Appends a number in groups of seven bits, the lowest first; all but the last byte have their top bit set (LEB128).
  package mutating func append(number: UInt64) {
    var rest = number
    while rest > 127 {
      append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Lower-case hexadecimal digits.
  package var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(count * 2)
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads pairs of hexadecimal digits, either case; `nil` for anything else.
  package init?(hex: String) {
    let digits = Array(hex.utf8)
    guard digits.count % 2 == 0 else { return nil }
    self.init()
    reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else { return nil }
      append(high << 4 | low)
    }
  }
}

private func hexValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case 0x30...0x39: digit - 0x30
  case 0x61...0x66: digit - 0x61 + 10
  case 0x41...0x46: digit - 0x41 + 10
  default: nil
  }
}

extension RawSpan {
  /// The number at an offset, most significant byte first. Traps where it would reach over the end.
  @inline(__always)
  func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    // SAFETY: integers have no padding and may hold any bits; the offset is checked.
    unsafe Number(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// Whether these 32 bytes lie at an offset. Traps where they would reach over the end.
  @inline(__always)
  func holds(_ identifier: some Identifier32, at offset: Int) -> Bool {
    precondition(offset >= 0 && offset <= byteCount &- 32, "32 bytes are needed at offset \(offset)")
    let words = identifier.bytes.words
    // SAFETY: the precondition above keeps all four loads inside the span, and integers may hold any bits.
    return unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self) == words.0
      && unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 8, as: UInt64.self) == words.1
      && unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 16, as: UInt64.self) == words.2
      && unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 24, as: UInt64.self) == words.3
  }

  /// The byte at an offset. Traps at the end.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { number(at: offset) }
}

/// Reads binary data from others where it lies: every function throws instead of trapping.
package struct ByteReader: ~Escapable {
  private let bytes: RawSpan
  /// Where the next read starts.
  package private(set) var offset: Int

  /// A reader of `bytes` from `offset`.
  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan, from offset: Int = 0) {
    self.bytes = bytes
    self.offset = Swift.max(0, Swift.min(offset, bytes.byteCount))
  }

  /// A reader of an array that stays as it is meanwhile.
  @_lifetime(borrow bytes)
  package init(_ bytes: borrowing [UInt8], from offset: Int = 0) {
    self.init(bytes.rawSpan, from: offset)
  }

  /// How many bytes are left.
  @inline(__always) package var remaining: Int { bytes.byteCount &- offset }

  /// The next number, most significant byte first.
  @inline(__always)
  package mutating func integer<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type = Number.self
  ) throws(FormatError) -> Number {
    let size = Number.bitWidth / 8
    guard remaining >= size else { throw .truncated(at: offset) }
    defer { offset &+= size }
    // SAFETY: so many bytes remain, and integers have no padding and may hold any bits.
    return unsafe Number(
      bigEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Number.self))
  }

  /// The next number in groups of seven bits; throws unless it is in its shortest form.
  @inline(__always)
  package mutating func number() throws(FormatError) -> UInt64 {
    // Most numbers are below 128.
    guard remaining > 0, case let byte = bytes.byte(at: offset), byte < 128 else { return try longNumber() }
    offset &+= 1
    return UInt64(byte)
  }

  private mutating func longNumber() throws(FormatError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      let byte = try integer(UInt8.self)
      let group = UInt64(byte & 127)
      guard shift < 63 || group <= 1 else { break }
      value |= group << shift
      guard byte < 128 else { continue }
      guard byte != 0 || shift == 0 else { break }
      return value
    }
    throw .badField("a number in a longer form than it needs", at: start)
  }

  /// The next 32 bytes.
  @inline(__always)
  package mutating func identifier<ID: Identifier32>(_ type: ID.Type = ID.self) throws(FormatError) -> ID {
    guard remaining >= 32 else { throw .truncated(at: offset) }
    defer { offset &+= 32 }
    return ID(Bytes32(bytes, at: offset))
  }

  /// The next `count` bytes.
  package mutating func take(_ count: Int) throws(FormatError) -> [UInt8] {
    guard count >= 0, remaining >= count else { throw .truncated(at: offset) }
    defer { offset += count }
    return Array(copying: bytes.extracting(offset..<offset + count))
  }

  /// Passes over the next `count` bytes.
  @inline(__always)
  mutating func skip(_ count: Int) throws(FormatError) {
    guard count >= 0, remaining >= count else { throw .truncated(at: offset) }
    offset &+= count
  }

  /// Appends the next `count` bytes.
  @inline(__always)
  mutating func take(_ count: Int, to target: inout BodyWriter) throws(FormatError) {
    guard count >= 0, remaining >= count else { throw .truncated(at: offset) }
    target.append(contentsOf: bytes.extracting(offset..<offset + count))
    offset += count
  }

  /// A text of `count` bytes; throws unless they are valid UTF-8.
  package mutating func text(_ count: Int) throws(FormatError) -> String {
    let start = offset
    guard let text = String(validating: try take(count), as: UTF8.self) else { throw .notUTF8(at: start) }
    return text
  }

  /// A text with a length byte, of `limits` bytes.
  package mutating func text8(_ limits: ClosedRange<Int>) throws(FormatError) -> String {
    let start = offset
    let count = Int(try integer(UInt8.self))
    guard limits.contains(count) else { throw .badField("text length \(count)", at: start) }
    return try text(count)
  }

  /// A text with two length bytes, of `limits` bytes.
  package mutating func text16(_ limits: ClosedRange<Int>) throws(FormatError) -> String {
    let start = offset
    let count = Int(try integer(UInt16.self))
    guard limits.contains(count) else { throw .badField("text length \(count)", at: start) }
    return try text(count)
  }

  /// A byte that is 0 or 1.
  @inline(__always)
  package mutating func flag() throws(FormatError) -> Bool {
    let start = offset
    let byte = try integer(UInt8.self)
    guard byte <= 1 else { throw .badField("flag \(byte)", at: start) }
    return byte == 1
  }

  /// Throws unless everything was read.
  package func end() throws(FormatError) {
    guard remaining == 0 else { throw .trailing(at: offset) }
  }
}

/// Why bytes are not an event, payload or signature (Docs/PROTOCOL.md §3, §4).
public enum FormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes end inside a field that starts at this offset.
  case truncated(at: Int)
  /// Bytes follow where the format ends.
  case trailing(at: Int)
  /// A text at this offset is not valid UTF-8.
  case notUTF8(at: Int)
  /// A field at this offset has a value the format does not allow.
  case badField(String, at: Int)
  /// More bytes than the format allows.
  case tooLong(Int, limit: Int)

  /// What is wrong and where.
  public var description: String {
    switch self {
    case .truncated(let offset): "the bytes end inside the field at offset \(offset)"
    case .trailing(let offset): "there are bytes after the end, from offset \(offset)"
    case .notUTF8(let offset): "the text at offset \(offset) is not valid UTF-8"
    case .badField(let what, let offset): "the field at offset \(offset) is not allowed: \(what)"
    case .tooLong(let count, let limit): "\(count) bytes are more than the limit of \(limit)"
    }
  }
}

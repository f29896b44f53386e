import Glibc

extension Array<UInt8> {
  /// The array's bytes as keys and values are given.
  package var rawSpan: RawSpan {
    @_lifetime(borrow self)
    borrowing get {
      // SAFETY: `bytes` is unsafe for element types with padding, and UInt8 has none.
      let bytes = unsafe span.bytes
      return unsafe _overrideLifetime(bytes, borrowing: self)
    }
  }

  /// Holds a copy of the span's bytes from here on, in the same memory where nobody else has it.
  package mutating func replace(with span: RawSpan) {
    removeAll(keepingCapacity: true)
    // SAFETY: the buffer lives during the call only, and the array copies it.
    unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// A copy of the span's bytes.
  package init(copying span: RawSpan) {
    // SAFETY: the buffer lives during the call only, and the array copies it.
    self = unsafe span.withUnsafeBytes { unsafe Array($0) }
  }
}

extension Span<UInt8> {
  /// The span's bytes as keys and values are given.
  package var rawSpan: RawSpan {
    // SAFETY: `bytes` is unsafe for element types with padding, and UInt8 has none.
    @_lifetime(copy self)
    get { unsafe bytes }
  }
}

extension RawSpan {
  /// The same bytes with bounds-checked access to each.
  package var octets: Span<UInt8> {
    @_lifetime(copy self)
    get { Span(_bytes: self) }
  }

  /// The first eight bytes as a number that orders as they do.
  private var firstNumber: UInt64 {
    // SAFETY: integers have no padding and may hold any bits; the load is checked.
    unsafe UInt64(bigEndian: unsafeLoadUnaligned(as: UInt64.self))
  }

  /// Whether these bytes stand before the others in the store's order: lexicographic, a prefix first.
  @inline(__always)
  package func precedes(_ other: RawSpan) -> Bool {
    if byteCount >= 8, other.byteCount >= 8 {
      // Most keys differ here already.
      let (own, others) = (firstNumber, other.firstNumber)
      if own != others { return own < others }
    }
    let shared = Swift.min(byteCount, other.byteCount)
    // SAFETY: both spans have at least `shared` bytes, read during the call only.
    let order = unsafe withUnsafeBytes { own in
      unsafe other.withUnsafeBytes { others in
        guard let own = own.baseAddress, let others = others.baseAddress else { return CInt(0) }
        return unsafe memcmp(own, others, shared)
      }
    }
    return order != 0 ? order < 0 : byteCount < other.byteCount
  }
}

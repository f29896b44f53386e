/// Bytes as a sequence of choices, so that changes of the bytes are changes of what is chosen.
struct ByteChoices {
  private let bytes: [UInt8]
  private var next = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether no choice is left; what is chosen then is always the first.
  var isEmpty: Bool { next >= bytes.count }

  /// The next byte; 0 at the end.
  mutating func byte() -> UInt8 {
    guard next < bytes.count else { return 0 }
    defer { next += 1 }
    return bytes[next]
  }

  /// A number below a bound of at most 256; 0 when there is nothing to choose from.
  mutating func below(_ bound: Int) -> Int { bound > 1 ? Int(byte()) % bound : 0 }

  /// Whether a choice that is seldom made is made.
  mutating func oneIn(_ count: Int) -> Bool { below(count) == count - 1 }

  /// One of some things, of the last 256; `nil` when there are none.
  mutating func pick<T>(_ items: [T]) -> T? {
    guard !items.isEmpty else { return nil }
    return items[items.count - 1 - below(min(items.count, 256))]
  }

  /// The rest of the bytes.
  mutating func rest() -> [UInt8] {
    defer { next = bytes.count }
    return Array(bytes[min(next, bytes.count)...])
  }
}

internal import Events

/// The bytes of a bundle as they come, counted, limited and hashed.
struct BundleInput: ~Copyable {
  private let source: () throws(BundleError) -> [UInt8]
  private let limitBytes: UInt64
  private var chunk: [UInt8] = []
  private var next = 0
  private var digest = RunningHash(domain: "parlor-bundle-1")
  /// How many bytes were taken.
  private(set) var offset: UInt64 = 0

  init(limitBytes: UInt64, source: @escaping () throws(BundleError) -> [UInt8]) {
    self.source = source
    self.limitBytes = limitBytes
  }

  /// The next byte, which stays; `nil` at the end.
  mutating func peek() throws(BundleError) -> UInt8? {
    if next == chunk.count {
      chunk = try source()
      next = 0
    }
    return next < chunk.count ? chunk[next] : nil
  }

  /// The next `count` bytes, which count for the digest. `count` is small: nothing is set aside before it
  /// came.
  mutating func take(_ count: Int) throws(BundleError) -> [UInt8] {
    let bytes = try takeUnhashed(count)
    digest.update(bytes)
    return bytes
  }

  /// The bytes of the next number (Docs/PROTOCOL.md §6.1), or as many of them as a number may have.
  mutating func takeNumber() throws(BundleError) -> [UInt8] {
    var bytes = try take(1)
    while let last = bytes.last, last > 127, bytes.count < 10 { bytes += try take(1) }
    return bytes
  }

  /// The next `count` bytes, which the digest leaves out.
  mutating func takeUnhashed(_ count: Int) throws(BundleError) -> [UInt8] {
    guard offset + UInt64(count) <= limitBytes else { throw .limit("\(limitBytes) bytes") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      guard try peek() != nil else { throw .truncated(at: offset + UInt64(bytes.count)) }
      let end = min(chunk.count, next + count - bytes.count)
      bytes.append(contentsOf: chunk[next..<end])
      next = end
    }
    offset += UInt64(count)
    return bytes
  }

  /// The digest of all that was taken so far.
  var digestSoFar: Digest { Digest(digest.digest()) }
}

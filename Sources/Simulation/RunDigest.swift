package import Events

/// A hash over all that a run delivers and ends with: equal digests, equal runs.
package struct RunDigest: ~Copyable {
  private static let limitBuffered = 1 << 14
  private var hash = RunningHash(domain: "parlor-simulation-run-1")
  private var buffer: [UInt8] = []

  package init() { buffer.reserveCapacity(2 * Self.limitBuffered) }

  /// Takes in a delivered message.
  package mutating func add(_ bytes: [UInt8], from: Int, to: Int, at time: UInt64) {
    buffer.append(bigEndian: time)
    buffer.append(bigEndian: UInt16(truncatingIfNeeded: from))
    buffer.append(bigEndian: UInt16(truncatingIfNeeded: to))
    buffer.append(bigEndian: UInt32(truncatingIfNeeded: bytes.count))
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.limitBuffered { flush() }
  }

  /// Takes in a digest, or that there is none.
  package mutating func add(_ digest: Digest?) { buffer.append(digest ?? .none) }

  /// Takes in a text.
  package mutating func add(_ text: String) { buffer.append(contentsOf: Array(text.utf8) + [0]) }

  private mutating func flush() {
    hash.update(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// The hash of everything.
  package mutating func finish() -> Digest {
    flush()
    return Digest(hash.digest())
  }
}

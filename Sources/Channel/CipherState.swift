internal import CSodium

/// ChaCha20-Poly1305 (RFC 8439) under one key, each message with the next number: Noise's CipherState.
struct CipherState: Sendable {
  /// What sealing adds.
  static let tagBytes = 16
  /// The number that no message has: it is used to make the next key.
  static let reservedNonce = UInt64.max

  private var key: Secret?
  /// The number of the next message.
  private(set) var nonce: UInt64

  /// A cipher that leaves everything as it is, until there is a key.
  init() {
    key = nil
    nonce = 0
  }

  /// A cipher under a key, of which 32 bytes are used.
  init(key: Secret, nonce: UInt64 = 0) {
    precondition(key.count >= 32, "a key of \(key.count) bytes")
    self.key = key
    self.nonce = nonce
  }

  /// Seals the bytes from `start` on in place, and appends what proves them.
  mutating func seal(
    _ bytes: inout [UInt8], from start: Int, authenticating data: [UInt8] = []
  ) throws(NoiseError) {
    guard let key else { return }
    guard nonce != Self.reservedNonce else { throw .exhausted }
    Self.seal(&bytes, from: start, key, nonce, data)
    nonce += 1
  }

  private static func seal(
    _ bytes: inout [UInt8], from start: Int, _ key: Secret, _ nonce: UInt64, _ data: [UInt8]
  ) {
    let count = bytes.count - start
    precondition(start >= 0 && count >= 0, "sealing from \(start) of \(bytes.count) bytes")
    for _ in 0..<tagBytes { bytes.append(0) }
    let number = nonceBytes(nonce)
    let code = unsafe key.withBytes { key in
      // SAFETY: from `start` on there are `count` bytes and room for the tag behind them; libsodium may write
      // where it reads. The other pointers are valid for 12, 32 and `data.count` bytes.
      unsafe bytes.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return Int32(-1) }
        return unsafe crypto_aead_chacha20poly1305_ietf_encrypt(
          base + start, nil, base + start, UInt64(count), data, UInt64(data.count), nil, number, key)
      }
    }
    precondition(code == 0, "sealing \(count) bytes cannot fail, but gave \(code)")
  }

  /// Opens `range` of `bytes` and appends what was sealed. The number moves on only when it opens.
  mutating func open(
    _ bytes: [UInt8], _ range: Range<Int>, authenticating data: [UInt8] = [], into output: inout [UInt8]
  ) throws(NoiseError) {
    guard let key else {
      output += bytes[range]
      return
    }
    guard nonce != Self.reservedNonce else { throw .exhausted }
    guard range.count >= Self.tagBytes else { throw .doesNotOpen }
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: range.count - Self.tagBytes))
    guard Self.open(bytes, range, key, nonce, data, into: &output, at: start) else {
      output.removeLast(output.count - start)
      throw .doesNotOpen
    }
    nonce += 1
  }

  private static func open(
    _ bytes: [UInt8], _ range: Range<Int>, _ key: Secret, _ nonce: UInt64, _ data: [UInt8],
    into output: inout [UInt8], at start: Int
  ) -> Bool {
    precondition(bytes.indices.contains(range.lowerBound) && range.upperBound <= bytes.count, "\(range)")
    // An empty array may have no address, and libsodium gets one for nothing too.
    if output.isEmpty { output.reserveCapacity(1) }
    let number = nonceBytes(nonce)
    let code = unsafe key.withBytes { key in
      // SAFETY: `range` lies in `bytes`; the output has room for all but the tag from `start` on. The other
      // pointers are valid for 12, 32 and `data.count` bytes.
      unsafe bytes.withUnsafeBufferPointer { sealed in
        unsafe output.withUnsafeMutableBufferPointer { opened in
          guard let from = sealed.baseAddress, let to = opened.baseAddress else { return Int32(-1) }
          return unsafe crypto_aead_chacha20poly1305_ietf_decrypt(
            to + start, nil, nil, from + range.lowerBound, UInt64(range.count), data, UInt64(data.count),
            number, key)
        }
      }
    }
    return code == 0
  }

  /// Four zero bytes and the number, least significant byte first.
  private static func nonceBytes(_ nonce: UInt64) -> [UInt8] {
    [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: nonce >> (8 * $0)) }
  }

  /// Replaces the key by one that follows from it and does not lead back. Numbers go on.
  mutating func rekey() {
    guard let key else { return }
    var next = [UInt8](repeating: 0, count: 32)
    Self.seal(&next, from: 0, key, Self.reservedNonce, [])
    var tag = Array(next[32...])
    next.removeLast(Self.tagBytes)
    wipe(&tag)
    self.key = Secret(taking: &next)
  }
}

internal import CSodium
package import Events

/// Why a step of Noise fails.
enum NoiseError: Error, Hashable, Sendable {
  /// What came was not made with the key, the number and the transcript that are ours.
  case doesNotOpen
  /// As before, and only the payload: all that came before it was well.
  case payloadDoesNotOpen
  /// A key has been used as often as it may be.
  case exhausted
  /// A public key of small order: the shared secret would be known to everybody.
  case lowOrderPoint
  /// A handshake message of another length than its pattern gives it.
  case wrongLength(Int)
}

/// BLAKE2b with 64 bytes as Noise uses it: the hash itself, HMAC (RFC 2104) and HKDF (RFC 5869) over it.
enum NoiseHash {
  /// HASHLEN.
  static let bytes = 64
  /// BLOCKLEN.
  private static let blockBytes = 128

  /// The hash of some bytes.
  static func hash(_ message: [UInt8]) -> [UInt8] {
    var out = [UInt8](repeating: 0, count: bytes)
    // SAFETY: `out` has 64 bytes; the message's pointer is valid for its count during the call.
    let code = unsafe crypto_generichash_blake2b(&out, bytes, message, UInt64(message.count), nil, 0)
    precondition(code == 0, "BLAKE2b without a key cannot fail, but gave \(code)")
    return out
  }

  /// HMAC of some bytes under a key of at most a block.
  static func hmac(_ key: Secret, _ message: [UInt8]) -> Secret {
    var inner = padded(key, with: 0x36) + message
    var innerHash = hash(inner)
    var outer = padded(key, with: 0x5C) + innerHash
    var out = hash(outer)
    wipe(&inner)
    wipe(&innerHash)
    wipe(&outer)
    return Secret(taking: &out)
  }

  private static func padded(_ key: Secret, with byte: UInt8) -> [UInt8] {
    precondition(key.count <= blockBytes, "an HMAC key of \(key.count) bytes")
    var block = [UInt8](repeating: byte, count: blockBytes)
    unsafe key.withBytes { bytes in
      // SAFETY: the secret has `count` bytes.
      for index in 0..<key.count { unsafe block[index] ^= bytes[index] }
    }
    return block
  }

  /// Noise's HKDF: as many keys as asked for, two or three.
  static func derive(_ count: Int, from chainingKey: Secret, _ input: Secret?) -> [Secret] {
    var material = input?.copy() ?? []
    let temporary = hmac(chainingKey, material)
    wipe(&material)
    var keys: [Secret] = []
    for number in 1...count {
      var message = (keys.last?.copy() ?? []) + [UInt8(truncatingIfNeeded: number)]
      keys.append(hmac(temporary, message))
      wipe(&message)
    }
    return keys
  }
}

/// A key pair of X25519 (RFC 7748).
package struct KeyPair: Sendable {
  /// What others may know.
  package let publicKey: Bytes32
  private let secret: Secret

  /// The pair of a secret of 32 bytes. Traps for any other length.
  package init(secret bytes: [UInt8]) {
    precondition(bytes.count == 32, "an X25519 secret has 32 bytes, not \(bytes.count)")
    secret = Secret(copying: bytes)
    var point = [UInt8](repeating: 0, count: 32)
    let code = unsafe secret.withBytes { scalar in
      // SAFETY: both have 32 bytes.
      unsafe crypto_scalarmult_curve25519_base(&point, scalar)
    }
    precondition(code == 0, "no multiple of the base point is refused, but this one gave \(code)")
    publicKey = Bytes32(point, at: 0)
  }

  /// A new pair.
  /// - Parameter random: gives 32 random bytes; the system's generator when there is no other.
  package static func generate(_ random: () -> [UInt8] = SigningKey.randomSeed) -> KeyPair {
    var bytes = random()
    defer { wipe(&bytes) }
    return KeyPair(secret: bytes)
  }

  /// The secret that both owners of keys share.
  /// - Throws: `.lowOrderPoint` when it would be all zero, whatever the secret.
  func shared(with other: Bytes32) throws(NoiseError) -> Secret {
    var out = [UInt8](repeating: 0, count: 32)
    let point = other.bytes
    let code = unsafe secret.withBytes { scalar in
      // SAFETY: all three have 32 bytes.
      unsafe crypto_scalarmult_curve25519(&out, scalar, point)
    }
    // libsodium refuses points of small order and a product of zero.
    guard code == 0 else { throw .lowOrderPoint }
    return Secret(taking: &out)
  }
}

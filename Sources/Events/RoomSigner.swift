internal import CSodium

/// The part of a key that signs. Whoever has it can sign as the peer; the seed, and the keys and salts that follow from
/// the seed, cannot be computed from it.
@safe package final class LentKey: Sendable {
  /// How many bytes it has: the scalar, and what nonces are made from (RFC 8032 §5.1.5).
  package static let byteCount = 64

  /// The public key.
  package let peer: PeerID
  // SAFETY: written once in `init`, only read afterwards, freed in `deinit`.
  nonisolated(unsafe) private let secret: UnsafeMutablePointer<UInt8>

  /// The part of these bytes; `nil` where they are not of such a key.
  package init?(_ bytes: [UInt8]) {
    precondition(sodium_init() >= 0, "libsodium could not start")
    // A scalar as keys are made: a multiple of eight, between 2²⁵⁴ and 2²⁵⁵.
    guard bytes.count == Self.byteCount, bytes[0] & 7 == 0, bytes[31] & 0xC0 == 0x40 else { return nil }
    var publicKey = [UInt8](repeating: 0, count: 32)
    // SAFETY: the call writes 32 bytes and reads the first 32 of the 64.
    guard unsafe crypto_scalarmult_ed25519_base_noclamp(&publicKey, bytes) == 0 else { return nil }
    guard let memory = unsafe sodium_malloc(Self.byteCount) else {
      preconditionFailure("the system gave no guarded memory for a key")
    }
    // SAFETY: the memory is new and has 64 bytes, as the array has.
    unsafe secret = memory.assumingMemoryBound(to: UInt8.self)
    unsafe secret.update(from: bytes, count: Self.byteCount)
    peer = PeerID(Bytes32(publicKey, at: 0))
  }

  deinit {
    // SAFETY: the memory came from `sodium_malloc` and is freed once; `sodium_free` wipes it.
    unsafe sodium_free(secret)
  }

  /// A copy of the bytes, for a message to whoever is to sign with them.
  package var bytes: [UInt8] {
    // SAFETY: the memory has 64 bytes, and stays while `self` does.
    unsafe Array(UnsafeBufferPointer(start: secret, count: Self.byteCount))
  }

  /// Signs as RFC 8032 says: the same bytes as those of the key that this is a part of.
  func sign(_ id: EventID) -> Signature {
    let message = signedBytes(id)
    let tail = unsafe Array(UnsafeBufferPointer(start: secret + 32, count: 32))
    let nonce = Self.scalar(tail + message)
    var signature = [UInt8](repeating: 0, count: 64)
    // SAFETY: the call writes 32 bytes and reads 32. A nonce of zero, for which it fails, nobody will ever see.
    let code = unsafe crypto_scalarmult_ed25519_base_noclamp(&signature, nonce)
    precondition(code == 0, "a nonce is no scalar")
    let challenge = Self.scalar(signature[..<32] + peer.bytes.bytes + message)
    var product = [UInt8](repeating: 0, count: 32)
    var sum = product
    // SAFETY: each array has the 32 bytes that the calls read or write, as the secret's first half has.
    unsafe crypto_core_ed25519_scalar_mul(&product, challenge, secret)
    unsafe crypto_core_ed25519_scalar_add(&sum, nonce, product)
    signature.replaceSubrange(32..., with: sum)
    guard let signature = Signature(signature) else { preconditionFailure("a signature has 64 bytes") }
    return signature
  }

  /// The SHA-512 of bytes as a number below the group's order.
  private static func scalar(_ bytes: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: 64)
    var scalar = [UInt8](repeating: 0, count: 32)
    // SAFETY: the arrays have the 64 and 32 bytes that are written, and as many to be read as is said.
    unsafe _ = crypto_hash_sha512(&hash, bytes, UInt64(bytes.count))
    unsafe crypto_core_ed25519_scalar_reduce(&scalar, hash)
    return scalar
  }
}

extension SigningKey {
  /// The part of this key that signs, for whoever plays for the peer elsewhere.
  package var lent: LentKey {
    var hash = [UInt8](repeating: 0, count: LentKey.byteCount)
    // SAFETY: the call writes 64 bytes and reads the 32 of the seed.
    unsafe withSeed { seed in unsafe _ = crypto_hash_sha512(&hash, seed, 32) }
    hash[0] &= 0xF8
    hash[31] = hash[31] & 0x7F | 0x40
    guard let lent = LentKey(hash) else { preconditionFailure("a key of a seed is a key") }
    return lent
  }
}

/// Signs for a peer in one room, with salts that follow from a secret of that room alone: it can be given to somebody
/// who plays there for the peer, and who can make no salt of another room then.
package struct RoomSigner: Signer {
  private enum Secret: Sendable {
    case key(SigningKey)
    case lent(LentKey)
  }

  private let secret: Secret
  private let salts: Bytes32

  /// A key in a room.
  package init(_ key: SigningKey, in room: RoomID) {
    secret = .key(key)
    salts = key.saltSecret(of: room)
  }

  /// What was lent of a key, with the room's secret.
  package init(_ lent: LentKey, salts: Bytes32) {
    secret = .lent(lent)
    self.salts = salts
  }

  package var peer: PeerID {
    switch secret {
    case .key(let key): key.peer
    case .lent(let lent): lent.peer
    }
  }

  package func sign(_ id: EventID) -> Signature {
    switch secret {
    case .key(let key): key.sign(id)
    case .lent(let lent): lent.sign(id)
    }
  }

  package func salt(room: RoomID, game: UInt16, round: UInt16, seat: UInt16, sequence: UInt64) -> Bytes32 {
    .salt(key: salts, room: room, game: game, round: round, seat: seat, sequence: sequence)
  }

  /// The salt as editions before this one made it, from the key itself; `nil` where that is not here.
  package func earlierSalt(
    room: RoomID, game: UInt16, round: UInt16, seat: UInt16, sequence: UInt64
  ) -> Bytes32? {
    guard case .key(let key) = secret else { return nil }
    return key.salt(room: room, game: game, round: round, seat: seat, sequence: sequence)
  }

  package func open(_ box: [UInt8]) -> [UInt8]? {
    guard case .key(let key) = secret else { return nil }
    return key.open(box)
  }
}

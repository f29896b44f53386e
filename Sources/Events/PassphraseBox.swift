internal import CSodium

/// What each guess at a passphrase costs: passes of Argon2id (RFC 9106, version 1.3, one lane) over so much memory.
package struct PassphraseCost: Hashable, Sendable {
  package let passes: UInt32
  package let memoryKibibytes: UInt32

  /// A cost; traps below one pass and 8 KiB, of which Argon2id makes nothing.
  package init(passes: UInt32, memoryKibibytes: UInt32) {
    precondition(passes >= 1 && memoryKibibytes >= 8, "Argon2id takes no less than one pass over 8 KiB")
    self.passes = passes
    self.memoryKibibytes = memoryKibibytes
  }
}

/// Why a seed was not sealed or opened.
package enum PassphraseBoxError: Error, Hashable, Sendable {
  /// The system gave no memory for the derivation.
  case noMemory
  /// It was sealed under another passphrase, or with something else bound to it.
  case doesNotOpen
}

/// A signing key's seed under a passphrase: Argon2id makes a key of the passphrase and a salt, and XChaCha20-Poly1305
/// seals the seed with it.
package struct PassphraseBox: Hashable, Sendable {
  /// The length of `salt`, in bytes.
  package static let saltBytes = 16
  /// The length of `nonce`, in bytes.
  package static let nonceBytes = 24
  /// The length of what is sealed, in bytes: the seed and 16 that authenticate it.
  package static let sealedBytes = 48

  package let cost: PassphraseCost
  /// Random bytes, so that no work on one box helps with another.
  package let salt: [UInt8]
  package let nonce: [UInt8]

  /// What seals a seed, or has sealed one. Traps for other lengths than the constants say.
  package init(cost: PassphraseCost, salt: [UInt8], nonce: [UInt8]) {
    precondition(
      salt.count == Self.saltBytes && nonce.count == Self.nonceBytes, "a salt of \(salt.count) bytes")
    self.cost = cost
    self.salt = salt
    self.nonce = nonce
  }

  /// A box with a random salt and nonce.
  package static func random(_ cost: PassphraseCost) -> PassphraseBox {
    let bytes = SigningKey.randomSeed() + SigningKey.randomSeed()
    return PassphraseBox(
      cost: cost, salt: Array(bytes.prefix(saltBytes)), nonce: Array(bytes.suffix(nonceBytes)))
  }

  /// Seals a key's seed.
  /// - Parameter bound: what is authenticated with it and not sealed.
  /// - Returns: `sealedBytes` bytes.
  package func seal(
    _ key: SigningKey, passphrase: [UInt8], bound: [UInt8]
  ) throws(PassphraseBoxError) -> [UInt8] {
    let nonce = nonce
    var sealed = [UInt8](repeating: 0, count: Self.sealedBytes)
    var code: Int32 = -1
    unsafe try withKey(of: passphrase) { secret in
      unsafe key.withSeed { seed in
        // SAFETY: 48 bytes are written, 32 of the seed, 24 of the nonce and 32 of the secret are read, and the length
        // of `bound` goes with it.
        unsafe code = crypto_aead_xchacha20poly1305_ietf_encrypt(
          &sealed, nil, seed, 32, bound, UInt64(bound.count), nil, nonce, secret)
      }
    }
    precondition(code == 0, "XChaCha20-Poly1305 seals 32 bytes, but gave \(code)")
    return sealed
  }

  /// Opens a sealed seed.
  /// - Returns: the 32 bytes of the seed, which whoever asked has to wipe.
  package func open(
    _ sealed: [UInt8], passphrase: [UInt8], bound: [UInt8]
  ) throws(PassphraseBoxError) -> [UInt8] {
    precondition(sealed.count == Self.sealedBytes, "a sealed seed has \(Self.sealedBytes) bytes")
    let nonce = nonce
    var seed = [UInt8](repeating: 0, count: 32)
    var code: Int32 = -1
    unsafe try withKey(of: passphrase) { secret in
      // SAFETY: 32 bytes are written, 48, 24 and 32 are read, and the length of `bound` goes with it.
      unsafe code = crypto_aead_xchacha20poly1305_ietf_decrypt(
        &seed, nil, nil, sealed, UInt64(sealed.count), bound, UInt64(bound.count), nonce, secret)
    }
    guard code == 0 else { throw .doesNotOpen }
    return seed
  }

  /// Calls `body` with the 32 bytes that Argon2id makes of a passphrase, in guarded memory that is wiped afterwards.
  private func withKey(
    of passphrase: [UInt8], _ body: (UnsafePointer<UInt8>) -> Void
  ) throws(PassphraseBoxError) {
    precondition(sodium_init() >= 0, "libsodium could not start")
    guard let memory = unsafe sodium_malloc(32) else { throw .noMemory }
    // SAFETY: the memory came from `sodium_malloc` and is freed once; `sodium_free` wipes it.
    defer { unsafe sodium_free(memory) }
    let key = unsafe memory.assumingMemoryBound(to: UInt8.self)
    let (cost, salt) = (cost, salt)
    let code = unsafe passphrase.withUnsafeBytes { words in
      // SAFETY: 32 bytes are written, 16 of the salt and the passphrase's own length are read. A length of zero reads
      // nothing, and then there may be no pointer.
      unsafe crypto_pwhash(
        key, 32,
        words.baseAddress?.assumingMemoryBound(to: CChar.self)
          ?? UnsafePointer(memory.assumingMemoryBound(to: CChar.self)),
        UInt64(words.count), salt, UInt64(cost.passes), Int(cost.memoryKibibytes) << 10,
        crypto_pwhash_ALG_ARGON2ID13)
    }
    // Both limits are in the range that it takes, so only memory can be what it lacks.
    guard code == 0 else { throw .noMemory }
    unsafe body(key)
  }
}

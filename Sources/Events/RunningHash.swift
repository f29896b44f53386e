internal import CSodium

/// BLAKE2b-256 (RFC 7693) over bytes that are added piece by piece and not kept.
@safe package struct RunningHash: ~Copyable {
  // SAFETY: made in `init` with the size and alignment that libsodium asks for, freed in `deinit` only.
  private let memory: UnsafeMutableRawPointer

  /// An empty hash that begins with the ASCII bytes of `domain`.
  package init(domain: StaticString) {
    unsafe memory = .allocate(byteCount: crypto_generichash_blake2b_statebytes(), alignment: 64)
    // SAFETY: the memory is a state; this cannot fail for an unkeyed hash of 32 bytes.
    unsafe _ = crypto_generichash_blake2b_init(OpaquePointer(memory), nil, 0, 32)
    update(Array("\(domain)".utf8))
  }

  deinit { unsafe memory.deallocate() }

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) {
    // SAFETY: the memory is an initialized state, and the array has `count` bytes. It cannot fail.
    unsafe _ = crypto_generichash_blake2b_update(OpaquePointer(memory), bytes, UInt64(bytes.count))
  }

  /// The hash of everything added so far; more may follow.
  package borrowing func digest() -> Bytes32 {
    var out = [UInt8](repeating: 0, count: 32)
    let stateBytes = crypto_generichash_blake2b_statebytes()
    unsafe withUnsafeTemporaryAllocation(byteCount: stateBytes, alignment: 64) { copy in
      // SAFETY: both are `stateBytes` long and `out` has 32 bytes. Ending the copy cannot fail.
      guard let base = copy.baseAddress else { preconditionFailure("the stack gave no room for a hash") }
      unsafe base.copyMemory(from: memory, byteCount: stateBytes)
      unsafe _ = crypto_generichash_blake2b_final(OpaquePointer(base), &out, 32)
    }
    return Bytes32(out, at: 0)
  }
}

internal import CSodium

/// BLAKE2b-256 (RFC 7693) over parts that are added one after the other.
///
/// A message of up to one block of the hash takes no memory from the heap: most are that short.
package struct Blake2b {
  private static let limitShortBytes = 128

  private let key: Bytes32?
  private var short: [128 of UInt8] = .init(repeating: 0)
  private var shortBytes = 0
  /// The whole message, once it is longer.
  private var long: [UInt8] = []

  /// An empty hash that begins with the ASCII bytes of `domain`, keyed unless `key` is `nil`.
  package init(domain: StaticString, key: Bytes32? = nil) {
    self.key = key
    // SAFETY: the bytes are those of the program's own words, and are copied.
    domain.withUTF8Buffer { unsafe append(UnsafeRawBufferPointer($0)) }
  }

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe append($0) } }

  /// Adds an id, key or digest.
  package mutating func update(_ identifier: some Identifier32) {
    // SAFETY: four words side by side have 32 bytes, all of them initialized, read while they live.
    unsafe withUnsafeBytes(of: identifier.bytes.words) { unsafe append($0) }
  }

  /// Adds a number, most significant byte first.
  package mutating func update(bigEndian number: some FixedWidthInteger & BitwiseCopyable) {
    // SAFETY: an integer's bytes are all initialized, and are read while it lives.
    unsafe withUnsafeBytes(of: number.bigEndian) { unsafe append($0) }
  }

  @unsafe private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let from = bytes.baseAddress else { return }
    guard long.isEmpty, bytes.count <= Self.limitShortBytes - shortBytes else {
      if long.isEmpty { long = unsafe withUnsafeBytes(of: &short) { unsafe Array($0[..<shortBytes]) } }
      return unsafe long.append(contentsOf: bytes)
    }
    // SAFETY: so many bytes are left.
    unsafe withUnsafeMutableBytes(of: &short) { memory in
      guard let to = memory.baseAddress else { return }
      unsafe (to + shortBytes).copyMemory(from: from, byteCount: bytes.count)
    }
    shortBytes += bytes.count
  }

  /// The hash of everything added.
  package func digest() -> Bytes32 {
    guard long.isEmpty else { return unsafe long.withUnsafeBytes { unsafe digest(of: $0) } }
    return unsafe withUnsafeBytes(of: short) {
      unsafe digest(of: UnsafeRawBufferPointer(rebasing: $0[..<shortBytes]))
    }
  }

  @unsafe private func digest(of message: UnsafeRawBufferPointer) -> Bytes32 {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { out in
      // SAFETY: `out` has 32 bytes; message and key are valid for their counts during the call.
      guard let base = out.baseAddress else { preconditionFailure("the stack gave no room for a hash") }
      let first = unsafe message.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let code =
        if let key {
          unsafe withUnsafeBytes(of: key.words) { key in
            unsafe crypto_generichash_blake2b(
              base, 32, first, UInt64(message.count), key.baseAddress?.assumingMemoryBound(to: UInt8.self),
              key.count)
          }
        } else { unsafe crypto_generichash_blake2b(base, 32, first, UInt64(message.count), nil, 0) }
      precondition(code == 0, "BLAKE2b refused a key of 32 bytes")
      return unsafe Bytes32(UnsafeRawBufferPointer(out))
    }
  }
}

extension NetworkID {
  /// The network of everybody who chose no other.
  public static let standard = NetworkID(Blake2b(domain: "parlor-network-1").digest())

  /// The longest name of a network, in bytes of UTF-8.
  public static let limitNameBytes = 64

  /// The network of everybody who chose this name (Docs/PROTOCOL.md §2).
  ///
  /// Names are told apart by their bytes: by case, and by how accents are composed.
  /// - Parameter name: 1 to 64 bytes of UTF-8, with no control character and no space at either end; `nil` for others.
  public init?(name: String) {
    let bytes = Array(name.utf8)
    guard (1...Self.limitNameBytes).contains(bytes.count), bytes.first != 0x20, bytes.last != 0x20,
      name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    var hash = Blake2b(domain: "parlor-network-name-1")
    hash.update(bytes)
    self.init(hash.digest())
  }
}

/// Makes ids of events of one network, without heap storage.
package struct EventHasher: Sendable {
  /// The network whose ids it makes.
  package let network: NetworkID
  /// The bytes of a hash's state that has taken what comes before every body.
  private let started: [UInt8]
  /// The size of a hash's state, known when this is compiled: room of such a size is taken from the stack.
  private static var stateBytes: Int { 384 }

  /// A hasher for one network.
  package init(network: NetworkID) {
    self.network = network
    let prefix = Array("parlor-event-2".utf8) + network.bytes.bytes
    precondition(
      crypto_generichash_blake2b_statebytes() == Self.stateBytes, "libsodium's BLAKE2b has another state")
    started = unsafe withUnsafeTemporaryAllocation(byteCount: Self.stateBytes, alignment: 64) { memory in
      // SAFETY: the memory has a state's size and alignment, and the prefix pointer is valid for its count.
      // Neither call can fail for an unkeyed hash of 32 bytes.
      guard let base = memory.baseAddress else { preconditionFailure("the stack gave no room for a hash") }
      unsafe _ = crypto_generichash_blake2b_init(OpaquePointer(base), nil, 0, 32)
      unsafe _ = crypto_generichash_blake2b_update(OpaquePointer(base), prefix, UInt64(prefix.count))
      return unsafe Array(memory)
    }
  }

  /// The id of the event of this body.
  package borrowing func id(ofBody body: [UInt8]) -> EventID { id(ofBody: body.rawSpan) }

  /// The id of the event of this body.
  package borrowing func id(ofBody body: RawSpan) -> EventID {
    // The stack gives room of a constant size and of no more than usual alignment; all else comes from the heap.
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.stateBytes + 96, alignment: 16) { memory in
      // SAFETY: of the 96 bytes beside the state's, 32 take the hash and less than 64 go into aligning it. The
      // state is a copy of a started one; the body's pointer is valid for its count during the call. None of the
      // calls can fail for an unkeyed hash of 32 bytes.
      guard let base = unsafe memory.baseAddress?.alignedUp(toMultipleOf: 64) else {
        preconditionFailure("the stack gave no room for a hash")
      }
      unsafe started.withUnsafeBytes { started in
        guard let first = started.baseAddress else { return }
        unsafe base.copyMemory(from: first, byteCount: Self.stateBytes)
      }
      let state = OpaquePointer(base)
      let out = unsafe (base + Self.stateBytes).assumingMemoryBound(to: UInt8.self)
      unsafe body.withUnsafeBytes { body in
        guard let first = unsafe body.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe _ = crypto_generichash_blake2b_update(state, first, UInt64(body.count))
      }
      unsafe _ = crypto_generichash_blake2b_final(state, out, 32)
      return unsafe EventID(Bytes32(UnsafeRawBufferPointer(start: out, count: 32)))
    }
  }
}

/// How ids and keys are spread over tables in memory.
enum TableHash {
  /// An odd number that this process drew; nothing but the places in tables, whose order nobody reads, follows
  /// from it.
  static let factor: UInt64 = UInt64(randombytes_random()) << 32 | UInt64(randombytes_random()) | 1
}

/// Hashes that others ask for, of which nothing of the protocol is made.
package enum Hashing {
  /// SHA-256 (FIPS 180-4), by which pages name what they may run.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var out = [UInt8](repeating: 0, count: 32)
    // SAFETY: `out` has 32 bytes, and the array its count of bytes.
    let code = unsafe crypto_hash_sha256(&out, bytes, UInt64(bytes.count))
    precondition(code == 0, "SHA-256 cannot fail")
    return out
  }
}

/// Bytes as text (RFC 4648 §4).
package enum Base64 {
  /// The text of bytes, with `=` at its end where they are not of three.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    let (bytes, form) = (Array(bytes), sodium_base64_VARIANT_ORIGINAL)
    var out = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, form))
    // SAFETY: `out` has as many bytes as the text and its zero take, and the array its count of bytes.
    unsafe sodium_bin2base64(&out, out.count, bytes, bytes.count, form)
    return String(decoding: out.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

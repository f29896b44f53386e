internal import CSodium

/// BLAKE2b-256 (RFC 7693) over parts that are added one after the other.
package struct Blake2b {
  private let key: [UInt8]
  private var message: [UInt8]

  /// An empty hash that begins with the ASCII bytes of `domain`, keyed when `key` is not empty (16–64 bytes).
  package init(domain: StaticString, key: [UInt8] = []) {
    precondition(key.isEmpty || (16...64).contains(key.count), "BLAKE2b takes keys of 16 to 64 bytes")
    self.key = key
    message = []
    message.reserveCapacity(128)
    // SAFETY: the bytes are those of the program's own words, and are copied.
    domain.withUTF8Buffer { unsafe message.append(contentsOf: $0) }
  }

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) { message.append(contentsOf: bytes) }

  /// Adds an id, key or digest.
  package mutating func update(_ identifier: some Identifier32) { message.append(identifier) }

  /// Adds a number, most significant byte first.
  package mutating func update(bigEndian number: some FixedWidthInteger) { message.append(bigEndian: number) }

  /// The hash of everything added.
  package func digest() -> Bytes32 {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { out in
      // SAFETY: `out` has 32 bytes; message and key pointers are valid for their counts during the call.
      guard let base = out.baseAddress else { preconditionFailure("the stack gave no room for a hash") }
      let code = unsafe crypto_generichash_blake2b(
        base, 32, message, UInt64(message.count), key.isEmpty ? nil : key, key.count)
      precondition(code == 0, "BLAKE2b refused a key of \(key.count) bytes")
      return unsafe Bytes32(UnsafeRawBufferPointer(out))
    }
  }
}

extension Blake2b {
  /// The most bytes of a short message.
  private static let limitShortBytes = 256

  /// The keyed hash of a short message that is written in place: domain and fields go on the stack.
  static func digest(
    ofShort domain: StaticString, key: Bytes32, _ write: (inout BodyWriter) -> Void
  ) -> Bytes32 {
    unsafe withUnsafeTemporaryAllocation(byteCount: limitShortBytes + 32, alignment: 16) { memory in
      guard let base = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
        preconditionFailure("the stack gave no room for a hash")
      }
      // SAFETY: the writer does not outlive the memory, whose last 32 bytes are left to the hash.
      var writer = unsafe BodyWriter(UnsafeMutableRawBufferPointer(start: base, count: limitShortBytes))
      domain.withUTF8Buffer { unsafe writer.append(contentsOf: $0.span.bytes) }
      write(&writer)
      precondition(writer.isWhole, "a short message has \(writer.count) bytes")
      let out = unsafe base + limitShortBytes
      let code = unsafe withUnsafeBytes(of: key.words) { key in
        // SAFETY: `out` has 32 bytes; message and key are valid for their counts during the call.
        unsafe crypto_generichash_blake2b(
          out, 32, base, UInt64(writer.count), key.baseAddress?.assumingMemoryBound(to: UInt8.self),
          key.count)
      }
      precondition(code == 0, "BLAKE2b refused a key of 32 bytes")
      return unsafe Bytes32(UnsafeRawBufferPointer(start: out, count: 32))
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

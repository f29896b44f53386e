internal import CSodium

/// An Ed25519 signature.
public struct Signature: Hashable, Sendable {
  /// Its 64 bytes.
  public let bytes: [UInt8]

  /// The signature of these bytes; `nil` unless there are 64.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 64 else { return nil }
    self.bytes = bytes
  }
}

/// Who signs: the real scheme is `SigningKey`; simulations may hand in another.
package protocol Signer: Sendable {
  /// The public key.
  var peer: PeerID { get }
  /// Signs an event's id, and with it its whole feed up to there.
  func sign(_ id: EventID) -> Signature
  /// A salt only this peer can make again (Docs/PROTOCOL.md §1.5).
  func salt(room: RoomID, game: UInt16, round: UInt16, seat: UInt16, sequence: UInt64) -> Bytes32
  /// What is in a box that was sealed to this peer; `nil` where it was not, or is none.
  func open(_ box: [UInt8]) -> [UInt8]?
}

/// Who checks signatures: `Ed25519` really does.
package protocol SignatureScheme: Sendable {
  /// Whether `signature` is `author`'s over the event `id`.
  func isValid(_ signature: Signature, of id: EventID, by author: PeerID) -> Bool
}

/// What a signature of an event is over.
func signedBytes(_ id: EventID) -> [UInt8] {
  var message = Array("parlor-signature-1".utf8)
  message.append(id)
  return message
}

private func signedBytes(ofHandshake transcript: [UInt8]) -> [UInt8] {
  Array("parlor-handshake-1".utf8) + transcript
}

private func signedBytes(ofSocket challenge: Bytes32, of server: PeerID) -> [UInt8] {
  var message = Array("parlor-socket-1".utf8)
  message.append(server)
  return message + challenge.bytes
}

/// Signature checks with libsodium, which refuses malleable signatures and keys of small order.
package struct Ed25519: SignatureScheme {
  /// The scheme. libsodium is started when the first one is made.
  package init() {
    precondition(sodium_init() >= 0, "libsodium could not start")
  }

  package func isValid(_ signature: Signature, of id: EventID, by author: PeerID) -> Bool {
    isValid(signature, ofMessage: signedBytes(id), by: author)
  }

  /// Whether `signature` is `peer`'s over what both ends of a channel said so far (Docs/PROTOCOL.md §8.3).
  package func isValid(_ signature: Signature, ofHandshake transcript: [UInt8], by peer: PeerID) -> Bool {
    isValid(signature, ofMessage: signedBytes(ofHandshake: transcript), by: peer)
  }

  /// Whether `signature` is `peer`'s over what a server asked it on a socket (Docs/PROTOCOL.md §2).
  package func isValid(
    _ signature: Signature, ofSocket challenge: Bytes32, of server: PeerID, by peer: PeerID
  ) -> Bool {
    isValid(signature, ofMessage: signedBytes(ofSocket: challenge, of: server), by: peer)
  }

  private func isValid(_ signature: Signature, ofMessage message: [UInt8], by author: PeerID) -> Bool {
    // SAFETY: libsodium reads 64, `message.count` and 32 bytes, which the arrays have.
    unsafe crypto_sign_ed25519_verify_detached(
      signature.bytes, message, UInt64(message.count), author.bytes.bytes) == 0
  }
}

/// The secret half of a peer: signs events and derives salts. Lives in guarded memory that is wiped at the
/// end.
@safe public final class SigningKey: Signer, Sendable {
  /// The public key.
  public let peer: PeerID
  // SAFETY: written once in `init`, only read afterwards, freed in `deinit`.
  nonisolated(unsafe) private let secret: UnsafeMutableRawPointer
  private let saltKey: Bytes32

  /// The key of a 32-byte seed. Traps for any other length.
  public init(seed: [UInt8]) {
    precondition(seed.count == 32, "an Ed25519 seed has 32 bytes")
    precondition(sodium_init() >= 0, "libsodium could not start")
    guard let memory = unsafe sodium_malloc(64) else {
      preconditionFailure("the system gave no guarded memory for a key")
    }
    var publicKey = [UInt8](repeating: 0, count: 32)
    // SAFETY: `memory` has 64 bytes, `publicKey` and `seed` 32 each.
    unsafe _ = crypto_sign_ed25519_seed_keypair(
      &publicKey, memory.assumingMemoryBound(to: UInt8.self), seed)
    unsafe _ = sodium_mprotect_readonly(memory)
    unsafe secret = memory
    peer = PeerID(Bytes32(publicKey, at: 0))
    saltKey = Blake2b(domain: "parlor-salt-key-1", key: Bytes32(seed, at: 0)).digest()
  }

  deinit {
    // SAFETY: the memory came from `sodium_malloc` and is freed once; `sodium_free` wipes it.
    unsafe sodium_free(secret)
  }

  /// Calls `body` with the 32 bytes of the seed where they lie; they must not be kept.
  func withSeed(_ body: (UnsafePointer<UInt8>) -> Void) {
    // SAFETY: an Ed25519 secret of libsodium is the seed and the public key, 32 bytes each.
    unsafe body(UnsafePointer(secret.assumingMemoryBound(to: UInt8.self)))
  }

  /// Calls `body` with the secret of 64 bytes where it lies; it must not be kept.
  func withSecret<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    // SAFETY: the memory has 64 bytes, and stays while `self` does.
    unsafe body(UnsafePointer(secret.assumingMemoryBound(to: UInt8.self)))
  }

  /// A new random seed for a key, from the system's generator.
  public static func randomSeed() -> [UInt8] {
    precondition(sodium_init() >= 0, "libsodium could not start")
    var seed = [UInt8](repeating: 0, count: 32)
    // SAFETY: `seed` has 32 bytes.
    unsafe randombytes_buf(&seed, 32)
    return seed
  }

  package func sign(_ id: EventID) -> Signature { sign(message: signedBytes(id)) }

  /// Signs what both ends of a channel said so far (Docs/PROTOCOL.md §8.3). Events' signatures begin with other
  /// words, so that neither can be taken for the other.
  package func sign(handshake transcript: [UInt8]) -> Signature {
    sign(message: signedBytes(ofHandshake: transcript))
  }

  /// Signs what a server asks on a socket, with which a client shows that it has the key (Docs/PROTOCOL.md §2).
  package func sign(socket challenge: Bytes32, of server: PeerID) -> Signature {
    sign(message: signedBytes(ofSocket: challenge, of: server))
  }

  private func sign(message: [UInt8]) -> Signature {
    var out = [UInt8](repeating: 0, count: 64)
    // SAFETY: libsodium writes 64 bytes and reads `message.count` and the 64 bytes of the secret.
    unsafe _ = crypto_sign_ed25519_detached(
      &out, nil, message, UInt64(message.count), secret.assumingMemoryBound(to: UInt8.self))
    guard let signature = Signature(out) else { preconditionFailure("a signature has 64 bytes") }
    return signature
  }

  package func salt(room: RoomID, game: UInt16, round: UInt16, seat: UInt16, sequence: UInt64) -> Bytes32 {
    .salt(key: saltKey, room: room, game: game, round: round, seat: seat, sequence: sequence)
  }

  /// What the salts of one room follow from, where they do not follow from the key itself (`RoomSigner`).
  package func saltSecret(of room: RoomID) -> Bytes32 {
    salt(room: room, game: .max, round: .max, seat: .max, sequence: .max)
  }

  /// A seed for another key that only this key's owner can derive: the keys of local bots.
  package func derivedSeed(name: String) -> [UInt8] {
    var hash = Blake2b(domain: "parlor-derived-1", key: saltKey)
    hash.update(Array(name.utf8))
    return hash.digest().bytes
  }
}

extension Bytes32 {
  /// The salt of a place (Docs/PROTOCOL.md §1.5).
  static func salt(
    key: Bytes32, room: RoomID, game: UInt16, round: UInt16, seat: UInt16, sequence: UInt64
  ) -> Bytes32 {
    var hash = Blake2b(domain: "parlor-salt-1", key: key)
    hash.update(room)
    hash.update(bigEndian: game)
    hash.update(bigEndian: round)
    hash.update(bigEndian: seat)
    hash.update(bigEndian: sequence)
    return hash.digest()
  }
}

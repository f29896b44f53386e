/// Noise's SymmetricState: the hash of all that was said, and the keys that follow from all that is shared.
struct SymmetricState: Sendable {
  private(set) var cipher = CipherState()
  private var chainingKey: Secret
  /// The transcript's hash: both ends have the same one, or nothing opens.
  private(set) var hash: [UInt8]

  /// Begins with a protocol's name.
  init(protocolName: String) {
    let name = Array(protocolName.utf8)
    hash =
      name.count <= NoiseHash.bytes
      ? name + [UInt8](repeating: 0, count: NoiseHash.bytes - name.count) : NoiseHash.hash(name)
    chainingKey = Secret(copying: hash)
  }

  /// Mixes a shared secret into the keys.
  mutating func mixKey(_ input: Secret) {
    let keys = NoiseHash.derive(2, from: chainingKey, input)
    chainingKey = keys[0]
    cipher = CipherState(key: keys[1])
  }

  /// Mixes bytes into the transcript.
  mutating func mixHash(_ bytes: some Collection<UInt8>) { hash = NoiseHash.hash(hash + bytes) }

  /// Mixes a pre-shared key into keys and transcript.
  mutating func mixKeyAndHash(_ input: Secret) {
    let keys = NoiseHash.derive(3, from: chainingKey, input)
    chainingKey = keys[0]
    mixHash(keys[1].copy())
    cipher = CipherState(key: keys[2])
  }

  /// Appends bytes to a message, sealed once there is a key.
  mutating func seal(_ bytes: [UInt8], into message: inout [UInt8]) throws(NoiseError) {
    let start = message.count
    message += bytes
    try cipher.seal(&message, from: start, authenticating: hash)
    mixHash(message[start...])
  }

  /// Opens a part of a message.
  mutating func open(_ message: [UInt8], _ range: Range<Int>) throws(NoiseError) -> [UInt8] {
    var opened: [UInt8] = []
    try cipher.open(message, range, authenticating: hash, into: &opened)
    mixHash(message[range])
    return opened
  }

  /// The ciphers of both directions: the initiator's, then the responder's.
  func split() -> (CipherState, CipherState) {
    let keys = NoiseHash.derive(2, from: chainingKey, nil)
    return (CipherState(key: keys[0]), CipherState(key: keys[1]))
  }
}

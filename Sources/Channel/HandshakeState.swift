internal import Events

/// A key that everybody in a private network has.
package struct PresharedKey: Sendable {
  let secret: Secret

  /// The key of these bytes; `nil` unless there are 32.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    secret = Secret(copying: bytes)
  }
}

/// Which end of a channel one is.
package enum Role: UInt8, Sendable {
  /// Who connected.
  case initiator = 1
  /// Who was connected to.
  case responder = 2

  var other: Role { self == .initiator ? .responder : .initiator }
}

/// The XX handshake of Noise (revision 34), or XXpsk3 where there is a pre-shared key.
///
/// ```
/// -> e
/// <- e, ee, s, es
/// -> s, se [, psk]
/// ```
struct HandshakeState: Sendable {
  private enum Token { case e, s, ee, es, se, psk }

  private static let pattern: [[Token]] = [[.e], [.e, .ee, .s, .es], [.s, .se]]
  /// How many messages there are.
  static let messages = pattern.count

  private let role: Role
  private let staticKeys: KeyPair
  /// This end's keys for this handshake alone, made when they are first needed.
  private var ephemeralKeys: KeyPair?
  /// Gives the 32 random bytes that they are made from.
  private let random: @Sendable () -> [UInt8]
  private let presharedKey: PresharedKey?
  private var symmetric: SymmetricState
  /// The other end's long-lived key, once it has come.
  private(set) var remoteStatic: Bytes32?
  private var remoteEphemeral: Bytes32?
  /// The message that comes next, from 0; the initiator's have even numbers.
  private(set) var next = 0

  init(
    role: Role, staticKeys: KeyPair, ephemeralKeys: KeyPair?, presharedKey: PresharedKey?, prologue: [UInt8],
    random: @escaping @Sendable () -> [UInt8] = SigningKey.randomSeed
  ) {
    self.random = random
    self.role = role
    self.staticKeys = staticKeys
    self.ephemeralKeys = ephemeralKeys
    self.presharedKey = presharedKey
    let pattern = presharedKey == nil ? "XX" : "XXpsk3"
    symmetric = SymmetricState(protocolName: "Noise_\(pattern)_25519_ChaChaPoly_BLAKE2b")
    symmetric.mixHash(prologue)
  }

  /// Whether all messages were written or read.
  var isComplete: Bool { next == Self.messages }
  /// Whether the next message is one's own.
  var isWriting: Bool { !isComplete && next.isMultiple(of: 2) == (role == .initiator) }
  /// The transcript's hash.
  var hash: [UInt8] { symmetric.hash }

  /// The ciphers of both directions: the initiator's, then the responder's.
  func split() -> (CipherState, CipherState) {
    precondition(isComplete, "the handshake is at message \(next)")
    return symmetric.split()
  }

  private func tokens(of message: Int) -> [Token] {
    Self.pattern[message] + (message == Self.messages - 1 && presharedKey != nil ? [.psk] : [])
  }

  /// How long the message of a number is, beside its payload.
  static func overhead(ofMessage number: Int, isKeyed: Bool) -> Int {
    let tagBytes = number > 0 || isKeyed ? CipherState.tagBytes : 0
    return [32, 32 + 32 + CipherState.tagBytes, 32 + CipherState.tagBytes][number] + tagBytes
  }

  // MARK: - Messages

  /// Writes the next message.
  /// - Parameter payload: makes the payload, from the transcript's hash up to it.
  mutating func write(_ payload: (_ hash: [UInt8]) -> [UInt8]) throws(NoiseError) -> [UInt8] {
    precondition(isWriting, "message \(next) is not the \(role)'s to write")
    var message: [UInt8] = []
    for token in tokens(of: next) {
      switch token {
      case .e:
        let keys = ephemeralKeys ?? .generate(random)
        ephemeralKeys = keys
        keys.publicKey.append(to: &message)
        mixEphemeral(keys.publicKey)
      case .s: try symmetric.seal(staticKeys.publicKey.bytes, into: &message)
      case .ee, .es, .se: try mixShared(token)
      case .psk: mixPresharedKey()
      }
    }
    try symmetric.seal(payload(symmetric.hash), into: &message)
    next += 1
    return message
  }

  /// Reads the next message.
  /// - Returns: its payload, and the transcript's hash up to it.
  mutating func read(_ message: [UInt8]) throws(NoiseError) -> (payload: [UInt8], hash: [UInt8]) {
    precondition(!isComplete && !isWriting, "message \(next) is not the \(role.other)'s to write")
    guard message.count >= Self.overhead(ofMessage: next, isKeyed: presharedKey != nil) else {
      throw .wrongLength(message.count)
    }
    var at = 0
    for token in tokens(of: next) {
      switch token {
      case .e:
        let key = Bytes32(message, at: 0)
        at = 32
        remoteEphemeral = key
        mixEphemeral(key)
      case .s:
        let end = at + 32 + CipherState.tagBytes
        remoteStatic = Bytes32(try symmetric.open(message, at..<end), at: 0)
        at = end
      case .ee, .es, .se: try mixShared(token)
      case .psk: mixPresharedKey()
      }
    }
    let hash = symmetric.hash
    let payload = try readPayload(message, at..<message.count)
    next += 1
    return (payload, hash)
  }

  private mutating func readPayload(_ message: [UInt8], _ range: Range<Int>) throws(NoiseError) -> [UInt8] {
    do throws(NoiseError) { return try symmetric.open(message, range) } catch {
      throw error == .doesNotOpen ? .payloadDoesNotOpen : error
    }
  }

  // MARK: - Tokens

  /// Where there is a pre-shared key, ephemeral keys go into the keys as well (Noise §9.2).
  private mutating func mixEphemeral(_ key: Bytes32) {
    symmetric.mixHash(key.bytes)
    if presharedKey != nil { symmetric.mixKey(Secret(copying: key.bytes)) }
  }

  private mutating func mixPresharedKey() {
    if let presharedKey { symmetric.mixKeyAndHash(presharedKey.secret) }
  }

  /// `es` is the initiator's ephemeral key with the responder's static one; `se` the other way round.
  private mutating func mixShared(_ token: Token) throws(NoiseError) {
    let isOwnStatic = token == (role == .initiator ? .se : .es)
    let isTheirStatic = token == (role == .initiator ? .es : .se)
    guard let own = isOwnStatic ? staticKeys : ephemeralKeys,
      let other = isTheirStatic ? remoteStatic : remoteEphemeral
    else {
      preconditionFailure("the pattern uses a key before it has come, in message \(next)")
    }
    symmetric.mixKey(try own.shared(with: other))
  }
}

package import Events

/// Who one is towards the other end of a channel.
package struct Credentials: Sendable {
  /// The peer's own key, which proves who it is.
  package let signer: SigningKey
  package let network: NetworkID
  /// The channel's own long-lived keys; they need not outlive the process.
  package let keys: KeyPair
  /// Set in a private network.
  package let presharedKey: PresharedKey?
  /// Gives 32 random bytes for the keys of one channel.
  let random: @Sendable () -> [UInt8]

  package init(
    signer: SigningKey, network: NetworkID, keys: KeyPair, presharedKey: PresharedKey? = nil,
    random: @escaping @Sendable () -> [UInt8] = SigningKey.randomSeed
  ) {
    self.random = random
    self.signer = signer
    self.network = network
    self.keys = keys
    self.presharedKey = presharedKey
  }
}

/// The beginning of a channel, until both ends know each other: preambles, then the handshake with the proofs of
/// both identities in it.
struct Greeting: Sendable {
  /// What comes next from the other end.
  enum Step: Hashable, Sendable {
    case preambleHead
    case preambleRest
    case length
    case message
  }

  /// A peer's id and its signature.
  private static let proofBytes = 32 + 64

  private let role: Role
  private let signer: SigningKey
  private let wanted: PeerID?
  private let preamble: Preamble
  private var noise: HandshakeState
  private(set) var step = Step.preambleHead
  /// The other end, once it has proven who it is.
  private(set) var peer: PeerID?
  /// The channel's own long-lived key, by which this process knows itself.
  private let ownKey: Bytes32

  init(_ role: Role, _ credentials: Credentials, ephemeral: KeyPair?, wanted: PeerID?) {
    self.role = role
    self.wanted = wanted
    signer = credentials.signer
    ownKey = credentials.keys.publicKey
    preamble = Preamble(network: credentials.network, isKeyed: credentials.presharedKey != nil)
    noise = HandshakeState(
      role: role, staticKeys: credentials.keys, ephemeralKeys: ephemeral,
      presharedKey: credentials.presharedKey, prologue: preamble.prologue, random: credentials.random)
  }

  /// The other end's long-lived key of the channel.
  var otherKey: Bytes32? { noise.remoteStatic }

  /// Whether nothing is left to write or to read.
  var isComplete: Bool { noise.isComplete }

  /// How long the piece is that comes next.
  var wantedBytes: Int {
    switch step {
    case .preambleHead: Preamble.headBytes
    case .preambleRest: Preamble.bytes - Preamble.headBytes
    case .length: 2
    case .message: messageBytes
    }
  }

  /// How long the next message of the handshake is: each has one length.
  private var messageBytes: Int {
    HandshakeState.overhead(ofMessage: noise.next, isKeyed: preamble.isKeyed)
      + (noise.next == 0 ? 0 : Self.proofBytes)
  }

  /// What the initiator begins with.
  mutating func begin() throws(ChannelError) -> [UInt8] {
    role == .initiator ? preamble.encoded() + (try write()) : []
  }

  /// Refuses a beginning that cannot become a preamble.
  func check(beginning bytes: ArraySlice<UInt8>) throws(ChannelError) {
    guard step != .preambleHead || Preamble.mayBegin(bytes) else { throw .notParlor }
  }

  /// Takes the piece that was wanted, and appends what is to be answered: also when it throws.
  mutating func take(_ piece: [UInt8], answer: inout [UInt8]) throws(ChannelError) {
    switch step {
    case .preambleHead:
      guard Preamble.mayBegin(piece[...]) else { throw .notParlor }
      // Also who is refused is told which protocol this is.
      if role == .responder { answer += preamble.encoded() }
      try Preamble.checkHead(piece[...])
      step = .preambleRest
    case .preambleRest:
      try preamble.checkRest(piece[...])
      step = .length
    case .length:
      let length = piece.reduce(0) { $0 << 8 | Int($1) }
      guard length == messageBytes else { throw .badLength(length) }
      step = .message
    case .message:
      try read(piece)
      step = .length
      if noise.isWriting { answer += try write() }
    }
  }

  /// The ciphers of what follows.
  func frames() -> FrameCipher {
    let (fromInitiator, fromResponder) = noise.split()
    return role == .initiator
      ? FrameCipher(sending: fromInitiator, receiving: fromResponder)
      : FrameCipher(sending: fromResponder, receiving: fromInitiator)
  }

  // MARK: - Messages

  private mutating func write() throws(ChannelError) -> [UInt8] {
    let number = noise.next
    let (signer, role) = (signer, role)
    let message = try mapped(number) { noise throws(NoiseError) in
      try noise.write { hash in
        number == 0 ? [] : signer.peer.bytes.bytes + signer.sign(handshake: Self.signed(role, hash)).bytes
      }
    }
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt16(message.count))
    return bytes + message
  }

  private mutating func read(_ message: [UInt8]) throws(ChannelError) {
    let number = noise.next
    let (payload, hash) = try mapped(number) { noise throws(NoiseError) in try noise.read(message) }
    guard number > 0 else { return }
    let other = PeerID(Bytes32(payload, at: 0))
    guard let signature = Signature(Array(payload[32...])),
      Ed25519().isValid(signature, ofHandshake: Self.signed(role.other, hash), by: other)
    else { throw .identityUnproven(other) }
    // Another process with this identity has other keys: both are told so when they have opened.
    guard other != signer.peer || noise.remoteStatic != ownKey else { throw .oneself }
    if let wanted, wanted != other { throw .otherPeer(wanted: wanted, found: other) }
    peer = other
  }

  /// What an identity's key signs: the signer's end, and all that both have said up to there.
  private static func signed(_ role: Role, _ hash: [UInt8]) -> [UInt8] { [role.rawValue] + hash }

  /// Does a step of the handshake, and says in this module's words why it fails.
  private mutating func mapped<Result>(
    _ number: Int, _ body: (inout HandshakeState) throws(NoiseError) -> Result
  ) throws(ChannelError) -> Result {
    do throws(NoiseError) { return try body(&noise) } catch {
      switch error {
      case .lowOrderPoint: throw .lowOrderPoint
      case .exhausted: throw .exhausted
      case .wrongLength(let count): throw .badLength(count)
      // Only the last message's payload is sealed with the pre-shared key.
      case .payloadDoesNotOpen where preamble.isKeyed && number == HandshakeState.messages - 1:
        throw .wrongPresharedKey
      case .doesNotOpen, .payloadDoesNotOpen: throw .handshakeBroken(message: number + 1)
      }
    }
  }
}

import Events

/// A key of the simulation: signs quickly, and nobody else can, because nobody is handed its secret but the scheme.
///
/// A signature is a keyed hash of the event's id. Dishonest peers are programs of the simulation as well; they are
/// handed their own key alone. Where things are to be sealed to it, its public key is a real one, and its boxes are the
/// product's own.
final class StandInKey: Signer {
  let peer: PeerID
  fileprivate let secret: Bytes32
  /// What opens boxes.
  private let opener: SigningKey?

  /// The key of 32 random bytes.
  /// - Parameter takesBoxes: whether something can be sealed to it.
  init(seed: [UInt8], takesBoxes: Bool = false) {
    let key = Bytes32(seed, at: 0)
    secret = Blake2b(domain: "parlor-simulation-secret", key: key).digest()
    opener = takesBoxes ? SigningKey(seed: seed) : nil
    peer = opener?.peer ?? PeerID(Blake2b(domain: "parlor-simulation-peer", key: key).digest())
  }

  func sign(_ id: EventID) -> Signature { StandInScheme.signature(of: id, with: secret) }

  func salt(room: RoomID, game: UInt16, round: UInt16, seat: UInt16, sequence: UInt64) -> Bytes32 {
    var hash = Blake2b(domain: "parlor-simulation-salt", key: secret)
    hash.update(room)
    hash.update(bigEndian: game)
    hash.update(bigEndian: round)
    hash.update(bigEndian: seat)
    hash.update(bigEndian: sequence)
    return hash.digest()
  }

  func open(_ box: [UInt8]) -> [UInt8]? { opener?.open(box) }
}

/// Checks signatures of stand-in keys, whose secrets it holds.
struct StandInScheme: SignatureScheme {
  private let keys: [(peer: PeerID, secret: Bytes32)]

  /// A scheme of these keys.
  init(_ keys: [StandInKey]) { self.keys = keys.map { ($0.peer, $0.secret) } }

  func isValid(_ signature: Signature, of id: EventID, by author: PeerID) -> Bool {
    guard let key = keys.first(where: { $0.peer == author }) else { return false }
    return signature == Self.signature(of: id, with: key.secret)
  }

  fileprivate static func signature(of id: EventID, with secret: Bytes32) -> Signature {
    var hash = Blake2b(domain: "", key: secret)
    hash.update(id)
    let half = hash.digest().bytes
    guard let signature = Signature(half + half) else { preconditionFailure("a signature has 64 bytes") }
    return signature
  }
}

/// A key whose owner sometimes signs wrongly on purpose.
struct ForgingSigner: Signer {
  let honest: any Signer
  var peer: PeerID { honest.peer }

  func sign(_ id: EventID) -> Signature {
    guard id.bytes.prefix64 % 5 == 0 else { return honest.sign(id) }
    guard let forged = Signature([UInt8](repeating: 0x5A, count: 64)) else {
      preconditionFailure("a signature has 64 bytes")
    }
    return forged
  }

  func salt(room: RoomID, game: UInt16, round: UInt16, seat: UInt16, sequence: UInt64) -> Bytes32 {
    honest.salt(room: room, game: game, round: round, seat: seat, sequence: sequence)
  }

  func open(_ box: [UInt8]) -> [UInt8]? { honest.open(box) }
}

/// Takes every signature: a mistake to plant.
struct CredulousScheme: SignatureScheme {
  func isValid(_ signature: Signature, of id: EventID, by author: PeerID) -> Bool { true }
}

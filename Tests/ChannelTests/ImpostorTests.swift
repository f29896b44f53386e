import Events
import Testing

@testable import Channel

/// Who speaks the protocol well and lies about who it is.
@Suite struct ImpostorTests {
  /// An end that puts together its handshake by hand.
  private struct Impostor {
    static let preamble = Preamble(network: .standard, isKeyed: false)
    var noise: HandshakeState

    init(_ role: Role) {
      noise = HandshakeState(
        role: role, staticKeys: Fixed.keys(60), ephemeralKeys: Fixed.keys(103), presharedKey: nil,
        prologue: Self.preamble.prologue)
    }

    mutating func write(_ payload: (_ hash: [UInt8]) -> [UInt8] = { _ in [] }) throws -> [UInt8] {
      let message = try noise.write(payload)
      return [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
    }

    /// Reads a message behind its length.
    mutating func read(_ frame: [UInt8]) throws -> [UInt8] {
      try noise.read(Array(frame.dropFirst(2))).payload
    }
  }

  private static func proof(_ number: UInt8, _ role: Role, _ hash: [UInt8]) -> [UInt8] {
    let signer = Fixed.signer(number)
    return signer.peer.bytes.bytes + signer.sign(handshake: [role.rawValue] + hash).bytes
  }

  /// What a responder makes of an initiator's payload.
  private func outcome(_ payload: (_ hash: [UInt8]) -> [UInt8]) throws -> Channel.State {
    var impostor = Impostor(.initiator)
    var channel = Channel(.responder, Fixed.credentials(2), ephemeral: Fixed.keys(102), at: 0)
    Ends.deliver(Impostor.preamble.encoded() + (try impostor.write()), to: &channel)
    _ = try impostor.read(Array(channel.takeOutbox().dropFirst(Preamble.bytes)))
    Ends.deliver(try impostor.write(payload), to: &channel)
    return channel.state
  }

  @Test func aTrueProofIsTaken() throws {
    #expect(try outcome { Self.proof(3, .initiator, $0) } == .open(Fixed.signer(3).peer))
  }

  @Test func aKeyWithoutItsSignatureIsNoProof() throws {
    let victim = Fixed.signer(1).peer
    let unproven = Channel.State.closed(.identityUnproven(victim))
    let foreign = { (hash: [UInt8]) in victim.bytes.bytes + Self.proof(3, .initiator, hash).dropFirst(32) }
    #expect(try outcome(foreign) == unproven)
    // The other end's role, another handshake, and an event's signature.
    #expect(try outcome { Self.proof(1, .responder, $0) } == unproven)
    #expect(try outcome { Self.proof(1, .initiator, $0.reversed()) } == unproven)
    let event = EventID(Blake2b(domain: "any").digest())
    #expect(try outcome { _ in victim.bytes.bytes + Fixed.signer(1).sign(event).bytes } == unproven)
    // A key of small order, under which a signature of nothing might fit.
    for first in [0, 1] as [UInt8] {
      let key = [first] + [UInt8](repeating: 0, count: 31)
      let state = try outcome { _ in key + [1] + [UInt8](repeating: 0, count: 63) }
      #expect(state == .closed(.identityUnproven(PeerID(try #require(Bytes32(key))))))
    }
  }

  /// Somebody in the middle, to whom the victim speaks gladly, hands its proof on to a third peer.
  @Test func aProofOfAnotherHandshakeIsNoProof() throws {
    var victim = Channel(.initiator, Fixed.credentials(1), ephemeral: Fixed.keys(101), at: 0)
    var inFront = Impostor(.responder)
    _ = try inFront.read(Array(victim.takeOutbox().dropFirst(Preamble.bytes)))
    let answer = try inFront.write { Self.proof(4, .responder, $0) }
    Ends.deliver(Impostor.preamble.encoded() + answer, to: &victim)
    let stolen = try inFront.read(victim.takeOutbox())
    #expect(Array(stolen.prefix(32)) == Fixed.signer(1).peer.bytes.bytes)
    #expect(try outcome { _ in stolen } == .closed(.identityUnproven(Fixed.signer(1).peer)))
  }

  /// Points that give no secret, as ephemeral key of either end: the handshake ends with words.
  @Test(arguments: [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "00000000000000000000000000000000000000000000000000000000000000" + "80",
  ]) func pointsOfSmallOrderAreRefused(_ hex: String) throws {
    let point = try #require([UInt8](hex: hex))
    #expect(throws: NoiseError.lowOrderPoint) {
      try Fixed.keys(1).shared(with: try #require(Bytes32(point)))
    }
    var responder = Channel(.responder, Fixed.credentials(2), at: 0)
    Ends.deliver(Impostor.preamble.encoded() + [0, 32] + point, to: &responder)
    #expect(responder.closing == .lowOrderPoint)
    var initiator = Channel(.initiator, Fixed.credentials(1), at: 0)
    let rest = [UInt8](repeating: 0, count: 160)
    Ends.deliver(Impostor.preamble.encoded() + [0, 192] + point + rest, to: &initiator)
    #expect(initiator.closing == .lowOrderPoint)
  }

  /// The same for the static key, which comes sealed.
  @Test func aStaticKeyOfSmallOrderIsRefused() throws {
    var responder = Channel(.responder, Fixed.credentials(2), ephemeral: Fixed.keys(102), at: 0)
    var symmetric = SymmetricState(protocolName: "Noise_XX_25519_ChaChaPoly_BLAKE2b")
    symmetric.mixHash(Impostor.preamble.prologue)
    let ephemeral = Fixed.keys(103)
    symmetric.mixHash(ephemeral.publicKey.bytes)
    _ = try symmetric.open([], 0..<0)
    Ends.deliver(Impostor.preamble.encoded() + [0, 32] + ephemeral.publicKey.bytes, to: &responder)
    let answer = Array(responder.takeOutbox().dropFirst(Preamble.bytes + 2))
    symmetric.mixHash(answer.prefix(32))
    symmetric.mixKey(try ephemeral.shared(with: Bytes32(answer, at: 0)))
    let theirs = Bytes32(try symmetric.open(answer, 32..<80), at: 0)
    symmetric.mixKey(try ephemeral.shared(with: theirs))
    _ = try symmetric.open(answer, 80..<192)
    var message: [UInt8] = []
    try symmetric.seal([UInt8](repeating: 0, count: 32), into: &message)
    Ends.deliver([0, 160] + message + [UInt8](repeating: 0, count: 112), to: &responder)
    #expect(responder.closing == .lowOrderPoint)
  }
}

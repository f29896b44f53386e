import Events
import Foundation
import TestKit
import Testing

@testable import Channel

/// The handshake against vectors that others have published (Vectors/README.md says whose).
@Suite struct NoiseVectorTests {
  private struct VectorList: Decodable { let vectors: [Vector] }

  private struct Vector: Decodable {
    struct Message: Decodable {
      let payload: String
      let ciphertext: String
    }
    let protocolName: String
    let initPrologue: String
    let initPsks: [String]?
    let initStatic: String
    let initEphemeral: String
    let respPrologue: String
    let respPsks: [String]?
    let respStatic: String
    let respEphemeral: String
    let handshakeHash: String
    let messages: [Message]
  }

  private static func vectors() throws -> [Vector] {
    let url = PackageFolder.file("Tests/ChannelTests/Vectors/cacophony.json")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(VectorList.self, from: Data(contentsOf: url)).vectors
  }

  private static func bytes(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex)) }

  private func state(
    _ role: Role, _ keys: String, _ ephemeral: String, _ psks: [String]?, _ prologue: String
  ) throws -> HandshakeState {
    HandshakeState(
      role: role, staticKeys: KeyPair(secret: try Self.bytes(keys)),
      ephemeralKeys: KeyPair(secret: try Self.bytes(ephemeral)),
      presharedKey: try psks?.first.map { try #require(PresharedKey(Self.bytes($0))) },
      prologue: try Self.bytes(prologue))
  }

  @Test func bothPatternsAreThere() throws {
    #expect(
      try Self.vectors().map(\.protocolName) == [
        "Noise_XX_25519_ChaChaPoly_BLAKE2b", "Noise_XXpsk3_25519_ChaChaPoly_BLAKE2b",
      ])
  }

  @Test(arguments: 0..<2) func handshakeAndMessagesAreThePublishedOnes(_ index: Int) throws {
    let vector = try Self.vectors()[index]
    var ends = [
      try state(
        .initiator, vector.initStatic, vector.initEphemeral, vector.initPsks, vector.initPrologue),
      try state(
        .responder, vector.respStatic, vector.respEphemeral, vector.respPsks, vector.respPrologue),
    ]
    for (number, message) in vector.messages.prefix(HandshakeState.messages).enumerated() {
      let payload = try Self.bytes(message.payload)
      let written = try ends[number % 2].write { _ in payload }
      #expect(written.hex == message.ciphertext, "message \(number)")
      #expect(try ends[(number + 1) % 2].read(written).payload == payload)
      let overhead = HandshakeState.overhead(ofMessage: number, isKeyed: vector.initPsks != nil)
      #expect(written.count == overhead + payload.count)
    }
    for end in ends { #expect(end.isComplete && end.hash.hex == vector.handshakeHash) }
    var initiator = ends[0].split()
    var responder = ends[1].split()
    for (number, message) in vector.messages.enumerated().dropFirst(HandshakeState.messages) {
      let payload = try Self.bytes(message.payload)
      var sealed = payload
      var opened: [UInt8] = []
      if number % 2 == 0 {
        try initiator.0.seal(&sealed, from: 0)
        try responder.0.open(sealed, 0..<sealed.count, into: &opened)
      } else {
        try responder.1.seal(&sealed, from: 0)
        try initiator.1.open(sealed, 0..<sealed.count, into: &opened)
      }
      #expect(sealed.hex == message.ciphertext, "message \(number)")
      #expect(opened == payload)
    }
  }

  /// A changed byte of the prologue, which is never sent, is noticed.
  @Test func anotherPrologueDoesNotFit() throws {
    let vector = try Self.vectors()[0]
    var initiator = try state(
      .initiator, vector.initStatic, vector.initEphemeral, nil, vector.initPrologue)
    var responder = try state(.responder, vector.respStatic, vector.respEphemeral, nil, "00")
    _ = try responder.read(try initiator.write { _ in [] })
    let message = try responder.write { _ in [] }
    #expect(throws: NoiseError.doesNotOpen) { try initiator.read(message) }
  }
}

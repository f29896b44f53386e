import CSodium
import Events
import TestKit
import Testing

/// The bytes of RFC 7693's self-test: a Fibonacci generator.
private func sequence(_ count: Int, seed: UInt32) -> [UInt8] {
  var (a, b) = (0xDEAD_4BAD &* seed, UInt32(1))
  return (0..<count).map { _ in
    (a, b) = (b, a &+ b)
    return UInt8(truncatingIfNeeded: b >> 24)
  }
}

@Suite("Published test vectors")
struct PublishedVectorTests {
  @Test("libsodium passes the self-test of RFC 7693, appendix E")
  func selfTest() {
    var grand: [UInt8] = []
    for size in [20, 32, 48, 64] {
      for count in [0, 3, 128, 129, 255, 1_024] {
        let message = sequence(count, seed: UInt32(count))
        for key in [[], sequence(size, seed: UInt32(size))] {
          var out = [UInt8](repeating: 0, count: size)
          // SAFETY: the arrays have the lengths that are given with them.
          unsafe _ = crypto_generichash_blake2b(
            &out, size, message, UInt64(message.count), key.isEmpty ? nil : key, key.count)
          grand += out
        }
      }
    }
    var hash = Blake2b(domain: "")
    hash.update(grand)
    #expect(
      hash.digest().hex == "c23a7800d98123bd10f506c61e29da5603d763b8bbad2e737f5e765a7bccd475")
  }

  @Test("BLAKE2b-256, at once and in pieces, at the edges of its blocks")
  func hashes() {
    let known = [
      0: "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8",
      1: "be492f1d5267c38c859e0778607aebe4c9695240fa032f7f692e494b6c0ac94f",
      111: "e0bfd14ccec281a9c320a89d297eff336455cb2fc0d0902b1e74dfcc1f57a245",
      128: "9f51dad780c3c7f1915262e80ccbd443a91e5c5c97e8127f9c9f8536aec85960",
      129: "5a9585ea35499d7d883d3a22eed1d3ebc46c1b1937d479b8be92b358c3eed78e",
      1_000: "07ce30c27b80c435e260b77403db71e9c4ec34b69b181a6b921fc4807780a93f",
    ]
    for count in known.keys.sorted() {
      let message = sequence(count, seed: UInt32(count))
      var hash = Blake2b(domain: "")
      hash.update(message)
      #expect(hash.digest().hex == known[count])
      for pieces in [1, 64, 127, 128, 129] {
        var running = RunningHash(domain: "")
        for start in stride(from: 0, to: count, by: pieces) {
          _ = running.digest()
          running.update(Array(message[start..<min(count, start + pieces)]))
        }
        let digest = running.digest()
        #expect(digest.hex == known[count])
      }
    }
  }

  @Test("SHA-256 of FIPS 180-4, its examples B.1 and B.2")
  func pageHashes() {
    let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    let hashes = ["abc", long].map { Hashing.sha256(Array($0.utf8)).hex }
    #expect(
      hashes == [
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
      ])
  }

  @Test("Ed25519 keys and signatures of RFC 8032, section 7.1")
  func signatures() throws {
    let vectors = [
      (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
          + "d25bf5f0595bbe24655141438e7a100b"
      ),
      (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
          + "387b2eaeb4302aeeb00d291612bb0c00"
      ),
      (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
          + "4a7c15e9716ed28dc027beceea1ec40a"
      ),
    ]
    for (seed, key, message, signature) in vectors {
      let seed = try #require([UInt8](hex: seed))
      #expect(SigningKey(seed: seed).peer.description == key)
      let message = try #require([UInt8](hex: message))
      let publicKey = try #require([UInt8](hex: key))
      var out = [UInt8](repeating: 0, count: 64)
      // SAFETY: the arrays have the lengths that the calls read and write.
      unsafe _ = crypto_sign_ed25519_detached(&out, nil, message, UInt64(message.count), seed + publicKey)
      #expect(out.hex == signature)
    }
  }
}

@Suite("Signatures over events")
struct SigningTests {
  private let key = SigningKey(seed: .init(repeating: 7, count: 32))
  private let scheme = Ed25519()

  @Test("A signature holds for its event and author, and no bit of it can change")
  func validity() throws {
    var random = SeededGenerator(state: 1)
    let (id, other): (EventID, EventID) = (random.identifier(), random.identifier())
    let signature = key.sign(id)
    #expect(scheme.isValid(signature, of: id, by: key.peer))
    #expect(!scheme.isValid(signature, of: other, by: key.peer))
    #expect(!scheme.isValid(signature, of: id, by: SigningKey(seed: random.bytes(32)).peer))
    for at in 0..<64 {
      for bit in 0..<8 {
        var bytes = signature.bytes
        bytes[at] ^= 1 << bit
        #expect(!scheme.isValid(try #require(Signature(bytes)), of: id, by: key.peer))
      }
    }
    #expect(Signature(Array(signature.bytes.dropLast())) == nil)
  }

  @Test("A second form of the same signature, with the group order added, is refused")
  func malleability() throws {
    let order: [UInt8] = [
      0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14, 0, 0, 0,
      0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ]
    var random = SeededGenerator(state: 2)
    let id: EventID = random.identifier()
    var bytes = key.sign(id).bytes
    var carry = 0
    for at in 0..<32 {
      let sum = Int(bytes[32 + at]) + Int(order[at]) + carry
      bytes[32 + at] = UInt8(sum & 255)
      carry = sum >> 8
    }
    #expect(!scheme.isValid(try #require(Signature(bytes)), of: id, by: key.peer))
  }

  @Test("Keys of small order, with which one signature would fit everything, are refused")
  func smallOrder() throws {
    // The neutral element, and for its non-canonical forms p + 1 and with the sign bit.
    let one: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
    let nonCanonical: [UInt8] = [0xEE] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
    let signed: [UInt8] = [1] + [UInt8](repeating: 0, count: 30) + [0x80]
    let signature = try #require(Signature(one + [UInt8](repeating: 0, count: 32)))
    var random = SeededGenerator(state: 3)
    for point in [one, nonCanonical, signed, [UInt8](repeating: 0, count: 32)] {
      for _ in 0..<16 {
        #expect(!scheme.isValid(signature, of: random.identifier(), by: PeerID(Bytes32(point, at: 0))))
      }
    }
  }

  @Test("Salts and derived keys depend on each of their parts, and on nothing else")
  func derivation() {
    var random = SeededGenerator(state: 4)
    let room: RoomID = random.identifier()
    func salt(
      _ key: SigningKey, _ room: RoomID, _ game: UInt16, _ round: UInt16, _ seat: UInt16, _ sequence: UInt64
    )
      -> Bytes32
    { key.salt(room: room, game: game, round: round, seat: seat, sequence: sequence) }
    let other = SigningKey(seed: .init(repeating: 8, count: 32))
    let salts = [
      salt(key, room, 1, 2, 3, 4), salt(other, room, 1, 2, 3, 4), salt(key, random.identifier(), 1, 2, 3, 4),
      salt(key, room, 2, 2, 3, 4), salt(key, room, 1, 1, 3, 4), salt(key, room, 1, 2, 1, 4),
      salt(key, room, 1, 2, 3, 5),
    ]
    #expect(Set(salts).count == salts.count)
    #expect(salt(SigningKey(seed: .init(repeating: 7, count: 32)), room, 1, 2, 3, 4) == salts[0])
    #expect(key.derivedSeed(name: "a") != key.derivedSeed(name: "b"))
    #expect(key.derivedSeed(name: "a") != other.derivedSeed(name: "a"))
    #expect(SigningKey(seed: key.derivedSeed(name: "a")).peer != key.peer)
  }
}

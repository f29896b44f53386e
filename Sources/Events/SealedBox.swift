internal import CSodium

/// Boxes that one peer alone can open, made of its public key (Docs/PROTOCOL.md §1.10).
///
/// They are libsodium's sealed boxes, X25519 and XSalsa20-Poly1305, but for the sender's key pair, which follows from a
/// secret: so whoever learns the secret later can make the box again, and show what was in it.
package enum SealedBox {
  /// How many bytes a box has more than what is in it.
  package static let overheadBytes = 48

  /// A box around a message.
  /// - Parameters:
  ///   - named: a key on the other curve that the receiver has named for this; by default its own one there.
  ///   - secret: where the sender's key pair comes from; another one for each box.
  /// - Returns: `nil` where the receiver's key is none to which something can be sealed.
  package static func seal(
    _ message: [UInt8], to receiver: PeerID, named: [UInt8]? = nil, secret: Digest
  ) -> [UInt8]? {
    guard let keys = Keys(to: receiver, named: named, secret: secret) else { return nil }
    var box = [UInt8](repeating: 0, count: message.count + 16)
    // SAFETY: keys have 32 bytes, the nonce 24, and the box 16 more than the message.
    guard
      unsafe crypto_box_easy(&box, message, UInt64(message.count), keys.nonce, keys.receiver, keys.secret)
        == 0
    else { return nil }
    return keys.sender + box
  }

  /// What is in a box that was made with this secret, which its sender can open too; `nil` where it was not.
  package static func reopen(_ box: [UInt8], to receiver: PeerID, secret: Digest) -> [UInt8]? {
    guard box.count >= overheadBytes, let keys = Keys(to: receiver, secret: secret) else { return nil }
    let sealed = Array(box[32...])
    var message = [UInt8](repeating: 0, count: box.count - overheadBytes)
    // SAFETY: keys have 32 bytes, the nonce 24, and the message 16 less than what is sealed.
    let code = unsafe crypto_box_open_easy(
      &message, sealed, UInt64(sealed.count), keys.nonce, keys.receiver, keys.secret)
    return code == 0 ? message : nil
  }

  /// The public key of whoever has sealed a box.
  package static func sender(of box: [UInt8]) -> [UInt8] { Array(box.prefix(32)) }

  /// What is in a box that was sealed to the sender of another one; `nil` where it was not.
  /// - Parameters:
  ///   - receiver: to whom that other one was sealed.
  ///   - secret: with which that other one was made.
  package static func open(_ box: [UInt8], asSenderTo receiver: PeerID, secret: Digest) -> [UInt8]? {
    guard box.count >= overheadBytes, let keys = Keys(to: receiver, secret: secret) else { return nil }
    var message = [UInt8](repeating: 0, count: box.count - overheadBytes)
    // SAFETY: keys have 32 bytes, and the message 48 less than the box.
    let code = unsafe crypto_box_seal_open(&message, box, UInt64(box.count), keys.sender, keys.secret)
    return code == 0 ? message : nil
  }

  /// What a sender seals with.
  private struct Keys {
    let secret: [UInt8]
    let sender: [UInt8]
    let receiver: [UInt8]
    let nonce: [UInt8]

    /// `nil` where the receiver's key is none to which something can be sealed.
    init?(to peer: PeerID, named: [UInt8]? = nil, secret: Digest) {
      var hash = Blake2b(domain: "parlor-box-key-1", key: secret.bytes)
      hash.update(peer)
      let key = hash.digest().bytes
      var (sender, target) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
      // SAFETY: keys have 32 bytes.
      unsafe _ = crypto_scalarmult_base(&sender, key)
      if let named, named.count == 32 {
        target = named
      } else {
        guard unsafe crypto_sign_ed25519_pk_to_curve25519(&target, peer.bytes.bytes) == 0 else { return nil }
      }
      guard let nonce = SealedBox.nonce(sender, target) else { return nil }
      (self.secret, self.sender, receiver, self.nonce) = (key, sender, target, nonce)
    }
  }

  /// The nonce of a sealed box: 24 bytes of BLAKE2b over both public keys.
  private static func nonce(_ sender: [UInt8], _ receiver: [UInt8]) -> [UInt8]? {
    let keys = sender + receiver
    var nonce = [UInt8](repeating: 0, count: 24)
    // SAFETY: the nonce has 24 bytes, which BLAKE2b can give.
    return unsafe crypto_generichash(&nonce, 24, keys, UInt64(keys.count), nil, 0) == 0 ? nonce : nil
  }
}

extension SigningKey {
  package func open(_ box: [UInt8]) -> [UInt8]? {
    guard box.count >= SealedBox.overheadBytes else { return nil }
    var (own, secret) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
    var message = [UInt8](repeating: 0, count: box.count - SealedBox.overheadBytes)
    // SAFETY: keys have 32 bytes, and the message 48 less than the box. The secret half is wiped behind its use.
    let code = unsafe withSecret { signing in
      unsafe crypto_sign_ed25519_pk_to_curve25519(&own, peer.bytes.bytes) == 0
        && crypto_sign_ed25519_sk_to_curve25519(&secret, signing) == 0
        ? crypto_box_seal_open(&message, box, UInt64(box.count), own, secret) : -1
    }
    unsafe sodium_memzero(&secret, 32)
    return code == 0 ? message : nil
  }
}

/// The join code of a room of hosted rounds: ten letters and digits that only the host can make again.
package enum JoinCode {
  /// What codes are written in: no letter or digit that is taken for another.
  package static let letters = Array("ABCDEFGHJKLMNPQRSTVWXYZ23456789".utf8)
  /// How many of them a code has; 49 bits.
  package static let count = 10

  /// The join code of a host's room.
  package static func code(of room: RoomID, _ host: SigningKey) -> String {
    var number = Blake2b.joinCode(host.derivedSeed(name: "join \(room)"))
    var code: [UInt8] = []
    for _ in 0..<count {
      code.append(letters[Int(number % UInt64(letters.count))])
      number /= UInt64(letters.count)
    }
    return String(decoding: code, as: UTF8.self)
  }

  /// A code as it was typed, in capitals; `nil` where it can be none.
  package static func read(_ text: some StringProtocol) -> String? {
    let code = Array(text.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 })
    return code.count == count && code.allSatisfy(letters.contains)
      ? String(decoding: code, as: UTF8.self) : nil
  }

  /// What shows that a peer knows a room's code.
  package static func proof(_ code: String, room: RoomID, author: PeerID) -> [UInt8] {
    var hash = Blake2b(domain: "parlor-join-1")
    hash.update(room)
    hash.update(author)
    hash.update(Array(code.utf8))
    return hash.digest().bytes
  }
}

extension Blake2b {
  fileprivate static func joinCode(_ seed: [UInt8]) -> UInt64 {
    var hash = Blake2b(domain: "parlor-join-code-1")
    hash.update(seed)
    return hash.digest().prefix64
  }
}

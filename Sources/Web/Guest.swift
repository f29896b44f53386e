internal import Events

/// Somebody behind a socket: a peer whose key this process keeps.
///
/// The key follows from the owner's and from a secret that the client brings, so that nothing need be stored to know
/// the client again. The name that others see holds a mark from which the owner, and nobody else, makes the key again:
/// so a process that starts again can act for guests whose clients have not come back.
struct Guest {
  /// Hexadecimal digits that stand for the client.
  let mark: String
  let key: SigningKey

  /// Who brings a secret.
  init(secret: String, owner: SigningKey) {
    self.init(mark: Array(owner.derivedSeed(name: "guest-mark:" + secret).prefix(6)).hex, owner)
  }

  private init(mark: String, _ owner: SigningKey) {
    self.mark = mark
    key = SigningKey(seed: owner.derivedSeed(name: "guest:" + mark))
  }

  /// The guest that has a name; `nil` when the peer with that name is none of this owner's.
  init?(_ name: String, _ peer: PeerID, owner: SigningKey) {
    guard name.hasPrefix(Self.title) else { return nil }
    self.init(mark: String(name.dropFirst(Self.title.count)), owner)
    guard key.peer == peer else { return nil }
  }

  private static let title = "Guest "

  /// Its public key.
  var peer: PeerID { key.peer }

  /// How it is shown: that the key is kept for it is part of the name.
  var profile: Profile { Profile(name: Self.title + mark) }
}

internal import Events
internal import Service

/// Somebody behind a socket: a peer whose key this process keeps.
///
/// The key follows from the owner's and from a secret that the client brings, so that nothing need be stored to know
/// the client again. The name that others see holds a mark from which the owner, and nobody else, makes the key again:
/// so a process that starts again can act for guests whose clients have not come back.
struct Guest {
  /// Through what a guest comes. No key of one is a key of the other.
  enum Kind: String {
    case ticTacToe = "guest:"
    case table = "table-guest:"
  }

  /// Hexadecimal digits that stand for the client.
  let mark: String
  let key: SigningKey
  /// Who keeps the key.
  private let keeper: PeerID

  /// Who brings a secret.
  init(secret: String, owner: SigningKey) {
    self.init(mark: Array(owner.derivedSeed(name: "guest-mark:" + secret).prefix(6)).hex, .ticTacToe, owner)
  }

  private init(mark: String, _ kind: Kind, _ owner: SigningKey) {
    self.mark = mark
    keeper = owner.peer
    key = SigningKey(seed: owner.derivedSeed(name: kind.rawValue + mark))
  }

  /// The guest that has a name; `nil` when the peer with that name is none of this owner's.
  init?(_ name: String, _ peer: PeerID, owner: SigningKey, _ kind: Kind = .ticTacToe) {
    guard name.hasPrefix(Self.title) else { return nil }
    let mark = name.dropFirst(Self.title.count).prefix(kind == .table ? GuestName.markDigits : .max)
    self.init(mark: String(mark), kind, owner)
    guard key.peer == peer else { return nil }
  }

  private static let title = "Guest "

  /// Its public key.
  var peer: PeerID { key.peer }

  /// How it is shown: that the key is kept for it is part of the name.
  var profile: Profile { Profile(name: Self.title + mark) }
}

// Guests of tables, whose secrets the server gives.

extension Guest {
  /// Somebody new, told apart by random bytes.
  static func new(owner: SigningKey, _ random: [UInt8]) -> Guest {
    Guest(mark: Array(random.prefix(GuestName.markDigits / 2)).hex, .table, owner)
  }

  /// Who brings a secret that this owner has given; `nil` for any other text.
  ///
  /// A secret is the mark, and 128 bits that follow from it and the owner's key: so the owner stores none.
  init?(given secret: String, owner: SigningKey) {
    let mark = String(secret.prefix(GuestName.markDigits))
    guard OwnerToken.isEqual(secret, Self.secret(mark, owner)) else { return nil }
    self.init(mark: mark, .table, owner)
  }

  /// What it brings when it comes back.
  func secret(owner: SigningKey) -> String { Self.secret(mark, owner) }

  private static func secret(_ mark: String, _ owner: SigningKey) -> String {
    mark + Array(owner.derivedSeed(name: "table-guest-secret:" + mark).prefix(16)).hex
  }

  /// How it is shown under a name of its choice, which stands behind the mark.
  func profile(name: String, emoji: String) -> Profile {
    Profile(name: GuestName(mark: mark, chosen: name, keeper: keeper).text, emoji: emoji)
  }
}

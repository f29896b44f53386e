import Events

/// A peer with a real key of a fixed seed.
struct TestPeer: Sendable, Hashable {
  let name: String
  let id: PeerID
  let key: SigningKey

  private init(_ name: String) {
    self.name = name
    var seed = Array(name.utf8.prefix(32))
    seed += [UInt8](repeating: 0, count: 32 - seed.count)
    key = SigningKey(seed: seed)
    id = key.peer
  }

  /// Creates rooms and sits on seat 0 unless a test says otherwise.
  static let alice = TestPeer("alice")
  /// Sits on seat 1.
  static let bob = TestPeer("bob")
  /// Asks for seats, or just talks.
  static let carol = TestPeer("carol")
  static let dave = TestPeer("dave")
  /// The referee.
  static let rita = TestPeer("rita")
  /// Somebody who is not in the room.
  static let sybil = TestPeer("sybil")

  /// The two who play.
  static let players = [alice, bob]

  /// Those who sit down, by seat, as many as a room has seats.
  static let table = [alice, bob, carol, dave] + (5...16).map { TestPeer("player \($0)") }

  var profile: Profile { Profile(name: name) }

  /// The salt of a commitment, or the nonce of a joint draw.
  func salt(_ room: RoomID, game: Int, round: Int, seat: Int) -> Digest {
    Digest(
      key.salt(room: room, game: UInt16(game), round: UInt16(round), seat: UInt16(seat), sequence: 0))
  }

  static func == (a: TestPeer, b: TestPeer) -> Bool { a.id == b.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

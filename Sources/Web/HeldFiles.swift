/// Files that clients have asked for and fetch in pieces: one of each client, and not more bytes in all than a limit.
struct HeldFiles<Key: Equatable> {
  /// The most bytes of all; what was asked for first is let go before.
  private let limitBytes: Int
  private var files: [(owner: Int, key: Key, bytes: [UInt8])] = []

  init(limitBytes: Int) { self.limitBytes = limitBytes }

  /// How many bytes are held.
  var count: Int { files.reduce(0) { $0 + $1.bytes.count } }

  /// Holds what a client has asked for, instead of what it asked for before.
  mutating func hold(_ bytes: [UInt8], _ key: Key, for owner: Int) {
    drop(owner)
    files.append((owner, key, bytes))
    while count > limitBytes, files.count > 1 { files.removeFirst() }
  }

  /// What a client has asked for; `nil` when it is held no more, or is another one.
  func file(_ key: Key, of owner: Int) -> [UInt8]? {
    files.first { $0.owner == owner && $0.key == key }?.bytes
  }

  /// Lets go of what a client has asked for.
  mutating func drop(_ owner: Int) { files.removeAll { $0.owner == owner } }
}

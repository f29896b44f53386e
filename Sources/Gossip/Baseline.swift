import Events

/// In what this peer and a neighbour were equal last, and what has changed since.
struct Baseline: Sendable {
  /// The most feeds of which it is remembered how they stand with a neighbour.
  static let limitKnown = 4_096
  /// The most exchanges in a row that leave two peers different.
  private static let limitExchanges = 3

  /// The beginning of the hash at which both were equal last.
  var root: UInt64?
  /// The beginnings of both hashes when all that the neighbour has was looked through and what differed was of rooms
  /// that are not taken here: as long as both stay so there is nothing to compare.
  var alike: (mine: UInt64, theirs: UInt64?)?
  /// How often since then it was told of what had changed here, and both were not equal afterwards.
  private var exchanges = 0
  /// Feeds that changed since, here or there, and what the neighbour has of each.
  private(set) var known: [UInt64: UInt64] = [:]
  /// What it gave us of feeds, until that is offered here.
  var given: [UInt64: UInt64] = [:]

  /// The neighbour has this much of a feed.
  mutating func note(_ key: UInt64, has sequence: UInt64) {
    known[key] = max(known[key] ?? 0, sequence)
    forgetWhatIsTooMuch()
  }

  /// The neighbour sent this much of a feed.
  mutating func note(_ key: UInt64, gave sequence: UInt64) {
    note(key, has: sequence)
    if given.count > Self.limitKnown { given.removeAll() }
    given[key] = max(given[key] ?? 0, sequence)
  }

  /// A feed changed here: of it, the neighbour is believed to have what was here before.
  mutating func noteChange(_ key: UInt64, from sequence: UInt64) {
    guard known[key] == nil else { return }
    known[key] = sequence
    forgetWhatIsTooMuch()
  }

  /// So much changed since both were equal that comparing afresh is cheaper.
  private mutating func forgetWhatIsTooMuch() {
    guard known.count > Self.limitKnown else { return }
    root = nil
    known.removeAll()
  }

  /// The neighbour was told of all that changed here since both were equal. Where that leads to nothing again and
  /// again, they may differ elsewhere too: then all is compared, part by part.
  mutating func noteExchange() {
    exchanges += 1
    if exchanges > Self.limitExchanges { root = nil }
  }

  /// Both were found equal.
  mutating func note(_ root: ShortHash) {
    self.root = root.high
    exchanges = 0
    known.removeAll()
  }

  /// What of it holds when the neighbour comes back; `nil` where both were never equal.
  var memory: Baseline? {
    guard root != nil else { return nil }
    var memory = Baseline()
    (memory.root, memory.known) = (root, known)
    return memory
  }

  /// Takes what was known when the neighbour was here before.
  mutating func remember(_ memory: Baseline) {
    (root, known) = (memory.root, memory.known)
    forgetWhatIsTooMuch()
  }
}

import Events

/// What is known of one neighbour.
struct Link: Sendable {
  /// A walk through a neighbour's tries, part by part.
  struct Descent: Sendable {
    /// Parts that differ and were not asked for yet.
    var parts: [PartName]
    /// Parts that were asked for, in that order.
    var asked: [PartName] = []
    /// The salt of that question.
    var salt: UInt64 = 0
    /// What the neighbour turned out to lack.
    var lacking: [UInt32] = []
    /// Whether something differs of a room that is taken here, and of one that is not.
    var differs = false
    var differsInNotTaken = false
    /// The beginning of the neighbour's hash, where that began the walk.
    var theirs: UInt64?
    var deadline: Tick
  }

  /// The most feeds of which it is remembered how they stand with a neighbour.
  static let limitKnown = 4_096
  /// After so many short events in a row whose signatures did not fit, all are asked for in whole: each such check is
  /// work for nothing.
  static let limitMisfits = 16
  /// The most exchanges in a row that leave two peers different.
  private static let limitExchanges = 3

  let neighbour: Neighbour
  let circles: Directory.Circles
  /// Whether this end compares first.
  let begins: Bool
  /// The beginning of the hash at which both were equal last.
  var agreed: UInt64?
  /// The beginnings of both hashes when all that the neighbour has was looked through and what differed was of rooms
  /// that are not taken here: as long as both stay so there is nothing to compare.
  var alike: (mine: UInt64, theirs: UInt64?)?
  /// How often since then it was told of what had changed here, and both were not equal afterwards.
  private var exchanges = 0
  /// Feeds that changed since, here or there, and what the neighbour has of each.
  private(set) var known: [UInt64: UInt64] = [:]
  /// What it gave us of feeds, until that is offered here.
  var given: [UInt64: UInt64] = [:]
  /// Feeds with events that the neighbour was not told of, in the order of the events, and what went before them.
  var news: [(feed: UInt32, after: UInt64)] = []
  /// When the neighbour is told.
  var tellAt: Tick?
  /// Whether new events are pushed over this link, both ways, or only announced.
  var isPushing = true
  var serving: ServingQueue
  var descent: Descent?
  /// When the neighbour is compared with.
  var compareAt: Tick?
  /// Whether it is compared with once more after what differs has come.
  var isRechecking = false
  /// What both have said to each other that they want.
  var said: SaidInterests
  /// When either limits itself: the rooms that are compared.
  var shared: SharedRooms?
  /// What it has answered to a peer that recovers its own heads.
  var testimony: Testimony
  var work: Bucket
  var events: Bucket
  var excess = 0
  /// Whether it is heard no more.
  var isRefused = false
  /// Short events in a row whose signature did not fit what was made of them here.
  var misfits = 0
  /// Requests in a row that it did not answer.
  var unanswered = 0

  init(
    _ neighbour: Neighbour, circles: Directory.Circles, begins: Bool, budget: GossipSettings.Budget,
    at now: Tick
  ) {
    self.neighbour = neighbour
    self.circles = circles
    self.begins = begins
    said = SaidInterests(allowance: Bucket(budget.interests, at: now))
    testimony = Testimony(askedSince: now)
    work = Bucket(budget.work, at: now)
    events = Bucket(budget.events, at: now)
    serving = ServingQueue(allowance: Bucket(budget.servedBytes, at: now))
  }

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
    agreed = nil
    known.removeAll()
  }

  /// The neighbour was told of all that changed here since both were equal. Where that leads to nothing again and
  /// again, they may differ elsewhere too: then all is compared, part by part.
  mutating func noteExchange() {
    exchanges += 1
    if exchanges > Self.limitExchanges { agreed = nil }
  }

  /// Both were found equal.
  mutating func agree(on root: ShortHash) {
    agreed = root.high
    exchanges = 0
    known.removeAll()
    descent = nil
  }

  /// What is kept of a neighbour that is gone.
  struct Memory: Sendable {
    var agreed: UInt64
    var known: [UInt64: UInt64]

    /// A feed changed here since.
    mutating func noteChange(_ key: UInt64, from sequence: UInt64) {
      if known[key] == nil { known[key] = sequence }
    }
  }

  /// Whether rooms are to be added to those that are compared.
  var isShareComing: Bool { shared.map { !$0.coming.isEmpty } ?? false }

  /// What is compared is another thing now: what was agreed on holds no more.
  mutating func stopSharing() {
    (shared, agreed, descent) = (nil, nil, nil)
  }

  /// Nothing of who was alike in some rooms only: it may come back and want others.
  var memory: Memory? { shared == nil ? agreed.map { Memory(agreed: $0, known: known) } : nil }

  /// Takes back what was known when the neighbour was here before.
  mutating func remember(_ memory: Memory) {
    agreed = memory.agreed
    known = memory.known
    forgetWhatIsTooMuch()
  }
}

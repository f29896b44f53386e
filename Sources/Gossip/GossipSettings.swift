/// How a peer gossips: how soon it tells whom, and what it lets strangers make it do.
package struct GossipSettings: Sendable {
  /// A playing peer's settings.
  package static let standard = GossipSettings()

  /// How long new events are gathered before they are pushed.
  package var pushMilliseconds: UInt64 = 0
  /// How long the host of rounds gathers what players say before it pushes that to the others, unless it says something
  /// itself before: they need it when it is acknowledged, and not earlier.
  package var gatherMilliseconds: UInt64 = 100
  /// How long new events are gathered before those are told of them to whom they are not pushed.
  package var announceMilliseconds: UInt64 = 250
  /// How long an announced event may take to be pushed by somebody else before it is asked for.
  package var graftMilliseconds: UInt64 = 500
  /// How many links go on carrying pushes though others are quicker.
  package var pushLinks = 3
  /// How often a neighbour, chosen at random, is compared with.
  package var compareMilliseconds: UInt64 = 5_000
  /// How long an answer may take.
  package var answerMilliseconds: UInt64 = 4_000
  /// After a start from an old copy: how long neighbours are waited for before the peer goes on.
  package var recoveryMilliseconds: UInt64 = 10_000
  /// After such a start: how long a neighbour is waited for that does not give in time all that it says it has.
  package var withholdingMilliseconds: UInt64 = 1_800_000
  /// Whether rooms of editions that are not known here are taken in though nobody asked for them.
  package var keepsArchive = false
  /// What neighbours may make this peer do.
  package var budget = Budget()

  /// Limits for each neighbour, but for those from `authorBytes` on, which are for all together.
  package struct Budget: Sendable {
    /// Messages and what is in them: units a second, and at once.
    package var work = Bucket.Rate(perSecond: 2_000, burst: 40_000)
    /// How often it may say what it wants before that is put off.
    package var interests = Bucket.Rate(perSecond: 1, burst: 8)
    /// Rooms that are looked up in one turn because neighbours want them; for all together.
    package var sharedRooms = 4_096
    /// Events that were not asked for.
    package var events = Bucket.Rate(perSecond: 1_000, burst: 20_000)
    /// Bytes of events sent on demand.
    package var servedBytes = Bucket.Rate(perSecond: 64 << 20, burst: 64 << 20)
    /// How many messages over these limits are dropped before the neighbour is refused.
    package var excess = 256
    /// Bytes of events stored of one author.
    package var authorBytes = 256 << 20
    /// Bytes in one room of those who are neither members nor invited, as `RoomLog.strangersBytes` counts them.
    package var strangersBytes = 16 << 20
    /// Bytes of a game that is kept only because it can be joined.
    package var openGameBytes = 256 << 10
    /// Bytes of runs that wait for what they name, in all rooms together; beyond, the neighbour that gave most of them
    /// loses its own.
    package var waitingBytes = 64 << 20
    /// Feeds asked for at one time.
    package var requests = 4_096
    /// Rooms whose `create` has not come.
    package var roomsWithoutCreate = 16
    /// Rooms of editions that are not known here, and their feeds, of which it is remembered that they are not taken.
    package var feedsNotTaken = 1 << 18

    package init() {}
  }

  package init() {}
}

/// A token bucket.
package struct Bucket: Sendable {
  /// How it fills.
  package struct Rate: Sendable {
    package var perSecond: UInt64
    package var burst: UInt64

    package init(perSecond: UInt64, burst: UInt64) {
      self.perSecond = perSecond
      self.burst = burst
    }
  }

  private let rate: Rate
  /// In thousandths.
  private var tokens: UInt64
  private var filled: Tick

  package init(_ rate: Rate, at now: Tick) {
    self.rate = rate
    tokens = rate.burst * 1_000
    filled = now
  }

  private mutating func fill(at now: Tick) {
    let (more, isOver) = (now - filled).multipliedReportingOverflow(by: rate.perSecond)
    tokens = isOver ? rate.burst * 1_000 : min(rate.burst * 1_000, tokens &+ min(more, rate.burst * 1_000))
    filled = max(filled, now)
  }

  /// Takes tokens; `false`, and nothing is taken, when there are not enough.
  package mutating func take(_ count: Int, at now: Tick) -> Bool {
    fill(at: now)
    let (cost, isOver) = UInt64(max(count, 0)).multipliedReportingOverflow(by: 1_000)
    guard !isOver, cost <= tokens else { return false }
    tokens -= cost
    return true
  }

  /// Takes tokens that are owed until they are there.
  mutating func spend(_ count: Int, at now: Tick) {
    fill(at: now)
    tokens -= min(tokens, UInt64(max(count, 0)) &* 1_000)
  }
}

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

  /// What a neighbour may cost, and how often it was not what it should be.
  struct Account: Sendable {
    /// After so many short events in a row whose signatures did not fit, all are asked for in whole: each such check is
    /// work for nothing.
    static let limitMisfits = 16

    var work: Bucket
    var events: Bucket
    /// How often it went over these.
    var excess = 0
    /// Whether it is heard no more.
    var isRefused = false
    /// Short events in a row whose signature did not fit what was made of them here.
    var misfits = 0
    /// Requests in a row that it did not answer.
    var unanswered = 0
  }

  let neighbour: Neighbour
  let circles: Directory.Circles
  /// Whether this end compares first.
  let begins: Bool
  /// In what both were equal last.
  var baseline = Baseline()
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
  /// How it behaves.
  var account: Account

  init(
    _ neighbour: Neighbour, circles: Directory.Circles, begins: Bool, budget: GossipSettings.Budget,
    at now: Tick
  ) {
    self.neighbour = neighbour
    self.circles = circles
    self.begins = begins
    said = SaidInterests(allowance: Bucket(budget.interests, at: now))
    testimony = Testimony(askedSince: now)
    account = Account(work: Bucket(budget.work, at: now), events: Bucket(budget.events, at: now))
    serving = ServingQueue(allowance: Bucket(budget.servedBytes, at: now))
  }

  /// Both were found equal.
  mutating func agree(on root: ShortHash) {
    baseline.note(root)
    descent = nil
  }

  /// Whether rooms are to be added to those that are compared.
  var isShareComing: Bool { shared.map { !$0.coming.isEmpty } ?? false }

  /// What is compared is another thing now: what was agreed on holds no more.
  mutating func stopSharing() {
    (shared, baseline.root, descent) = (nil, nil, nil)
  }

  /// What is kept of it when it is gone; nothing of who was alike in some rooms only: it may come back and want others.
  var memory: Baseline? { shared == nil ? baseline.memory : nil }
}

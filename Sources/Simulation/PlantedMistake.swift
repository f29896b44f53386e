import Gossip

/// A mistake that the simulated program makes on purpose, so that a test can see a checker notice it.
package enum PlantedMistake: String, CaseIterable, Hashable, Sendable {
  case marksBeforeCommit = "marks-before-commit"
  case losesCommits = "loses-commits"
  case restoresUnasked = "restores-unasked"
  case twoProcesses = "two-processes"
  case takesAnySignature = "takes-any-signature"
  case forgetsRooms = "forgets-rooms"
  case accusesAtRandom = "accuses-at-random"
  case staysCut = "stays-cut"
  case talksOn = "talks-on"
  case leavesRoomsClosed = "leaves-rooms-closed"
  case ignoresDistance = "ignores-distance"
  case forgetsSubscriptions = "forgets-subscriptions"
  case keepsRequestsBack = "keeps-requests-back"
  case losesChanges = "loses-changes"
  case neverCommits = "never-commits"
  case comparesOnce = "compares-once"
  case waitsForEver = "waits-for-ever"
  case takesNothingUnasked = "takes-nothing-unasked"
  case hasNoPatience = "has-no-patience"
  case asksForOneFeed = "asks-for-one-feed"

  /// What is wrong then, in one line.
  package var summary: String {
    switch self {
    case .marksBeforeCommit: "events count as durable when their commit begins"
    case .losesCommits: "a commit that was acknowledged may miss on the disk after a crash"
    case .restoresUnasked: "a peer with an old copy writes without asking for its own heads"
    case .twoProcesses: "an honest key is used by two programs at once"
    case .takesAnySignature: "signatures are not checked"
    case .forgetsRooms: "a restart does not open the room that was stored last"
    case .accusesAtRandom: "an honest peer disconnects honest ones now and then"
    case .staysCut: "one link between honest peers never heals, and no other leads around it"
    case .talksOn: "an honest peer sends its last message again and again"
    case .leavesRoomsClosed: "a room that has left memory is not read again when others want it"
    case .ignoresDistance: "every neighbour counts as near"
    case .forgetsSubscriptions: "a peer that limits itself does not add the rooms that it hears of"
    case .keepsRequestsBack: "messages that ask for events are not sent"
    case .losesChanges: "every fourth change that comes in is not committed"
    case .neverCommits: "in rooms of others nothing is committed"
    case .comparesOnce: "neighbours are compared with when they come, and not again"
    case .waitsForEver: "what does not come is not asked for again, of nobody"
    case .takesNothingUnasked: "events that were not asked for count as a flood"
    case .hasNoPatience: "a few messages at once count as a flood"
    case .asksForOneFeed: "one feed is asked for at a time"
    }
  }

  /// How a program gossips that makes the mistake.
  var settings: GossipSettings {
    var settings = GossipSettings.simulated
    let never: UInt64 = 1 << 40
    switch self {
    case .comparesOnce: settings.compareMilliseconds = never
    case .waitsForEver: settings.answerMilliseconds = never
    case .takesNothingUnasked:
      settings.budget.events = Bucket.Rate(perSecond: 1, burst: 1)
      settings.budget.excess = 0
    case .hasNoPatience:
      settings.budget.work = Bucket.Rate(perSecond: 1, burst: 40)
      settings.budget.excess = 0
    case .asksForOneFeed: settings.budget.requests = 1
    default: break
    }
    return settings
  }
}

extension GossipSettings {
  /// A playing peer's, for worlds that last minutes.
  static var simulated: GossipSettings {
    var settings = standard
    settings.withholdingMilliseconds = 200_000
    return settings
  }
}

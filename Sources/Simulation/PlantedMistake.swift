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
  case ignoresTimers = "ignores-timers"
  case keepsRequestsBack = "keeps-requests-back"
  case neverInvites = "never-invites"
  case closesUncommitted = "closes-uncommitted"
  case losesChanges = "loses-changes"
  case neverCommits = "never-commits"

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
    case .ignoresTimers: "timers are asked for and never go off"
    case .keepsRequestsBack: "messages that ask for events are not sent"
    case .neverInvites: "the creator of a room of the invited invites nobody"
    case .closesUncommitted: "rooms leave memory before their last events are committed"
    case .losesChanges: "every fourth change that comes in is not committed"
    case .neverCommits: "in rooms of others nothing is committed"
    }
  }
}

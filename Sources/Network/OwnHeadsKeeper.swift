package import EventLog
package import Events
internal import Peer

/// Who notes, for the next start, what a peer learns of its own feeds, and whether its store is in its place.
package protocol OwnHeadsKeeper: Sendable {
  /// The rooms that can be written to without asking others; `nil` for all.
  var allowed: Set<RoomID>? { get }
  /// The store came into doubt.
  func noteDoubt() throws(LogError)
  /// These rooms may be written to all the same.
  func noteAllowed(_ rooms: [RoomID]) throws(LogError)
  /// Something of the rooms may leave this machine from now on.
  func noteSharing() throws(LogError)
  /// Throws where the store was moved or replaced.
  func checkPlace() throws(LogError)
}

extension FolderMarks: OwnHeadsKeeper {}

/// A keeper, and when it is asked next.
struct OwnHeadsWatch {
  /// How often it is looked whether the store is in its place.
  private static let placeMilliseconds: UInt64 = 2_000

  let keeper: any OwnHeadsKeeper
  private(set) var deadline: UInt64
  /// What the core has learnt and the keeper has not noted yet.
  private var isDoubted = false
  private var allowed: [RoomID] = []

  init(_ keeper: any OwnHeadsKeeper, at now: UInt64) {
    self.keeper = keeper
    deadline = now
  }

  /// Hands on what the core has learnt, and has the keeper look when it is time. What could not be noted is handed on
  /// again then.
  mutating func advance(to now: UInt64, _ core: inout PeerCore) throws(LogError) {
    let isOwed = isDoubted || !allowed.isEmpty
    if core.ownHeads.takeNewDoubt() { isDoubted = true }
    allowed += core.ownHeads.takeAllowed()
    let isDue = deadline <= now
    guard isDue || !isOwed else { return }
    if isDue { deadline = now + Self.placeMilliseconds }
    if isDoubted { try keeper.noteDoubt() }
    isDoubted = false
    if !allowed.isEmpty { try keeper.noteAllowed(allowed) }
    allowed = []
    if isDue { try keeper.checkPlace() }
  }
}

package import EventLog
package import Events
import Gossip

/// Into which rooms this process may write as its peer: the one rule, which every writer passes
/// (Docs/PROTOCOL.md §7.7).
///
/// Who writes into a room without knowing its own last event there contradicts itself, and is convicted. A store
/// that may be older than what this peer has written is in doubt, and then a room may be written to when nothing of
/// it can have been forgotten: it was made since, nothing of it has ever left this machine, or every other seat's
/// peer has shown what it holds of this peer's feed there.
package struct OwnHeads: Sendable {
  /// How sure this process is of its store.
  package enum Certainty: Hashable, Sendable {
    /// It holds all that this peer has written.
    case certain
    /// It is as it was left, and this peer is on a network, where a copy of it may have been used since: who is
    /// connected and has a seat is heard first.
    case watchful
    /// It may be older than what others hold.
    case doubtful
  }

  /// What is known of a room when somebody wants to write into it.
  struct Evidence {
    /// The peers of the other seats; of a tournament the organizer. Keys of this machine are not among them.
    var seats: [PeerID]
    var witnesses: [Witness]
    var recovery: OwnFeedWatch.Recovery
  }

  package private(set) var certainty = Certainty.certain
  /// Whether the store came into doubt while it was used, since `takeNewDoubt`.
  private var hasNewDoubt = false
  /// The rooms that may be written to while the store is in doubt.
  private var allowed: Set<RoomID> = []
  /// Those of them that were made since.
  private var made: Set<RoomID> = []
  /// Rooms that were allowed since `takeAllowed`.
  private var news: [RoomID] = []
  /// Who has shown what it holds of a room.
  private var shown: [RoomID: Set<PeerID>] = [:]
  /// How far feeds went in rooms that were forgotten here: who writes there again must have all of that.
  private var kept: [RoomID: [VectorClock.Entry]] = [:]
  /// Who has said that another process with this key is connected; this peer itself, when it has met that process.
  private var tellers: Set<PeerID> = []

  package init() {}

  /// The store may be older than what others hold, but for these rooms.
  package mutating func doubt(but rooms: Set<RoomID>) {
    certainty = .doubtful
    allowed = rooms.union(made)
    news = made.sorted()
    shown = [:]
  }

  /// The doubt began while the store was used.
  mutating func noteNewDoubt() { hasNewDoubt = true }

  package mutating func takeNewDoubt() -> Bool {
    defer { hasNewDoubt = false }
    return hasNewDoubt
  }

  /// The store is as it was left, and others can be reached.
  package mutating func watch() { if certainty == .certain { certainty = .watchful } }

  /// Another process with this key writes too, as a peer says, or as this one has seen.
  /// - Returns: whether that is news.
  package mutating func noteTwin(by peer: PeerID) -> Bool { tellers.insert(peer).inserted }

  /// Whether another process with this key was heard of.
  package var hasTwin: Bool { !tellers.isEmpty }

  /// Whether nothing has to be looked at before a write.
  var isCertain: Bool { certainty == .certain && tellers.isEmpty }

  /// Notes a room that this process has made: nobody else can have written there as this peer.
  package mutating func noteMade(_ room: RoomID) {
    made.insert(room)
    allow(room)
  }

  private mutating func allow(_ room: RoomID) {
    guard allowed.insert(room).inserted, certainty == .doubtful else { return }
    news.append(room)
  }

  /// Keeps how far feeds went in a room that is forgotten.
  package mutating func keep(_ room: ForgottenRoom) { kept[room.room] = room.own + room.others }

  /// A room that was to be forgotten is here still.
  mutating func letGo(_ room: RoomID) { kept[room] = nil }

  /// How far a feed went in a room when that was forgotten here; `nil` when it was not.
  func kept(of author: PeerID, in room: RoomID) -> VectorClock.Entry? {
    kept[room]?.first { $0.author == author }
  }

  /// Takes the rooms that were allowed since the last call, while the store is in doubt.
  package mutating func takeAllowed() -> [RoomID] {
    defer { news = [] }
    return news
  }

  /// Whether what neighbours show of a room matters.
  func needsEvidence(_ room: RoomID) -> Bool {
    guard !isCertain, !made.contains(room) else { return false }
    return hasTwin || certainty == .watchful || !allowed.contains(room)
  }

  /// Notes what neighbours show of a room.
  private mutating func note(_ evidence: Evidence, of room: RoomID) {
    let showing = evidence.witnesses.filter(\.hasShown).map(\.peer)
    if !showing.isEmpty { shown[room, default: []].formUnion(showing) }
  }

  /// Why nothing may be written into a room; `nil` when it may.
  mutating func refusal(_ room: RoomID, by peer: PeerID, _ evidence: Evidence) -> PeerError? {
    if tellers.contains(peer) || tellers.contains(where: evidence.seats.contains)
      || (hasTwin && evidence.seats.isEmpty)
    {
      return .doubled
    }
    switch certainty {
    case .certain: return nil
    case .watchful:
      let isHeard = evidence.witnesses.allSatisfy { witness in
        witness.hasAnswered || witness.isGivenUp || !evidence.seats.contains(witness.peer)
      }
      return isHeard ? nil : .recovering
    case .doubtful: break
    }
    guard !allowed.contains(room) else { return nil }
    note(evidence, of: room)
    let missing = evidence.seats.filter { shown[room]?.contains($0) != true }
    let isHeard = evidence.witnesses.allSatisfy { $0.hasAnswered || $0.isGivenUp }
    if isHeard, missing.isEmpty, shown[room] != nil {
      allow(room)
      return nil
    }
    switch evidence.recovery {
    case .alone where evidence.witnesses.allSatisfy(\.isGivenUp): return .alone
    case .asking, .alone: return .recovering
    case .none: return isHeard ? .unconfirmed(room, missing) : .recovering
    }
  }
}

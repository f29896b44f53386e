package import EventLog
package import Events
internal import Peer
internal import Projection
package import Rules

/// Which rooms of strangers a store can do without: those into which nobody on this machine has written, the least
/// recently used first.
package struct Pruning: Sendable {
  /// A room that may be forgotten.
  package struct Candidate: Hashable, Sendable {
    package let room: RoomID
    package let events: Int
    /// What its events take as they are stored.
    package let bytes: Int
    /// When something of it was stored last, in milliseconds since 1970; where that was not noted, when its last event
    /// was written by its author's clock.
    package let used: UInt64

    package init(room: RoomID, events: Int, bytes: Int, used: UInt64) {
      self.room = room
      self.events = events
      self.bytes = bytes
      self.used = used
    }
  }

  /// Only rooms that were used last before this moment; `nil` for any.
  package var before: UInt64?
  /// Until what is stored of strangers' rooms takes at most so many bytes; `nil` for all of them.
  package var limitBytes: Int?

  package init(before: UInt64? = nil, limitBytes: Int? = nil) {
    self.before = before
    self.limitBytes = limitBytes
  }

  /// The rooms of a store that are to be forgotten, in that order.
  /// - Parameter owner: the key of the data folder; `nil` where there is none.
  package func rooms(
    of log: LMDBEventLog, owner: SigningKey?, _ games: GameCatalog
  ) throws(LogError) -> [Candidate] {
    choose(try Self.candidates(of: log, owner: owner, games))
  }

  /// Those of strangers' rooms that are to be forgotten.
  func choose(_ candidates: [Candidate]) -> [Candidate] {
    var left = candidates.reduce(0) { $0 + $1.bytes }
    var chosen: [Candidate] = []
    for candidate in candidates.sorted(by: { ($0.used, $0.room) < ($1.used, $1.room) }) {
      if let before, candidate.used >= before { break }
      if let limitBytes, left <= limitBytes { break }
      left -= candidate.bytes
      chosen.append(candidate)
    }
    return chosen
  }

  private static func candidates(
    of log: LMDBEventLog, owner: SigningKey?, _ games: GameCatalog
  ) throws(LogError) -> [Candidate] {
    let sizes = try log.storedBytes()
    var candidates: [Candidate] = []
    for stored in try log.storedRooms(from: 0, limit: .max) {
      var held: RoomLog?
      if stored.clock == nil || stored.use == nil { held = try log.load(stored.room, verify: false) }
      let authors = stored.clock?.clock.entries.map(\.author) ?? held?.feeds.map(\.author) ?? []
      if let owner {
        if authors.contains(owner.peer) { continue }
        let seats = try log.outline(of: stored.room, games).state.seats
        if seats.contains(where: { $0.map { owner.isKey(ofBot: $0.peer, $0.profile) } ?? false }) { continue }
      }
      let written = held?.entries.map(\.event.wallTime).max()
      candidates.append(
        Candidate(
          room: stored.room, events: stored.events, bytes: sizes[stored.room] ?? 0,
          used: stored.use?.milliseconds ?? written ?? 0))
    }
    return candidates
  }
}

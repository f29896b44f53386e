/// Something that must not happen and did.
package struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of promises.
  package enum Promise: String, CaseIterable, Hashable, Sendable {
    /// All honest peers that share a room end with one state and one clock.
    case convergence
    /// What was acknowledged is there at the end; what a crash lost was never shown to others.
    case durability
    /// No honest key is ever proven to have forked, and every key that is, did.
    case conviction
    /// Seats, agreed games and sealed results never change.
    case finality
    /// Honest peers do not disconnect each other for misbehaviour.
    case conduct
    /// A log holds nothing but what its authors signed.
    case integrity
    /// An honest peer can always do what it owes, and write again once faults have ended.
    case ability
    /// A fraud in a round is prevented, or pinned on who committed it.
    case fairness
    /// Nobody is told anything of a room that it may not have.
    case privacy
    /// What is kept in memory, and what is said when nothing is new, is bounded.
    case bounds
  }

  /// Which promise is broken.
  package let promise: Promise
  /// When, in simulated milliseconds.
  package let time: UInt64
  /// The peer that saw it, by number.
  package let peer: Int?
  /// The room, by number in the order of the plan.
  package let room: Int?
  /// What was seen.
  package let words: String

  package init(promise: Promise, time: UInt64, peer: Int?, room: Int?, words: String) {
    self.promise = promise
    self.time = time
    self.peer = peer
    self.room = room
    self.words = words
  }

  /// Where and when, and what was seen, in one line.
  package var description: String {
    var place = ["at \(SimulatedTime.text(time))"]
    if let peer { place.append("peer \(peer)") }
    if let room { place.append("room \(room)") }
    return "\(promise.rawValue): \(place.joined(separator: ", ")): \(words)"
  }
}

/// Simulated time as text.
package enum SimulatedTime {
  /// Seconds with three digits behind the point.
  package static func text(_ milliseconds: UInt64) -> String {
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest + " s"
  }
}

import EventLog
package import Gossip

/// Whether a peer keeps no more in memory for others than it means to.
package enum LoadCheck {
  /// The most parts of a neighbour's tries that may wait to be asked for: of each of the three tries three quarters
  /// at each depth, for all parts of one question.
  private static let limitParts = 3 * 32 * 64 * 3

  /// What there is too much of, in words.
  package static func excesses(_ load: GossipLoad) -> [String] {
    let budget = GossipSettings.standard.budget
    let limits = [
      ("feeds are asked for", load.requests, budget.requests),
      ("rooms and feeds are not taken", load.notTaken, budget.feedsNotTaken),
      ("rooms are without their create", load.roomsWithoutCreate, budget.roomsWithoutCreate),
      ("bytes wait in a room", load.waiting, WaitingRoom.limitBytes),
      ("feeds of a neighbour are remembered", load.known, 4_096 + 1),
      ("rooms are being sent to a neighbour", load.servings, 1_024),
      ("wants of a neighbour are put off", load.deferred, budget.requests),
      ("parts of a neighbour are to be asked for", load.parts, limitParts),
    ]
    return limits.filter { $0.1 > $0.2 }.map { "\($0.1) \($0.0), more than \($0.2)" }
  }
}

import EventLog

/// How much a core keeps in memory for others: what neighbours could make grow.
package struct GossipLoad: Hashable, Sendable {
  /// Feeds that are asked for.
  package var requests = 0
  /// Rooms and feeds of which it is remembered that they are not taken.
  package var notTaken = 0
  /// Rooms whose `create` has not come.
  package var roomsWithoutCreate = 0
  /// Events that wait for others, in the room where there are most.
  package var waiting = 0
  /// Of the neighbour of whom most is remembered: how many feeds.
  package var known = 0
  /// For the neighbour for whom most is prepared: rooms of which something is sent.
  package var servings = 0
  /// For the neighbour for whom most is put off: wants for rooms that are being read.
  package var deferred = 0
  /// Of the neighbour that is looked through: parts that are still to be asked for.
  package var parts = 0
}

extension GossipCore {
  /// What is kept for others now.
  package var load: GossipLoad {
    GossipLoad(
      requests: replica.requests.count, notTaken: replica.unwanted.count,
      roomsWithoutCreate: rooms.nascent.count,
      // tidy: order does not matter because the largest is taken
      waiting: rooms.open.indices.map { rooms.open.span[$0].log.waitingRoom.mostBytes }.max() ?? 0,
      known: links.map { max($0.baseline.known.count, $0.baseline.given.count) }.max() ?? 0,
      servings: links.map(\.serving.count).max() ?? 0,
      deferred: links.map(\.serving.deferredCount).max() ?? 0,
      parts: links.map { $0.descent?.parts.count ?? 0 }.max() ?? 0)
  }
}

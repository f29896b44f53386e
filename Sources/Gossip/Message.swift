package import EventLog
package import Events

/// One end of a connection, as its owner numbers it.
package struct Neighbour: Hashable, Comparable, Sendable {
  package let number: UInt32

  package init(_ number: UInt32) { self.number = number }

  package static func < (a: Neighbour, b: Neighbour) -> Bool { a.number < b.number }
}

/// What peers say to each other.
package enum Message: Sendable {
  /// “This is what I hold of the room, and I want the rest”: a subscription, answered with what is missing.
  case clock(RoomID, VectorClock)
  /// Events in causal order, with signatures. Each feed's part ends in a signed event.
  case entries(RoomID, [RoomLog.Entry])
}

/// What the core tells its shell to do.
package enum Directive: Sendable {
  /// Send this.
  case send(Message, to: Neighbour)
  /// These events are new here, in causal order.
  case taken(RoomID, [Event])
  /// The neighbour sent what it must not: disconnect.
  case disconnect(Neighbour, LogError)
}

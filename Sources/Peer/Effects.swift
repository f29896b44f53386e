package import Events
package import Gossip

/// What a peer's core wants done, which does nothing itself: messages sent, neighbours disconnected, rooms read and
/// stored.
package struct Effects: Sendable {
  /// The most rooms that are remembered as not taken in.
  package static let limitNotTaken = 64

  /// Messages to send, in order.
  private var outbox: [PeerCore.Outgoing] = []
  /// How many events were sent to neighbours.
  package private(set) var sentEvents = 0
  /// Neighbours that are to be disconnected.
  private var refused: [(neighbour: Neighbour, reason: Refusal)] = []
  /// Rooms that are not taken in, because their editions are not known here; the first ones, in the order in which they
  /// came.
  package private(set) var notTaken: [RoomNotTaken] = []
  /// Rooms that neighbours want and that are to be opened.
  private var needed: [RoomID] = []
  /// Rooms in which events of others came that are not durable yet.
  private var changed: [RoomID] = []

  mutating func send(_ message: Message, to neighbour: Neighbour) {
    sentEvents += message.events
    outbox.append(PeerCore.Outgoing(bytes: message.encoded(), to: neighbour))
  }

  mutating func add(_ directive: Directive) {
    switch directive {
    case .send(let message, let neighbour): send(message, to: neighbour)
    case .taken(let room, _): if !changed.contains(room) { changed.append(room) }
    case .load(let room): if !needed.contains(room) { needed.append(room) }
    case .refuse(let neighbour, let reason): refused.append((neighbour, reason))
    case .notTaken(let room):
      if notTaken.count < Self.limitNotTaken, !notTaken.contains(room) { notTaken.append(room) }
    }
  }

  /// Rooms were forgotten: nothing of them is wanted any more.
  mutating func forget(_ rooms: Set<RoomID>) {
    needed.removeAll(where: rooms.contains)
    forgetChanges(in: rooms)
  }

  /// What is not durable of rooms was taken back, or is gone.
  mutating func forgetChanges(in rooms: Set<RoomID>) { changed.removeAll(where: rooms.contains) }

  mutating func takeOutbox() -> [PeerCore.Outgoing] {
    defer { outbox.removeAll(keepingCapacity: true) }
    return outbox
  }

  /// Takes the neighbours that are to be disconnected, with the reason.
  package mutating func takeRefused() -> [(neighbour: Neighbour, reason: Refusal)] {
    defer { refused.removeAll() }
    return refused
  }

  /// Takes the rooms that neighbours want and that are to be opened.
  package mutating func takeNeeded() -> [RoomID] {
    defer { needed.removeAll() }
    return needed
  }

  /// Takes the rooms in which events of others came that are not durable yet.
  package mutating func takeChanged() -> [RoomID] {
    defer { changed.removeAll() }
    return changed
  }
}

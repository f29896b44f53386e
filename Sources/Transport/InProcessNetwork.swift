package import Gossip

/// The in-process transport: connections between peers of one process, delivered in order.
///
/// A value: whoever runs the peers pumps it. Peers are numbered by the owner.
package struct InProcessNetwork: Sendable {
  /// A message on its way.
  package struct Delivery: Sendable {
    package let from: Int
    package let to: Int
    package let message: Message
  }

  private var queue: [Delivery] = []
  private var head = 0

  package init() {}

  /// Peer `peer` as its neighbours number it.
  package static func neighbour(_ peer: Int) -> Neighbour { Neighbour(UInt32(truncatingIfNeeded: peer)) }

  /// Puts a message on its way.
  package mutating func send(_ message: Message, from: Int, to: Neighbour) {
    queue.append(Delivery(from: from, to: Int(to.number), message: message))
  }

  /// The next message to deliver.
  package mutating func next() -> Delivery? {
    guard head < queue.count else {
      queue.removeAll(keepingCapacity: true)
      head = 0
      return nil
    }
    defer { head += 1 }
    return queue[head]
  }
}

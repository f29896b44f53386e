import BotKit
import Events
import Projection
import Testing

/// Random causal orders of a room's events.
struct Deliveries {
  private let events: [Event]
  private let before: [[Int]]

  /// Orders of these events, which are in a causal order themselves.
  init(_ events: [Event]) {
    var index: [EventID: Int] = [:]
    var before: [[Int]] = []
    for (position, event) in events.enumerated() {
      before.append((event.parents + [event.previous]).compactMap { index[$0] })
      index[event.id] = position
    }
    self.events = events
    self.before = before
  }

  /// An order in which the first event comes first, and some events come again later.
  func order(_ random: inout RandomStream) -> [Event] {
    var missing = before.map(\.count)
    var next: [[Int]] = events.map { _ in [] }
    for (position, links) in before.enumerated() {
      for link in links { next[link].append(position) }
    }
    var open = missing.indices.filter { missing[$0] == 0 }
    var order: [Event] = []
    // The newest first, the oldest first, or any: partitions look like the first two.
    let style = random.below(3)
    while !open.isEmpty {
      let at =
        order.isEmpty
        ? 0 : style == 0 ? open.count - 1 : style == 1 ? 0 : Int(random.below(UInt64(open.count)))
      let position = open.remove(at: at)
      order.append(events[position])
      if random.below(8) == 0 { order.append(order[Int(random.below(UInt64(order.count)))]) }
      for later in next[position] {
        missing[later] -= 1
        if missing[later] == 0 { open.append(later) }
      }
    }
    return order
  }
}

extension RoomScript {
  /// Whether the room is one state in some random orders, read now and then.
  func checkAnyOrder(_ random: inout RandomStream) {
    let digest = digest
    let deliveries = Deliveries(events)
    for _ in 0..<4 {
      var reading = projection([])
      for event in deliveries.order(&random) {
        reading.apply(event)
        if Bool.random(using: &random) { _ = reading.state }
      }
      #expect(reading.digest() == digest)
    }
  }
}

internal import Events

/// What orders events that are ready at the same time.
struct OrderKey: Comparable {
  let author: PeerID
  let sequence: UInt64
  let id: EventID

  init(author: PeerID, sequence: UInt64, id: EventID) {
    self.author = author
    self.sequence = sequence
    self.id = id
  }

  init(_ event: Event) { self.init(author: event.author, sequence: event.sequence, id: event.id) }

  static func < (a: OrderKey, b: OrderKey) -> Bool {
    (a.author, a.sequence, a.id) < (b.author, b.sequence, b.id)
  }
}

extension RoomLog {
  /// Positions of all entries in the strict causal order of bundles: of all whose previous and parents came
  /// before, the one with the smallest author, sequence and id is next.
  func strictOrder() -> [Int] {
    var missing = [Int](repeating: 0, count: events.count)
    var dependents = [[Int32]](repeating: [], count: events.count)
    for at in events.indices {
      // Everything but the `create` names the room.
      let before = graph.before(at)
      for link in at > 0 && !before.contains(0) ? before + [0] : before {
        dependents[Int(link)].append(Int32(clamping: at))
        missing[at] += 1
      }
    }
    var ready = Heap<ReadyEvent>()
    for at in events.indices where missing[at] == 0 { ready.push(ReadyEvent(events[at], at)) }
    var order: [Int] = []
    order.reserveCapacity(events.count)
    while let at = ready.pop()?.at {
      order.append(at)
      for dependent in dependents[at] {
        missing[Int(dependent)] -= 1
        if missing[Int(dependent)] == 0 {
          ready.push(ReadyEvent(events[Int(dependent)], Int(dependent)))
        }
      }
    }
    return order
  }
}

/// An event whose past is written.
private struct ReadyEvent: Comparable {
  let key: OrderKey
  let at: Int

  init(_ event: Event, _ at: Int) { (key, self.at) = (OrderKey(event), at) }

  static func < (a: Self, b: Self) -> Bool { a.key < b.key }
}

/// Checks event by event that a sequence is in the strict causal order.
///
/// An event is out of order when one with a greater key was written while it was ready already. So only the
/// greatest key since it became ready matters; those are kept as a stack of falling keys.
struct OrderCheck {
  private var stack: [(position: Int, key: OrderKey)] = []

  /// Takes the next event, which is ready since `readyAt` events were written.
  /// - Returns: whether it is in its place.
  mutating func take(_ key: OrderKey, at position: Int, readyAt: Int) -> Bool {
    let place = stack.partitioningIndex { $0.position >= readyAt }
    if place < stack.count, key < stack[place].key { return false }
    while let top = stack.last, top.key < key { stack.removeLast() }
    stack.append((position, key))
    return true
  }
}

/// What is going to happen, in the order of time; what was put in first comes first among equals.
package struct Schedule<Item> {
  private struct Entry {
    let time: UInt64
    let serial: UInt64
    let item: Item

    func isBefore(_ other: Entry) -> Bool {
      time != other.time ? time < other.time : serial < other.serial
    }
  }

  // A binary heap: each entry comes no later than its two children.
  private var heap: [Entry] = []
  private var serial: UInt64 = 0

  /// Nothing yet.
  package init() {}

  /// How much is to happen.
  package var count: Int { heap.count }

  /// Puts something in.
  package mutating func add(_ item: Item, at time: UInt64) {
    heap.append(Entry(time: time, serial: serial, item: item))
    serial += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes out what comes next.
  package mutating func next() -> (time: UInt64, item: Item)? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if !heap.isEmpty {
      heap[0] = last
      sinkFirst()
    }
    return (first.time, first.item)
  }

  private mutating func sinkFirst() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].isBefore(heap[least]) {
        least = child
      }
      guard least != parent else { return }
      heap.swapAt(least, parent)
      parent = least
    }
  }
}

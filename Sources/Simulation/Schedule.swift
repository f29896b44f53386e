import EventLog

/// What is going to happen, in the order of time; what was put in first comes first among equals.
package struct Schedule<Item> {
  private struct Entry: Comparable {
    let time: UInt64
    let serial: UInt64
    let item: Item

    static func < (a: Self, b: Self) -> Bool { (a.time, a.serial) < (b.time, b.serial) }
    static func == (a: Self, b: Self) -> Bool { a.serial == b.serial }
  }

  private var entries = Heap<Entry>()
  private var serial: UInt64 = 0

  /// Nothing yet.
  package init() {}

  /// How much is to happen.
  package var count: Int { entries.count }

  /// Puts something in.
  package mutating func add(_ item: Item, at time: UInt64) {
    entries.push(Entry(time: time, serial: serial, item: item))
    serial += 1
  }

  /// Takes out what comes next.
  package mutating func next() -> (time: UInt64, item: Item)? {
    entries.pop().map { ($0.time, $0.item) }
  }
}

/// A binary heap: what is smallest comes first.
package struct Heap<Element: Comparable> {
  // Each item comes no later than its two children.
  @usableFromInline var items: [Element] = []

  /// Nothing yet.
  @inlinable package init() {}

  /// How much is in it.
  @inlinable package var count: Int { items.count }

  /// The smallest; `nil` where there is nothing.
  @inlinable package var first: Element? { items.first }

  /// Puts something in.
  @inlinable package mutating func push(_ item: Element) {
    var child = items.count
    items.append(item)
    while child > 0, items[child] < items[(child - 1) / 2] {
      items.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes out the smallest.
  @inlinable package mutating func pop() -> Element? {
    guard let first = items.first else { return nil }
    let last = items.removeLast()
    guard !items.isEmpty else { return first }
    items[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < items.count && items[child] < items[least] {
        least = child
      }
      guard least != parent else { return first }
      items.swapAt(parent, least)
      parent = least
    }
  }

  /// Takes out all that does not satisfy a condition.
  @inlinable package mutating func keep(where isKept: (Element) -> Bool) {
    let kept = items.filter(isKept)
    items = []
    for item in kept { push(item) }
  }
}

extension Heap: Sendable where Element: Sendable {}

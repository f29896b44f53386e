/// The events that stand on others, by the place of what they stand on.
///
/// A place is the position of an event plus one; place 0 is that of what stands on none. Most places carry one event,
/// which needs no list.
struct Standing: Sendable {
  /// The events at one place, in the order in which they were added.
  struct Events: RandomAccessCollection {
    fileprivate let first: Int?
    fileprivate var others: [Int] = []

    var startIndex: Int { 0 }
    var endIndex: Int { first == nil ? 0 : others.count + 1 }
    subscript(index: Int) -> Int {
      guard index == 0 else { return others[index - 1] }
      guard let first else { preconditionFailure("there is no event at an empty place") }
      return first
    }
  }

  /// The position plus one of the first event at each place; 0 where there is none.
  private var firsts: [UInt32] = []
  /// The others, where there are any.
  private var others: [Int: [Int]] = [:]

  /// The events at a place.
  subscript(place: Int) -> Events {
    guard let first = first(at: place) else { return Events(first: nil) }
    return others.isEmpty ? Events(first: first) : Events(first: first, others: others[place] ?? [])
  }

  private func first(at place: Int) -> Int? {
    guard place < firsts.count, firsts[place] > 0 else { return nil }
    return Int(firsts[place]) - 1
  }

  /// The event at a place, when there is just one.
  func only(at place: Int) -> Int? {
    guard let first = first(at: place), others.isEmpty || others[place] == nil else { return nil }
    return first
  }

  /// Adds an event at a place.
  mutating func append(_ position: Int, at place: Int) {
    while firsts.count <= place { firsts.append(0) }
    if firsts[place] == 0 {
      firsts[place] = UInt32(clamping: position + 1)
    } else {
      others[place, default: []].append(position)
    }
  }
}

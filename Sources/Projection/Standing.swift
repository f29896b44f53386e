/// The events that stand on others, by the place of what they stand on.
///
/// A place is the position of an event plus one; place 0 is that of what stands on none. Most places carry one event,
/// and in rounds of two seats two, which need no list.
struct Standing: Sendable {
  /// The events at one place, in the order in which they were added.
  struct Events: RandomAccessCollection {
    fileprivate let near: (UInt32, UInt32)
    fileprivate var far: [Int] = []

    var startIndex: Int { 0 }
    var endIndex: Int { (near.0 > 0 ? 1 : 0) + (near.1 > 0 ? 1 : 0) + far.count }
    subscript(index: Int) -> Int {
      switch index {
      case 0: Int(near.0) - 1
      case 1: Int(near.1) - 1
      default: far[index - 2]
      }
    }
  }

  /// The positions plus one of the first two events at each place; 0 for none.
  private var near: [(UInt32, UInt32)] = []
  /// The others, where there are any.
  private var far: [Int: [Int]] = [:]

  /// The events at a place.
  subscript(place: Int) -> Events {
    guard place < near.count else { return Events(near: (0, 0)) }
    return Events(near: near[place], far: far.isEmpty || near[place].1 == 0 ? [] : far[place] ?? [])
  }

  /// The event at a place, when there is just one.
  func only(at place: Int) -> Int? {
    guard place < near.count, near[place].0 > 0, near[place].1 == 0 else { return nil }
    return Int(near[place].0) - 1
  }

  /// Adds an event at a place.
  mutating func append(_ position: Int, at place: Int) {
    while near.count <= place { near.append((0, 0)) }
    let mark = UInt32(clamping: position + 1)
    if near[place].0 == 0 {
      near[place].0 = mark
    } else if near[place].1 == 0 {
      near[place].1 = mark
    } else {
      far[place, default: []].append(position)
    }
  }
}

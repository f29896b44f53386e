package import BotKit

/// What random numbers are drawn for. Each has a stream of its own, so that leaving out one fault does not change
/// what is drawn for the others.
package enum DrawPurpose: UInt64, Sendable {
  case plan = 1
  case network = 2
  case topology = 3
  case disks = 4
  case crashes = 5
  case restores = 6
  case clocks = 7
  case cuts = 8
  case partitions = 9
  case flapping = 10
  case play = 11
  case mischief = 12
  case keys = 13
  /// Whether a fault of `Fault.separate` happens, by its place there.
  case separateFaults = 14
  case scopes = 15
  case places = 16
  case inventors = 17
  case inventions = 18
  case reading = 19
  case fraudsters = 20
  case frauds = 21
  /// Which rooms become such of games of chance, of hosted rounds, and who commits frauds there.
  case chanceRooms = 22
  case hostedRooms = 23
  case roundFrauds = 24
  /// What whole peers play, what befalls them, in what order their machine does things, and their random bytes.
  case services = 25
  case serviceFaults = 26
  case machine = 27
  case randomBytes = 28
  /// What tournaments of whole peers are like, and what befalls them: network, machines and people each.
  case tournaments = 29
  /// What dishonest keys do to whole peers, and their keys.
  case attacks = 30
  /// Who comes to the pages of whole peers, and what those people do.
  case visits = 31
}

extension RandomStream {
  /// The stream of a seed for a purpose, and a number where there are several.
  package init(seed: UInt64, for purpose: DrawPurpose, _ number: Int = 0) {
    var first = RandomStream(seed: seed)
    var second = RandomStream(seed: first.next() ^ purpose.rawValue)
    self.init(seed: second.next() ^ UInt64(truncatingIfNeeded: number))
  }

  /// A number from 0 up to, not including, `bound`; 0 where there is nothing to draw.
  package mutating func below(_ bound: Int) -> Int { bound > 1 ? Int(below(UInt64(bound))) : 0 }

  /// A number of a range.
  package mutating func draw(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// A time of a range.
  package mutating func time(_ range: ClosedRange<UInt64>) -> UInt64 {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// Whether something happens that happens once in `count` times.
  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// Whether something happens that happens `parts` times in a thousand.
  package mutating func perMille(_ parts: Int) -> Bool { below(1000) < parts }

  /// One of the items.
  package mutating func pick<Item>(_ items: [Item]) -> Item? {
    items.isEmpty ? nil : items[below(items.count)]
  }

  /// The items in a random order (Fisher and Yates).
  package mutating func mixed<Item>(_ items: [Item]) -> [Item] {
    var items = items
    for last in stride(from: items.count - 1, to: 0, by: -1) { items.swapAt(last, below(last + 1)) }
    return items
  }

  /// This many random bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}

/// A moment by the clock of whoever runs the core: milliseconds that never run backwards.
package struct Tick: Hashable, Comparable, Sendable {
  /// The beginning of time: for who has no neighbours, and so needs no clock.
  package static let start = Tick(milliseconds: 0)

  package let milliseconds: UInt64

  package init(milliseconds: UInt64) { self.milliseconds = milliseconds }

  package static func < (a: Tick, b: Tick) -> Bool { a.milliseconds < b.milliseconds }

  /// So many milliseconds later; at the end of time, the end of time.
  package static func + (tick: Tick, milliseconds: UInt64) -> Tick {
    let (sum, isOver) = tick.milliseconds.addingReportingOverflow(milliseconds)
    return Tick(milliseconds: isOver ? .max : sum)
  }

  /// The milliseconds from `b` to `a`; 0 when `a` is not later.
  package static func - (a: Tick, b: Tick) -> UInt64 {
    a.milliseconds > b.milliseconds ? a.milliseconds - b.milliseconds : 0
  }
}

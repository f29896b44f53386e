/// Durations in words as short as a status line needs.
package enum DurationText {
  /// A duration of so many milliseconds: `850 ms`, `12.3 s`, `4 min 05 s`, `2 h 07 min`, `3 d 04 h`; below 0
  /// is 0.
  package static func text(milliseconds: Int64) -> String {
    let milliseconds = max(0, milliseconds)
    let seconds = milliseconds / 1000
    switch seconds {
    case ..<1: return "\(milliseconds) ms"
    case ..<60: return "\(seconds).\(milliseconds % 1000 / 100) s"
    case ..<3600: return "\(seconds / 60) min \(twoDigits(seconds % 60)) s"
    case ..<86_400: return "\(seconds / 3600) h \(twoDigits(seconds % 3600 / 60)) min"
    default: return "\(seconds / 86_400) d \(twoDigits(seconds % 86_400 / 3600)) h"
    }
  }

  private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
}

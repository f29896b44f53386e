import Foundation

/// How much tests of many seeds, positions or repetitions try.
package enum Effort {
  /// Whether slow tests take a smaller size: `PARLOR_SMALL=1`, for runs under a sanitizer.
  package static let isSmall = ProcessInfo.processInfo.environment["PARLOR_SMALL"] == "1"

  /// The size of a test.
  /// - Parameter variable: a variable of the environment that decides instead where it holds a number.
  package static func size(_ full: Int, small: Int, variable: String = "") -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap(Int.init) ?? (isSmall ? small : full)
  }
}

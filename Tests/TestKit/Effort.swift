import Foundation
package import Testing

/// At which size tests of many seeds, positions or repetitions run.
package enum Effort {
  /// Whether tests run at their small size: always, unless `PARLOR_EFFORT` is `full`.
  package static let isQuick: Bool =
    switch environment["PARLOR_EFFORT"] {
    case nil, "", "quick": true
    case "full": false
    case let other?: preconditionFailure("PARLOR_EFFORT is “\(other)”, and neither “quick” nor “full”")
    }

  /// The size of a test.
  /// - Parameter variable: a variable of the environment that decides instead where it holds a number.
  package static func size(_ full: Int, quick: Int, variable: String = "") -> Int {
    number(variable) ?? (isQuick ? quick : full)
  }

  /// The cases of a test: all of them, or the first few.
  package static func cases<Value>(_ values: [Value], quick: Int) -> [Value] {
    isQuick ? Array(values.prefix(quick)) : values
  }

  /// The number that a variable of the environment holds; `nil` where it holds none.
  package static func number(_ variable: String) -> Int? { environment[variable].flatMap(Int.init) }

  private static let environment = ProcessInfo.processInfo.environment
}

extension Trait where Self == ConditionTrait {
  /// For tests that have no size that tells something in seconds.
  package static var onlyAtFullSize: Self {
    .disabled(if: Effort.isQuick, "it runs at full size alone: Tools/test --full")
  }
}

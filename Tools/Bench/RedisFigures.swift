import Platform
import Terminal

/// What `Tools/Bench/redis` has measured on this machine, when it has run.
struct RedisFigures {
  private let line: String

  /// The line that the script keeps beside this benchmark; `nil` when there is none.
  init?() {
    let path = "\(Program.ownFolder)/redis-figures.json"
    guard FileSystem.exists(path) else { return nil }
    do throws(BenchFailure) {
      guard let line = try TextFile.lines(path).first else { return nil }
      self.line = line
    } catch { return nil }
  }

  /// The number of a field.
  func number(_ field: String) -> Double? {
    guard let start = line.firstRange(of: "\"\(field)\": ")?.upperBound else { return nil }
    return Double(line[start...].prefix { $0.isNumber || $0 == "." })
  }

  /// What stands behind a floor that is Redis's.
  static func words(_ figures: RedisFigures?, _ what: String) -> String {
    figures == nil ? "none: Tools/Bench/redis has not run here" : "Redis 7, by Tools/Bench/redis: \(what)"
  }
}

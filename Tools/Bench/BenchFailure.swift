import EventLog
import Terminal

/// Why the benchmark ends early: words for people and a status for programs.
struct BenchFailure: Error {
  let status: ExitStatus
  let words: String?

  /// A failure that the benchmark found itself.
  init(_ status: ExitStatus, _ words: String?) {
    self.status = status
    self.words = words
  }

  /// A result that is not what it should be.
  static func differs(_ figure: String, _ words: String) -> BenchFailure {
    BenchFailure(.negative, "\(figure): \(words)")
  }

  /// Words and status of any error.
  init(_ error: any Error) {
    switch error {
    case let error as BenchFailure: self = error
    case let error as UsageError:
      self.init(.usage, "\(error); `parlor-bench --help` shows what there is")
    case let error as ConsoleError:
      self.init(error.exitStatus, error == .closed ? nil : error.description)
    case let error as FloorError: self.init(.software, "the C floor: \(error.words)")
    case let error as LogError: self.init(.software, error.description)
    default: self.init(.software, "\(error)")
    }
  }
}

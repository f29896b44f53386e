import Foundation
import Synchronization
import Testing

/// What starting again after a kill took, for figures.
///
/// Only processor time is held to a bound, because a loaded machine lets a process wait as long as it likes.
final class Restarts: Sendable {
  private struct Taken {
    var processor: [Int] = []
    var wall: [Int] = []
  }

  /// The most processor time that starting again may take. A second is what was asked for, and some fifty
  /// times of what it takes.
  static let limitMilliseconds = 1000

  private let taken = Mutex(Taken())

  /// Runs a command that opens a data folder after a kill, as its writer.
  func measure(_ words: [String], home: TemporaryFolder) throws -> Program.Finished {
    let (run, timing) = try Program.timed(words, home: home)
    #expect(timing.processorMilliseconds < Self.limitMilliseconds, "\(words)")
    taken.withLock { taken in
      taken.processor.append(timing.processorMilliseconds)
      taken.wall.append(timing.wallMilliseconds)
    }
    return run
  }

  /// How many were measured.
  var count: Int { taken.withLock { $0.wall.count } }

  /// The figures in words.
  var words: String {
    taken.withLock { taken in
      func figures(_ values: [Int]) -> String {
        let sorted = values.sorted()
        guard let last = sorted.last else { return "none" }
        return "median \(sorted[sorted.count / 2]) ms, longest \(last) ms"
      }
      return "restarts: processor \(figures(taken.processor)); wall clock \(figures(taken.wall))"
    }
  }
}

extension Program {
  /// What a run took.
  struct Timing {
    let wallMilliseconds: Int
    /// In the process and its children, for the user and in the system.
    let processorMilliseconds: Int
  }

  /// Runs the program with nothing to read, and measures it.
  static func timed(_ words: [String], home: TemporaryFolder) throws -> (Finished, Timing) {
    let folder = try TemporaryFolder()
    let script = "TIMEFORMAT='%3R %3U %3S'; { time \"$@\" 2>&3; } 3>&2 2>'\(folder.file("times"))'"
    let run = try Dialogue(
      ["-c", script, "bash", try #require(path)] + words, home: home, program: "/bin/bash")
    try run.endInput()
    let end = try run.finish()
    let times = String(decoding: try folder.bytes("times"), as: UTF8.self)
    let seconds = times.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
    try #require(seconds.count == 3, "\(times)")
    return (
      end,
      Timing(
        wallMilliseconds: Int(seconds[0] * 1000), processorMilliseconds: Int((seconds[1] + seconds[2]) * 1000)
      )
    )
  }
}

/// Figures that a test has found, for who runs it.
enum Figures {
  /// Writes one line to standard error.
  static func say(_ words: String) { FileHandle.standardError.write(Data("figures: \(words)\n".utf8)) }
}

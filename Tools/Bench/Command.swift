import CFloor
import Glibc
import Platform
import Terminal

/// How a process ended and what it took.
struct ProcessEnd {
  /// Its status; 128 and the signal's number when a signal ended it.
  let status: Int
  /// Seconds of processor time, in the program and in the system for it.
  let cpuSeconds: Double
}

/// A program with its arguments, whose standard output goes into a file and whose words to people are dropped.
struct Command {
  private let words: [String]
  private let output: String

  init(_ program: String, _ arguments: [String], output: String) {
    words = [program] + arguments
    self.output = output
  }

  /// Runs it to its end.
  func run() throws(FloorError) -> ProcessEnd {
    var end = floor_end()
    // SAFETY: the copies live until after the call, and the list ends with a null pointer.
    let copies = unsafe words.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    let list = unsafe copies.map { unsafe UnsafePointer<CChar>($0) } + [nil]
    try unsafe FloorError.check(floor_run(list, output, &end))
    return ProcessEnd(status: Int(end.status), cpuSeconds: end.cpu_seconds)
  }

  /// The lines that it printed when it ran last.
  func outputLines() throws(BenchFailure) -> [String] { try TextFile.lines(output) }
}

/// A text file read whole.
enum TextFile {
  /// Its lines, without empty ones.
  static func lines(_ path: String) throws(BenchFailure) -> [String] {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try OpenFile(path).readAll(limit: .max) } catch {
      throw BenchFailure(.noInput, "cannot read \(error)")
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

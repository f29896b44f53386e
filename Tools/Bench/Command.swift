import CFloor
import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
    guard let file = unsafe fopen(path, "r") else {
      throw BenchFailure(.noInput, "cannot read \(path): \(unsafe String(cString: strerror(errno)))")
    }
    // SAFETY: the file is open until here, and the buffer has the bytes that fread may fill.
    defer { unsafe _ = fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = unsafe fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

package import Platform

/// Reads lines from an open file, a pipe or a terminal, until it ends or somebody asks to stop.
///
/// A line ends in a line feed; a carriage return before it is dropped. The last line may lack its end.
/// Reading blocks the calling thread.
package struct LineReader: Sendable {
  /// What reading gave.
  package enum Result: Hashable, Sendable {
    /// A line, without its end.
    case line(String)
    /// A line longer than the limit; all of it was read and discarded.
    case tooLong(limitBytes: Int)
    /// A line that is not UTF-8; it was discarded.
    case notText
    /// Nothing more will come.
    case end
    /// Somebody asked to stop.
    case interrupted
    /// No whole line came in time; what came of it is kept for the next call.
    case timedOut
  }

  /// The longest line, in bytes without its end.
  package static let standardLimitBytes = 4096

  private let input: Descriptor
  private let stop: Descriptor?
  private let limitBytes: Int
  private let discardsLongLines: Bool
  private var pending: [UInt8] = []
  private var searched = 0
  private var isDiscarding = false
  private var hasEnded = false

  /// A reader of an open file.
  ///
  /// - Parameters:
  ///   - stop: becomes readable when reading is to end at once, such as `Interrupts.stop`.
  ///   - discardsLongLines: whether a line that is too long is read to its end, so that reading can go on
  ///     after it; else it is told at once, and nothing is to be read any more.
  package init(
    _ input: Descriptor, stop: Descriptor? = nil, limitBytes: Int = standardLimitBytes,
    discardsLongLines: Bool = true
  ) {
    self.discardsLongLines = discardsLongLines
    self.input = input
    self.stop = stop
    self.limitBytes = max(1, limitBytes)
  }

  /// Asks on the console where somebody sits at the input, then reads as `next` does.
  package mutating func ask(
    _ question: String, on console: Console, timeoutMilliseconds: Int? = nil
  ) throws(LineReaderError) -> Result {
    if input.isTerminal, !question.isEmpty {
      do throws(ConsoleError) { try console.prompt(question) } catch { throw .console(error) }
    }
    return try next(timeoutMilliseconds: timeoutMilliseconds)
  }

  /// Reads the next line, waiting for it as long as said, for ever when nothing is said.
  /// - Parameter halt: becomes readable when it is to be waited for no longer, as if the time were up.
  package mutating func next(
    timeoutMilliseconds: Int? = nil, until halt: Descriptor? = nil
  ) throws(LineReaderError) -> Result {
    let deadline = timeoutMilliseconds.map { Deadline(afterMilliseconds: $0) }
    while true {
      if let result = takeLine() { return result }
      switch try wait(deadline?.millisecondsLeft, halt) {
      case .stopped: return .interrupted
      case .timedOut: return .timedOut
      case .readable: try fill()
      }
    }
  }

  /// Waits until somebody asks to stop, for who has nothing more to read.
  package static func waitForStop(_ stop: Descriptor) throws(LineReaderError) -> Result {
    do throws(SystemError) { _ = try Descriptor.waitReadable([stop]) } catch { throw .system(error) }
    return .interrupted
  }

  private enum Readiness { case readable, stopped, timedOut }

  private func wait(_ timeoutMilliseconds: Int?, _ halt: Descriptor?) throws(LineReaderError) -> Readiness {
    do throws(SystemError) {
      let others = [stop, halt].compactMap { $0 }
      let ready = try Descriptor.waitReadable([input] + others, timeoutMilliseconds: timeoutMilliseconds)
      if stop != nil, ready[1] { return .stopped }
      // What is not read stays in the terminal, whoever reads it next.
      if halt != nil, ready[others.count] { return .timedOut }
      return ready[0] ? .readable : .timedOut
    } catch { throw .system(error) }
  }

  private mutating func fill() throws(LineReaderError) {
    do throws(SystemError) {
      guard let bytes = try input.read(limitBytes: 4096) else { return }
      if bytes.isEmpty { hasEnded = true } else { pending += bytes }
    } catch { throw .system(error) }
  }

  /// The next line of what has been read; at the end also one without a line feed.
  private mutating func takeLine() -> Result? {
    if let end = pending[searched...].firstIndex(of: 0x0A) {
      let line = pending[..<end]
      let result = finish(line)
      pending.removeFirst(end + 1)
      searched = 0
      return result
    }
    if hasEnded {
      guard !pending.isEmpty || isDiscarding else { return .end }
      let line = pending[...]
      let result = finish(line)
      pending = []
      searched = 0
      return result
    }
    searched = pending.count
    // One byte more may be the carriage return before a line feed to come.
    if searched > limitBytes + 1 {
      guard discardsLongLines else { return .tooLong(limitBytes: limitBytes) }
      isDiscarding = true
      pending = []
      searched = 0
    }
    return nil
  }

  private mutating func finish(_ line: ArraySlice<UInt8>) -> Result {
    let line = line.last == 0x0D ? line.dropLast() : line
    defer { isDiscarding = false }
    guard !isDiscarding, line.count <= limitBytes else { return .tooLong(limitBytes: limitBytes) }
    return String(validating: line, as: UTF8.self).map { .line($0) } ?? .notText
  }
}

/// Why a line could not be read or asked for.
package enum LineReaderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system refused to read.
  case system(SystemError)
  /// The question could not be written.
  case console(ConsoleError)

  /// What happened.
  package var description: String {
    switch self {
    case .system(let error): "cannot read the input: \(error)"
    case .console(let error): error.description
    }
  }
}

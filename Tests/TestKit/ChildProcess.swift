import CSpawn
package import Foundation
import Synchronization

/// A program that a test starts, as Foundation's `Process` is one, whose end is asked of the system itself.
///
/// `Process` hears of an end through a descriptor of its own that it watches with `select`, which knows no descriptors
/// above 1,023: a process of tests that had more waited for ever.
///
/// The program starts with no blocked and no ignored signals, in a process group of its own, and with no descriptors
/// but its three. Neither it nor what it has started outlives this value.
package final class ChildProcess: Sendable {
  /// What the program has at one of its three descriptors.
  package enum End {
    case file(FileHandle)
    case pipe(Pipe)
    /// Nothing to read, and what is written is gone.
    case nothing
    /// What the tests have there.
    case inherited
  }

  /// How a program ended.
  package enum Ending: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)
  }

  /// A system call that failed.
  package struct Failure: Error {
    package let program: String
    package let error: POSIXErrorCode?
  }

  /// The program by its whole path, and its arguments.
  package let words: [String]
  package let processIdentifier: Int32
  private let ending = Mutex<Ending?>(nil)

  /// Starts a program.
  ///
  /// The program's ends of the pipes are closed here afterwards; so are the files.
  /// - Parameters:
  ///   - words: the program by its whole path, and its arguments.
  ///   - folder: where it runs; where the tests run unless said.
  ///   - environment: the environment of the tests unless said.
  package init(
    _ words: [String], in folder: String? = nil, environment: [String: String]? = nil,
    input: End = .nothing, output: End = .inherited, errors: End = .inherited
  ) throws {
    self.words = words
    let variables = (environment ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" }
    let ends = [input, output, errors]
    let descriptors = ends.enumerated().map { number, end in end.descriptor(Int32(number)) }
    processIdentifier = try Self.spawn(words, variables, folder, descriptors)
    for (number, end) in ends.enumerated() { try end.close(number == 0) }
  }

  deinit {
    guard isRunning else { return }
    killWithDescendants()
    waitUntilExit()
  }

  /// Whether it runs still.
  package var isRunning: Bool { reap() == nil }

  /// How it ended. Waits for that.
  @discardableResult package func waitUntilExit() -> Ending {
    while true {
      if let ending = reap() { return ending }
      // Waits without taking the status, so that whoever asks beside this one is not held up.
      var info = unsafe siginfo_t()
      _ = unsafe waitid(P_PID, id_t(processIdentifier), &info, WEXITED | WNOWAIT)
    }
  }

  /// The status with which it exited, or the number of the signal that ended it. Waits for the end.
  package var terminationStatus: Int32 {
    switch waitUntilExit() {
    case .exit(let status): status
    case .signal(let number): number
    }
  }

  /// Whether a signal ended it. Waits for the end.
  package var isKilled: Bool {
    if case .signal = waitUntilExit() { true } else { false }
  }

  /// Sends it a signal, unless it has ended: its number may be somebody else's by then.
  package func send(_ signal: Int32) {
    ending.withLock { known in
      if known == nil { kill(processIdentifier, signal) }
    }
  }

  /// Kills it, unless it has ended, and all that it has started and that has not been given to another parent: a
  /// program that lends a terminal does not hand on this signal.
  package func killWithDescendants() {
    ending.withLock { known in
      guard known == nil else { return }
      var found = [processIdentifier]
      var next = 0
      while next < found.count {
        // What stands still starts no others.
        kill(found[next], SIGSTOP)
        found += Self.children(of: found[next])
        next += 1
      }
      for process in found { kill(process, SIGKILL) }
    }
  }

  /// The processes that the threads of another one have started; none of one that has ended.
  private static func children(of process: Int32) -> [Int32] {
    let tasks = "/proc/\(process)/task"
    do {
      return try FileManager.default.contentsOfDirectory(atPath: tasks).flatMap { task in
        try String(contentsOfFile: "\(tasks)/\(task)/children", encoding: .utf8).split(separator: " ")
          .compactMap { Int32($0) }
      }
    } catch { return [] }
  }

  /// Asks the system whether it has ended, unless that is known.
  private func reap() -> Ending? {
    ending.withLock { known in
      if known == nil {
        var status: Int32 = 0
        let found = unsafe waitpid(processIdentifier, &status, WNOHANG)
        precondition(found >= 0, "somebody else has waited for the end of \(words)")
        guard found > 0 else { return nil }
        let signal = status & 0x7F
        known = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
      }
      return known
    }
  }

  private static func spawn(
    _ words: [String], _ variables: [String], _ folder: String?, _ descriptors: [Int32]
  ) throws -> Int32 {
    let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    let environment = unsafe variables.map { unsafe strdup($0) } + [nil]
    defer { unsafe (arguments + environment).forEach { copy in unsafe free(copy) } }
    var identifier: Int32 = 0
    let error = unsafe spawn_child(arguments, environment, folder, descriptors, &identifier)
    guard error == 0 else { throw Failure(program: words[0], error: POSIXErrorCode(rawValue: error)) }
    return identifier
  }
}

extension ChildProcess.End {
  /// The descriptor that becomes the program's; -1 for the null device.
  fileprivate func descriptor(_ number: Int32) -> Int32 {
    switch self {
    case .file(let file): file.fileDescriptor
    case .pipe(let pipe): own(pipe, number == 0).fileDescriptor
    case .nothing: -1
    case .inherited: number
    }
  }

  fileprivate func close(_ isInput: Bool) throws {
    switch self {
    case .file(let file): try file.close()
    case .pipe(let pipe): try own(pipe, isInput).close()
    case .nothing, .inherited: break
    }
  }

  private func own(_ pipe: Pipe, _ isInput: Bool) -> FileHandle {
    isInput ? pipe.fileHandleForReading : pipe.fileHandleForWriting
  }
}

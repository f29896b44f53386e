import Foundation
import Platform
import Terminal
import TestKit
import Testing

/// Other programs, run by tests.
enum Programs {
  /// What a program that has ended left behind.
  struct Finished {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs a program to its end; its output must fit a pipe's buffer.
  static func run(_ path: String, _ arguments: [String], input: String = "") throws -> Finished {
    let (inputPipe, outputPipe, errorPipe) = (Pipe(), Pipe(), Pipe())
    let process = try ChildProcess(
      [path] + arguments, input: .pipe(inputPipe), output: .pipe(outputPipe), errors: .pipe(errorPipe))
    try inputPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try inputPipe.fileHandleForWriting.close()
    let output = try outputPipe.fileHandleForReading.readToEnd() ?? Data()
    let errors = try errorPipe.fileHandleForReading.readToEnd() ?? Data()
    return Finished(
      status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self))
  }

  /// Where a program of this name is installed, if it is.
  static func installed(_ name: String) -> String? {
    ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The test program of this package, which is built beside the tests.
  static func probe() throws -> String {
    try #require(BuiltProgram.path("TerminalProbe"), "TerminalProbe is not beside the tests")
  }
}

/// A pipe whose ends close when the test lets go of it.
final class TestPipe {
  let read: Descriptor
  let write: Descriptor
  private var isWriteOpen = true

  init() throws { (read, write) = try Descriptor.pipe() }

  func send(_ text: String) throws { try write.write(Array(text.utf8)) }

  func closeWrite() throws {
    guard isWriteOpen else { return }
    isWriteOpen = false
    try write.close()
  }

  /// All that was written so far.
  func received() throws -> String {
    var bytes: [UInt8] = []
    while try Descriptor.waitReadable([read], timeoutMilliseconds: 0)[0] {
      guard let more = try read.read(limitBytes: 65_536), !more.isEmpty else { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  deinit {
    do {
      try closeWrite()
      try read.close()
    } catch { Issue.record(error) }
  }
}

/// A pseudo-terminal: what a person would see and type is at `person`, the program's side at `program`.
final class TestTerminal {
  let person: Descriptor
  let program: Descriptor

  init(columns: UInt16) throws {
    let (primary, name) = try Self.openPrimary()
    let secondary = unsafe open(name, O_RDWR | O_NOCTTY)
    try #require(secondary >= 0)
    (person, program) = (Descriptor(primary), Descriptor(secondary))
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(unsafe ioctl(primary, UInt(TIOCSWINSZ), &size) == 0)
    var settings = termios()
    try #require(unsafe tcgetattr(secondary, &settings) == 0)
    // Neither echo nor a carriage return before each line feed: the test sees what was written.
    settings.c_lflag &= ~tcflag_t(ECHO)
    settings.c_oflag &= ~tcflag_t(OPOST)
    try #require(unsafe tcsetattr(secondary, TCSANOW, &settings) == 0)
  }

  private static func openPrimary() throws -> (Int32, String) {
    // The C functions for this hide behind macros that Swift does not set; these are the requests they
    // make.
    let (unlock, askNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    let primary = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (locked, number): (Int32, UInt32) = (0, 0)
    let isUnlocked = unsafe primary >= 0 && ioctl(primary, unlock, &locked) == 0
    try #require(unsafe isUnlocked && ioctl(primary, askNumber, &number) == 0)
    return (primary, "/dev/pts/\(number)")
  }

  func seen() throws -> String {
    var bytes: [UInt8] = []
    while try Descriptor.waitReadable([person], timeoutMilliseconds: 0)[0] {
      guard let more = try person.read(limitBytes: 65_536), !more.isEmpty else { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  deinit {
    do {
      try program.close()
      try person.close()
    } catch { Issue.record(error) }
  }
}

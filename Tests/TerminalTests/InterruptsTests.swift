import Foundation
import Platform
import Synchronization
import Terminal
import TestKit
import Testing

@Suite(.serialized, .blocking) struct InterruptsTests {
  @Test func theFirstRequestAsksTheSecondEnds() throws {
    let left = Mutex<[Terminal.ExitStatus]>([])
    let interrupts = try Interrupts { status in left.withLock { $0.append(status) } }
    #expect(!interrupts.isStopRequested)
    #expect(try Descriptor.waitReadable([interrupts.stop], timeoutMilliseconds: 0) == [false])
    interrupts.ask()
    #expect(interrupts.isStopRequested)
    #expect(try Descriptor.waitReadable([interrupts.stop]) == [true])
    #expect(try Descriptor.waitReadable([interrupts.stop]) == [true])
    #expect(left.withLock { $0 } == [])
    interrupts.ask()
    #expect(left.withLock { $0 } == [.interrupted])
  }

  @Test(arguments: [SIGINT, SIGTERM]) func realSignalsReachTheProgram(signal: Int32) throws {
    let output = Pipe()
    let process = try ChildProcess([Programs.probe(), "wait"], output: .pipe(output))
    func line() throws -> String {
      var bytes = Data()
      while bytes.last != 0x0A, let byte = try output.fileHandleForReading.read(upToCount: 1) {
        bytes += byte
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(try line() == "ready\n")
    process.send(signal)
    #expect(try line() == "stopping\n")
    process.send(signal)
    #expect(process.waitUntilExit() == .exit(Terminal.ExitStatus.interrupted.rawValue))
  }

  @Test func readingALineEndsWhenAskedTo() throws {
    let (input, output) = (Pipe(), Pipe())
    let process = try ChildProcess([Programs.probe(), "echo"], input: .pipe(input), output: .pipe(output))
    try input.fileHandleForWriting.write(contentsOf: Data("a\n".utf8))
    var bytes = Data()
    while bytes.last != 0x0A, let byte = try output.fileHandleForReading.read(upToCount: 1) { bytes += byte }
    process.send(SIGINT)
    bytes += try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(String(decoding: bytes, as: UTF8.self) == "line(\"a\")\ninterrupted\n")
    #expect(process.terminationStatus == 0)
  }
}

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
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: try Programs.probe())
    process.arguments = ["wait"]
    process.standardOutput = output
    try process.run()
    func line() throws -> String {
      var bytes = Data()
      while bytes.last != 0x0A, let byte = try output.fileHandleForReading.read(upToCount: 1) {
        bytes += byte
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(try line() == "ready\n")
    kill(process.processIdentifier, signal)
    #expect(try line() == "stopping\n")
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == Terminal.ExitStatus.interrupted.rawValue)
  }

  @Test func readingALineEndsWhenAskedTo() throws {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: try Programs.probe())
    process.arguments = ["echo"]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("a\n".utf8))
    var bytes = Data()
    while bytes.last != 0x0A, let byte = try output.fileHandleForReading.read(upToCount: 1) { bytes += byte }
    kill(process.processIdentifier, SIGINT)
    bytes += try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(String(decoding: bytes, as: UTF8.self) == "line(\"a\")\ninterrupted\n")
    #expect(process.terminationStatus == 0)
  }
}

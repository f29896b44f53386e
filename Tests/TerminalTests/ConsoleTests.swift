import Foundation
import Platform
import Synchronization
import Terminal
import TestKit
import Testing

@Suite(.serialized, .blocking) struct ConsoleTests {
  private func environment(_ values: [String: String]) -> (String) -> String? { { values[$0] } }

  @Test func pipesGetPlainWholeLines() throws {
    let (out, err) = (try TestPipe(), try TestPipe())
    let console = Console(output: out.write, errors: err.write, environment: environment(["TERM": "xterm"]))
    #expect(!console.output.isTerminal)
    #expect(console.output.columns == 80)
    #expect(console.output.limitColumns == nil)
    try console.line(console.output.drawing.paint("a", .bold))
    try console.lines(["b", ""])
    try console.prompt("? ")
    console.show(status: "never")
    console.note("n")
    console.report(error: "broken", hint: "mend it")
    #expect(try out.received() == "a\nb\n\n")
    #expect(try err.received() == "n\nparlor: error: broken\nparlor: hint: mend it\n")
  }

  @Test func terminalsGetColourUnlessSomethingForbidsIt() throws {
    let terminal = try TestTerminal(columns: 57)
    let utf8 = ["LANG": "C.UTF-8", "TERM": "xterm"]
    func drawing(_ values: [String: String], allowsColor: Bool = true) -> Drawing {
      Console(
        output: terminal.program, errors: terminal.program, allowsColor: allowsColor,
        environment: environment(utf8.merging(values) { $1 })
      ).output.drawing
    }
    #expect(drawing([:]) == Drawing(hasStyles: true, hasUnicode: true))
    #expect(drawing(["NO_COLOR": ""]).hasStyles)
    #expect(!drawing(["NO_COLOR": "1"]).hasStyles)
    #expect(!drawing(["TERM": "dumb"]).hasStyles)
    #expect(!drawing([:], allowsColor: false).hasStyles)
    #expect(!drawing(["LC_ALL": "C"]).hasUnicode)
    #expect(drawing(["LANG": ""]).hasUnicode)
    #expect(!drawing(["LANG": "de_DE.ISO-8859-1"]).hasUnicode)
    #expect(!drawing(["TERM": "linux"]).hasUnicode)
    #expect(drawing(["LC_CTYPE": "de_DE.utf8", "LANG": "C"]).hasUnicode)
    let console = Console(output: terminal.program, errors: terminal.program, environment: environment(utf8))
    #expect(console.output.columns == 57)
    #expect(console.output.limitColumns == 57)
    try console.line(console.output.drawing.paint("a", .bold, .red))
    #expect(try terminal.seen() == "\u{1B}[1;31ma\u{1B}[0m\n")
  }

  @Test func linesPassAboveTheStatusLine() throws {
    let terminal = try TestTerminal(columns: 80)
    let console = Console(
      output: terminal.program, errors: terminal.program, environment: environment(["LANG": "C.UTF-8"]))
    console.show(status: "1/2")
    try console.line("out")
    console.note("note")
    console.clearStatus()
    console.clearStatus()
    let wipe = "\r\u{1B}[K"
    #expect(try terminal.seen() == "\(wipe)1/2\(wipe)out\n1/2\(wipe)note\n1/2\(wipe)")
  }

  @Test func linesAreDrawnInThePlaceOfThoseBefore() throws {
    let terminal = try TestTerminal(columns: 40)
    let console = Console(output: terminal.program, errors: terminal.program) { _ in nil }
    try console.draw(["a", "b", "c"])
    #expect(
      try terminal.seen()
        == "\r\u{1B}[?7la\u{1B}[K\nb\u{1B}[K\nc\u{1B}[K\u{1B}[J\u{1B}[?7h")
    try console.draw(["d"])
    #expect(try terminal.seen() == "\r\u{1B}[2A\u{1B}[?7ld\u{1B}[K\u{1B}[J\u{1B}[?7h")
    try console.draw(["e"])
    #expect(try terminal.seen() == "\r\u{1B}[?7le\u{1B}[K\u{1B}[J\u{1B}[?7h")
    try console.leaveDrawing()
    try console.leaveDrawing()
    #expect(try terminal.seen() == "\n")
    // Where nothing is drawn there is nothing to take away, and a question in this line stays.
    try console.prompt("who? ")
    try console.draw([])
    #expect(try terminal.seen() == "who? ")
  }

  @Test func whatIsWrittenMeanwhileComesAboveWhatIsDrawn() throws {
    let terminal = try TestTerminal(columns: 40)
    let console = Console(output: terminal.program, errors: terminal.program) { _ in nil }
    console.show(status: "1/2")
    try console.draw(["a", "b"])
    let drawn = "\u{1B}[?7la\u{1B}[K\nb\u{1B}[K\u{1B}[J\u{1B}[?7h"
    #expect(try terminal.seen() == "\r\u{1B}[K1/2\r\u{1B}[K\r\(drawn)")
    console.show(status: "2/2")
    console.note("note")
    try console.line("out")
    #expect(try terminal.seen() == ["note", "out"].map { "\r\u{1B}[1A\u{1B}[J\($0)\n\(drawn)" }.joined())
    console.forgetDrawing()
    try console.line("out")
    #expect(try terminal.seen() == "out\n")
  }

  @Test func whatCannotBeDrawnIsWritten() throws {
    let (out, err) = (try TestPipe(), try TestPipe())
    let console = Console(output: out.write, errors: err.write) { _ in nil }
    try console.draw(["a", "b"])
    try console.draw(["c"])
    try console.leaveDrawing()
    #expect(try out.received() == "a\nb\nc\n")
  }

  @Test func outputToAFileLeavesTheStatusLineAlone() throws {
    let (out, terminal) = (try TestPipe(), try TestTerminal(columns: 80))
    let console = Console(output: out.write, errors: terminal.program, environment: environment([:]))
    console.show(status: "1/2")
    try console.line("out")
    try console.prompt("? ")
    #expect(try out.received() == "out\n")
    #expect(try terminal.seen() == "\r\u{1B}[K1/2\r\u{1B}[K? 1/2")
  }

  @Test func aReaderThatLeftEndsOutputQuietly() throws {
    let probe = try Programs.probe()
    let bash = try #require(Programs.installed("bash"))
    let run = try Programs.run(bash, ["-c", "\"$0\" flood | head -n 2; exit ${PIPESTATUS[0]}", probe])
    #expect(run.output == "y\ny\n")
    #expect(run.status == 42)
    #expect(ConsoleError.closed.exitStatus == .ok)
  }

  @Test func aFullDiskIsAnError() throws {
    let probe = try Programs.probe()
    let bash = try #require(Programs.installed("bash"))
    guard try Programs.run(bash, ["-c", "[ -c /dev/full ]"]).status == 0 else { return }
    let run = try Programs.run(bash, ["-c", "\"$0\" flood >/dev/full", probe])
    #expect(run.status == Terminal.ExitStatus.inputOutput.rawValue)
    #expect(run.errors.hasPrefix("parlor: error: cannot write the output: write: "))
  }

  @Test func manyBytesArriveWholeThroughASlowPipe() throws {
    let probe = try Programs.probe()
    let bash = try #require(Programs.installed("bash"))
    let run = try Programs.run(
      bash, ["-c", "\"$0\" flood | head -n 100000 | (sleep 0.2; md5sum | cut -c1-32)", probe])
    let expected = try Programs.run(bash, ["-c", "yes | head -n 100000 | md5sum | cut -c1-32"])
    #expect(run.output == expected.output)
  }

  @Test func aFullPipeThatDoesNotBlockIsWaitedFor() throws {
    let pipe = try TestPipe()
    #expect(fcntl(pipe.write.number, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let source = pipe.read
    let received = Mutex<[UInt8]>([])
    let reader = Thread {
      var all: [UInt8] = []
      do {
        while all.count < bytes.count, let more = try source.read(limitBytes: 5000), !more.isEmpty {
          all += more
        }
      } catch { Issue.record(error) }
      received.withLock { $0 = all }
    }
    reader.start()
    try pipe.write.write(bytes)
    while !reader.isFinished { Thread.sleep(forTimeInterval: 0.001) }
    #expect(received.withLock { $0 } == bytes)
  }

  @Test func manyThreadsWriteWholeLines() throws {
    let (pipe, errors) = (try TestPipe(), try TestPipe())
    let console = Console(output: pipe.write, errors: errors.write) { _ in nil }
    DispatchQueue.concurrentPerform(iterations: 8) { writer in
      do {
        for line in 0..<100 { try console.line("\(writer) \(line)") }
      } catch { Issue.record(error) }
    }
    let lines = try pipe.received().split(separator: "\n").map(String.init)
    #expect(Set(lines) == Set((0..<8).flatMap { writer in (0..<100).map { "\(writer) \($0)" } }))
    for writer in 0..<8 {
      #expect(lines.filter { $0.hasPrefix("\(writer) ") } == (0..<100).map { "\(writer) \($0)" })
    }
  }
}

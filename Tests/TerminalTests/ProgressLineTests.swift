import Platform
import Synchronization
import Terminal
import Testing

@Suite struct ProgressLineTests {
  @Test func anUpdateThatCameTooSoonIsShownLater() {
    var progress = Progress(label: "p", unit: "g", total: 9, isTerminal: true, now: 0)
    _ = progress.advance(to: 0, now: 0)
    #expect(progress.advance(to: 5, now: 50) == nil)
    #expect(progress.redraw(now: 99) == nil)
    #expect(progress.redraw(now: 100) == .status("p [███████████████░░░░░░░░░░░░░] 5/9 g"))
    #expect(progress.advance(to: 9, now: 101) != nil)
    #expect(progress.redraw(now: 900) == nil)
    var plain = Progress(label: "p", unit: "g", total: 9, isTerminal: false, now: 0)
    #expect(plain.redraw(now: 9000) == nil)
  }

  @Test func timeGoesOnWhileNothingIsDone() {
    var progress = Progress(label: "p", unit: "g", total: 9, isTerminal: true, now: 0)
    _ = progress.advance(to: 0, now: 0)
    guard case .status(let text) = progress.redraw(now: 61_000) else {
      Issue.record("nothing is shown")
      return
    }
    #expect(text.hasSuffix(" 0/9 g, 1 min 01 s so far"))
  }

  @Test func theLineIsDrawnAnewByItselfUntilItIsFinished() throws {
    let terminal = try TestTerminal(columns: 60)
    let console = Console(output: terminal.program, errors: terminal.program) { $0 == "TERM" ? "xterm" : nil }
    let clock = Mutex<Int64>(0)
    var line: ProgressLine? = ProgressLine(on: console, label: "p", unit: "g", total: 4) {
      clock.withLock { clock in
        clock += 1000
        return clock
      }
    }
    var seen = ""
    while !seen.contains("3.0 s so far") {
      _ = try Descriptor.waitReadable([terminal.person])
      seen += try terminal.seen()
    }
    line?.finish()
    #expect(try terminal.seen().hasSuffix("\r\u{1B}[K"))
    line?.advance(to: 2)
    line = nil
    #expect(try terminal.seen().isEmpty)
  }
}

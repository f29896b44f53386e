import Foundation
import Platform
import Synchronization
import Terminal
import TestKit
import Testing

@Suite(.blocking) struct KeyReaderTests {
  private struct Mistake: Error {}

  /// Whether the terminal gives whole lines and shows what is typed, as a shell finds it.
  private func isOrdinary(_ terminal: TestTerminal) throws -> Bool {
    var settings = termios()
    try #require(unsafe tcgetattr(terminal.program.number, &settings) == 0)
    let flags = settings.c_lflag
    return flags & tcflag_t(ICANON) != 0 && flags & tcflag_t(IEXTEN) != 0
  }

  private func type(_ bytes: [UInt8], _ terminal: TestTerminal) throws { try terminal.person.write(bytes) }

  @Test func keysComeOneByOneAndTheTerminalIsGivenBack() throws {
    let terminal = try TestTerminal(columns: 80)
    #expect(try isOrdinary(terminal))
    let interrupts = try Interrupts { _ in }
    let events = try KeyReader.reading(terminal.program, interrupts) { keys throws in
      #expect(try isOrdinary(terminal) == false)
      try type(Array("n\u{1B}[C".utf8), terminal)
      return [try keys.next(), try keys.next()]
    }
    #expect(events == [.key(.character("n")), .key(.right)])
    #expect(try isOrdinary(terminal))
  }

  @Test func whenNoMoreKeysAreWantedItEnds() throws {
    let terminal = try TestTerminal(columns: 80)
    let (stop, stopping) = try Descriptor.pipe()
    defer {
      stop.forget()
      stopping.forget()
    }
    let interrupts = try Interrupts { _ in }
    let events = try KeyReader.reading(terminal.program, interrupts, until: stop) { keys throws in
      try type(Array("n".utf8), terminal)
      let key = try keys.next()
      try stopping.write([1])
      return [key, try keys.next()]
    }
    #expect(events == [.key(.character("n")), .end])
    #expect(try isOrdinary(terminal))
  }

  @Test func aSequenceInPiecesIsOneKey() throws {
    let terminal = try TestTerminal(columns: 80)
    let typist = terminal.person
    // Nothing but the rest can end the sequence.
    try KeyReader.reading(terminal.program, try Interrupts { _ in }, pauseMilliseconds: 600_000) {
      keys throws in
      let thread = Thread {
        do {
          for byte in Array("\u{1B}[D".utf8) {
            try typist.write([byte])
            usleep(5_000)
          }
        } catch { Issue.record(error) }
      }
      thread.start()
      #expect(try keys.next() == .key(.left))
    }
  }

  @Test func anEscapeThatStaysAloneIsAKey() throws {
    let terminal = try TestTerminal(columns: 80)
    try KeyReader.reading(terminal.program, try Interrupts { _ in }) { keys throws in
      try type([0x1B], terminal)
      #expect(try keys.next() == .key(.escape))
      try type(Array("q".utf8), terminal)
      #expect(try keys.next() == .key(.character("q")))
    }
  }

  @Test func anErrorGivesTheTerminalBack() throws {
    let terminal = try TestTerminal(columns: 80)
    #expect(throws: Mistake.self) {
      try KeyReader.reading(terminal.program, try Interrupts { _ in }) { _ in
        #expect(try isOrdinary(terminal) == false)
        throw Mistake()
      }
    }
    #expect(try isOrdinary(terminal))
  }

  @Test func aRequestToStopEndsReadingAndASecondOneGivesBackFirst() throws {
    let terminal = try TestTerminal(columns: 80)
    let wasOrdinary = Mutex<Bool?>(nil)
    let program = terminal.program
    let interrupts = try Interrupts { _ in
      var settings = termios()
      let isRead = unsafe tcgetattr(program.number, &settings) == 0
      wasOrdinary.withLock { $0 = isRead && settings.c_lflag & tcflag_t(ICANON) != 0 }
    }
    try KeyReader.reading(terminal.program, interrupts) { keys throws in
      try type(Array("nn".utf8), terminal)
      #expect(try keys.next() == .key(.character("n")))
      interrupts.ask()
      // Before the keys that came earlier.
      #expect(try keys.next() == .interrupted)
      #expect(try isOrdinary(terminal) == false)
      interrupts.ask()
      #expect(wasOrdinary.withLock { $0 } == true)
    }
  }

  @Test func whatIsNoTerminalIsRefused() throws {
    let pipe = try TestPipe()
    #expect(throws: SystemError.self) {
      try KeyReader.reading(pipe.read, try Interrupts { _ in }) { _ in }
    }
  }
}

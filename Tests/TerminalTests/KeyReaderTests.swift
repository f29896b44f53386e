import Foundation
import Platform
import Synchronization
import TestKit
import Testing

@testable import Terminal

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

  /// A second screen is left before the process ends at once, before it is stopped, and not drawn on after.
  @Test func theSecondScreenIsLeftAtOnce() throws {
    let terminal = try TestTerminal(columns: 80)
    let shown = Mutex<[String]>([])
    let interrupts = try Interrupts { _ in shown.withLock { $0.append("ended") } }
    let held = try HeldTerminal(terminal.program, .keys, screen: terminal.program)
    func look() throws -> TerminalEmulator {
      var emulator = TerminalEmulator(columns: 80, rows: 24) { DisplayWidth.columns(of: $0) }
      emulator.write(try written())
      return emulator
    }
    var all = ""
    func written() throws -> String {
      all += try terminal.seen()
      return all
    }
    try held.draw("too early")
    try KeyReader.reading(held, interrupts, until: nil) { keys throws in
      try held.draw("\u{1B}[1;1Hdrawn")
      #expect(try look().picture[0] == "drawn" && look().isSecondShown && look().reportsMouse)
      held.giveBack(isOver: false)
      try held.draw("meanwhile")
      #expect(try !look().isSecondShown && !look().reportsMouse && look().picture.allSatisfy { $0.isEmpty })
      #expect(try isOrdinary(terminal))
      held.goOn()
      #expect(try keys.next() == .returned)
      #expect(try look().isSecondShown && look().picture.allSatisfy { $0.isEmpty })
      interrupts.ask()
      #expect(try look().isSecondShown)
      interrupts.ask()
      #expect(shown.withLock { $0 } == ["ended"])
      #expect(try !look().isSecondShown && isOrdinary(terminal))
    }
    try held.draw("too late")
    #expect(try look().picture.allSatisfy { $0.isEmpty } && look().unknown.isEmpty)
  }

  /// A terminal that was given back without a word is drawn on anew.
  @Test func whoGetsTheTerminalBackIsTold() throws {
    let terminal = try TestTerminal(columns: 80)
    let held = try HeldTerminal(terminal.program, .keys)
    try KeyReader.reading(held, try Interrupts { _ in }, until: nil) { keys throws in
      held.giveBack(isOver: false)
      #expect(try keys.next() == .returned)
      try type(Array("n".utf8), terminal)
      #expect(try keys.next() == .key(.character("n")))
    }
  }

  @Test func whatIsNoTerminalIsRefused() throws {
    let pipe = try TestPipe()
    #expect(throws: SystemError.self) {
      try KeyReader.reading(pipe.read, try Interrupts { _ in }) { _ in }
    }
  }
}

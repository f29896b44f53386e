import Foundation
import Platform
import Terminal
import TestKit
import Testing

/// Lines that are asked for at a terminal and not shown.
@Suite(.blocking) struct SecretReaderTests {
  private struct Mistake: Error {}

  /// A terminal that shows what is typed, as a shell leaves it.
  private func terminal() throws -> TestTerminal {
    let terminal = try TestTerminal(columns: 80)
    var settings = termios()
    try #require(unsafe tcgetattr(terminal.program.number, &settings) == 0)
    settings.c_lflag |= tcflag_t(ECHO)
    try #require(unsafe tcsetattr(terminal.program.number, TCSANOW, &settings) == 0)
    return terminal
  }

  private func shows(_ terminal: TestTerminal) throws -> Bool {
    var settings = termios()
    try #require(unsafe tcgetattr(terminal.program.number, &settings) == 0)
    return settings.c_lflag & tcflag_t(ECHO) != 0
  }

  private func asking<Value>(
    _ terminal: TestTerminal, _ interrupts: Interrupts? = nil, _ body: (SecretReader) throws -> Value
  ) throws -> Value {
    let interrupts = try interrupts ?? Interrupts { _ in }
    return try SecretReader.asking(at: terminal.program, showingOn: terminal.program, interrupts, body)
  }

  @Test func linesComeAndAreNotShown() throws {
    let terminal = try terminal()
    let answers = try asking(terminal) { reader in
      #expect(try !shows(terminal))
      // The second line begins with a mistake that is taken back (DEL).
      try terminal.person.write(Array("open sesame\nx\u{7F}grün\n".utf8))
      return try ["First: ", "Second: "].map { try reader.ask($0, limitBytes: 100) }
    }
    #expect(answers == [.line(Array("open sesame".utf8)), .line(Array("grün".utf8))])
    #expect(try shows(terminal))
    let seen = try terminal.seen()
    #expect(seen.contains("First: ") && seen.contains("Second: "))
    #expect(!seen.contains("sesame") && !seen.contains("grün"), "\(seen)")
  }

  @Test func aLineHasALimitAndMayBeEmpty() throws {
    let terminal = try terminal()
    try asking(terminal) { reader in
      for (count, answer) in [
        (4, SecretReader.Answer.line(Array("aaaa".utf8))), (5, .tooLong), (0, .line([])),
      ] {
        try terminal.person.write([UInt8](repeating: 0x61, count: count) + [0x0A])
        #expect(try reader.ask("? ", limitBytes: 4) == answer)
      }
    }
  }

  @Test func theEndOfInputIsToldFromALine() throws {
    let terminal = try terminal()
    // Ctrl-D gives what was typed before, and then the end.
    try terminal.person.write(Array("half".utf8) + [4, 4])
    #expect(try asking(terminal) { try $0.ask("? ", limitBytes: 100) } == .end)
    #expect(try shows(terminal))
  }

  @Test func aRequestToStopEndsAQuestion() throws {
    let terminal = try terminal()
    let interrupts = try Interrupts { _ in }
    try terminal.person.write(Array("half".utf8))
    let answer = try asking(terminal, interrupts) { reader in
      interrupts.ask()
      return try reader.ask("? ", limitBytes: 100)
    }
    #expect(answer == .interrupted)
    #expect(try shows(terminal))
  }

  /// The process ends at once at the second request; the terminal is given back before that.
  @Test func aSecondRequestGivesTheTerminalBackFirst() throws {
    let terminal = try terminal()
    let interrupts = try Interrupts { _ in }
    try asking(terminal, interrupts) { _ throws in
      interrupts.ask()
      #expect(try !shows(terminal))
      interrupts.ask()
      #expect(try shows(terminal))
    }
  }

  @Test func anErrorGivesTheTerminalBack() throws {
    let terminal = try terminal()
    #expect(throws: Mistake.self) { try asking(terminal) { _ in throw Mistake() } }
    #expect(try shows(terminal))
  }
}

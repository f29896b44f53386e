import Terminal
import Testing

@Suite struct MessageTextTests {
  /// Characters that steer a terminal or hide: none may come out as it is.
  static let hostile = [
    "\u{1B}[2J", "\u{1B}]0;title\u{7}", "\u{7}", "\r", "\n", "\r\n", "\u{202E}", "\u{200B}", "\u{7F}",
    "\u{9B}2J",
    "\u{2028}",
  ]

  @Test(arguments: hostile) func nothingHostileComesOut(_ text: String) throws {
    let line = MessageText.line("no bot “a\(text)b” is known\(text)")
    for scalar in text.unicodeScalars where !(0x20..<0x7F).contains(scalar.value) {
      #expect(!line.unicodeScalars.contains(scalar))
    }
    #expect(line.hasPrefix("no bot “a"))
    let pipe = try TestPipe()
    let console = Console(output: pipe.write, errors: pipe.write) { _ in nil }
    console.report(error: "a\(text)b", hint: "c\(text)d")
    console.note("e\(text)f")
    let written = try pipe.received()
    #expect(written.split(separator: "\n").count == 3)
    for scalar in text.unicodeScalars where scalar != "\n" && !(0x20..<0x7F).contains(scalar.value) {
      #expect(!written.unicodeScalars.contains(scalar))
    }
  }

  @Test func longWordsAreCutAndTheRestStays() {
    let line = MessageText.line("no bot “\(String(repeating: "x", count: 100_000))” is known")
    #expect(line == "no bot “\(String(repeating: "x", count: 198))… is known")
    #expect(DisplayWidth.columns(of: MessageText.line(String(repeating: "ab ", count: 9000))) == 600)
  }

  @Test func messagesWrapOnATerminalWithTheirIndent() throws {
    #expect(MessageText.lines("one two three", columns: 8) == ["one two", "three"])
    #expect(MessageText.lines("  one two", columns: 6) == ["  one", "  two"])
    #expect(MessageText.lines("  one  two", columns: 80) == ["  one  two"])
    let terminal = try TestTerminal(columns: 30)
    let console = Console(output: terminal.program, errors: terminal.program) { $0 == "TERM" ? "xterm" : nil }
    console.report(error: "the bot does not play this game", hint: nil)
    #expect(
      try terminal.seen()
        == "\u{1B}[1;31mparlor: error:\u{1B}[0m the bot does\nnot play this game\n")
  }

  /// A command that is to be pasted stands on one line.
  @Test func commandsAreNotBroken() {
    let text = "The game waits: `parlor play --resume 0123456789` goes on with it."
    #expect(
      MessageText.lines(text, columns: 36) == [
        "The game waits:", "`parlor play --resume 0123456789`", "goes on with it.",
      ])
    #expect(MessageText.lines("one ` two three four", columns: 12) == ["one ` two", "three four"])
  }
}

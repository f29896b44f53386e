import Platform
import Terminal
import TestKit
import Testing

@Suite(.blocking) struct LineReaderTests {
  private func all(_ reader: inout LineReader) throws -> [LineReader.Result] {
    var results: [LineReader.Result] = []
    while results.last != .end { results.append(try reader.next()) }
    return results
  }

  @Test func linesOfAPipe() throws {
    let pipe = try TestPipe()
    try pipe.send("one\r\n\ntwo é\nlast")
    try pipe.closeWrite()
    var reader = LineReader(pipe.read)
    #expect(try all(&reader) == [.line("one"), .line(""), .line("two é"), .line("last"), .end])
    #expect(try reader.next() == .end)
  }

  @Test func badTextIsOneBadLine() throws {
    let pipe = try TestPipe()
    try pipe.write.write([0x61, 0xFF, 0x0A, 0x62, 0x0A, 0xC3])
    try pipe.closeWrite()
    var reader = LineReader(pipe.read)
    #expect(try all(&reader) == [.notText, .line("b"), .notText, .end])
  }

  @Test func longLinesAreDiscardedWhole() throws {
    for length in [7, 8, 9, 10, 11, 100, 5000, 20_000] {
      for end in ["\n", "\r\n", ""] {
        let pipe = try TestPipe()
        try pipe.send(String(repeating: "x", count: length) + end + (end.isEmpty ? "" : "ok\n"))
        try pipe.closeWrite()
        var reader = LineReader(pipe.read, limitBytes: 8)
        let first: LineReader.Result =
          length <= 8 ? .line(String(repeating: "x", count: length)) : .tooLong(limitBytes: 8)
        #expect(
          try all(&reader) == (end.isEmpty ? [first, .end] : [first, .line("ok"), .end]),
          "\(length) \(end.utf8.count)")
      }
    }
  }

  @Test func anyCutOfTheInputGivesTheSameLines() throws {
    let text = "abc\ré\r\neight by\r\n" + String(repeating: "y", count: 12) + "\r\n\n\r\n日本\n"
    let bytes = Array(text.utf8)
    var expected: [LineReader.Result]?
    for cut in 0...bytes.count {
      let pipe = try TestPipe()
      var reader = LineReader(pipe.read, limitBytes: 8)
      var results: [LineReader.Result] = []
      try pipe.write.write(Array(bytes[..<cut]))
      while true {
        let result = try reader.next(timeoutMilliseconds: 0)
        if result == .timedOut { break }
        results.append(result)
      }
      try pipe.write.write(Array(bytes[cut...]))
      try pipe.closeWrite()
      results += try all(&reader)
      if let expected { #expect(results == expected) } else { expected = results }
    }
    #expect(
      expected == [
        .line("abc\ré"), .line("eight by"), .tooLong(limitBytes: 8), .line(""), .line(""), .line("日本"), .end,
      ])
  }

  @Test func timeOutKeepsWhatCame() throws {
    let pipe = try TestPipe()
    var reader = LineReader(pipe.read)
    try pipe.send("ab")
    #expect(try reader.next(timeoutMilliseconds: 1) == .timedOut)
    #expect(try reader.next(timeoutMilliseconds: -5) == .timedOut)
    try pipe.send("c\n")
    #expect(try reader.next(timeoutMilliseconds: .max) == .line("abc"))
  }

  @Test func stopComesBeforeInput() throws {
    let (pipe, stop) = (try TestPipe(), try TestPipe())
    try pipe.send("a\nb")
    var reader = LineReader(pipe.read, stop: stop.read)
    #expect(try reader.next() == .line("a"))
    try stop.send("!")
    try pipe.send("\n")
    #expect(try reader.next() == .interrupted)
    #expect(try reader.next() == .interrupted)
  }

  @Test func promptsOnlyOnATerminal() throws {
    let (pipe, terminal) = (try TestPipe(), try TestTerminal(columns: 80))
    let console = Console(output: terminal.program, errors: terminal.program) { _ in nil }
    try pipe.send("a\n")
    var piped = LineReader(pipe.read)
    #expect(try piped.ask("? ", on: console) == .line("a"))
    #expect(try terminal.seen() == "")
    var reader = LineReader(terminal.program)
    try terminal.person.write(Array("move 3\n".utf8))
    #expect(try reader.ask("? ", on: console) == .line("move 3"))
    #expect(try terminal.seen() == "? ")
    try terminal.person.write([0x04])
    #expect(try reader.ask("? ", on: console) == .end)
  }
}

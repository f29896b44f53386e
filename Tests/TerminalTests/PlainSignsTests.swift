import Platform
import Terminal
import Testing

@Suite struct PlainSignsTests {
  @Test func aTerminalWithoutUnicodeGetsPlainSigns() throws {
    let terminal = try TestTerminal(columns: 80)
    let environment = ["LANG": "C", "NO_COLOR": "1"]
    let console = Console(output: terminal.program, errors: terminal.program) { environment[$0] }
    try console.line("a “b” – c — d…")
    console.report(error: "no “x”")
    #expect(try terminal.seen() == "a 'b' - c - d...\nparlor: error: no 'x'\n")
    let pipe = try TestPipe()
    try Console(output: pipe.write, errors: pipe.write) { environment[$0] }.line("“b”")
    #expect(try pipe.received() == "“b”\n")
  }

  @Test func anEndlessLineIsToldAtOnce() throws {
    let zeros = try OpenFile("/dev/zero")
    var reader = LineReader(zeros.descriptor, limitBytes: 10, discardsLongLines: false)
    #expect(try reader.next() == .tooLong(limitBytes: 10))
  }
}

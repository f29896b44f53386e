import Terminal
import TestKit
import Testing

@Suite struct KeyParserTests {
  /// What terminals send, and the key that each is.
  private static let sequences: [(String, Key)] = [
    ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left),
    ("\u{1B}OA", .up), ("\u{1B}OB", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left),
    ("\u{1B}[H", .home), ("\u{1B}OH", .home), ("\u{1B}[1~", .home), ("\u{1B}[7~", .home),
    ("\u{1B}[F", .end), ("\u{1B}OF", .end), ("\u{1B}[4~", .end), ("\u{1B}[8~", .end),
    ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}OM", .enter),
    // With Shift, Alt or Ctrl.
    ("\u{1B}[1;5C", .right), ("\u{1B}[5;2~", .pageUp),
    // Function keys, Insert and Delete, a key with Alt, reports, a mouse, the console's own F1.
    ("\u{1B}OP", .other), ("\u{1B}[15~", .other), ("\u{1B}[2~", .other), ("\u{1B}[3~", .delete),
    ("\u{1B}x", .other), ("\u{1B}[?1;2c", .other), ("\u{1B}[<0;3;4M", .click(column: 3, row: 4)),
    ("\u{1B}[<0;3;4m", .other), ("\u{1B}[<64;3;4M", .other), ("\u{1B}[<0;0;4M", .other),
    ("\u{1B}[<0;4M", .other),
    ("\u{1B}[<0;9999999999;99M", .click(column: 9_999_999_999, row: 99)),
    ("\u{1B}[<0;99999999999999M", .other),
    ("\u{1B}[[A", .other),
    ("\u{1B}[~", .other), ("\u{1B}[;5~", .other), ("\u{1B}[Z", .other),
    ("\r", .enter), ("\n", .enter), ("\u{7F}", .backspace), ("\u{8}", .backspace),
    (" ", .character(" ")), ("n", .character("n")), ("G", .character("G")), ("~", .character("~")),
    ("\u{3}", .control("c")), ("\u{4}", .control("d")), ("\t", .control("i")), ("\u{0}", .control("@")),
    ("\u{1C}", .control("\\")), ("é", .character("é")), ("日", .character("日")),
    ("🐱", .character("🐱")), ("\u{9B}", .other),
  ]

  @Test func keysAreKnownHoweverTheyArrive() {
    for (text, key) in Self.sequences {
      let bytes = Array(text.utf8)
      for cut in 0...bytes.count {
        var parser = KeyParser()
        let keys = parser.take(bytes[..<cut]) + parser.take(bytes[cut...])
        #expect(keys == [key], "\(bytes) cut at \(cut)")
        #expect(!parser.isWithinKey, "\(bytes)")
        #expect(parser.pause() == nil)
      }
    }
  }

  @Test func keysThatComeTogetherAreAllThere() {
    var parser = KeyParser()
    let text = Self.sequences.map(\.0).joined()
    #expect(parser.take(Array(text.utf8)) == Self.sequences.map(\.1))
  }

  @Test func anEscapeAloneIsAKeyAfterAPause() {
    var parser = KeyParser()
    #expect(parser.take([0x1B]) == [])
    #expect(parser.isWithinKey)
    #expect(parser.pause() == .escape)
    #expect(parser.take([UInt8(ascii: "[")]) == [.character("[")])
    #expect(parser.take([0x1B, 0x1B]) == [.escape])
    #expect(parser.take(Array("[C".utf8)) == [.right])
    // What ends in its midst is no key.
    for beginning in ["\u{1B}[", "\u{1B}[1;", "\u{1B}O", "\u{1B}[["] {
      #expect(parser.take(Array(beginning.utf8)) == [])
      #expect(parser.pause() == .other)
    }
    #expect(parser.take([0xF0, 0x9F]) == [])
    #expect(parser.pause() == .other)
  }

  @Test func brokenSequencesEndWhereAnotherKeyBegins() {
    var parser = KeyParser()
    #expect(parser.take(Array("\u{1B}[1;\u{1B}[C".utf8)) == [.right])
    #expect(parser.take(Array("\u{1B}[\rq".utf8)) == [.enter, .character("q")])
    #expect(parser.take([0xE2, 0x94] + Array("q".utf8)) == [.character("q")])
    #expect(parser.take([0x80, 0xC0, 0xFF]) == [.other, .other, .other])
    // An overlong form, half of a pair, a number beyond the last.
    for bytes: [UInt8] in [[0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] {
      #expect(parser.take(bytes + Array("q".utf8)) == [.other, .character("q")])
    }
    // However long it is, and whatever number stands in it.
    let long = "\u{1B}[" + String(repeating: "9", count: 100_000) + "~"
    #expect(parser.take(Array((long + "q").utf8)) == [.other, .character("q")])
    #expect(parser.take(Array("\u{1B}[9999999999999999~q".utf8)) == [.other, .character("q")])
  }

  /// Every byte in every place, and many random bytes: no trap, and a later key is understood.
  @Test func anyBytesAreTaken() {
    for beginning in ["", "\u{1B}", "\u{1B}[", "\u{1B}[5", "\u{1B}O", "\u{1B}[[", "\u{1B}[?", "\u{1B}[<0;"] {
      for byte in 0...UInt8.max {
        var parser = KeyParser()
        _ = parser.take(Array(beginning.utf8) + [byte])
        _ = parser.pause()
        #expect(parser.take(Array("q".utf8)) == [.character("q")], "\(beginning) \(byte)")
      }
    }
    var random = SeededGenerator(state: 1)
    var parser = KeyParser()
    for _ in 0..<20_000 {
      _ = parser.take((0..<8).map { _ in UInt8.random(in: 0...UInt8.max, using: &random) })
    }
    _ = parser.pause()
    #expect(parser.take(Array("\u{1B}[C".utf8)) == [.right])
  }
}

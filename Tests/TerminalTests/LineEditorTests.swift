import Terminal
import TestKit
import Testing

@Suite struct LineEditorTests {
  /// Types characters, and keys in their places.
  @discardableResult
  private func type(_ keys: [Any], _ editor: inout LineEditor, _ words: [String] = []) -> LineEditor.Outcome {
    var outcome = LineEditor.Outcome.ignored
    for key in keys {
      if let text = key as? String {
        for scalar in text.unicodeScalars {
          outcome = editor.take(.character(Character(scalar)), completing: words)
        }
      } else if let key = key as? Key {
        outcome = editor.take(key, completing: words)
      }
    }
    return outcome
  }

  @Test func aLineIsTypedAndCorrected() {
    var editor = LineEditor()
    #expect(type(["say hallo", Key.left, Key.left, Key.left, Key.backspace, "e"], &editor) == .edited)
    #expect(editor.text == "say hello")
    #expect(editor.textBeforeCursor == "say he")
    type([Key.delete, Key.home, Key.delete, Key.end, Key.backspace], &editor)
    #expect(editor.text == "ay hel")
    type([Key.control("w")], &editor)
    #expect(editor.text == "ay ")
    #expect(type([Key.control("u"), "quit", Key.enter], &editor) == .line("quit"))
    #expect(editor.isEmpty)
    #expect(type([Key.control("d")], &editor) == .end)
    type(["ab", Key.control("a"), Key.control("d")], &editor)
    #expect(editor.text == "b")
    type([Key.control("k")], &editor)
    #expect(editor.isEmpty)
    #expect(type([Key.left], &editor) == .ignored)
    #expect(type([Key.backspace], &editor) == .ignored)
  }

  /// A mark is one with the character before it.
  @Test func marksGoWithTheirCharacters() {
    var editor = LineEditor()
    type(["ae\u{301}🐱", Key.left, Key.left, Key.right], &editor)
    #expect(editor.textBeforeCursor == "ae\u{301}")
    type([Key.backspace], &editor)
    #expect(editor.text == "a🐱")
  }

  @Test func earlierLinesCanBeCalledBack() {
    var editor = LineEditor()
    type(["one", Key.enter, "two", Key.enter, "two", Key.enter, "dra", Key.up], &editor)
    #expect(editor.text == "two")
    type([Key.up], &editor)
    #expect(editor.text == "one")
    #expect(type([Key.up], &editor) == .ignored)
    type([Key.down, Key.down], &editor)
    #expect(editor.text == "dra")
    #expect(type([Key.down], &editor) == .ignored)
    for number in 0..<300 { type(["n\(number)", Key.control("u"), "n\(number)", Key.enter], &editor) }
    for _ in 0..<300 { type([Key.up], &editor) }
    #expect(editor.text == "n200")
  }

  @Test func tabCompletesMovesAndWords() {
    var editor = LineEditor()
    let words = ["d3", "d4", "e6", "resign", "resume"]
    #expect(type(["r", Key.control("i")], &editor, words) == .edited)
    #expect(editor.text == "res")
    #expect(type([Key.control("i")], &editor, words) == .choices(["resign", "resume"]))
    #expect(type(["I", Key.control("i")], &editor, words) == .edited)
    #expect(editor.text == "resign")
    #expect(type([Key.control("i")], &editor, words) == .ignored)
    #expect(type([" ", Key.control("i")], &editor, words) == .ignored)
    #expect(type([Key.control("u"), "x", Key.control("i")], &editor, words) == .ignored)
  }

  /// What does not show, or steers the terminal, is not taken, and a line has an end.
  @Test func nothingHarmfulIsTaken() {
    var editor = LineEditor()
    for text in ["\u{202E}", "\u{200B}", "\u{E000}", "\u{FEFF}", "\u{FFFE}"] {
      #expect(type([text], &editor) == .ignored, "\(text.debugDescription)")
    }
    for _ in 0..<LineEditor.limitBytes { type(["x"], &editor) }
    #expect(type(["x"], &editor) == .ignored)
    #expect(editor.text.utf8.count == LineEditor.limitBytes)
  }
}

import JSON
import TestKit
import Testing

/// JSON that others have written.
@Suite struct JSONReadingTests {
  private func read(_ text: String) throws(JSONError) -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let value: JSONValue = [
      "a": [1, -2, true, false, nil, "ä\u{1F600}\"\\\n\u{0}"], "": [:], "b": ["c": []],
    ]
    guard case .object(let members) = value else { throw Missing() }
    #expect(throws: JSONError.self) { try read(JSONLine(members).text) }  // a zero byte in a text is refused
    let safe: JSONValue = ["a": [1, -2, true, false, nil, "ä\u{1F600}\"\\\n\u{202E}"], "b": ["c": []]]
    guard case .object(let inner) = safe else { throw Missing() }
    #expect(try read(JSONLine(inner).text) == safe)
    #expect(try read("1.5e1") == .real(15))
    #expect(try read(" \"x\" ").string == "x")
    #expect(try read("{\"k\":[2]}")["k"]?.array == [2])
  }

  private struct Missing: Error {}

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\":1,\"a\":2}", "nul", "01", "\"\u{1}\"", "\"\\ud800\"", "[1] 2", "{\"a\" 1}",
    "99999999999999999999", "1e999", String(repeating: "[", count: 100_000),
  ]) func whatIsNoneIsRefusedWithItsPlace(_ text: String) {
    #expect { try read(text) } throws: { error in
      guard let error = error as? JSONError else { return false }
      return error.line == 1 && error.column >= 1 && !error.reason.isEmpty && !error.reason.contains("near")
    }
  }

  @Test func bytesThatAreNoTextAreRefused() {
    for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0]] {
      #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    }
    #expect { try JSONValue(parsing: Array("[\n\n x]".utf8)) } throws: { ($0 as? JSONError)?.line == 3 }
  }

  @Test func placesAreThoseOfItemsAndTheirs() {
    func places(_ text: String) -> [[String]] {
      JSONPlaces(Array(text.utf8)).items.map { item in
        ([item.place] + item.inner).map { "\($0.line):\($0.column)" }
      }
    }
    #expect(places("[]") == [] && places("{ }") == [] && places("3") == [])
    #expect(
      places("[1, \"x\" ,\n\t[[2,3],{}] , {}]") == [["1:2"], ["1:5"], ["2:2", "2:3", "2:9"], ["2:15"]])
    // Signs in texts are none, and a character of several bytes is one.
    #expect(places(#"{"\u007b\\": "[,\"", "é": 1}"#) == [["1:2"], ["1:22"]])
    #expect(places("[{\n\"a\": {\"b\": [1,\r\n2]},\n\n \"ä\": 1}]") == [["1:2", "2:1", "5:2"]])
    let some = JSONPlaces(Array("[[7]]".utf8))
    #expect(some.place(0, 0)?.column == 3 && some.place(0, 1) == nil && some.place(1, 0) == nil)
    #expect(some.place(1) == nil && some.place(-1) == nil)
  }
}

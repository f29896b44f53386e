import Foundation
import Terminal
import TestKit
import Testing

@Suite struct JSONLineTests {
  @Test func ordersAndNestsAsGiven() {
    let line = JSONLine([
      "type": "game", "z": 1, "a": true, "none": nil, "empty": [], "list": [1, "two", [false]],
      "inner": ["b": .integer(.min), "a": .unsigned(.max)],
    ])
    #expect(
      line.text
        == #"{"type":"game","z":1,"a":true,"none":null,"empty":[],"list":[1,"two",[false]],"#
        + #""inner":{"b":-9223372036854775808,"a":18446744073709551615}}"#)
    #expect(JSONLine([:]).text == "{}")
    #expect(JSONLine(["x": .optional(nil), "y": .optional("t")]).text == #"{"x":null,"y":"t"}"#)
  }

  @Test func escapes() {
    let line = JSONLine([
      "a\"b\\": .string("\n\r\t\u{0}\u{1B}\u{7F}\u{85}\u{2028}\u{2029}\u{202E}\u{E0041}é😀/")
    ])
    #expect(
      line.text
        == #"{"a\"b\\":"\n\r\t\u0000\u001b\u007f\u0085\u2028\u2029\u202e\udb40\udc41é😀/"}"#)
    #expect(JSONLine(["k": "\r\n"]).text == #"{"k":"\r\n"}"#)
  }

  @Test func everyScalarSurvivesAnotherReader() throws {
    var text = String.UnicodeScalarView()
    for value in stride(from: UInt32(0), through: 0x10FFFF, by: Effort.isQuick ? 13 : 1) {
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    let line = JSONLine(["text": .string(String(text))]).text
    #expect(!line.utf8.contains { $0 < 0x20 || $0 == 0x7F })
    let read = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
    let back = try #require(read["text"])
    #expect(Array(back.unicodeScalars) == Array(text))
  }
}

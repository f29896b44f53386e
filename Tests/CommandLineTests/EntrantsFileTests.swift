import Foundation
import LineBots
import TestKit
import Testing

@testable import parlor

/// What is read of a file of entrants, and what is refused.
@Suite struct EntrantsFileTests {
  private func read(_ text: String) throws(EntrantsFileError) -> EntrantsFile {
    try EntrantsFile(reading: Array(text.utf8))
  }

  @Test func everyMemberIsRead() throws {
    let file = try read(
      """
      [
        {"bot": "solver"},
        {"bot": "./my bot, it is", "label": "Ünïcode 🚀", "rating": -40, "seed": 1, "moveTime": 500,
         "memory": "500M", "processes": 7, "folder": "/", "env": {"COLOUR": "a=b", "EMPTY": ""}},
        {"bot": "gtp:engine", "memory": 1048576}
      ]
      """)
    var second = EntrantsFile.Entry()
    (second.bot, second.label, second.rating, second.seed) = ("./my bot, it is", "Ünïcode 🚀", -40, 1)
    second.settings.moveMilliseconds = 500
    second.settings.memoryBytes = 500 << 20
    second.settings.processes = 7
    second.settings.folder = "/"
    second.settings.variables = ["COLOUR=a=b", "EMPTY="]
    #expect(file.entries.count == 3 && file.entries[1] == second)
    #expect(file.entries[0].settings == LineBotSettings() && file.entries[0].label == nil)
    #expect(file.entries[2].settings.memoryBytes == 1 << 20)
    let error = file.error("it is odd", entrant: 2)
    #expect(error.description == "line 5, column 3: entrant 3: it is odd")
  }

  @Test(arguments: [
    ("", "line 1, column 1: the text is empty"),
    ("[{\"bot\": \"random\"},\n {]", "line 2, column "),
    ("{}", "it is no list in brackets"),
    ("[3]", "line 1, column 2: entrant 1: it is no object in braces"),
    ("[{}]", "line 1, column 2: entrant 1: it has no “bot”"),
    ("[{\"bot\": \"a\"},\n {\"label\": \"x\"}]", "line 2, column 2: entrant 2: it has no “bot”"),
    ("[{\"bot\": 3}]", "column 3: entrant 1: “bot” must be a text"),
    ("[{\"bot\": \"\"}]", "“bot” has 0 bytes, and takes 1 to 4096"),
    ("[{\"bot\": null}]", "“bot” must be a text"),
    ("[{\"bot\": \"a\", \"bot\": \"b\"}]", "duplicate object key"),
    (
      "[{\"bot\": \"a\",\n  \"lable\": \"x\"}]",
      "line 2, column 3: entrant 1: “lable” is unknown here; did you mean label?"
    ),
    ("[{\"bot\": \"a\", \"seat\": 1}]", "did you mean seed?"),
    ("[{\"bot\": \"a\", \"move-time\": 1}]", "did you mean moveTime?"),
    (
      "[{\"bot\": \"a\", \"zzzzzzzzz\\u001b\": 1}]",
      "“zzzzzzzzz\u{FFFD}” is unknown here; there is bot, label"
    ),
    ("[{\"bot\": \"a\", \"label\": \" \"}]", "“label” is blank"),
    ("[{\"bot\": \"a\", \"label\": \"x\\n\"}]", "“label” has characters that cannot be shown"),
    ("[{\"bot\": \"a\", \"label\": \"\\u202e\"}]", "“label” has characters that cannot be shown"),
    ("[{\"bot\": \"a\", \"label\": \"You\"}]", "whoever looks at it"),
    (
      "[{\"bot\": \"a\", \"label\": \"\(String(repeating: "é", count: 33))\"}]",
      "has 66 bytes, and takes 1 to 64"
    ),
    ("[{\"bot\": \"a\", \"rating\": 1e3}]", "“rating” must be a whole number from -10000 to 10000"),
    ("[{\"bot\": \"a\", \"rating\": 9223372036854775807}]", "“rating” must be a whole number"),
    ("[{\"bot\": \"a\", \"seed\": 2}]", "“seed” must be a whole number from 1 to 1"),
    (
      "[{\"bot\": \"a\", \"seed\": 1},\n{\"bot\": \"b\", \"seed\": 1}]",
      "line 2, column 1: entrant 2: it has the seed of"
    ),
    (
      "[{\"bot\": \"a\", \"moveTime\": 5}]",
      "line 1, column 15: entrant 1: “moveTime” is for bots that are commands"
    ),
    (
      "[{\"env\": {}, \"bot\": \"a\"}]",
      "line 1, column 3: entrant 1: “env” is for bots that are commands, and a is none"
    ),
    ("[{\"bot\": \"./a\", \"moveTime\": 0}]", "“moveTime” must be a whole number from 1 to 86400000"),
    ("[{\"bot\": \"./a\", \"memory\": \"1K\"}]", "“memory” must be"),
    ("[{\"bot\": \"./a\", \"memory\": -9223372036854775808}]", "“memory” must be"),
    ("[{\"bot\": \"./a\", \"memory\": \"9223372036854775807G\"}]", "“memory” must be"),
    ("[{\"bot\": \"./a\", \"processes\": true}]", "“processes” must be"),
    ("[{\"bot\": \"./a\", \"folder\": \"/no/such\"}]", "“folder”: there is no folder /no/such"),
    ("[{\"bot\": \"./a\", \"env\": [\"A=b\"]}]", "“env” must be an object"),
    ("[{\"bot\": \"./a\", \"env\": {\"A\": 1}}]", "“env”: “A” must be a text"),
    ("[{\"bot\": \"./a\", \"env\": {\"A=\": \"1\"}}]", "“env”: “A=” is no name"),
    ("[{\"bot\": \"a\", \"address\": \"x:1\"}]", "“address”: entrants on other machines are not there yet"),
  ]) func whatIsWrongIsSaidWithItsPlace(_ text: String, _ words: String) {
    do throws(EntrantsFileError) {
      _ = try read(text)
      Issue.record("it was read: \(text)")
    } catch {
      #expect(error.description.contains(words), "\(error)")
      #expect(!error.description.contains("\u{1B}"))
    }
  }

  @Test func noFileIsTooLargeTooDeepOrTooOdd() throws {
    func entrants(_ count: Int) -> String {
      "[" + (0..<count).map { _ in "{\"bot\":\"random\"}" }.joined(separator: ",") + "]"
    }
    #expect(try read(entrants(4_096)).entries.count == 4_096)
    #expect { try read(entrants(4_097)) } throws: { error in
      "\(error)" == "it has 4097 entrants, and no tournament takes more than 4096"
    }
    let deep = String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000)
    for text in [
      String(repeating: " ", count: EntrantsFile.limitBytes + 1), String(repeating: "[", count: 1 << 20),
      deep,
      "[{\"bot\": \(deep)}]", "\u{0}", "\u{FEFF}[]", String(repeating: "[1],", count: 1 << 18),
    ] {
      #expect(throws: EntrantsFileError.self) { try read(text) }
    }
    for bytes: [UInt8] in [
      [0xFF, 0xFE], Array("[\"".utf8) + [0xED, 0xA0, 0x80], Array("[\"".utf8) + [0xC3],
    ] {
      #expect(throws: EntrantsFileError.self) { try EntrantsFile(reading: bytes) }
    }
  }
}

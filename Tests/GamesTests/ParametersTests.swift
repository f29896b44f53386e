import Rules
import Testing

@Suite struct ParametersTests {
  private func parameters(_ entries: [(String, String)]) -> Parameters {
    var parameters = Parameters()
    for (name, value) in entries { parameters[name] = value }
    return parameters
  }

  private func decoded(_ text: String) -> Parameters? { Parameters(encoded: Array(text.utf8)) }

  @Test func noSettingsAreNoBytes() {
    #expect(Parameters().encoded == [])
    #expect(Parameters(encoded: []) == Parameters())
  }

  @Test func entriesAreSortedByTheBytesOfTheirNames() {
    let names = ["rounds", "a", "payoffs", "b-c", "b", "ab", "-"]
    let parameters = parameters(names.map { ($0, "1") })
    #expect(parameters.entries.map(\.name) == ["-", "a", "ab", "b", "b-c", "payoffs", "rounds"])
    #expect(parameters == self.parameters(names.reversed().map { ($0, "1") }))
  }

  @Test func subscriptSetsReplacesAndRemoves() {
    var parameters = parameters([("rounds", "10"), ("payoffs", "1")])
    #expect(parameters["rounds"] == "10" && parameters["round"] == nil)
    parameters["rounds"] = "20"
    #expect(parameters.encoded == Array("payoffs=1\nrounds=20\n".utf8))
    parameters["payoffs"] = nil
    #expect(parameters.encoded == Array("rounds=20\n".utf8))
  }

  @Test func canonicalTextReadsBack() throws {
    for text in [
      "a=1\n", "a=b=c\n", "a==\n", "-=~\n", "a=!\nb=\"'\\\nc=1\n", "payoffs=3,2,0,-1\nrounds=10\n",
    ] {
      #expect(try #require(decoded(text)).encoded == Array(text.utf8))
    }
  }

  private static let otherTexts = [
    // Doubled or unsorted names.
    "a=1\na=1\n", "a=1\na=2\n", "b=1\na=1\n", "b=1\na=1\nc=1\n", "ab=1\na=1\n",
    // Empty names, values and lines.
    "=1\n", "a=\n", "=\n", "\n", "a\n", "a=1\n\n", "\na=1\n",
    // No end.
    "a=1", "a=1\nb=1", "a", "=", "a=1\n ",
    // No names.
    "A=1\n", "a1=1\n", "a_b=1\n", "a b=1\n", " a=1\n", "é=1\n", "ａ=1\n",
    // No values.
    "a= \n", "a=1 \n", "a=\t\n", "a=\u{7F}\n", "a=\u{0}\n", "a=\r\n", "a=é\n", "a=e\u{301}\n", "a=🐱\n",
  ]

  @Test func otherTextIsRefused() {
    for text in Self.otherTexts { #expect(decoded(text) == nil, "\(text.debugDescription)") }
  }

  /// Every single byte in the place of a name and of a value.
  @Test func everyByteAsNameAndValue() {
    for byte in UInt8.min...UInt8.max {
      let isName = (0x61...0x7A).contains(byte) || byte == 0x2D
      #expect((Parameters(encoded: [byte, 0x3D, 0x31, 0x0A]) != nil) == isName, "\(byte)")
      #expect(
        (Parameters(encoded: [0x61, 0x3D, byte, 0x0A]) != nil) == (0x21...0x7E).contains(byte), "\(byte)")
    }
  }

  @Test func lengthIsLimited() {
    let longest = "a=" + String(repeating: "1", count: Parameters.limitBytes - 3) + "\n"
    #expect(longest.utf8.count == 512)
    #expect(decoded(longest)?["a"]?.utf8.count == 509)
    #expect(decoded("a=1" + longest.dropFirst(2)) == nil)
    #expect(decoded(String(repeating: "a=1\n", count: 100_000)) == nil)
  }

  /// All texts of up to six bytes over a small alphabet: what is read is what is written, and nothing else.
  @Test func readingIsTheInverseOfWriting() {
    let alphabet = Array("ab=1\n ".utf8)
    var read: Set<Parameters> = []
    var texts = 0
    for length in 0...6 {
      for number in 0..<power(alphabet.count, length) {
        let bytes = (0..<length).map { alphabet[number / power(alphabet.count, $0) % alphabet.count] }
        guard let parameters = Parameters(encoded: bytes) else { continue }
        texts += 1
        read.insert(parameters)
        #expect(parameters.encoded == bytes)
      }
    }
    #expect(read.count == texts && texts > 50)
  }

  @Test func slicesAreReadFromTheirOwnStart() {
    #expect(Parameters(encoded: Array("xxa=1\nb=2\n".utf8)[2...])?["b"] == "2")
  }

  private func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }
}

@Suite struct RulesErrorTests {
  @Test func errorsSayWhatToDo() {
    #expect("\(RulesError.unknownParameter("x", known: []))".contains("no settings at all"))
    #expect("\(RulesError.unknownParameter("x", known: ["rounds", "payoffs"]))".contains("rounds, payoffs"))
    let bad = RulesError.badParameter(name: "rounds", value: "0", expected: "it takes 1 to 1000")
    #expect("\(bad)" == "the setting rounds cannot be “0”: it takes 1 to 1000")
    #expect("\(RulesError.unknownGame("chess"))".contains("chess"))
  }
}

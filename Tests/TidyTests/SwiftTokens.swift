/// One token of Swift text: enough of the language for rules over text, far from a parser.
struct Token: Equatable {
  enum Kind { case word, symbol, string }

  var kind: Kind
  /// The word, the one symbol byte, or the text between the quotes (without interpolated code).
  var text: String
  /// Counted from 1.
  var line: Int
  /// Whether nothing stands between this token and the one before it.
  var isGlued: Bool
}

/// The tokens and comments of one Swift file.
struct SwiftTokens {
  private(set) var tokens: [Token] = []
  /// The text of the comments that stand on a line, by line counted from 1.
  private(set) var comments: [Int: String] = [:]
  /// Lines with at least one token.
  private(set) var codeLines: Set<Int> = []

  /// Splits the text; never fails, since text that is no Swift only gives odd tokens.
  init(_ text: String) {
    var scanner = Scanner(bytes: Array(text.utf8))
    scanner.scanCode(isInterpolation: false)
    tokens = scanner.tokens
    comments = scanner.comments
    codeLines = Set(tokens.map(\.line))
  }

  /// Whether the tokens of a spelling stand at this place, with the same spaces between them.
  func matches(_ spelling: SwiftTokens, at index: Int) -> Bool {
    guard index + spelling.tokens.count <= tokens.count else { return false }
    for (offset, wanted) in spelling.tokens.enumerated() {
      let found = tokens[index + offset]
      guard found.text == wanted.text, found.kind == wanted.kind else { return false }
      guard offset == 0 || found.isGlued == wanted.isGlued else { return false }
    }
    return true
  }

  /// The token `distance` after (or before, when negative) an index; an empty symbol outside the file.
  func token(_ index: Int, _ distance: Int) -> Token {
    let place = index + distance
    guard tokens.indices.contains(place) else {
      return Token(kind: .symbol, text: "", line: 0, isGlued: false)
    }
    return tokens[place]
  }

  /// The text of the token `distance` away, empty for strings and outside the file.
  func text(_ index: Int, _ distance: Int = 0) -> String {
    let token = token(index, distance)
    return token.kind == .string ? "" : token.text
  }

  /// The comment on a line together with the comment lines directly above it.
  func remarks(at line: Int) -> String {
    var found = comments[line] ?? ""
    var above = line - 1
    while let comment = comments[above], !codeLines.contains(above) {
      found = comment + " " + found
      above -= 1
    }
    return found
  }
}

/// Walks over the bytes once; strings with interpolations call back into code.
private struct Scanner {
  let bytes: [UInt8]
  var place = 0
  var line = 1
  var lastEnd = -1
  var tokens: [Token] = []
  var comments: [Int: String] = [:]

  func byte(_ ahead: Int = 0) -> UInt8 { place + ahead < bytes.count ? bytes[place + ahead] : 0 }

  func has(_ text: StaticString, at ahead: Int = 0) -> Bool {
    let wanted = Array("\(text)".utf8)
    guard place + ahead + wanted.count <= bytes.count else { return false }
    return bytes[(place + ahead)..<(place + ahead + wanted.count)].elementsEqual(wanted)
  }

  mutating func scanCode(isInterpolation: Bool) {
    var depth = 0
    while place < bytes.count {
      switch byte() {
      case UInt8(ascii: "\n"):
        line += 1
        place += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): place += 1
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"): scanLineComment()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): scanBlockComment()
      case UInt8(ascii: "\""): scanString(hashes: 0)
      case UInt8(ascii: "#") where hashesBeforeQuote() > 0: scanString(hashes: hashesBeforeQuote())
      case let first where isWord(first): scanWord()
      case let symbol:
        if symbol == UInt8(ascii: "(") { depth += 1 }
        if symbol == UInt8(ascii: ")") { depth -= 1 }
        let endsInterpolation = isInterpolation && depth < 0
        if !endsInterpolation { append(.symbol, from: place, to: place + 1) }
        place += 1
        if endsInterpolation { return }
      }
    }
  }

  func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  func hashesBeforeQuote() -> Int {
    var count = 0
    while byte(count) == UInt8(ascii: "#") { count += 1 }
    return byte(count) == UInt8(ascii: "\"") ? count : 0
  }

  mutating func append(_ kind: Token.Kind, from start: Int, to end: Int) {
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    tokens.append(Token(kind: kind, text: text, line: line, isGlued: start == lastEnd))
    lastEnd = end
  }

  mutating func scanWord() {
    let start = place
    while place < bytes.count, isWord(bytes[place]) { place += 1 }
    append(.word, from: start, to: place)
  }

  mutating func remark(from start: Int) {
    comments[line, default: ""] += String(decoding: bytes[start..<place], as: UTF8.self)
  }

  mutating func scanLineComment() {
    let start = place
    while place < bytes.count, byte() != UInt8(ascii: "\n") { place += 1 }
    remark(from: start)
  }

  mutating func scanBlockComment() {
    var start = place
    var depth = 0
    repeat {
      if has("/*") {
        depth += 1
        place += 2
      } else if has("*/") {
        depth -= 1
        place += 2
      } else if byte() == UInt8(ascii: "\n") {
        remark(from: start)
        place += 1
        start = place
        line += 1
      } else {
        place += 1
      }
    } while depth > 0 && place < bytes.count
    place = min(place, bytes.count)
    remark(from: start)
  }

  mutating func scanString(hashes: Int) {
    let first = line
    let opening = place
    place += hashes
    let quotes = has("\"\"\"") ? 3 : 1
    place += quotes
    var content: [UInt8] = []
    while place < bytes.count, !closes(hashes: hashes, quotes: quotes) {
      if byte() == UInt8(ascii: "\n") {
        if quotes == 1 { break }
        line += 1
      }
      guard byte() == UInt8(ascii: "\\"), hashed(after: 1, count: hashes) else {
        content.append(byte())
        place += 1
        continue
      }
      let isInterpolation = byte(1 + hashes) == UInt8(ascii: "(")
      place += 2 + hashes
      if isInterpolation { scanCode(isInterpolation: true) }
    }
    if byte() != UInt8(ascii: "\n") { place = min(place + quotes + hashes, bytes.count) }
    let text = String(decoding: content, as: UTF8.self)
    tokens.append(Token(kind: .string, text: text, line: first, isGlued: opening == lastEnd))
    lastEnd = place
  }

  func closes(hashes: Int, quotes: Int) -> Bool {
    for ahead in 0..<quotes where byte(ahead) != UInt8(ascii: "\"") { return false }
    return hashed(after: quotes, count: hashes)
  }

  func hashed(after start: Int, count: Int) -> Bool {
    for ahead in 0..<count where byte(start + ahead) != UInt8(ascii: "#") { return false }
    return true
  }
}

import BotKit
import Rules

extension RulesSuite {
  /// Texts that are no move of any game, or look like one.
  static let hostileTexts = [
    "", " ", "\n", "0", "00", "-1", "+1", "1 ", " 1", "1\u{0}", "١", "１", "4294967296",
    "99999999999999999999",
    "a1\u{301}", "\u{202E}1", "🐱", String(repeating: "1", count: 10_000),
    String(repeating: "é", count: 10_000),
  ]

  static func checkCodec<R: Rules>(
    _ rules: R, _ games: [RandomGame<R>], extent: Extent, _ findings: inout Findings
  ) {
    var random = RandomStream(seed: extent.seed)
    let beyond = (0..<1000).map { _ in UInt32(truncatingIfNeeded: random.next()) } + [UInt32.max, 1 << 31]
    let state = rules.game(first: Seat(0))
    for code in (Array(extent.codes) + beyond).map({ MoveCode($0) }) {
      let move = rules.move(code: code)
      findings.expect(
        move.map { rules.code(of: $0) == code } ?? true, .codec,
        "code \(code.rawValue) gives a move of another code")
      findings.expect(
        (move == nil) == (state.text(of: code) == "?"), .codec,
        "code \(code.rawValue) has the text \(state.text(of: code))")
    }
    for text in hostileTexts {
      guard let move = rules.move(text: text) else { continue }
      findings.expect(
        rules.move(code: rules.code(of: move)) == move, .codec,
        "the text \(text.debugDescription) gives no real move")
    }
    checkLegalMoves(rules, games, &findings)
  }

  private static func checkLegalMoves<R: Rules>(
    _ rules: R, _ games: [RandomGame<R>], _ findings: inout Findings
  ) {
    var met: Set<R.Move> = []
    for position in games.lazy.flatMap(\.positions) {
      for move in rules.seatsToChoose(in: position).flatMap({ rules.legalMoves(of: $0, in: position) })
      where met.insert(move).inserted {
        let (code, text) = (rules.code(of: move), rules.text(of: move))
        findings.expect(
          rules.move(code: code) == move, .codec, "code \(code.rawValue) does not lead back to \(move)")
        findings.expect(
          rules.move(text: text) == move, .codec, "the text \(text) does not lead back to \(move)")
        findings.expect(isPlain(text), .codec, "the text \(text.debugDescription) is not plain")
      }
    }
  }

  /// Equal bytes and equal positions must be the same thing, over everything that was met.
  static func checkEncoding<R: Rules>(_ rules: R, _ games: [RandomGame<R>], _ findings: inout Findings) {
    var positionOf: [[UInt8]: R.Position] = [:]
    var bytesOf: [R.Position: [UInt8]] = [:]
    for game in games {
      for (ply, position) in game.positions.enumerated() {
        let bytes = rules.encode(position)
        let place = game.place(ply)
        findings.expect(
          (positionOf[bytes] ?? position) == position, .encoding,
          "two positions have the bytes \(hex(bytes)): \(place)")
        findings.expect(
          (bytesOf[position] ?? bytes) == bytes, .encoding, "a position has two encodings: \(place)")
        findings.expect(!bytes.isEmpty, .encoding, "no bytes: \(place)")
        positionOf[bytes] = position
        bytesOf[position] = bytes
      }
    }
  }

  /// Whether a text is one line of printable scalars, safe to show.
  static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
      }
  }

  /// Bytes as lower-case hexadecimal text.
  static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

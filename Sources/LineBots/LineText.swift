package import BotKit
package import Rules
internal import Service

/// One line that a line bot is sent: a JSON object of printable ASCII alone, with the names of Docs/TABLE.md.
package struct LineText: Hashable, Sendable {
  /// The highest number: every program that reads JSON takes it as it is.
  static let limitNumber: UInt64 = 1 << 53
  /// The protocol that is spoken.
  static let protocolName = "parlor-bot.1"

  /// The line with its end.
  package private(set) var bytes: [UInt8] = []

  private init(type: String) {
    bytes.reserveCapacity(512)
    add("{\"type\":\"")
    add(type)
    add("\"")
  }

  private mutating func end() { bytes += [0x7D, 0x0A] }

  private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func add(number: some BinaryInteger) {
    // Most numbers have one digit, and a turn has many of them.
    if number >= 0, number < 10 { return bytes.append(0x30 + UInt8(number)) }
    bytes.append(contentsOf: String(number).utf8)
  }

  private mutating func add(text: String) {
    bytes.append(0x22)
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }) {
      // Nearly all texts are so, and it takes a fifth of the time.
      bytes.append(contentsOf: text.utf8)
      bytes.append(0x22)
      return
    }
    for unit in text.utf16 {
      switch unit {
      case 0x22, 0x5C: bytes += [0x5C, UInt8(unit)]
      case 0x20...0x7E: bytes.append(UInt8(unit))
      default:
        let digits = String(unit, radix: 16)
        bytes += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
      }
    }
    bytes.append(0x22)
  }

  private mutating func add<Items: Collection>(
    list items: Items, _ add: (inout LineText, Items.Element) -> Void
  ) {
    bytes.append(0x5B)
    var isFirst = true
    for item in items {
      if !isFirst { bytes.append(0x2C) }
      isFirst = false
      add(&self, item)
    }
    bytes.append(0x5D)
  }

  // MARK: - Messages

  /// The first line: asks the bot who it is.
  package static let hello: LineText = {
    var line = LineText(type: "hello")
    line.add(",\"protocol\":")
    line.add(text: protocolName)
    line.end()
    return line
  }()

  /// The last line.
  package static let quit: LineText = {
    var line = LineText(type: "quit")
    line.end()
    return line
  }()

  /// A game in which the bot has to choose for a seat.
  package static func newGame(_ rules: any GameRules, _ source: RandomSource) -> LineText {
    var line = LineText(type: "new-game")
    line.add(",\"game\":")
    line.add(text: rules.definition.name)
    line.add(",\"version\":")
    line.add(number: rules.definition.version)
    line.add(",\"settings\":")
    line.add(list: rules.parameters.entries) { line, entry in
      line.add("{\"name\":")
      line.add(text: entry.name)
      line.add(",\"value\":")
      line.add(text: entry.value)
      line.add("}")
    }
    line.add(",\"seats\":")
    line.add(number: rules.seats)
    line.add(",\"seat\":")
    line.add(number: source.seat.index + 1)
    line.add(",\"number\":")
    line.add(number: UInt64(source.game) + 1)
    line.end()
    return line
  }

  /// The bot has to choose.
  package static func go(_ turn: BotTurn, _ hello: LineHello, milliseconds: Int) -> LineText {
    var line = LineText(type: "go")
    var stream = turn.randomness.generator()
    line.add(",\"milliseconds\":")
    line.add(number: milliseconds)
    if hello.nodes > 0 {
      line.add(",\"nodes\":")
      line.add(number: hello.nodes)
    }
    line.add(",\"seed\":")
    line.add(number: stream.next() >> 11)
    line.add(",\"round\":")
    line.add(turn.game.turn.isRound ? "true" : "false")
    if hello.wants.contains(.position) {
      line.add(",\"position\":")
      line.bytes += TableView.Position(turn.game.diagram).json
    }
    if hello.wants.contains(.plies) { line.add(plies: turn) }
    if hello.wants.contains(.moves) { line.add(moves: turn) }
    line.end()
    return line
  }

  private mutating func add(plies turn: BotTurn) {
    add(",\"plies\":")
    add(list: turn.history) { line, ply in
      line.add("{\"seat\":")
      if let seat = ply.seat { line.add(number: seat.index + 1) } else { line.add("null") }
      line.add(",\"moves\":")
      line.add(list: ply.choices) { line, code in
        line.add(text: code.map { turn.game.text(of: $0) } ?? "")
      }
      line.add("}")
    }
  }

  private mutating func add(moves turn: BotTurn) {
    add(",\"moves\":")
    add(list: turn.game.legalMoves) { line, code in
      line.add("{\"code\":")
      line.add(number: code.rawValue)
      line.add(",\"text\":")
      line.add(text: turn.game.text(of: code))
      line.add("}")
    }
  }

  /// The game is over.
  package static func result(_ ending: BotEnding) -> LineText {
    var line = LineText(type: "result")
    line.add(",\"scores\":")
    if let outcome = ending.outcome {
      line.add(list: outcome.scores) { $0.add(number: $1) }
    } else {
      line.add("null")
    }
    line.add(",\"winner\":")
    if let winner = ending.outcome?.winner { line.add(number: winner.index + 1) } else { line.add("null") }
    line.end()
    return line
  }
}

package import BotKit
package import Rules

/// How a program that plays is spoken with: a value that says what to write, and judges each line that is read.
package protocol LineDialect: Sendable {
  /// Whether the program may write more than answers. One that may not is at fault with a line that it was not asked.
  var isTalkative: Bool { get }
  /// Whether the program has to end when its input ends, without a word.
  var endsWithInput: Bool { get }
  /// What it is told for it to end.
  var farewell: [UInt8] { get }

  /// What it is told first.
  mutating func greeting() -> [UInt8]
  /// Takes a line of its answer to the greeting.
  mutating func greeted(by line: [UInt8]) throws(LineBotFault) -> LineStep<LineHello>

  /// Why it cannot play by these rules, after “does not play”; `nil` where it can.
  func refusal(of rules: any GameRules) -> String?
  /// The choice that it made already with an earlier answer; `nil` where it has to be asked.
  /// - Parameter isNew: whether it was told of another game before this turn, or of none.
  mutating func choiceMade(_ turn: BotTurn, isNew: Bool) throws(LineBotFault) -> BotChoice?
  /// What it is told for it to choose.
  /// - Parameters:
  ///   - isNew: whether it was told of another game before this turn, or of none.
  ///   - milliseconds: how long it has.
  mutating func question(
    _ turn: BotTurn, _ rules: any GameRules, _ hello: LineHello, isNew: Bool, milliseconds: Int
  ) -> [UInt8]
  /// Takes a line of its answer to the question.
  mutating func answered(by line: [UInt8], _ turn: BotTurn) throws(LineBotFault) -> LineStep<BotChoice>
  /// Takes a line that it wrote while it was asked nothing; not called where it may not write any.
  mutating func overheard(_ line: [UInt8]) throws(LineBotFault)
  /// What it is told of a game's end.
  func result(_ ending: BotEnding) -> [UInt8]
}

extension LineDialect {
  package func choiceMade(_ turn: BotTurn, isNew: Bool) throws(LineBotFault) -> BotChoice? { nil }
}

/// What a line means for the question that it belongs to.
package enum LineStep<Answer> {
  /// It goes on.
  case more
  /// The program is told something before it goes on.
  case say([UInt8])
  /// The answer is there.
  case answer(Answer)
}

/// The line protocol of Docs/LINE-PROTOCOL.md: one line for each question, and no other.
struct ParlorDialect: LineDialect {
  let isTalkative = false
  let endsWithInput = true
  var farewell: [UInt8] { LineText.quit.bytes }

  func greeting() -> [UInt8] { LineText.hello.bytes }

  func greeted(by line: [UInt8]) throws(LineBotFault) -> LineStep<LineHello> {
    .answer(try LineHello(line: line))
  }

  func refusal(of rules: any GameRules) -> String? { nil }

  func question(
    _ turn: BotTurn, _ rules: any GameRules, _ hello: LineHello, isNew: Bool, milliseconds: Int
  ) -> [UInt8] {
    let go = LineText.go(turn, hello, milliseconds: milliseconds).bytes
    return isNew ? LineText.newGame(rules, turn.randomness).bytes + go : go
  }

  func answered(by line: [UInt8], _ turn: BotTurn) throws(LineBotFault) -> LineStep<BotChoice> {
    .answer(try LineMove(line: line).choice(in: turn))
  }

  func overheard(_ line: [UInt8]) throws(LineBotFault) {
    throw .unasked(line: LineBotFault.beginning(of: line))
  }

  func result(_ ending: BotEnding) -> [UInt8] { LineText.result(ending).bytes }
}

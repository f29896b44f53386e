import BotKit
import Games
import LineBots
import Rules

/// Any bytes as all that an engine with a protocol of its own writes while it plays: refused in words, or choices that
/// may be made.
struct EngineTalk {
  private static let engines = [
    ("gtp:engine", "othello"), ("nboard:engine", "othello"), ("nboard:3:engine", "othello"),
    ("gomocup:engine", "gomoku"),
  ]

  private var dialect: any LineDialect
  private let rules: any GameRules
  /// What it writes that was not read yet.
  private var lines: ArraySlice<[UInt8]>

  static func run(_ choices: inout ByteChoices) {
    guard let (typed, name) = choices.pick(engines), let command = BotCommandLine(typed, home: nil) else {
      return
    }
    do throws(RulesError) {
      guard let rules = try Games.catalog.newest(name)?.rules() else { Fuzz.fail("there is no \(name)") }
      let seat = Seat(UInt16(choices.below(2)))
      let lines = choices.rest().split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
      var talk = EngineTalk(dialect: command.dialect(LineBotLimits()), rules: rules, lines: lines[...])
      do throws(LineBotFault) { try talk.play(as: seat) } catch { ReplyTarget.check(error) }
    } catch { Fuzz.fail("the standard settings of \(name) are refused: \(error)") }
  }

  /// Greets it and plays with it as long as it writes.
  private mutating func play(as seat: Seat) throws(LineBotFault) {
    _ = dialect.greeting()
    let answer = try hear { (dialect, line) throws(LineBotFault) in try dialect.greeted(by: line) }
    guard let hello = answer, dialect.refusal(of: rules) == nil else { return }
    var game = rules.start(first: Seat(0))
    var plies: [GameHistory.Ply] = []
    while case .seat(let mover) = game.turn {
      let code: MoveCode
      if mover == seat {
        let turn = BotTurn(
          game: game, seat: seat, randomness: RandomSource(seed: 1, seat: seat, ply: UInt32(plies.count)),
          history: GameHistory(plies))
        _ = dialect.question(turn, rules, hello, isNew: plies.count < 2, milliseconds: 1_000)
        let answer = try hear { (dialect, line) throws(LineBotFault) in try dialect.answered(by: line, turn) }
        guard let choice = answer else { return }
        code = choice.code
      } else {
        let moves = game.legalMoves(of: mover)
        code = moves[plies.count * 7 % moves.count]
      }
      Fuzz.promise(game.play(code, by: mover) != nil, "the game does not take the choice \(code)")
      plies.append(.init(seat: mover, choices: [code]))
    }
    for line in lines { try dialect.overheard(line) }
  }

  /// Reads lines until an answer is there; `nil` where they end before.
  private mutating func hear<Answer>(
    _ take: (inout any LineDialect, [UInt8]) throws(LineBotFault) -> LineStep<Answer>
  ) throws(LineBotFault) -> Answer? {
    while let line = lines.popFirst() {
      if case .answer(let answer) = try take(&dialect, line) { return answer }
    }
    return nil
  }
}

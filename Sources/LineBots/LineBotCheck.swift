internal import BotKit
internal import Platform
package import Rules

/// Puts a line bot through the whole protocol, and tells what it does right and wrong.
package struct LineBotCheck {
  /// What came of one part of the check.
  package struct Finding: Sendable {
    /// How it stands.
    package enum Kind: String, Sendable {
      case right
      case wrong
      /// The protocol allows it, and somebody may want to know.
      case remark
    }

    package let kind: Kind
    /// The part: `hello`, `game`, `hurry`, `again`, `quit` or `end of input`.
    package let part: String
    /// The game that it was about.
    package let game: String?
    package let words: String
    /// The last lines of the conversation before a fault: after `>` what the bot read, after `<` what it wrote.
    package let lines: [String]
    /// What the bot last wrote to standard error.
    package let errors: [UInt8]
  }

  /// A turn, and what was played there.
  private struct Asked {
    var turn: BotTurn
    let code: MoveCode
  }

  private let command: BotCommandLine
  private let limits: LineBotLimits
  private let isCancelled: @Sendable () -> Bool
  private let tell: (Finding) -> Void

  /// - Parameter tell: is given each finding as soon as it is there.
  package init(
    _ command: BotCommandLine, limits: LineBotLimits, isCancelled: @escaping @Sendable () -> Bool,
    tell: @escaping (Finding) -> Void
  ) {
    (self.command, self.limits, self.isCancelled, self.tell) = (command, limits, isCancelled, tell)
  }

  /// Checks the bot at games: those of the list that it says it plays.
  /// - Returns: whether nothing was wrong.
  package func run(_ games: [any GameRules], seed: UInt64) -> Bool {
    guard let hello = checkHello() else { return false }
    let played = games.filter { hello.games?.contains($0.definition.name) ?? true }
    guard !played.isEmpty else {
      let names = games.map(\.definition.name).joined(separator: ", ")
      note(.wrong, "hello", nil, "it does not play \(names)")
      return false
    }
    var isRight = true
    for rules in played where !isCancelled() {
      var asked: [Asked] = []
      // One program plays them all, as it does in a match, unless it is at fault.
      var process: LineBotProcess?
      for seat in 0..<rules.seats where !isCancelled() {
        isRight = checkGame(rules, Seat(UInt16(seat)), seed: seed, &process, &asked) && isRight
      }
      if !isCancelled() { isRight = checkHurry(rules, seed: seed, &process) && isRight }
      process?.end()
      if !isCancelled() { isRight = checkAgain(asked, rules, hello) && isRight }
    }
    // Only Parlor's own protocol says that a bot ends with its input.
    let ends = command.dialect(limits).endsWithInput ? [false, true] : [false]
    for closesInput in ends where !isCancelled() { isRight = checkEnd(closesInput) && isRight }
    return isRight
  }

  // MARK: - The parts

  private func checkHello() -> LineHello? {
    with("hello") { process throws(LineBotFault) in
      let hello = process.hello
      if let name = hello.engine {
        return (hello, "it calls itself \(name)")
      }
      let games = hello.games.map { $0.joined(separator: ", ") } ?? "all games"
      let wants = LineHello.Want.allCases.filter { hello.wants.contains($0) }.map(\.rawValue)
      let nodes = hello.nodes > 0 ? ", \(hello.nodes == 1 ? "1 node" : "\(hello.nodes) nodes") a move" : ""
      let declared = hello.isRecomputable ? ", declares itself recomputable" : ""
      let wanted = wants.isEmpty ? "nothing" : wants.joined(separator: ", ")
      return (hello, "version \(hello.version), plays \(games), wants \(wanted)\(nodes)\(declared)")
    }
  }

  /// Plays a game to its end, against random moves.
  /// - Parameters:
  ///   - kept: the program that has played already, and what is left of it.
  ///   - asked: its turns where there was more than one, for a later part.
  private func checkGame(
    _ rules: any GameRules, _ seat: Seat, seed: UInt64, _ kept: inout LineBotProcess?,
    _ asked: inout [Asked]
  ) -> Bool {
    var turns: [Asked] = []
    var excess: (said: UInt64, declared: UInt64)?
    let isRight: Bool? = with("game", rules, keeping: &kept) { process throws(LineBotFault) in
      try process.checkPlays(rules)
      var table = CheckTable(rules, seat, seed: seed)
      var longest: UInt64 = 0
      while let turn = table.turn(isCancelled) {
        let begin = MonotonicClock.milliseconds
        guard let choice = try process.chooseOrResign(turn, rules) else {
          return (true, "\(seat): it resigns at its turn \(turns.count + 1)")
        }
        longest = max(longest, MonotonicClock.milliseconds - begin)
        turns.append(Asked(turn: turn, code: choice.code))
        let (said, declared) = (choice.note?.nodes ?? 0, process.hello.nodes)
        if declared > 0, said > max(declared, excess?.said ?? 0) { excess = (said, declared) }
        table.play(choice.code)
      }
      process.conclude(table.ending)
      return (true, "\(seat): \(turns.count) turns, all legal; the longest took \(longest) ms")
    }
    if turns.count > 1 { asked = turns }
    if let excess {
      let words = "a note speaks of \(excess.said) nodes, and its hello of \(excess.declared)"
      note(.wrong, "game", rules, "\(seat): \(words)")
    }
    return isRight == true && excess == nil
  }

  /// Asks for the first move of a game, after others are over and with little time.
  private func checkHurry(_ rules: any GameRules, seed: UInt64, _ kept: inout LineBotProcess?) -> Bool {
    let isRight: Bool? = with("hurry", rules, keeping: &kept) { process throws(LineBotFault) in
      var table = CheckTable(rules, Seat(0), seed: seed)
      guard var turn = table.turn(isCancelled) else { return (true, "there is nothing to choose") }
      turn.leftMilliseconds = UInt64(limits.hurryMilliseconds)
      _ = try process.chooseOrResign(turn, rules)
      return (true, "given \(limits.hurryMilliseconds) ms it is in time, in another game after these")
    }
    return isRight ?? false
  }

  /// How many turns a bot that declares itself recomputable is asked again at the most.
  private static let limitAgain = 40

  /// Starts the program in the middle of a game. One that declares itself recomputable is asked its turns again from
  /// the last to the first, with another time: what it kept from one to the next, or what a clock says, shows.
  private func checkAgain(_ asked: [Asked], _ rules: any GameRules, _ hello: LineHello) -> Bool {
    guard !asked.isEmpty else { return true }
    var turns = [asked[asked.count / 2]]
    if hello.isRecomputable {
      let step = (asked.count - 1) / Self.limitAgain + 1
      turns = stride(from: asked.count - 1, through: 0, by: -step).map { index in
        var other = asked[index]
        other.turn.leftMilliseconds = UInt64(max(1, limits.moveMilliseconds / 2))
        return other
      }
    }
    var differing: (Asked, now: MoveCode?)?
    let isRight: Bool? = with("again", rules) { process throws(LineBotFault) in
      for turn in turns where differing == nil {
        let now = try process.chooseOrResign(turn.turn, rules)?.code
        if now != turn.code, now != nil || hello.isRecomputable { differing = (turn, now) }
      }
      return (true, "started in the middle of a game it goes on")
    }
    guard let (before, now) = differing else {
      if hello.isRecomputable, isRight == true {
        note(.right, "again", rules, "asked for \(turns.count) of its moves again, it plays the same")
      }
      return isRight ?? false
    }
    let game = before.turn.game
    let again = now.map { "played \(game.text(of: $0))" } ?? "resigned"
    let words =
      "at the same turn with the same seed it played \(game.text(of: before.code)), and in a second process it \(again)"
    if hello.isRecomputable {
      note(.wrong, "again", rules, "it declares itself recomputable, and \(words)")
      return false
    }
    note(.remark, "again", rules, "\(words): its matches do not repeat")
    return isRight ?? false
  }

  private func checkEnd(_ closesInput: Bool) -> Bool {
    let part = closesInput ? "end of input" : "quit"
    let isRight: Bool? = with(part) { process throws(LineBotFault) in
      if closesInput { process.closeInput() } else { process.askToEnd(closesInput: false) }
      guard process.hasEnded(withinMilliseconds: limits.quitMilliseconds) else {
        throw .endless(limits.quitMilliseconds)
      }
      return (true, "it ends")
    }
    return isRight ?? false
  }

  // MARK: - Telling

  /// Starts the program for a part of the check, and ends it.
  /// - Returns: `nil` for a fault.
  private func with<Result>(
    _ part: String, _ rules: (any GameRules)? = nil,
    _ body: (inout LineBotProcess) throws(LineBotFault) -> (Result, String)
  ) -> Result? {
    var kept: LineBotProcess?
    let result = with(part, rules, keeping: &kept, body)
    kept?.end()
    return result
  }

  /// Has a program go through a part, and tells what came of it.
  /// - Parameter kept: the one that is taken, else one is started; the one that runs after it, `nil` after a fault.
  /// - Returns: `nil` for a fault.
  private func with<Result>(
    _ part: String, _ rules: (any GameRules)?, keeping kept: inout LineBotProcess?,
    _ body: (inout LineBotProcess) throws(LineBotFault) -> (Result, String)
  ) -> Result? {
    let isNew = kept == nil
    var process: LineBotProcess
    do throws(LineBotFault) {
      if let kept { process = kept } else { process = try LineBotProcess(command, limits, keepsLines: true) }
    } catch {
      note(.wrong, part, rules, "it \(error.words)")
      return nil
    }
    kept = nil
    do throws(LineBotFault) {
      if isNew { try process.greet(isCancelled: isCancelled) }
      let (result, words) = try body(&process)
      note(.right, part, rules, words)
      kept = process
      return result
    } catch {
      defer { process.end() }
      if error == .cancelled { return nil }
      process.finishErrors()
      tell(
        Finding(
          kind: .wrong, part: part, game: rules?.definition.name, words: "it \(error.words)",
          lines: process.lines, errors: process.errors))
      return nil
    }
  }

  private func note(
    _ kind: Finding.Kind, _ part: String, _ rules: (any GameRules)?, _ words: String
  ) {
    tell(
      Finding(kind: kind, part: part, game: rules?.definition.name, words: words, lines: [], errors: []))
  }
}

extension LineBotProcess {
  /// Asks it for a move; `nil` when it resigns, which it may.
  fileprivate mutating func chooseOrResign(
    _ turn: BotTurn, _ rules: any GameRules
  ) throws(LineBotFault) -> BotChoice? {
    do throws(LineBotFault) { return try choose(turn, rules) } catch .resigned { return nil }
  }
}

/// A game in which all seats but one choose at random.
private struct CheckTable {
  private let seat: Seat
  private var game: any GameState
  private var plies: [GameHistory.Ply] = []
  private var numbers: Chance
  private var source: RandomSource

  init(_ rules: any GameRules, _ seat: Seat, seed: UInt64) {
    self.seat = seat
    game = rules.start(first: Seat(0))
    numbers = Chance(seed: seed)
    source = RandomSource(seed: seed, game: UInt32(seat.rawValue), seat: seat, ply: 0)
  }

  /// Plays until the seat has to choose; `nil` when the game is over.
  mutating func turn(_ isCancelled: @escaping @Sendable () -> Bool) -> BotTurn? {
    while true {
      switch game.turn {
      case .over: return nil
      case .seat(let mover) where mover != seat: play(random(mover), by: mover)
      case .round(let choosing) where !choosing.contains(seat): resolve(nil)
      case .seat, .round:
        source.ply = UInt32(truncatingIfNeeded: plies.count)
        return BotTurn(
          game: game, seat: seat, randomness: source, history: GameHistory(plies),
          isCancelled: isCancelled)
      }
    }
  }

  /// Plays what the seat chose, which is legal.
  mutating func play(_ code: MoveCode) {
    if game.turn.isRound { resolve(code) } else { play(code, by: seat) }
  }

  var ending: BotEnding { BotEnding(randomness: source, outcome: game.turn.outcome) }

  private mutating func random(_ seat: Seat) -> MoveCode { numbers.element(of: game.legalMoves(of: seat)) }

  private mutating func play(_ code: MoveCode, by mover: Seat) {
    guard game.play(code) else { preconditionFailure("a legal move was refused: \(game.text(of: code))") }
    plies.append(GameHistory.Ply(seat: mover, choices: [code]))
  }

  private mutating func resolve(_ own: MoveCode?) {
    let choosing = game.turn.choosing
    let choices = (0..<UInt16(game.seats)).map { index -> MoveCode? in
      guard choosing.contains(Seat(index)) else { return nil }
      return Seat(index) == seat ? own ?? .none : random(Seat(index))
    }
    let chance = game.usesChance ? Chance(seed: numbers.next()) : .none
    guard game.resolve(choices.map { $0 ?? .none }, by: chance) else {
      preconditionFailure("a round of legal choices was refused")
    }
    plies.append(GameHistory.Ply(seat: nil, choices: choices))
  }
}

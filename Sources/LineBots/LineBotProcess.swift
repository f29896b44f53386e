internal import BotKit
internal import Platform
internal import Rules

/// One running program of a line bot, and the conversation with it.
struct LineBotProcess: Sendable {
  /// What it said of itself.
  private(set) var hello = LineHello()
  /// The game that it was told of last, without the ply; `nil` after a result.
  private(set) var game: RandomSource?
  /// What it last wrote to standard error.
  private(set) var errors: [UInt8] = []
  /// Whether it has answered a `go`.
  private(set) var hasAnswered = false
  private var dialect: any LineDialect
  private var child: ChildProgram
  private let limits: LineBotLimits
  private var hasErrors = true
  /// What was read after the last whole line.
  private var pending: ArraySlice<UInt8> = []
  private let keepsLines: Bool
  /// The last lines of the conversation, where they are kept.
  private(set) var lines: [String] = []

  /// How many lines are kept, and how much of each, in bytes.
  private static let limitLines = 4
  private static let limitShownBytes = 200

  /// Starts the program, which has to say hello before anything else is asked of it.
  /// - Parameter keepsLines: whether the last lines of the conversation are kept, for words.
  init(_ command: BotCommandLine, _ limits: LineBotLimits, keepsLines: Bool = false) throws(LineBotFault) {
    self.limits = limits
    self.keepsLines = keepsLines
    dialect = command.dialect(limits)
    do throws(SystemError) {
      // What is said to this program is not said to those that it starts.
      child = try ChildProgram(
        command.words, limits: limits.ofProgram, folder: limits.folder, variables: limits.variables
      ) { !$0.hasPrefix("PARLOR_") }
    } catch { throw .notStarted(error) }
  }

  /// Whether it has to end when its input ends.
  var endsWithInput: Bool { dialect.endsWithInput }

  /// Asks it who it is.
  mutating func greet(isCancelled: () -> Bool = { false }) throws(LineBotFault) {
    let greeting = dialect.greeting()
    do throws(LineBotFault) {
      hello = try ask(greeting, milliseconds: limits.startMilliseconds, isCancelled) {
        (dialect, line) throws(LineBotFault) in try dialect.greeted(by: line)
      }
    } catch {
      if case .slow(let limit) = error { throw .silent(limit) }
      throw error
    }
  }

  /// Refuses rules that it does not play by.
  func checkPlays(_ rules: any GameRules) throws(LineBotFault) {
    let game = rules.definition.name
    if let games = hello.games, !games.contains(game) { throw .wrongGame(game) }
    if let words = dialect.refusal(of: rules) { throw .wrongGame(words) }
  }

  /// Asks it for a move.
  mutating func choose(_ turn: BotTurn, _ rules: any GameRules) throws(LineBotFault) -> BotChoice {
    try checkSilence()
    let place = turn.randomness.ofGame
    let isNew = game != place
    game = place
    if let choice = try dialect.choiceMade(turn, isNew: isNew) { return choice }
    let left = turn.leftMilliseconds.map { Int(clamping: $0) } ?? .max
    let milliseconds = min(limits.moveMilliseconds, max(1, left))
    let question = dialect.question(turn, rules, hello, isNew: isNew, milliseconds: milliseconds)
    do throws(LineBotFault) {
      let choice = try ask(question, milliseconds: milliseconds, turn.isCancelled) {
        (dialect, line) throws(LineBotFault) in try dialect.answered(by: line, turn)
      }
      hasAnswered = true
      return choice
    } catch {
      if error.isAnAnswer { hasAnswered = true }
      throw error
    }
  }

  /// Tells it that its game is over, unless it does not read.
  mutating func conclude(_ ending: BotEnding) {
    game = nil
    var rest = dialect.result(ending)[...]
    // A pipe that is full takes no part of so short a line.
    do throws(SystemError) { rest = rest.dropFirst(try child.write(rest)) } catch { return }
  }

  // MARK: - Its end

  /// Asks it to end, unless it does not read.
  mutating func askToEnd(closesInput: Bool = true) {
    let farewell = dialect.farewell
    keep(farewell, after: ">")
    do throws(SystemError) { _ = try child.write(farewell[...]) } catch {}
    if closesInput { child.closeInput() }
  }

  /// Ends its input.
  mutating func closeInput() { child.closeInput() }

  /// Keeps lines of the conversation.
  private mutating func keep(_ bytes: [UInt8], after mark: String) {
    guard keepsLines else { return }
    for line in bytes.split(separator: 0x0A) {
      let text = String(decoding: line.prefix(Self.limitShownBytes), as: UTF8.self)
      lines.append("\(mark) \(text)\(line.count > Self.limitShownBytes ? "…" : "")")
    }
    lines = lines.suffix(Self.limitLines)
  }

  /// Whether it ends by itself in this time.
  func hasEnded(withinMilliseconds limit: Int) -> Bool { child.ending(withinMilliseconds: limit) != nil }

  /// Ends it, and all that it has started.
  @discardableResult func end() -> ProcessEnd? { child.end() }

  // MARK: - The conversation

  /// The most bytes that are taken from a pipe at once.
  private static let pieceBytes = 16_384
  /// How often somebody who wants no answer any more is asked, in milliseconds.
  private static let cancelMilliseconds = 100
  /// How long the status of a program is waited for that has closed its output, in milliseconds.
  private static let endMilliseconds = 200

  /// Refuses what it wrote without being asked, unless it may write that.
  private mutating func checkSilence() throws(LineBotFault) {
    var count = 0
    while true {
      // What came with the last answer is looked at too.
      while let line = try takeLine() { try dialect.overheard(line) }
      let read = try read()
      guard read > 0 else { return }
      guard dialect.isTalkative else { throw unasked }
      count += read
      guard count <= limits.chatterBytes else { throw .chatter(limits.chatterBytes) }
    }
  }

  /// Writes lines and reads until the answer is there.
  private mutating func ask<Answer>(
    _ lines: [UInt8], milliseconds: Int, _ isCancelled: () -> Bool,
    _ hear: (inout any LineDialect, [UInt8]) throws(LineBotFault) -> LineStep<Answer>
  ) throws(LineBotFault) -> Answer {
    let deadline = Deadline(afterMilliseconds: milliseconds)
    var rest = lines[...]
    var count = 0
    keep(lines, after: ">")
    do throws(SystemError) {
      rest = rest.dropFirst(try child.write(rest))
    } catch { throw ended }
    while true {
      let left = deadline.millisecondsLeft
      let ready: ChildProgram.Readiness
      do throws(SystemError) {
        ready = try child.wait(
          writing: !rest.isEmpty, errors: hasErrors, milliseconds: min(left, Self.cancelMilliseconds))
        if ready.input { rest = rest.dropFirst(try child.write(rest)) }
        if ready.errors { try keepErrors() }
      } catch { throw ended }
      if ready.output {
        count += try read()
        while let line = try takeLine() {
          keep(line, after: "<")
          switch try hear(&dialect, line) {
          case .more: break
          case .say(let more):
            keep(more, after: ">")
            rest += more
          case .answer(let answer):
            guard dialect.isTalkative || pending.isEmpty else { throw unasked }
            return answer
          }
        }
        guard count <= limits.chatterBytes else { throw .chatter(limits.chatterBytes) }
      }
      if isCancelled() { throw .cancelled }
      guard left > 0 else { throw .slow(milliseconds) }
    }
  }

  /// Takes what it has written.
  /// - Returns: how many bytes.
  private mutating func read() throws(LineBotFault) -> Int {
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try child.readOutput(limitBytes: Self.pieceBytes) } catch { throw ended }
    guard let bytes else { return 0 }
    guard !bytes.isEmpty else { throw ended }
    pending += bytes
    return bytes.count
  }

  /// The next line that is whole, without its end.
  private mutating func takeLine() throws(LineBotFault) -> [UInt8]? {
    let end = pending.firstIndex(of: 0x0A)
    var line = pending[..<(end ?? pending.endIndex)]
    guard line.count <= limits.lineBytes else { throw .flood(limits.lineBytes) }
    guard let end else { return nil }
    pending = pending[(end + 1)...]
    if line.last == 0x0D { line.removeLast() }
    return Array(line)
  }

  /// That it has written what it was not asked.
  private var unasked: LineBotFault {
    .unasked(line: LineBotFault.beginning(of: pending.prefix { $0 != 0x0A }))
  }

  /// Reads what is there of its standard error, and keeps the last of it.
  private mutating func keepErrors() throws(SystemError) {
    guard let bytes = try child.readErrors(limitBytes: Self.pieceBytes) else { return }
    hasErrors = !bytes.isEmpty
    errors = Array((errors + bytes).suffix(limits.errorBytes))
  }

  /// Reads the rest of what it wrote to standard error; for words about a program that is at fault.
  mutating func finishErrors() {
    do throws(SystemError) {
      // A program that writes without end is not read without end.
      for _ in 0..<16 {
        guard hasErrors, try child.wait(writing: false, errors: true, milliseconds: 0).errors else { return }
        try keepErrors()
      }
    } catch { return }
  }

  /// That it has ended, with its status where it gives one soon.
  private var ended: LineBotFault { .ended(child.ending(withinMilliseconds: Self.endMilliseconds)) }
}

extension RandomSource {
  /// The same for all turns of a game.
  var ofGame: RandomSource {
    var place = self
    place.ply = 0
    return place
  }
}

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
  private var child: ChildProgram
  private let limits: LineBotLimits
  private var hasErrors = true
  private let keepsLines: Bool
  /// The last lines of the conversation, where they are kept.
  private(set) var lines: [String] = []

  /// How many lines are kept, and how much of each, in bytes.
  private static let limitLines = 4
  private static let limitShownBytes = 200

  /// Starts the program, which has to say hello before anything else is asked of it.
  /// - Parameter keepsLines: whether the last lines of the conversation are kept, for words.
  init(_ words: [String], _ limits: LineBotLimits, keepsLines: Bool = false) throws(LineBotFault) {
    self.limits = limits
    self.keepsLines = keepsLines
    do throws(SystemError) {
      // What is said to this program is not said to those that it starts.
      child = try ChildProgram(words, limits: limits.ofProgram) { !$0.hasPrefix("PARLOR_") }
    } catch { throw .notStarted(error) }
  }

  /// Asks it who it is.
  mutating func greet(isCancelled: () -> Bool = { false }) throws(LineBotFault) {
    let line: [UInt8]
    do throws(LineBotFault) {
      line = try ask(LineText.hello.bytes, milliseconds: limits.startMilliseconds, isCancelled)
    } catch {
      if case .slow(let limit) = error { throw .silent(limit) }
      throw error
    }
    hello = try LineHello(line: line)
  }

  /// Asks it for a move.
  mutating func choose(_ turn: BotTurn, _ rules: any GameRules) throws(LineBotFault) -> BotChoice {
    try checkSilence()
    var lines: [UInt8] = []
    let place = turn.randomness.ofGame
    if game != place {
      lines = LineText.newGame(rules, turn.randomness).bytes
      game = place
    }
    let left = turn.leftMilliseconds.map { Int(clamping: $0) } ?? .max
    let milliseconds = min(limits.moveMilliseconds, max(1, left))
    lines += LineText.go(turn, hello, milliseconds: milliseconds).bytes
    let line = try ask(lines, milliseconds: milliseconds, turn.isCancelled)
    hasAnswered = true
    return try LineMove(line: line).choice(in: turn)
  }

  /// Tells it that its game is over, unless it does not read.
  mutating func conclude(_ ending: BotEnding) {
    game = nil
    var rest = LineText.result(ending).bytes[...]
    // A pipe that is full takes no part of so short a line.
    do throws(SystemError) { rest = rest.dropFirst(try child.write(rest)) } catch { return }
  }

  // MARK: - Its end

  /// Asks it to end, unless it does not read.
  mutating func askToEnd(closesInput: Bool = true) {
    keep(LineText.quit.bytes, after: ">")
    do throws(SystemError) { _ = try child.write(LineText.quit.bytes[...]) } catch {}
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
  /// The most bytes that are looked at of what was not asked for.
  private static let unaskedBytes = 128
  /// How often somebody who wants no answer any more is asked, in milliseconds.
  private static let cancelMilliseconds = 100
  /// How long the status of a program is waited for that has closed its output, in milliseconds.
  private static let endMilliseconds = 200

  /// Refuses what it wrote without being asked.
  private func checkSilence() throws(LineBotFault) {
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try child.readOutput(limitBytes: Self.unaskedBytes) } catch {
      throw ended
    }
    guard let bytes else { return }
    guard !bytes.isEmpty else { throw ended }
    throw .unasked(line: LineBotFault.beginning(of: bytes.prefix { $0 != 0x0A }))
  }

  /// Writes lines and reads one.
  /// - Returns: the line, without its end.
  private mutating func ask(
    _ lines: [UInt8], milliseconds: Int, _ isCancelled: () -> Bool
  ) throws(LineBotFault) -> [UInt8] {
    let deadline = Deadline(afterMilliseconds: milliseconds)
    var (rest, line) = (lines[...], [UInt8]())
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
      if ready.output, try take(&line) {
        keep(line, after: "<")
        return line
      }
      if isCancelled() { throw .cancelled }
      guard left > 0 else { throw .slow(milliseconds) }
    }
  }

  /// Takes what it has written.
  /// - Returns: whether the line is whole.
  private func take(_ line: inout [UInt8]) throws(LineBotFault) -> Bool {
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try child.readOutput(limitBytes: Self.pieceBytes) } catch { throw ended }
    guard let bytes else { return false }
    guard !bytes.isEmpty else { throw ended }
    let end = bytes.firstIndex(of: 0x0A)
    line += bytes[..<(end ?? bytes.count)]
    guard line.count <= limits.lineBytes else { throw .flood(limits.lineBytes) }
    guard let end else { return false }
    let more = bytes[(end + 1)...]
    guard more.isEmpty else {
      throw .unasked(line: LineBotFault.beginning(of: more.prefix { $0 != 0x0A }))
    }
    if line.last == 0x0D { line.removeLast() }
    return true
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

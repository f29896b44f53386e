package import BotKit
internal import Platform
package import Rules

/// A bot that is a program of its own and speaks the line protocol (Docs/LINE-PROTOCOL.md).
///
/// The program is kept running from game to game. Where several games ask at once, several run. One that is at fault
/// loses the game that it is asked in and is ended; for the next game it is started again.
package final class LineBot: Bot {
  /// What happened, for whoever shows it.
  package struct Report: Sendable {
    /// The bot, as the log calls it.
    package let bot: String
    package let fault: LineBotFault
    /// What the program last wrote to standard error.
    package let errors: [UInt8]
    /// Whether it is the first fault of its kind of this bot.
    package let isFirst: Bool
    /// Whether it loses a game by that; else it never began to play.
    package let costsGame: Bool
  }

  /// What has become of a bot so far.
  package struct Tally: Hashable, Sendable {
    /// A kind of fault, and how many games it cost.
    package struct Faults: Hashable, Sendable {
      package var name: String
      package var count: Int

      package init(_ name: String, _ count: Int) { (self.name, self.count) = (name, count) }
    }

    /// How often its program was started again after a fault.
    package var restarts = 0
    /// In the order in which they came first.
    package var faults: [Faults] = []
    /// Programs that went on after `quit` and were ended.
    package var ignoredQuit = 0
  }

  private struct State: Sendable {
    var idle: [LineBotProcess] = []
    var tally = Tally()
    /// Starts in a row without an answer.
    var vain = 0
    /// Programs that were ended for a fault, and were not started again yet.
    var ended = 0
    var isClosed = false
    /// Whether it was at fault where it was asked again.
    var hasFailedAgain = false
  }

  /// A fault, and what the program last wrote to standard error.
  private struct Failed: Error {
    let fault: LineBotFault
    var errors: [UInt8] = []
  }

  package let declaration: BotDeclaration
  private let command: BotCommandLine
  private let rules: any GameRules
  private let limits: LineBotLimits
  private let report: @Sendable (Report) -> Void
  private let state: Guarded<State>

  /// Starts the program and hears its hello.
  /// - Parameter specification: how the log calls it.
  package init(
    _ command: BotCommandLine, as specification: String, for rules: any GameRules, limits: LineBotLimits,
    report: @escaping @Sendable (Report) -> Void
  ) throws(LineBotFault) {
    var process = try LineBotProcess(command, limits)
    do throws(LineBotFault) {
      try process.greet()
      try process.checkPlays(rules)
    } catch {
      process.finishErrors()
      process.end()
      report(
        Report(bot: specification, fault: error, errors: process.errors, isFirst: true, costsGame: false))
      throw error
    }
    (self.command, self.rules, self.limits, self.report) = (command, rules, limits, report)
    // A budget in the log is a promise that anybody can check.
    let hello = process.hello
    declaration = BotDeclaration(
      specification: specification, version: hello.version, nodeBudget: hello.isRecomputable ? hello.nodes : 0
    )
    state = Guarded(State(idle: [process]))
  }

  deinit { close() }

  package var tally: Tally { state.withLock(\.tally) }

  // MARK: - Playing

  package func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
    do throws(Failed) { return try answer(turn) } catch { throw note(error.fault, error.errors) }
  }

  /// Chooses again for a turn of a game that was played. A fault costs no game here, and says nothing of the move.
  package func chooseAgain(_ turn: BotTurn) throws(BotError) -> BotChoice {
    let name = declaration.specification
    do throws(Failed) { return try answer(turn) } catch {
      switch error.fault {
      case .cancelled: throw .cancelled
      case .resigned: throw .resigns(bot: name, reason: error.fault.words)
      default:
        let isFirst = state.withLock { state in
          defer { state.hasFailedAgain = true }
          return !state.hasFailedAgain
        }
        report(
          Report(bot: name, fault: error.fault, errors: error.errors, isFirst: isFirst, costsGame: false))
        throw .unavailable(bot: name, reason: error.fault.words)
      }
    }
  }

  private func answer(_ turn: BotTurn) throws(Failed) -> BotChoice {
    var process: LineBotProcess
    do throws(LineBotFault) { process = try take(for: turn) } catch { throw Failed(fault: error) }
    do throws(LineBotFault) {
      let choice = try process.choose(turn, rules)
      give(process)
      return choice
    } catch .resigned {
      give(process)
      throw Failed(fault: .resigned)
    } catch {
      process.finishErrors()
      process.end()
      state.withLock { state in
        state.vain = process.hasAnswered ? 0 : state.vain + 1
        state.ended += 1
      }
      throw Failed(fault: error, errors: process.errors)
    }
  }

  package func conclude(_ ending: BotEnding) {
    let place = ending.randomness.ofGame
    let found = state.withLock { state in
      state.idle.firstIndex { $0.game == place }.map { state.idle.remove(at: $0) }
    }
    guard var process = found else { return }
    process.conclude(ending)
    give(process)
  }

  /// A running program: the one that was told of this game, else one that has none, else any, else a new one.
  private func take(for turn: BotTurn) throws(LineBotFault) -> LineBotProcess {
    let place = turn.randomness.ofGame
    let (found, vain) = state.withLock { state -> (LineBotProcess?, Int) in
      let index =
        state.idle.firstIndex { $0.game == place } ?? state.idle.firstIndex { $0.game == nil }
        ?? state.idle.indices.first
      return (index.map { state.idle.remove(at: $0) }, state.vain)
    }
    if let found { return found }
    guard !state.withLock(\.isClosed) else { throw .cancelled }
    guard vain < limits.startsInVain else { throw .givenUp(vain) }
    return try start(turn)
  }

  private func start(_ turn: BotTurn) throws(LineBotFault) -> LineBotProcess {
    state.withLock { state in
      guard state.ended > 0 else { return }
      state.ended -= 1
      state.tally.restarts += 1
    }
    var process: LineBotProcess
    do throws(LineBotFault) { process = try LineBotProcess(command, limits) } catch {
      state.withLock { $0.vain += 1 }
      throw error
    }
    do throws(LineBotFault) { try process.greet(isCancelled: turn.isCancelled) } catch {
      process.finishErrors()
      process.end()
      state.withLock { state in
        state.vain += 1
        state.ended += 1
      }
      throw error
    }
    return process
  }

  /// Takes a program back that has nothing to do.
  private func give(_ process: LineBotProcess) {
    let isClosed = state.withLock { state in
      state.vain = 0
      if !state.isClosed { state.idle.append(process) }
      return state.isClosed
    }
    if isClosed { process.end() }
  }

  /// Counts a fault and tells of it.
  private func note(_ fault: LineBotFault, _ errors: [UInt8]) -> BotError {
    guard fault != .cancelled else { return .cancelled }
    let name = declaration.specification
    let isFirst = state.withLock { state in
      if let index = state.tally.faults.firstIndex(where: { $0.name == fault.name }) {
        state.tally.faults[index].count += 1
        return false
      }
      state.tally.faults.append(.init(fault.name, 1))
      return true
    }
    if fault != .resigned {
      report(Report(bot: name, fault: fault, errors: errors, isFirst: isFirst, costsGame: true))
    }
    return .resigns(bot: name, reason: fault.words)
  }

  // MARK: - The end

  /// Ends all that runs: those that do not end by themselves soon are killed.
  package func close() {
    var processes = state.withLock { state in
      defer { (state.idle, state.isClosed) = ([], true) }
      return state.idle
    }
    for index in processes.indices { processes[index].askToEnd() }
    let deadline = Deadline(afterMilliseconds: limits.quitMilliseconds)
    for process in processes {
      let endsItself = process.hasEnded(withinMilliseconds: deadline.millisecondsLeft)
      process.end()
      if !endsItself { state.withLock { $0.tally.ignoredQuit += 1 } }
    }
  }
}

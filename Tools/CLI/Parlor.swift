import EventLog
import Events
import LMDB
import Platform
import Terminal

/// The program: reads the command line, runs one command, and ends with its status.
@main
enum Parlor {
  /// The program's version.
  static let version = "0.1.0"
  /// The version of the protocol that its events follow.
  static let protocolVersion = Int(Event.version)

  /// The most threads that a command has at one time beside the first: one a processor for tasks, those of Dispatch for
  /// the store and for time, the loop's, four in which names are looked up, and those that wait for input and signals.
  private static var threads: Int { CurrentProcess.processors + 12 }
  /// The descriptors that a command takes before it is connected with anybody, and some to spare.
  private static let descriptors = 48

  /// Runs the command that the process was started with.
  ///
  /// Not `async` itself: then threads would be there before the signals are blocked, and Ctrl-C would kill
  /// the process through one of them.
  static func main() {
    do throws(SystemError) { try Descriptor.openStandard() } catch { ExitStatus.systemError.endProcess() }
    saysWhenTheStoreCrashes()
    let console = console(CommandLine.arguments)
    do throws(SystemError) {
      try CurrentProcess.checkRoom(threads: threads, descriptors: descriptors)
    } catch {
      console.report(error: "this program cannot start here: \(error.words)")
      ExitStatus.systemError.endProcess()
    }
    do throws(SystemError) {
      let interrupts = try Interrupts.listen()
      Task { @concurrent in
        let status = await run(
          Array(CommandLine.arguments.dropFirst()), console: console, interrupts: interrupts,
          environment: variable)
        console.clearStatus()
        status.endProcess()
      }
      while true { _ = try Descriptor.waitReadable([]) }
    } catch {
      console.report(error: "cannot listen for interrupts: \(error)")
      ExitStatus.systemError.endProcess()
    }
  }

  /// Has every command that crashes on a damaged store end with words and a status.
  ///
  /// The process that `log verify` starts is left out: its parent reports the crash.
  private static func saysWhenTheStoreCrashes() {
    guard CurrentProcess.variable(LogVerifyCommand.readerVariable) == nil else { return }
    StoreCrash.endsProcess(
      status: ExitStatus.dataError.rawValue,
      words: """
        parlor: error: the store is damaged: reading it crashed
        parlor: hint: `parlor log verify` checks it; what was exported can be imported into another data folder

        """)
  }

  /// Colour and pager are settled before the command line is understood, so that its errors follow it too.
  private static func console(_ words: [String]) -> Console {
    let options = words.prefix { $0 != "--" }
    return Console(
      output: .output, errors: .errors, allowsColor: !options.contains("--no-color"),
      allowsPager: !options.contains("--no-pager")
    ) { CurrentProcess.variable($0) }
  }

  /// A variable of the environment.
  private static func variable(_ name: String) throws(Failure) -> String? {
    guard !CurrentProcess.isUnreadable(name) else {
      throw Failure(
        .configuration, "the environment variable \(name) is not UTF-8 text", hint: "set it anew, or unset it"
      )
    }
    return CurrentProcess.variable(name)
  }

  /// Has the commands that are printed follow the way in which this one was called.
  private static func setCommandForm(of console: Console, _ parsed: ParsedCommand? = nil) {
    let form = CommandForm(
      startedBy: CommandLine.arguments.first ?? "parlor", path: CurrentProcess.variable("PATH") ?? "", parsed)
    console.setCommandForm { form.text($0) }
  }

  private static func run(
    _ words: [String], console: Console, interrupts: Interrupts,
    environment: @escaping @Sendable (String) throws(Failure) -> String?
  ) async -> ExitStatus {
    setCommandForm(of: console)
    let isJSON = words.prefix { $0 != "--" }.contains("--json")
    if isJSON { console.reportErrorsAsObjects() }
    do {
      if let word = CurrentProcess.unreadableWord {
        throw Failure(.usage, "word \(word) of the command line is not UTF-8 text")
      }
      // Other programs taught people to ask for it this way.
      var words = words
      if Menu.isWanted(words, on: console) {
        var menu = Menu(console, interrupts)
        guard let chosen = try menu.choose() else { return interrupts.isStopRequested ? .interrupted : .ok }
        words = chosen
      }
      switch try Commands.table.parse(words == ["--version"] ? ["version"] : words) {
      case .help(let path):
        if isJSON {
          try HelpCommand.describe(path, console)
          return .ok
        }
        let channel = console.output
        let help = HelpText(Commands.table, columns: channel.columns, drawing: channel.drawing)
        try console.pages(help.lines(path), interrupts)
        return .ok
      case .command(let parsed):
        setCommandForm(of: console, parsed)
        let context = try Context(parsed, console: console, interrupts: interrupts, environment: environment)
        // Whatever became of the command: what others hold was durable before.
        let result: Result<ExitStatus, any Error>
        do { result = .success(try await Commands.command(parsed.definition).run(parsed, context)) } catch {
          result = .failure(error)
        }
        context.ownBots.end(context)
        do throws(LogError) { try context.store.closing.leave() } catch { console.note(error.description) }
        return try result.get()
      }
    } catch {
      return report(error, on: console, isStopRequested: interrupts.isStopRequested)
    }
  }

  private static func report(_ error: any Error, on console: Console, isStopRequested: Bool) -> ExitStatus {
    let failure = Failure(error)
    guard !(isStopRequested && failure.isInterruption) else { return .interrupted }
    if let words = failure.words { console.report(error: words, hint: failure.hint, status: failure.status) }
    return failure.status
  }
}

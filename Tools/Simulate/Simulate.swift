import Platform
import ServiceSimulation
import Simulation
import Terminal

/// The simulator: runs seeds and says what must not happen and did.
@main
enum ParlorSimulate {
  /// Runs what was asked for; the first Ctrl-C ends it after the seeds that are being run.
  ///
  /// Not `async` itself: then threads would be there before the signals are blocked.
  static func main() {
    let console = Console(output: .output, errors: .errors, allowsColor: false) {
      CurrentProcess.variable($0)
    }
    do throws(SystemError) {
      let interrupts = try Interrupts.listen()
      Task { @concurrent in
        await run(Array(CommandLine.arguments.dropFirst()), console, interrupts).endProcess()
      }
      while true { _ = try Descriptor.waitReadable([]) }
    } catch {
      console.note("parlor-simulate: error: cannot listen for interrupts: \(error)")
      ExitStatus.systemError.endProcess()
    }
  }

  private static func run(
    _ words: [String], _ console: Console, _ interrupts: Interrupts
  ) async -> ExitStatus {
    do {
      switch try SimulateOptions.table.parse(SimulateOptions.path + words) {
      case .help(let path):
        let help = HelpText(SimulateOptions.table, columns: console.output.columns)
        try console.lines(help.lines(path))
        return .ok
      case .command(let parsed):
        let options = try SimulateOptions(parsed)
        if options.isListing {
          try console.lines(SimulateOptions.list)
          return .ok
        }
        if options.isTraced { return try await trace(options, console) }
        return try await SeedRunner(options: options, console: console, interrupts: interrupts).run()
      }
    } catch {
      return report(error, console)
    }
  }

  /// Runs one seed and tells all of it.
  private static func trace(_ options: SimulateOptions, _ console: Console) async throws -> ExitStatus {
    var failure: ConsoleError?
    let report = await Simulator.report(of: options.simulation(options.first)) { line in
      guard failure == nil else { return }
      do throws(ConsoleError) { try console.line(line) } catch { failure = error }
    }
    if let failure { throw failure }
    try console.line("digest \(report.digest)")
    return report.violations.isEmpty ? .ok : .negative
  }

  private static func report(_ error: any Error, _ console: Console) -> ExitStatus {
    switch error {
    case let error as UsageError:
      console.note("parlor-simulate: error: \(error); `parlor-simulate --help` shows what there is")
      return .usage
    case let error as ConsoleError:
      if error != .closed { console.note("parlor-simulate: error: \(error)") }
      return error.exitStatus
    case let error as FileError:
      console.note("parlor-simulate: error: \(error)")
      return error.exitStatus
    default:
      console.note("parlor-simulate: error: \(error)")
      return .software
    }
  }
}

import Platform
import Terminal

/// The benchmark: measures Parlor beside plain C that does the same, and prints one line of JSON for each figure.
@main
enum ParlorBench {
  /// Measures, or ends at Ctrl-C; either way no store is left behind.
  static func main() {
    let console = Console(output: .output, errors: .errors, allowsColor: false) {
      CurrentProcess.variable($0)
    }
    let made = MadeFolders()
    do throws(SystemError) {
      let interrupts = try Interrupts.listen()
      Task { @concurrent in
        let status = await run(Array(CommandLine.arguments.dropFirst()), console, made)
        // What fails because the folder is being removed under it says nothing.
        guard !made.isInterrupted else { return }
        made.remove()
        status.endProcess()
      }
      _ = try Descriptor.waitReadable([interrupts.stop])
      made.interrupt()
      made.remove()
      ExitStatus.interrupted.endProcess()
    } catch {
      console.note("parlor-bench: error: cannot listen for interrupts: \(error)")
      ExitStatus.systemError.endProcess()
    }
  }

  private static func run(_ words: [String], _ console: Console, _ made: MadeFolders) async -> ExitStatus {
    do {
      if words.first == Role.word { return try await Role.play(Array(words.dropFirst()), console) }
      switch try BenchOptions.table.parse(BenchOptions.path + words) {
      case .help(let path):
        let help = HelpText(BenchOptions.table, columns: console.output.columns)
        try console.lines(help.lines(path))
        return .ok
      case .command(let parsed):
        return try await measure(try BenchOptions(parsed), console, made)
      }
    } catch {
      let failure = BenchFailure(error)
      if let words = failure.words { console.note("parlor-bench: error: \(words)") }
      return failure.status
    }
  }

  private static func measure(
    _ options: BenchOptions, _ console: Console, _ made: MadeFolders
  ) async throws -> ExitStatus {
    let chosen = try options.figures(of: Figures.all)
    if options.isListing {
      for figure in chosen { try console.line("\(figure.name)\t\(figure.summary)") }
      return .ok
    }
    if !Floor.isOptimized {
      console.note("This is a build without optimization: its figures mean nothing. Build with `-c release`.")
    }
    let folder = try BenchFolder(in: options.data)
    made.note(folder)
    console.note("Stores are made in \(folder.path), on \(folder.fileSystem).")
    let bench = Bench(options: options, folder: folder, console: console, made: made)
    for figure in chosen { try await figure.measure(bench) }
    return .ok
  }
}

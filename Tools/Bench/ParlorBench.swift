import Terminal

/// The benchmark: measures Parlor beside plain C that does the same, and prints one line of JSON for each figure.
@main
enum ParlorBench {
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    let console = Console(output: .output, errors: .errors, allowsColor: false) {
      ProcessEnvironment.value($0)
    }
    let status = await run(words, console)
    status.endProcess()
  }

  private static func run(_ words: [String], _ console: Console) async -> ExitStatus {
    do {
      switch try BenchOptions.table.parse(BenchOptions.path + words) {
      case .help(let path):
        let help = HelpText(BenchOptions.table, columns: console.output.columns)
        try console.lines(help.lines(path))
        return .ok
      case .command(let parsed):
        return try await measure(try BenchOptions(parsed), console)
      }
    } catch {
      let failure = BenchFailure(error)
      if let words = failure.words { console.note("parlor-bench: error: \(words)") }
      return failure.status
    }
  }

  private static func measure(_ options: BenchOptions, _ console: Console) async throws -> ExitStatus {
    let chosen = try options.figures(of: Figures.all)
    if options.isListing {
      for figure in chosen { try console.line("\(figure.name)\t\(figure.summary)") }
      return .ok
    }
    if !Floor.isOptimized {
      console.note("This is a build without optimization: its figures mean nothing. Build with `-c release`.")
    }
    let folder = try BenchFolder(in: options.data)
    defer { folder.remove() }
    console.note("Stores are made in \(folder.path), on \(folder.fileSystem).")
    let bench = Bench(options: options, folder: folder, console: console)
    for figure in chosen { try await figure.measure(bench) }
    return .ok
  }
}

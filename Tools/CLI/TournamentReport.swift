import Events
import Platform
import Terminal
import Tournaments

/// How `tournament show`, `standings` and `bracket` write a tournament for others than who sits at the terminal.
struct TournamentReport {
  /// In which form.
  enum Format: String, CaseIterable {
    case text, json, csv, trf, svg, html
  }

  /// What a command is about, which `csv` holds.
  enum Subject {
    case pairings, standings, bracket

    /// What `csv` holds, for help.
    var text: String {
      let columns =
        switch self {
        case .pairings: TournamentTables.pairings
        case .standings: TournamentTables.standings
        case .bracket: TournamentTables.crosstable
        }
      let words = "`csv` has the columns \(columns.map { "`\($0)`" }.joined(separator: ", "))"
      return switch self {
      case .pairings: words + "; a bye that is worth something has no pairing."
      case .standings: words + ", and behind them those that the format ranks by, such as `bh`."
      case .bracket:
        words
          + " and, for a round robin or gauntlet, one for each opponent with the points against it, for a swiss or"
          + " ladder one for each round with opponent, seat (`w` for the first, `b`) and result, such as `12w1`. Of an"
          + " elimination it has the pairings, as `tournament show` writes them."
      }
    }
  }

  /// What the formats are, for help.
  static let text =
    "`csv` is for spreadsheets (RFC 4180, lines end with LF). `trf` is a tournament report file (TRF16) of a swiss or"
    + " a round robin, which `parlor tournament check` reads: in a swiss a pairing is one entry, and a round that is"
    + " not over is left out; in a round robin each game of a pairing has a round of its own. `svg` is a"
    + " picture: the brackets of an elimination, the crosstable of another tournament. `html` is one file for a"
    + " browser: standings, the picture, ratings with their errors, and up to \(TournamentPage.limitGames) games to"
    + " step through. `trf`, `svg` and `html` are of the whole tournament, whichever command writes them."

  static let options: [OptionDefinition] = [
    .value(
      "format", "FORMAT", "How it is written; `json` is what --json writes.", standard: "text",
      kind: .choice(Format.allCases.map(\.rawValue))),
    .value("output", "FILE", "Where to write, in another format than text and json.", kind: .file),
    .flag("force", "Replace the file when it is there."),
  ]

  static let exitStatuses: [CommandDefinition.ExitMeaning] = [
    .init(.noInput, "There is no such tournament."),
    .init(.cannotCreate, "The file is there already, cannot be created, or would lie in the data folder."),
    .init(.unavailable, "The tournament cannot be written in this format."),
  ]

  private let format: Format
  private let output: OutputFile?
  /// Whether objects are to be printed.
  var isJSON: Bool { format == .json }

  init(_ parsed: ParsedCommand, _ context: Context) throws {
    guard let chosen = Format(rawValue: parsed.text("format") ?? "") else {
      preconditionFailure("\(parsed.name) has a format")
    }
    if context.isJSON, chosen != .text, chosen != .json {
      throw parsed.badValue("format", "--json prints objects; leave out one of the two")
    }
    format = context.isJSON ? .json : chosen
    guard let path = parsed.text("output"), path != "-" else {
      output = nil
      return
    }
    if format == .text || format == .json {
      throw parsed.badValue("output", "text and json go to standard output; redirect it, or give a --format")
    }
    try context.store.folder().checkOutside(path)
    output = OutputFile(path: path, replaces: parsed.has("force"))
  }

  /// Writes it.
  /// - Returns: whether it is done; text and objects are left to the command.
  func write(_ subject: Subject, _ view: TournamentView, _ context: Context) throws -> Bool {
    guard let lines = try lines(subject, view, context) else { return false }
    guard let output else {
      try context.console.data(lines)
      return true
    }
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    try output.write { try $0.write(bytes, path: $1) }
    try context.console.line("Written to \(SafeText(output.path).text).")
    return true
  }

  private func lines(_ subject: Subject, _ view: TournamentView, _ context: Context) throws -> [String]? {
    switch format {
    case .text, .json: return nil
    case .csv: return TournamentTables(view: view).lines(subject)
    case .trf: return try Self.report(of: view, context)
    case .svg: return try TournamentPage(view: view, context: context).picture()
    case .html:
      return try TournamentPage(view: view, context: context).lines(from: try context.store.reader())
    }
  }

  private static func report(of view: TournamentView, _ context: Context) throws -> [String] {
    let state = view.tournament.state
    do throws(SwissReportLines.Refusal) {
      let report = try SwissReportLines(
        state, title: SafeText(view.tournament.title).text, names: view.names.map { SafeText($0).text })
      if let round = report.openRound {
        context.console.note("Round \(round) is not over, and is not in the report.")
      }
      return report.lines
    } catch {
      throw Failure(
        .unavailable, error.description, hint: "`--format csv` and `--format json` write every tournament")
    }
  }
}

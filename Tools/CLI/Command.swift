import Terminal

/// A command: its entry in the table, and what it does. One file each, listed in `Commands`.
protocol Command: SendableMetatype {
  /// What help says of it and what the parser takes.
  static var definition: CommandDefinition { get }

  /// Runs it.
  /// - Returns: the status to end with.
  /// - Throws: any module's error; `Failure` gives each its words and status.
  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus
}

/// The headings of the overview, in one place so that commands agree on them.
enum Group {
  static let play = "Play"
  static let network = "Play with others"
  static let tournaments = "Tournaments"
  static let log = "Replay and check"
  static let about = "Games, bots and solving"
  static let program = "This program"
}

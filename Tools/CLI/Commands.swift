import Terminal

/// The one list of the program's commands; a new one is added here and nowhere else.
enum Commands {
  /// Every command, in the order of the overview.
  static let all: [any Command.Type] = [
    PlayCommand.self,
    BranchCommand.self,
    HostCommand.self,
    JoinCommand.self,
    LobbyCommand.self,
    WatchCommand.self,
    InviteCommand.self,
    DeclineCommand.self,
    ChatCommand.self,
    BotCommand.self,
    PeersCommand.self,
    BlockCommand.self,
    ServeCommand.self,
    WebCommand.self,
    SyncCommand.self,
    MatchCommand.self,
    TournamentRunCommand.self,
    WorkerCommand.self,
    TournamentCreateCommand.self,
    TournamentOpenCommand.self,
    TournamentStartCommand.self,
    TournamentAdmitCommand.self,
    TournamentJoinCommand.self,
    TournamentWatchCommand.self,
    TournamentResumeCommand.self,
    TournamentListCommand.self,
    TournamentShowCommand.self,
    TournamentStandingsCommand.self,
    TournamentMatrixCommand.self,
    TournamentBracketCommand.self,
    TournamentWithdrawCommand.self,
    TournamentRuleCommand.self,
    TournamentExportCommand.self,
    TournamentVerifyCommand.self,
    TournamentCheckCommand.self,
    DilemmaMoranCommand.self,
    DilemmaEcologyCommand.self,
    RatingsCommand.self,
    ReplayCommand.self,
    AnalyzeCommand.self,
    AuditCommand.self,
    LogListCommand.self,
    LogShowCommand.self,
    LogExportCommand.self,
    LogImportCommand.self,
    LogVerifyCommand.self,
    LogForgetCommand.self,
    LogPruneCommand.self,
    SolveCommand.self,
    GamesCommand.self,
    BotsCommand.self,
    BotCheckCommand.self,
    IdentityShowCommand.self,
    IdentityCreateCommand.self,
    IdentityExportCommand.self,
    IdentityImportCommand.self,
    HelpCommand.self,
    VersionCommand.self,
    DoctorCommand.self,
    CompletionsCommand.self,
    ManualCommand.self,
  ]

  /// The table from which parsing, help and completions are made.
  static let table = CommandTable(
    program: "parlor",
    summary:
      "A peer-to-peer parlor: games against bots, replays and tournaments on a signed, append-only event"
      + " log.",
    commands: all.map { $0.definition }, globals: globals)

  /// Options of every command.
  private static let globals: [OptionDefinition] = [
    .flag("json", "Print one JSON object a line, for programs."),
    .value(
      "data", "DIR", "Keep log and identity in this folder instead of PARLOR_HOME or the standard one.",
      kind: .folder),
    .value(
      "network", "NAME",
      "Keep to the network of this name instead of PARLOR_NETWORK or everybody's; a data folder belongs to one."
    ),
    .flag("no-color", "Print without colour, as NO_COLOR does."),
    .flag("no-pager", "Print long output at once, and not through PARLOR_PAGER, PAGER or less."),
  ]

  /// The command of an entry of the table.
  static func command(_ definition: CommandDefinition) -> any Command.Type {
    guard let found = all.first(where: { $0.definition.path == definition.path }) else {
      preconditionFailure("no command is named \(definition.path)")
    }
    return found
  }
}

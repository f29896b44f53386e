import EventLog
import Events
import Peer
import Platform
import Projection
import Service
import Terminal
import Tournaments

/// `parlor tournament resume`.
enum TournamentResumeCommand: Command {
  static let definition = CommandDefinition(
    "tournament resume", group: Group.tournaments, summary: "Go on with a tournament that was stopped.",
    text: [
      "Without ID, the newest tournament that is not complete, or of which a result is not written down yet."
        + " Half-played games go on from their own log.",
      "What bots that are commands may have does not stand in the log: who gave --entrants-file, --move-time or another"
        + " such option gives it again.",
    ],
    arguments: [RoomName.tournamentArgument],
    options: [EntrantsInput.optionOfResume, TournamentRunCommand.concurrency] + QueueOptions.definitions
      + BotOptions.definitions,
    examples: [.init("tournament resume", "Go on with the newest one that is not complete.")],
    objects: [TournamentObjects.decided, TournamentObjects.finished, OwnBots.object])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let concurrency = try parsed.integer("concurrency", in: 1...256) ?? CurrentProcess.processors
    let settings = try NATSOptions.queue.settings(parsed)
    let file = try EntrantsInput(parsed, context)
    try context.store.require()
    let household = try await context.household()
    let room: RoomID
    if let id = parsed.argument("id") {
      room = try RoomName(id).tournament(in: household.log, context.games).room
    } else {
      guard
        let open = try household.log.openTournament(
          of: household.owner.peer, context.games, where: household.plays)
      else {
        throw Failure(
          .noInput, "there is no tournament to go on with", hint: "`parlor tournament list` shows all")
      }
      room = open
    }
    let organizer = Organizer(household)
    let tournament = try await organizer.open(room)
    if let file {
      try file.recall(tournament, context)
    } else {
      try EntrantsInput.checkUnneeded(for: tournament)
    }
    return try await TournamentRunCommand.play(
      tournament, organizer, concurrency: concurrency, queue: settings, option: file?.optionToResume ?? "",
      context)
  }
}

/// `parlor tournament list`.
enum TournamentListCommand: Command {
  static let definition = CommandDefinition(
    "tournament list", group: Group.tournaments, summary: "List the tournaments, newest first.",
    examples: [.init("tournament list --json", "One object for each tournament.")],
    objects: [
      .init(
        "tournament", "For each tournament.",
        [
          "id": "its room", "title": "its name", "game": "the game", "format": "how entrants are paired",
          "entrants": "their labels, by seed", "pairings": "how many there are",
          "decided": "how many are decided", "started": "whether it has started",
          "champion": "the winner; null until complete, and where the first rank is shared",
        ])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let log = try context.store.readerIfAny() else { return .ok }
    var table = TextTable([
      .text("ID", shrinks: false), .text("GAME", shrinks: false), .text("FORMAT").yielding(3),
      .number("ENTRANTS").yielding(2),
      .text("DECIDED", shrinks: false), .text("CHAMPION"), .text("TITLE").yielding(1),
    ])
    let listings = try log.tournaments()
    if listings.isEmpty {
      context.console.note(
        "No tournament is here yet; `parlor tournament run --game GAME --entrants BOT,BOT` plays one.")
      return .ok
    }
    for listing in listings {
      guard let tournament = try log.tournament(listing.room, context.games) else {
        try tellWaiting(try log.outline(of: listing.room, context.games).state, in: &table, context)
        continue
      }
      let view = TournamentView(tournament: tournament, context: context)
      let state = tournament.state
      if context.isJSON {
        try context.object(
          "tournament",
          [
            "id": .string(tournament.room.description), "title": .string(tournament.title),
            "game": .string(tournament.create.rules), "format": .string(state.settings.format.name),
            "entrants": .array(tournament.labels.map { .string($0) }),
            "pairings": .integer(Int64(state.pairingCount)),
            "decided": .integer(Int64(state.decidedCount)), "started": true,
            "champion": .optional(state.champion.map { tournament.labels[$0.index] }),
          ])
      } else {
        table.append([
          tournament.room.short, tournament.create.rules, state.settings.format.name,
          "\(tournament.labels.count)",
          "\(state.decidedCount)/\(state.pairingCount)", state.champion.map { view.label($0) } ?? "–",
          SafeText(tournament.title, limitColumns: 40).text,
        ])
      }
    }
    if !context.isJSON { try context.pages(context.lines(of: table)) }
    return .ok
  }

  /// Lists a tournament that entrants may still come to.
  private static func tellWaiting(_ state: RoomState, in table: inout TextTable, _ context: Context) throws {
    guard state.phase == .waiting, case .tournament(let code, _, _, let title) = state.create.purpose,
      let format = TournamentFormat(rawValue: code)
    else { return }
    let entrants = state.seats.compactMap { $0?.profile.name }
    guard context.isJSON else {
      return table.append([
        state.room.short, state.create.rules, format.name, "\(entrants.count)/\(state.seats.count)", "open",
        "–",
        SafeText(title, limitColumns: 40).text,
      ])
    }
    try context.object(
      "tournament",
      [
        "id": .string(state.room.description), "title": .string(title), "game": .string(state.create.rules),
        "format": .string(format.name), "entrants": .array(entrants.map { .string($0) }), "pairings": 0,
        "decided": 0, "started": false, "champion": nil,
      ])
  }
}

/// `parlor tournament show`.
enum TournamentShowCommand: Command {
  static let definition = CommandDefinition(
    "tournament show", group: Group.tournaments,
    summary: "Show a tournament's pairings and the rooms of its games.",
    text: [TournamentView.marks, TournamentReport.text, TournamentReport.Subject.pairings.text],
    arguments: [RoomName.tournamentArgument], options: TournamentReport.options,
    examples: [
      .init("tournament show", "The newest tournament."),
      .init("tournament show --format csv > pairings.csv", "Its pairings for a spreadsheet."),
      .init("tournament show last --format html --output cup.html", "Everything in one page, games too."),
    ],
    exitStatuses: TournamentReport.exitStatuses,
    objects: [
      .init(
        "pairing", "For each pairing.",
        [
          "pairing": "the pairing, `M1` and on", "round": "its round, from 1",
          "stage":
            "what it is in the format, such as `lower 2`, `final`, `reset`, `third place`, `group 1`; null elsewhere",
          "first": "who has the first seat; null until known",
          "second": "the other", "winner": "who went through; null until decided",
          "reason": "games, decider, walkover or seeding", "rooms": "the rooms of its games",
          "findings": "the organizer's results that do not simply hold, as `log verify` tells them",
        ]),
      .init(
        "bye", "For each round that an entrant of a swiss passes without an opponent, with a point.",
        ["round": "the round, from 1", "entrant": "who has it"]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let report = try TournamentReport(parsed, context)
    let view = try TournamentView(parsed, context)
    if try report.write(.pairings, view, context) { return .ok }
    return try show(view, isJSON: report.isJSON, context)
  }

  /// Shows the pairings as text, or an object each.
  static func show(_ view: TournamentView, isJSON: Bool, _ context: Context) throws -> ExitStatus {
    if isJSON {
      let rooms = view.rooms
      for place in view.tournament.state.schedule.joined() {
        if let members = view.members(of: place, rooms) { try context.object("pairing", members) }
        if let members = view.byeMembers(of: place) { try context.object("bye", members) }
      }
      return .ok
    }
    try context.pages([view.heading, ""] + view.pairings() + view.remarks())
    return .ok
  }
}

/// `parlor tournament standings`.
enum TournamentStandingsCommand: Command {
  static let definition = CommandDefinition(
    "tournament standings", group: Group.tournaments, summary: "Show a tournament's standings.",
    text: [TournamentView.marks, TournamentReport.text, TournamentReport.Subject.standings.text],
    arguments: [RoomName.tournamentArgument], options: TournamentReport.options,
    examples: [
      .init("tournament standings last --json", "Standings and their digest for a script."),
      .init("tournament standings --format trf --output open.trf", "A Swiss tournament's report file."),
    ],
    exitStatuses: TournamentReport.exitStatuses,
    objects: [TournamentObjects.standings])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let report = try TournamentReport(parsed, context)
    let view = try TournamentView(parsed, context)
    if try report.write(.standings, view, context) { return .ok }
    if report.isJSON {
      try context.object("standings", try view.summary())
    } else {
      let digest = try view.tournament.standingsDigest()
      try context.pages(
        [view.heading, ""] + view.standings() + view.remarks() + ["", "Standings digest \(digest)"])
    }
    return .ok
  }
}

/// `parlor tournament bracket`.
enum TournamentBracketCommand: Command {
  static let definition = CommandDefinition(
    "tournament bracket", group: Group.tournaments, summary: "Draw a tournament's bracket.",
    text: [
      "A round robin has no bracket: its pairings are listed.", TournamentView.marks, TournamentReport.text,
      TournamentReport.Subject.bracket.text,
    ],
    arguments: [RoomName.tournamentArgument], options: TournamentReport.options,
    examples: [
      .init("tournament bracket last", "The newest tournament."),
      .init("tournament bracket --format csv > table.csv", "The crosstable of a round robin."),
      .init("tournament bracket --format svg --output cup.svg", "A picture of the bracket."),
    ],
    exitStatuses: TournamentReport.exitStatuses,
    objects: TournamentShowCommand.definition.objects)

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let report = try TournamentReport(parsed, context)
    let view = try TournamentView(parsed, context)
    if try report.write(.bracket, view, context) { return .ok }
    if report.isJSON { return try TournamentShowCommand.show(view, isJSON: true, context) }
    try context.pages([view.heading, ""] + view.bracket() + view.remarks())
    return .ok
  }
}

extension TournamentView {
  /// The view of the tournament that the argument `id` names; the newest one when it is not given.
  fileprivate init(_ parsed: ParsedCommand, _ context: Context) throws {
    let name = RoomName(parsed.argument("id") ?? "last")
    let log = try context.store.reader()
    self.init(tournament: try name.tournament(in: log, context.games), context: context)
  }
}

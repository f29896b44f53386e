import Events
import Peer
import Terminal
import Tournaments

/// `parlor tournament withdraw ID ENTRANT`.
enum TournamentWithdrawCommand: Command {
  static let definition = CommandDefinition(
    "tournament withdraw", group: Group.tournaments, summary: "Withdraw an entrant from a tournament.",
    text: [
      "The entrant itself says so, with its key: it must have been entered from this data folder. What it has played"
        + " stands. Its pairings that are open or come later go to their other side. It cannot come back."
    ],
    arguments: [
      Ruling.tournamentArgument, .init("entrant", "Its label, as `parlor tournament standings` shows it."),
    ],
    examples: [.init("tournament withdraw last greedy", "Play on without the bot greedy.")],
    exitStatuses: Ruling.exitStatuses, objects: [Ruling.object])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let ruling = try await Ruling(parsed, context)
    let entrant = try ruling.entrant(parsed.argument("entrant") ?? "")
    let after = try await ruling.organizer.withdraw(entrant, from: ruling.room)
    try ruling.tell("withdrawn", [entrant], after, context)
    return .ok
  }
}

/// `parlor tournament rule ID`.
enum TournamentRuleCommand: Command {
  private static let disqualified = OptionDefinition.value(
    "disqualify", "ENTRANT",
    "Disqualify this entrant: its pairings that are open or come later go to their other side.")
  private static let reason = OptionDefinition.value(
    "reason", "TEXT",
    "Why it is disqualified, for everybody to read; at most \(Action.limitReasonBytes) bytes.")
  private static let absent = OptionDefinition.value(
    "absent", "ENTRANT", "Say that this entrant does not come to the pairing that it is to play now.",
    repeats: true)
  private static let pairing = OptionDefinition.value(
    "pairing", "PAIRING",
    "The pairing to which nobody comes, such as `M3`: where the entrant is to play several.")
  private static let reinstated = OptionDefinition.value(
    "reinstate", "ENTRANT", "Take back the disqualification of this entrant.")
  private static let reopened = OptionDefinition.value(
    "reopen", "PAIRING", "Take back who was called absent from this pairing: it is to be played.")

  static let definition = CommandDefinition(
    "tournament rule", group: Group.tournaments,
    summary: "Rule on an entrant of a tournament, as its organizer.",
    text: [
      "A ruling is an event in the tournament's room: everybody who has the room sees it alike, with its reason. What"
        + " every seat of a game has signed counts whatever the organizer says. Games of the pairing that are over"
        + " count; the others are lost by who is absent.",
      "Both sides of a pairing are absent with --absent for each.",
      "A ruling is taken back by another event, while no result of the organizer's rests on it: nobody that it sent on"
        + " has played since. In one tournament 16 can be taken back.",
    ],
    arguments: [Ruling.tournamentArgument],
    options: [disqualified, reason, absent, pairing, reinstated, reopened],
    examples: [
      .init(
        "tournament rule last --disqualify ./mybot.py --reason 'It played moves of another program.'",
        "The tournament goes on without it."),
      .init("tournament rule last --absent greedy --pairing M3", "The other side of M3 goes through."),
      .init("tournament rule last --reopen M3", "It has come after all: M3 is to be played."),
    ],
    exitStatuses: Ruling.exitStatuses, objects: [Ruling.object])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let names = [disqualified, absent, reinstated, reopened].filter { parsed.has($0.name) }.map(\.name)
    guard names.count == 1 else {
      throw Failure(
        .usage,
        names.isEmpty
          ? "the ruling is missing: --disqualify, --absent, --reinstate or --reopen"
          : "--\(names[0]) and --\(names[1]) are two rulings: each is a command of its own",
        hint: "`parlor tournament rule --help` shows them")
    }
    guard !parsed.has(pairing.name) || parsed.has(absent.name) else {
      throw Failure(.usage, "--pairing goes with --absent alone")
    }
    guard !parsed.has(reason.name) || parsed.has(disqualified.name) else {
      throw Failure(.usage, "--reason goes with --disqualify alone: other rulings have no words")
    }
    if let name = parsed.text(disqualified.name) {
      try await disqualify(name, parsed, context)
    } else if let name = parsed.text(reinstated.name) {
      let ruling = try await Ruling(parsed, context)
      let entrant = try ruling.entrant(name)
      let after = try await ruling.organizer.reinstate(entrant, in: ruling.room)
      try ruling.tell("reinstated", [entrant], after, context)
    } else if let name = parsed.text(reopened.name) {
      let ruling = try await Ruling(parsed, context)
      let number = try ruling.pairing(name)
      let after = try await ruling.organizer.reopen(number, of: ruling.room)
      try ruling.tell("reopened", [], pairing: number, after, context)
    } else {
      try await callAbsent(parsed.texts(absent.name), parsed, context)
    }
    return .ok
  }

  private static func disqualify(_ name: String, _ parsed: ParsedCommand, _ context: Context) async throws {
    guard let words = parsed.text(reason.name) else {
      throw Failure(.usage, "--disqualify needs a --reason, which everybody can read")
    }
    guard (1...Action.limitReasonBytes).contains(words.utf8.count) else {
      throw parsed.badValue(
        reason.name, "it has 1 to \(Action.limitReasonBytes) bytes, and not \(words.utf8.count)")
    }
    let ruling = try await Ruling(parsed, context)
    let entrant = try ruling.entrant(name)
    let after = try await ruling.organizer.disqualify(entrant, reason: words, in: ruling.room)
    try ruling.tell("disqualified", [entrant], reason: words, after, context)
  }

  private static func callAbsent(_ names: [String], _ parsed: ParsedCommand, _ context: Context) async throws
  {
    let ruling = try await Ruling(parsed, context)
    var entrants: [EntrantIndex] = []
    for name in names {
      let entrant = try ruling.entrant(name)
      guard !entrants.contains(entrant) else {
        throw Failure(.usage, "--absent names \(SafeText(name).text) twice")
      }
      entrants.append(entrant)
    }
    let number = try ruling.pairing(of: entrants, parsed.text(pairing.name))
    let after = try await ruling.organizer.callAbsent(Set(entrants), in: number, of: ruling.room)
    try ruling.tell("absent", entrants, pairing: number, after, context)
  }
}

/// A tournament of this data folder on which somebody rules, or from which somebody withdraws.
private struct Ruling {
  let organizer: Organizer
  private let tournament: TournamentRoom
  /// Whether its games are played from this data folder alone.
  private let playsItself: Bool

  static let tournamentArgument = ArgumentDefinition(
    "id", "The tournament: first digits of its id, or `last`.", kind: .stored(.tournaments))
  static let exitStatuses: [CommandDefinition.ExitMeaning] = [
    .init(.usage, "The ruling would have no effect, as the message says; nothing was written.")
  ]
  static let object = ObjectDefinition(
    "ruled", "When it stands in the log.",
    [
      "id": "the tournament's room", "ruling": "disqualified, absent, reinstated, reopened or withdrawn",
      "entrants": "whom it is about; of a pairing that is reopened none",
      "reason": "why, of a disqualification; else null",
      "pairing": "the pairing that is not played or is reopened, such as `M3`; null for all of an entrant's",
      "complete": "whether all pairings are decided now",
    ])

  init(_ parsed: ParsedCommand, _ context: Context) async throws {
    try context.store.require()
    let household = try await context.household()
    let room = try RoomName(parsed.argument("id") ?? "last").tournament(in: household.log, context.games).room
    organizer = Organizer(household)
    tournament = try await organizer.open(room)
    playsItself = household.plays(tournament)
  }

  var room: RoomID { tournament.room }

  /// The entrant of a label.
  func entrant(_ name: String) throws(Failure) -> EntrantIndex {
    if let index = tournament.distinctLabels.firstIndex(of: name) { return EntrantIndex(UInt16(index)) }
    let near = Spelling.near(name, among: tournament.distinctLabels)
    let shown = (near.isEmpty ? Array(tournament.distinctLabels.prefix(16)) : near).map {
      SafeText($0, limitColumns: 40).text
    }
    throw Failure(
      .usage, "tournament \(room.short) has no entrant “\(SafeText(name, limitColumns: 40).text)”",
      hint: near.isEmpty
        ? "its entrants are \(shown.joined(separator: ", "))\(tournament.labels.count > shown.count ? ", …" : "")"
        : "did you mean \(shown.joined(separator: " or "))?")
  }

  /// The pairing of a name.
  func pairing(_ name: String) throws(Failure) -> PairingNumber {
    let all = tournament.state.known.map(\.pairing.number)
    guard let number = all.first(where: { $0.description.lowercased() == name.lowercased() }) else {
      throw Failure(
        .usage, "tournament \(room.short) has no pairing “\(SafeText(name, limitColumns: 20).text)”",
        hint: "`parlor tournament show \(room.short)` lists the pairings")
    }
    return number
  }

  /// The pairing that these entrants are to play now.
  /// - Parameter name: as a person names it; `nil` for the only one.
  func pairing(of entrants: [EntrantIndex], _ name: String?) throws(Failure) -> PairingNumber {
    let open = tournament.state.ready.filter { attempt in entrants.allSatisfy(attempt.entrants.contains) }
      .map(\.pairing.number)
    let names = open.map(\.description).joined(separator: ", ")
    guard !open.isEmpty else {
      let who = entrants.map { SafeText(tournament.distinctLabels[$0.index], limitColumns: 40).text }
      throw Failure(
        .usage,
        "there is no pairing that \(who.joined(separator: " and ")) \(who.count == 1 ? "is" : "are") to play now",
        hint: "`parlor tournament show \(room.short)` lists the pairings")
    }
    guard let name else {
      guard open.count == 1 else {
        throw Failure(
          .usage, "there are \(open.count) pairings to play now: \(names)", hint: "--pairing names one")
      }
      return open[0]
    }
    guard let number = open.first(where: { $0.description.lowercased() == name.lowercased() }) else {
      throw Failure(
        .usage, "\(SafeText(name, limitColumns: 20).text) is no pairing that is to be played now",
        hint: "of whom you name there is \(names)")
    }
    return number
  }

  /// Tells what was ruled, and how the tournament goes on.
  func tell(
    _ kind: String, _ entrants: [EntrantIndex], reason: String? = nil, pairing: PairingNumber? = nil,
    _ after: TournamentRoom, _ context: Context
  ) throws {
    if context.isJSON {
      return try context.object(
        "ruled",
        [
          "id": .string(room.description), "ruling": .string(kind),
          "entrants": .array(entrants.map { .string(after.distinctLabels[$0.index]) }),
          "reason": .optional(reason),
          "pairing": .optional(pairing?.description), "complete": .bool(after.state.isComplete),
        ])
    }
    let view = TournamentView(tournament: after, context: context)
    let who = entrants.map(view.label).joined(separator: " and ")
    let verb = entrants.count == 1 ? "is" : "are"
    let ruled =
      switch pairing {
      case let pairing? where entrants.isEmpty: "\(view.line(pairing)) It is reopened."
      case let pairing?: "\(who) \(verb) absent from \(view.line(pairing))."
      case nil: "\(who) \(verb) \(kind)\(reason.map { ": \(SafeText($0).text)" } ?? ".")"
      }
    try context.console.line(ruled)
    if after.state.isComplete {
      try context.console.line(view.champion)
    } else if playsItself {
      try context.console.line(
        context.console.pasteable("`parlor tournament resume \(room.short)` goes on."))
    }
  }
}

import Events
import Peer
import Projection
import Rules
import Terminal

/// What an audit found in a room, as it is told.
struct AuditReport {
  let room: Room
  let seats: [BotAudit.SeatReport]
  /// The commands that were to be asked again, by what the log calls them.
  let programs: Set<String>

  /// Whether a bot would not have done something, or was not asked all that it was to be asked.
  var isNegative: Bool { unplayed > 0 || seats.contains { !$0.findings.isEmpty } }

  /// How many seats a command was named for that did not play all their moves again.
  var unplayed: Int {
    seats.count { $0.reason != nil && $0.profile.bot.map { programs.contains($0.specification) } == true }
  }

  /// All objects of `parlor audit`.
  static let objects = [
    ObjectDefinition(
      "audited", "For each seat of each room.",
      [
        "room": "the room's id", "seat": "the seat, from 1", "peer": "its public key",
        "name": "the name that it has",
        "bot": "the bot's name and argument as declared; null for a person",
        "version": "its version, or null",
        "seed": "its seed, or null", "budget": "its budget of nodes, 0 for none; null for a person",
        "moves": "how many of its moves and choices stand", "checked": "how many of them were played again",
        "differing": "how many of those the bot does not make",
        "overspent": "how many took more nodes than the budget, by their own notes",
        "fallen": "how many moves it wrote that do not stand: they are not looked at",
        "reason":
          "why the others were not played again: \(AuditReason.names.joined(separator: ", ")); null where all were",
        "words": "the same in words, or null",
      ]),
    ObjectDefinition(
      "difference", "After its seat, for each move that differs or took too much.",
      [
        "room": "the room's id", "game": "the game's number, from 1",
        "ply": "the move's number in it, from 1, as in `replay --at`", "seat": "the seat, from 1",
        "event": "the event of the move; of a round, the last one", "kind": "`move`, `resigns` or `nodes`",
        "played": "what was played",
        "expected": "what the bot plays; null where it gives up, or only took too much",
        "nodes": "how many nodes the note speaks of, or null",
      ]),
    ObjectDefinition(
      "audit", "At the end.",
      [
        "rooms": "how many rooms were audited", "moves": "how many moves and choices stand in them",
        "checked": "how many were played again", "differing": "how many of those a bot does not make",
        "overspent": "how many took more nodes than declared, by their own notes",
        "unplayed": "how many seats there are whose moves a command of --with did not all play again",
      ]),
  ]

  /// Tells it.
  func show(_ context: Context) throws(ConsoleError) {
    guard !context.isJSON else {
      for seat in seats {
        try context.object("audited", members(of: seat))
        for finding in seat.findings { try context.object("difference", members(of: finding)) }
      }
      return
    }
    let drawing = context.console.output.drawing
    let games = Room.count(room.state.games.count, "game")
    try context.console.line(drawing.paint("\(room.title), room \(room.state.room.short), \(games)", .bold))
    if seats.isEmpty { try context.console.line("  Nobody has a seat.") }
    for seat in seats {
      try context.console.line("  \(seat.seat): \(who(seat)): \(words(for: seat, drawing)).")
      for finding in seat.findings {
        try context.console.lines(["    \(words(for: finding)).", "      Event: \(finding.event)"])
      }
    }
  }

  // MARK: - Words

  private func who(_ seat: BotAudit.SeatReport) -> String {
    let name = room.name(of: seat.peer)
    guard let bot = seat.profile.bot else { return name }
    let budget =
      bot.nodeBudget == 0 ? "" : ", \(bot.nodeBudget == 1 ? "1 node" : "\(bot.nodeBudget) nodes")"
    return "\(name)\(Room.words(for: bot)) version \(bot.version), seed \(bot.seed)\(budget)"
  }

  private func words(for seat: BotAudit.SeatReport, _ drawing: Drawing) -> String {
    var parts: [String] = []
    if seat.checked > 0 {
      parts.append(
        seat.differing == 0
          ? drawing.paint("\(Room.count(seat.checked, "move")) checked, all agree", .green)
          : drawing.paint("\(seat.differing) of \(Room.count(seat.checked, "move")) differ", .bold, .red))
    }
    if seat.overspent > 0 {
      let moves = Room.count(seat.overspent, "move")
      parts.append(drawing.paint("\(moves) took more nodes than it declares", .bold, .red))
    }
    if let reason = seat.reason {
      parts.append("\(Room.count(seat.moves - seat.checked, "move")) not checked: \(reason.words)")
    } else if seat.moves == 0 {
      parts.append("no move to check")
    }
    if seat.fallen > 0 {
      parts.append("\(Room.count(seat.fallen, "move")) taken back or without effect, not looked at")
    }
    return parts.joined(separator: "; ")
  }

  private func words(for finding: BotAudit.Finding) -> String {
    let place = "Game \(finding.game + 1), move \(finding.ply + 1)"
    let played = room.text(of: finding.played)
    switch finding.kind {
    case .move(let code): return "\(place): \(played) was played; the bot plays \(room.text(of: code))"
    case .resigns: return "\(place): \(played) was played; the bot gives up the game"
    case .nodes(let nodes): return "\(place): \(played) took \(nodes) nodes by its own note"
    }
  }

  // MARK: - Objects

  private func members(of seat: BotAudit.SeatReport) -> [JSONMember] {
    let bot = seat.profile.bot
    return [
      JSONMember("room", .string(room.state.room.description)), JSONMember("seat", Self.number(seat.seat)),
      JSONMember("peer", .string(seat.peer.description)), JSONMember("name", .string(seat.profile.name)),
      JSONMember("bot", .optional(bot?.specification)),
      JSONMember("version", bot.map { .integer(Int64($0.version)) } ?? .null),
      JSONMember("seed", bot.map { .unsigned($0.seed) } ?? .null),
      JSONMember("budget", bot.map { .unsigned($0.nodeBudget) } ?? .null),
      JSONMember("moves", .integer(Int64(seat.moves))), JSONMember("checked", .integer(Int64(seat.checked))),
      JSONMember("differing", .integer(Int64(seat.differing))),
      JSONMember("overspent", .integer(Int64(seat.overspent))),
      JSONMember("fallen", .integer(Int64(seat.fallen))),
      JSONMember("reason", .optional(seat.reason?.name)), JSONMember("words", .optional(seat.reason?.words)),
    ]
  }

  private func members(of finding: BotAudit.Finding) -> [JSONMember] {
    let (kind, expected, nodes): (String, MoveCode?, UInt64?) =
      switch finding.kind {
      case .move(let code): ("move", code, nil)
      case .resigns: ("resigns", nil, nil)
      case .nodes(let nodes): ("nodes", nil, nodes)
      }
    return [
      JSONMember("room", .string(room.state.room.description)),
      JSONMember("game", .integer(Int64(finding.game + 1))),
      JSONMember("ply", .integer(Int64(finding.ply + 1))),
      JSONMember("seat", Self.number(finding.seat)), JSONMember("event", .string(finding.event.description)),
      JSONMember("kind", .string(kind)), JSONMember("played", .string(room.text(of: finding.played))),
      JSONMember("expected", .optional(expected.map { room.text(of: $0) })),
      JSONMember("nodes", nodes.map { .unsigned($0) } ?? .null),
    ]
  }

  private static func number(_ seat: Seat) -> JSONValue { .integer(Int64(seat.index + 1)) }
}

extension AuditReport {
  /// The sums of several rooms.
  struct Total {
    private var rooms = 0
    private var (moves, checked, differing, overspent, unplayed) = (0, 0, 0, 0, 0)

    var isNegative: Bool { differing + overspent + unplayed > 0 }

    mutating func add(_ report: AuditReport) {
      rooms += 1
      unplayed += report.unplayed
      for seat in report.seats {
        moves += seat.moves
        checked += seat.checked
        differing += seat.differing
        overspent += seat.overspent
      }
    }

    /// Tells them.
    func show(_ context: Context) throws(ConsoleError) {
      guard !context.isJSON else {
        return try context.object(
          "audit",
          [
            "rooms": .integer(Int64(rooms)), "moves": .integer(Int64(moves)),
            "checked": .integer(Int64(checked)),
            "differing": .integer(Int64(differing)), "overspent": .integer(Int64(overspent)),
            "unplayed": .integer(Int64(unplayed)),
          ])
      }
      let counts = "\(Room.count(rooms, "room")), \(Room.count(moves, "move")), \(checked) checked"
      let over = overspent == 0 ? "" : ", \(overspent) took more nodes than declared"
      var parts: [String] = []
      if differing + overspent > 0 {
        parts.append("\(differing) differ\(over)")
      } else if checked > 0 {
        parts.append("all agree")
      }
      if unplayed > 0 {
        parts.append("\(Room.count(unplayed, "seat")) not played to the end by the commands named")
      }
      try context.console.line(parts.isEmpty ? "\(counts)." : "\(counts): \(parts.joined(separator: "; ")).")
    }
  }
}

extension AuditReason {
  /// The reason in words, safe to print.
  var words: String {
    switch self {
    case .person: "no bot is declared"
    case .unknownRules: "the rules are not known here"
    case .unknownBot(let words): SafeText(words, limitColumns: 200).text
    case .unbounded(let words): "\(SafeText(words, limitColumns: 200).text), and no budget is declared"
    // The log's command is not shown as one to be typed: a stranger may have written it.
    case .program: "it is a program; whoever has it and trusts it gives its command with --with"
    case .notRecomputable: "the program that is here does not declare itself recomputable"
    case .otherVersion(let version, let here): "it is version \(version), and version \(here) is here"
    case .otherBudget(let budget, let here): "it declares \(budget) nodes, and the bot that is here \(here)"
    case .absentTournament: "its tournament is not here, from which its random numbers follow"
    case .unnamedMatch: "the room does not say which of its match it is, from which its random numbers follow"
    case .slow(let milliseconds):
      "one took longer than \(milliseconds / 1_000) s; `--seconds N` gives it more"
    case .refused(let words): SafeText(words, limitColumns: 200).text
    }
  }
}

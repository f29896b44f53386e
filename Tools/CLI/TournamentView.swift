import Events
import Games
import Peer
import Projection
import Rules
import Terminal
import Tournaments

/// How tournaments are shown, as text and as JSON: the one place for all commands.
struct TournamentView {
  let tournament: TournamentRoom
  let context: Context
  /// What was found of the organizer's results that do not simply hold.
  private let findings: [PairingFinding]
  private let findingsOf: [PairingNumber: [PairingFinding]]
  /// What the entrants are called, each otherwise, by seed.
  let names: [String]

  init(tournament: TournamentRoom, context: Context) {
    self.tournament = tournament
    self.context = context
    findings = tournament.findings.filter { $0.kind != .holds }
    names = tournament.distinctLabels
    findingsOf = Dictionary(grouping: findings, by: \.pairing)
  }

  private var state: TournamentState { tournament.state }

  /// What the marks beside results mean, for help.
  static let marks =
    "Results are compared with the rooms of their games: `!` marks one that its room contradicts, or that was decided"
    + " against what all seats signed, `?` one that is not proven because its room is not here."

  /// An entrant's label, safe to show.
  func label(_ entrant: EntrantIndex) -> String { SafeText(name(entrant), limitColumns: 24).text }

  func name(_ entrant: EntrantIndex) -> String { names[entrant.index] }

  /// “Connect Four, single-elimination, 4 entrants, seed 7”.
  var heading: String {
    let create = tournament.create
    let title = context.games.definition(create.rules, version: create.rulesVersion)?.title ?? create.rules
    let name = SafeText(tournament.title, limitColumns: 40).text
    let words =
      "\(title), \(state.settings.format.name), \(tournament.entrants.count) entrants, seed \(tournament.seed)"
    return name.isEmpty ? words : "\(name): \(words)"
  }

  // MARK: - What the rooms say of it

  /// What marks a result of this pairing: `!` for one that is contradicted or against a signed one, `?` for one that is
  /// not proven.
  private func mark(_ number: PairingNumber?) -> String {
    guard let found = number.flatMap({ findingsOf[$0] }) else { return "" }
    return found.allSatisfy { $0.kind == .notProven } ? "?" : "!"
  }

  /// What is said where a round waits.
  static let waiting = "The next round waits for the organizer's results."

  /// Behind an empty line: who is disqualified, and a line for each result that does not simply hold; those that are
  /// not proven share one. What the format says of the end comes last.
  func remarks() -> [String] {
    let lines = plainRemarks
    return lines.isEmpty ? [] : [""] + lines.map(context.console.pasteable)
  }

  /// The same, without the empty line and for others than this terminal.
  var plainRemarks: [String] {
    let unproven = findings.filter { $0.kind == .notProven }
    var lines = tournament.disqualified.sorted { $0.key < $1.key }.map { entrant, reason in
      "\(label(entrant)) is disqualified: \(SafeText(reason).text)"
    }
    lines += findings.filter { $0.kind != .notProven }.map { found in
      "! \(SafeText(found.description).text)."
    }
    if let first = unproven.first {
      lines.append(
        unproven.count == 1
          ? "? \(SafeText(first.description).text)."
          : "? \(unproven.count) results are not proven: rooms of their games are missing. `parlor log verify "
            + "\(tournament.room.short)` names them.")
    }
    if tournament.waitsForOrganizer { lines.append(Self.waiting) }
    if let remark = state.remark { lines.append(remark) }
    return lines
  }

  // MARK: - Text

  /// The bracket of a knock-out, or the table of pairings of another format.
  func bracket() -> [String] {
    guard state.settings.format.isTree else { return pairings() }
    let bracket = state.bracket
    let rounds = bracket.map { round in round.filter { $0.stage == nil }.map(match) }
    let channel = context.console.output
    let drawing = BracketDrawing(drawing: channel.drawing, limitColumns: channel.limitColumns)
      .lines(BracketPicture(rounds: rounds))
    let beside = bracket.joined().compactMap { place in
      place.number.flatMap { number in place.stage.map { "\($0): \(line(number))" } }
    }
    return drawing + (beside.isEmpty ? [] : [""] + beside)
  }

  func match(_ place: ScheduledPairing) -> BracketPicture.Match {
    let tallies = place.number.flatMap { state.record($0)?.tallies }
    func slot(_ side: ScheduledPairing.Slot) -> BracketPicture.Slot? {
      guard let entrant = side.entrant else {
        if let words = side.qualifierWords { return .init(words) }
        return side == .bye && place.round > state.bracketRound ? .init("nobody") : nil
      }
      let record = place.number.flatMap { state.record($0) }
      let tally = record?.pairing.first == entrant ? tallies?.first : tallies?.second
      let mark = mark(place.number)
      let score = record?.results.isEmpty == false ? tally.map { Standing.points($0.halfPoints) + mark } : nil
      return .init(name(entrant), seed: entrant.index + 1, score: score)
    }
    let winner = place.decision?.winner.flatMap { winner -> Int? in
      winner == place.upper.entrant ? 0 : winner == place.lower.entrant ? 1 : nil
    }
    let byeWinner = place.number == nil ? (place.upper.entrant == nil ? 1 : 0) : nil
    return .init(slot(place.upper), slot(place.lower), winner: winner ?? byeWinner)
  }

  /// All pairings with their results, a line each.
  func pairings() -> [String] {
    var table = TextTable([
      .text("ROUND"), .text("PAIRING", shrinks: false), .text("RESULT", shrinks: false),
      .text("ROOMS").yielding(1),
    ])
    let rooms = rooms
    for place in state.schedule.joined() {
      if byeMembers(of: place) != nil, let entrant = place.upper.entrant {
        table.append([Self.round(place), label(entrant), "bye", ""])
      }
      guard let number = place.number, let pairing = state.record(number)?.pairing else { continue }
      table.append([
        Self.round(place), "\(number) \(label(pairing.first)) – \(label(pairing.second))", result(number),
        (rooms[number] ?? []).map(\.short).joined(separator: " "),
      ])
    }
    let channel = context.console.output
    return table.lines(limitColumns: channel.limitColumns, drawing: channel.drawing)
  }

  /// The counted rooms of each pairing, by attempt; zero for a walkover without one.
  var rooms: [PairingNumber: [RoomID]] {
    tournament.rooms.reduce(into: [:]) { $0[PairingNumber($1.pairing), default: []].append($1.room) }
  }

  /// The round as people name it.
  private static func round(_ place: ScheduledPairing) -> String { place.stage ?? "\(place.round + 1)" }

  /// A pairing with its result so far, such as “M3 solver – random: 2 : 0”.
  func line(_ number: PairingNumber) -> String {
    guard let pairing = state.record(number)?.pairing else { return "\(number)" }
    return "\(number) \(label(pairing.first)) – \(label(pairing.second)): \(result(number))"
  }

  private func result(_ number: PairingNumber) -> String {
    guard let record = state.record(number), !record.results.isEmpty || record.decision != nil else {
      return "–"
    }
    let tallies = record.tallies
    let points =
      "\(Standing.points(tallies.first.halfPoints)) : \(Standing.points(tallies.second.halfPoints))\(mark(number))"
    return switch record.decision?.reason {
    case nil: "\(points), level so far"
    case .games?: points
    case .decider?: "\(points) after deciders"
    case .walkover?: "\(points), walkover"
    case .seeding?: "\(points), by seeding"
    }
  }

  /// The standings; what the ranks go by stands first.
  func standings() -> [String] {
    let (content, leaders) = (standingsTable, Set(state.leaders))
    var table = TextTable(
      content.head.enumerated().map { $0 == 1 ? .text($1, shrinks: false) : .number($1) })
    for (row, line) in zip(content.rows, state.standings) {
      table.append(row, emphasized: leaders.contains(line.entrant))
    }
    let channel = context.console.output
    return table.lines(limitColumns: channel.limitColumns, drawing: channel.drawing)
  }

  /// The standings as cells under their heads, best first.
  var standingsTable: (head: [String], rows: [[String]]) {
    let standings = state.standings
    let titles = standings.first.map { state.measures(of: $0) }?.map(\.title) ?? []
    let rows = standings.map { line in
      ["\(line.rank)", label(line.entrant) + (absence(of: line).map { " (\($0))" } ?? "")]
        + state.measures(of: line).map(\.text)
        + ["\(line.tally.wins)", "\(line.tally.draws)", "\(line.tally.losses)"]
    }
    return (["RANK", "ENTRANT"] + titles + ["WON", "DRAWN", "LOST"], rows)
  }

  /// Why an entrant plays no more; `nil` of one that does.
  func absence(of line: Standing) -> String? {
    if tournament.disqualified[line.entrant] != nil { return "disqualified" }
    return line.isWithdrawn ? "withdrawn" : nil
  }

  /// Who has won a tournament that is complete.
  var champion: String { champion { context.console.output.drawing.paint($0, .bold) } }

  /// The same for others than this terminal.
  var plainChampion: String { champion { $0 } }

  private func champion(_ painted: (String) -> String) -> String {
    let names = state.leaders.map { painted(label($0)) }
    guard let last = names.last, names.count > 1 else { return "Champion: \(names.first ?? "nobody")" }
    return "The first place is shared by \(names.dropLast().joined(separator: ", ")) and \(last)."
  }

  // MARK: - JSON

  /// The entrants' standings as JSON values, best first.
  var standingsValue: JSONValue {
    .array(
      state.standings.map { line in
        .object(
          [
            JSONMember("rank", .integer(Int64(line.rank))),
            JSONMember("entrant", .string(name(line.entrant))),
            JSONMember("seed", .integer(Int64(line.entrant.index + 1))),
            JSONMember("halfPoints", .integer(Int64(line.tally.halfPoints))),
            JSONMember("wins", .integer(Int64(line.tally.wins))),
            JSONMember("draws", .integer(Int64(line.tally.draws))),
            JSONMember("losses", .integer(Int64(line.tally.losses))),
            JSONMember("score", .integer(line.tally.score)), JSONMember("out", .optional(absence(of: line))),
            JSONMember("reason", .optional(tournament.disqualified[line.entrant])),
          ] + line.measures.map { JSONMember($0.key, .integer($0.value)) })
      })
  }

  /// A bye as JSON members; `nil` for a place that is none, or whose bye is worth nothing.
  func byeMembers(of place: ScheduledPairing) -> [JSONMember]? {
    guard place.number == nil, let entrant = place.upper.entrant,
      state.byes.contains(where: { $0.round == place.round && $0.entrant == entrant })
    else { return nil }
    return [
      JSONMember("round", .integer(Int64(place.round + 1))),
      JSONMember("entrant", .string(name(entrant))),
    ]
  }

  /// One pairing as JSON members.
  /// - Parameter rooms: those of all pairings.
  func members(
    of place: ScheduledPairing, _ rooms: [PairingNumber: [RoomID]]
  ) -> [JSONMember]? {
    guard let number = place.number else { return nil }
    let record = state.record(number)
    func name(_ entrant: EntrantIndex?) -> JSONValue { .optional(entrant.map(self.name)) }
    return [
      JSONMember("pairing", .string("\(number)")),
      JSONMember("round", .integer(Int64(place.round + 1))), JSONMember("stage", .optional(place.stage)),
      JSONMember("first", name(record?.pairing.first)), JSONMember("second", name(record?.pairing.second)),
      JSONMember("winner", name(record?.decision?.winner)),
      JSONMember("reason", .optional(record?.decision.map { "\($0.reason)" })),
      JSONMember("rooms", .array((rooms[number] ?? []).map { .string($0.description) })),
      JSONMember("findings", .array((findingsOf[number] ?? []).map(\.json))),
    ]
  }

  /// The object that ends `tournament run`, and what `tournament standings` prints.
  func summary() throws -> [JSONMember] {
    [
      JSONMember("id", .string(tournament.room.description)), JSONMember("complete", .bool(state.isComplete)),
      JSONMember("champion", .optional(state.champion.map(name))),
      JSONMember("standings", standingsValue), JSONMember("findings", .array(findings.map(\.json))),
      JSONMember("standingsDigest", .string(try tournament.standingsDigest().description)),
    ]
  }
}

extension PairingFinding {
  /// The finding as `--json` shows it.
  var json: JSONValue {
    .object([
      "event": .string(event.description), "pairing": .string("\(pairing)"),
      "attempt": .integer(Int64(attempt) + 1), "room": .optional(room.isSome ? room.description : nil),
      "finding": .string(kind.rawValue), "reason": .string(reason),
    ])
  }
}

extension PairingFinding.Kind {
  /// The names of all but what holds, for the command reference.
  static var names: String {
    allCases.filter { $0 != .holds }.map { "`\($0.rawValue)`" }.joined(separator: ", ")
  }
}

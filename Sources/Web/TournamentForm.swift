internal import Events
internal import JSON
internal import Peer
internal import Projection
internal import Rules
internal import Service
internal import Tournaments

/// A tournament in the form in which sockets are told of it (Docs/SOCKET.md): what everybody sees, and what is of the
/// one who looks.
struct TournamentForm {
  private let sight: TournamentSight
  private let games: GameCatalog

  /// With more entrants than this, pairings and crosstable are left out, and standings end.
  static let limitEntrants = 256

  init(_ sight: TournamentSight, _ games: GameCatalog) {
    self.sight = sight
    self.games = games
  }

  private var state: RoomState { sight.state }
  private var create: Create { state.create }

  // MARK: - What everybody sees

  /// The members that are the same for all.
  var shared: [JSONMember] {
    let terms = Terms(create)
    return state.room.members + Self.heading(state, games) + [
      JSONMember("phase", .string(phase)),
      JSONMember(
        "organizer", ["peer": .string(state.creator.description), "name": .string(create.profile.name)]),
      JSONMember("games", .integer(Int64(create.games))), JSONMember("places", .integer(Int64(state.places))),
      JSONMember("bots", .string(Self.words(create.bots.admission))),
      JSONMember("referee", terms.referee.isSome ? .string(terms.referee.description) : .null),
      JSONMember("move-limit", .integer(Int64(terms.moveLimitMilliseconds))),
      JSONMember("clock", .integer(Int64(terms.clockMilliseconds))),
      JSONMember("increment", .integer(Int64(terms.incrementMilliseconds))),
      JSONMember("entrants", .array(entrants)),
    ] + (sight.read.map { results(of: $0) } ?? Self.noResults)
  }

  /// What a tournament is called, by the state of its room.
  static func heading(_ state: RoomState, _ games: GameCatalog) -> [JSONMember] {
    guard case .tournament(let code, _, _, let title) = state.create.purpose else { return [] }
    let game = games.definition(state.create.rules, version: state.create.rulesVersion)
    return [
      JSONMember("title", .string(title)), JSONMember("game", .string(state.create.rules)),
      JSONMember("game-title", .optional(game?.title)),
      JSONMember("format", .optional(TournamentFormat(rawValue: code)?.name)),
    ]
  }

  private var phase: String {
    if let read = sight.read { return read.state.isComplete ? "finished" : "playing" }
    return Self.phase(state, isComplete: false)
  }

  /// How far a tournament is.
  static func phase(_ state: RoomState, isComplete: Bool) -> String {
    switch state.phase {
    case .waiting, .closed, .unknownRules, .unknownEdition: TableView.Phase(state.phase).rawValue
    case .playing, .finished, .abandoned: isComplete ? "finished" : "playing"
    }
  }

  private static func words(_ admission: Create.BotPolicy.Admission) -> String {
    switch admission {
    case .allowed: "allowed"
    case .excluded: "excluded"
    case .required: "required"
    }
  }

  /// Who takes part, by seed; before the start in the order of their seats.
  private var entrants: [JSONValue] {
    let seated = sight.read?.entrants ?? state.seats.compactMap { $0 }
    let names = sight.read?.distinctLabels ?? seated.map(\.profile.name)
    return zip(seated, names).map { occupant, name in
      [
        "peer": .string(occupant.peer.description), "name": .string(name),
        "emoji": .string(occupant.profile.emoji),
        "bot": .optional(occupant.profile.bot?.specification),
      ]
    }
  }

  private static let noResults: [JSONMember] = [
    JSONMember("decided", 0), JSONMember("pairings", []), JSONMember("pairing-count", 0),
    JSONMember("measures", []), JSONMember("standings", []), JSONMember("leaders", []),
    JSONMember("brackets", []), JSONMember("crosstable", .null), JSONMember("remarks", []),
  ]

  private func results(of read: TournamentRoom) -> [JSONMember] {
    let state = read.state
    let standings = state.standings
    let isSmall = read.entrants.count <= Self.limitEntrants
    let places = isSmall ? Array(state.schedule.joined()) : []
    let pairings = Pairings(sight, read)
    return [
      JSONMember("decided", .integer(Int64(state.decidedCount))),
      JSONMember("pairings", .array(places.map { pairings.form(of: $0) })),
      JSONMember("pairing-count", .integer(Int64(state.pairingCount))),
      JSONMember(
        "measures", .array(standings.first.map { state.measures(of: $0).map { .string($0.title) } } ?? [])),
      JSONMember(
        "standings",
        .array(standings.prefix(Self.limitEntrants).map { Self.form(of: $0, read) })),
      JSONMember("leaders", .array(state.leaders.map { Self.seed($0) })),
      JSONMember("brackets", .array(isSmall ? Self.brackets(state, places) : [])),
      JSONMember("crosstable", isSmall ? Self.crosstable(state) : .null),
      JSONMember("remarks", .array(Self.remarks(read))),
    ]
  }

  private static func seed(_ entrant: EntrantIndex?) -> JSONValue {
    entrant.map { .integer(Int64($0.index + 1)) } ?? .null
  }

  private static func form(of line: Standing, _ read: TournamentRoom) -> JSONValue {
    let isDisqualified = read.disqualified[line.entrant] != nil
    let out: String? = isDisqualified ? "disqualified" : line.isWithdrawn ? "withdrawn" : nil
    return [
      "rank": .integer(Int64(line.rank)), "entrant": seed(line.entrant),
      "measures": .array(read.state.measures(of: line).map { .string($0.text) }),
      "wins": .integer(Int64(line.tally.wins)), "draws": .integer(Int64(line.tally.draws)),
      "losses": .integer(Int64(line.tally.losses)), "out": .optional(out),
    ]
  }

  /// Where the places of a knock-out lie, by the pairings that are shown.
  private static func brackets(_ state: TournamentState, _ places: [ScheduledPairing]) -> [JSONValue] {
    guard let plan = BracketPlan(state) else { return [] }
    var indices: [PairingNumber: Int] = [:]
    for (index, place) in places.enumerated() { if let number = place.number { indices[number] = index } }
    return plan.brackets.map { bracket in
      let drawn = bracket.places.map { place -> JSONValue in
        let index = place.pairing.number.flatMap { indices[$0] }
        return [
          "pairing": index.map { .integer(Int64($0)) } ?? .null, "column": .integer(Int64(place.column)),
          "height": .integer(Int64(place.height)),
          "sources": .array(place.sources.map { .integer(Int64($0)) }),
        ]
      }
      return [
        "columns": .integer(Int64(bracket.columns)), "rows": .integer(Int64(bracket.rows)),
        "unit": .integer(Int64(BracketPlan.unit)), "places": .array(drawn),
      ]
    }
  }

  /// Everybody against everybody, or everybody's rounds; in the order of the standings.
  private static func crosstable(_ state: TournamentState) -> JSONValue {
    guard let table = TournamentCrosstable(state) else { return .null }
    let columns = table.columns.map { column -> JSONValue in
      switch column {
      case .entrant(let entrant): ["entrant": seed(entrant), "round": .null]
      case .round(let round): ["entrant": .null, "round": .integer(Int64(round + 1))]
      }
    }
    let rows = zip(table.rows, table.cells).map { row, cells -> JSONValue in
      [
        "entrant": seed(row.entrant),
        "cells": .array(
          cells.map { .string($0.kind == .itself ? "×" : $0.text(points: Standing.points)) }),
      ]
    }
    return ["columns": .array(columns), "rows": .array(rows)]
  }

  /// What is to be said of results that do not simply hold, of who is disqualified, and of the end.
  private static func remarks(_ read: TournamentRoom) -> [JSONValue] {
    var remarks = read.disqualified.sorted { $0.key < $1.key }.map { entrant, reason in
      "\(read.distinctLabels[entrant.index]) is disqualified: \(reason)"
    }
    let findings = read.findings.filter { $0.kind != .holds }
    remarks += findings.filter { $0.kind != .notProven }.map(\.description)
    let unproven = findings.count { $0.kind == .notProven }
    if unproven > 0 { remarks.append("\(unproven) results are not proven: rooms of their games are missing") }
    if let remark = read.state.remark { remarks.append(remark) }
    return remarks.map { .string($0) }
  }

  // MARK: - What is of the one who looks

  /// Whether one who looks may take part; a person does it, and no bot.
  static func mayJoin(_ state: RoomState, _ peer: PeerID) -> Bool {
    state.mayEnter(peer) && state.create.bots.admission != .required
  }

  /// The members that are of one who looks.
  func own(of peer: PeerID) -> [JSONMember] {
    let seated = sight.read?.entrants ?? state.seats.compactMap { $0 }
    let seed = seated.firstIndex { $0.peer == peer }
    let isOpen = state.start == nil || state.takesLateEntrants
    return [
      JSONMember("entrant", seed.map { .integer(Int64($0 + 1)) } ?? .null),
      JSONMember("may-join", .bool(Self.mayJoin(state, peer))),
      JSONMember("has-asked", .bool(isOpen && state.openRequests.contains { $0.peer == peer })),
      JSONMember("next", seed == nil ? .null : next(of: peer)),
    ]
  }

  /// The room that an entrant is to play next, and its table, where that is here; `null` while there is none.
  private func next(of peer: PeerID) -> JSONValue {
    guard let read = sight.read, let attempt = read.attempts(of: peer, all: false).first else { return .null }
    let opponent = attempt.entrants.first { read.entrants[$0.index].peer != peer }
    let table = sight.tables[attempt]
    return .object([
      JSONMember("pairing", .string("\(attempt.pairing.number)")),
      JSONMember("opponent", Self.seed(opponent)),
      JSONMember("table", table.map { Self.form(of: $0) } ?? .null),
    ])
  }

  fileprivate static func form(of table: (room: RoomID, phase: RoomState.Phase)) -> JSONValue {
    .object(
      table.room.members + [
        JSONMember("phase", .string(TableView.Phase(table.phase).rawValue))
      ])
  }
}

/// Pairings as they are told.
private struct Pairings {
  private let read: TournamentRoom
  private let tables: [PairingAttempt: (room: RoomID, phase: RoomState.Phase)]
  private var rooms: [PairingNumber: [RoomID]] = [:]
  private var marks: [PairingNumber: String] = [:]

  init(_ sight: TournamentSight, _ read: TournamentRoom) {
    self.read = read
    tables = sight.tables
    for counted in read.rooms where counted.room.isSome {
      rooms[PairingNumber(counted.pairing), default: []].append(counted.room)
    }
    for finding in read.findings where finding.kind != .holds {
      let mark = finding.kind == .notProven ? "?" : "!"
      if marks[finding.pairing] != "!" { marks[finding.pairing] = mark }
    }
  }

  func form(of place: ScheduledPairing) -> JSONValue {
    let record = place.number.flatMap { read.state.record($0) }
    let table = record?.open.flatMap { tables[$0] }
    let number = place.number
    return [
      "pairing": .optional(number.map { "\($0)" }), "round": .integer(Int64(place.round + 1)),
      "stage": .optional(place.stage), "upper": side(place.upper, of: place, record),
      "lower": side(place.lower, of: place, record),
      "winner": record?.decision?.winner.map { .integer(Int64($0.index + 1)) } ?? .null,
      "reason": .optional(record?.decision.map { "\($0.reason)" }),
      "mark": .string(number.flatMap { marks[$0] } ?? ""),
      "rooms": .array((number.flatMap { rooms[$0] } ?? []).map { .object($0.members) }),
      "table": table.map { TournamentForm.form(of: $0) } ?? .null,
    ]
  }

  /// Who is on one side, and the points so far; a side of which nobody is known yet has neither.
  private func side(
    _ slot: ScheduledPairing.Slot, of place: ScheduledPairing, _ record: PairingRecord?
  ) -> JSONValue {
    let tallies = record?.tallies
    let tally = record?.pairing.first == slot.entrant ? tallies?.first : tallies?.second
    let isCounted = slot.entrant != nil && record?.results.isEmpty == false
    return [
      "entrant": slot.entrant.map { .integer(Int64($0.index + 1)) } ?? .null,
      "bye": .bool(slot == .bye),
      "points": .optional(isCounted ? tally.map { Standing.points($0.halfPoints) } : nil),
    ]
  }
}

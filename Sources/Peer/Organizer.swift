package import BotKit
import EventLog
package import Events
package import Projection
package import Rules
package import Tournaments

/// Runs a tournament of bots in this process: creates its room, plays what is ready, and writes down results.
///
/// Everything that it knows stands in the log. It may be killed at any moment: `run` of the same room goes on
/// where the log ends, half-played games included.
package actor Organizer {
  /// What a tournament is made from.
  package struct Plan: Sendable {
    package var rules: any GameRules
    package var settings: TournamentSettings
    /// The entrants, by seed.
    package var entrants: [PlannedEntrant]
    package var seed: UInt64
    package var title: String
    /// The moves from which games begin.
    package var openings: [[UInt16]] = []
    /// Whether rounds are played in the open, where all entrants are this household's bots.
    package var hasOpenRounds = false
    /// Who may enter from elsewhere; `nil` where all entrants are this household's bots, which enter at once.
    package var admission: Admission?

    package init(
      rules: any GameRules, settings: TournamentSettings, entrants: [PlannedEntrant], seed: UInt64,
      title: String
    ) {
      self.rules = rules
      self.settings = settings
      self.entrants = entrants
      self.seed = seed
      self.title = title
    }

    /// A plan in which bots, as on the command line, play under the labels that they get by themselves.
    package init(
      rules: any GameRules, settings: TournamentSettings, entrants: [String], seed: UInt64, title: String
    ) {
      let named = zip(Organizer.labels(of: entrants), entrants).map(PlannedEntrant.init)
      self.init(rules: rules, settings: settings, entrants: named, seed: seed, title: title)
    }
  }

  /// Who is to enter a tournament.
  package struct PlannedEntrant: Hashable, Sendable {
    /// What it plays under, unlike all others'. Its key follows from it.
    package var label: String
    /// Its bot, as the log calls it.
    package var specification: String

    package init(label: String, specification: String) {
      self.label = label
      self.specification = specification
    }

    /// Who holds a seat of a tournament.
    package init(_ entrant: RoomState.Occupant) {
      self.init(label: entrant.profile.name, specification: entrant.profile.bot?.specification ?? "")
    }
  }

  /// What `run` tells while it runs.
  package enum Report: Sendable {
    /// The room of an attempt is being played; so many of its games were over before.
    case started(PairingAttempt, RoomID, ended: Int)
    /// A game of an attempt is over, perhaps before it is durable.
    case ended(PairingAttempt, GameRecord)
    /// Its result stands in the log, as this word.
    case decided(PairingAttempt, RoomState.TournamentWord)
    /// What came of having it played elsewhere.
    case elsewhere(PairingAttempt, Elsewhere.News)
  }

  /// Who may enter a tournament from elsewhere, and how they play there.
  package struct Admission: Sendable {
    /// How far the tournament and its games may travel.
    package var scope = Scope.local
    /// Which bots may enter.
    package var bots = Create.BotPolicy()
    /// The time limits of each game, on which the organizer rules; 0 for none.
    package var moveLimitMilliseconds: UInt32 = 0
    package var clockMilliseconds: UInt32 = 0
    package var incrementMilliseconds: UInt32 = 0
    /// How the organizer is shown, and whether it has a seat itself, the first one.
    package var profile: Profile
    package var plays = false
    /// Whether all entrants draw the seeds together; else they are the order of entry.
    package var drawsSeeds = false

    /// A tournament of peers nearby, of people and bots, without time limits, in which the organizer does not play.
    package init(_ profile: Profile) { self.profile = profile }
  }

  let household: Household
  var core: PeerCore
  /// The tournament by its words alone. The result of a room is taken in by itself; nothing is read anew for it, and
  /// nobody else holds the value, which would be copied then.
  private var reading: TournamentFold<Never>?

  /// An organizer with the household's owner for its key.
  package init(_ household: Household) {
    self.household = household
    core = household.core(household.owner)
  }

  // MARK: - Creating

  /// Creates a tournament; where all entrants are this household's bots they enter, and it starts. When it returns,
  /// that is durable.
  package func create(_ plan: Plan) async throws(PeerError) -> RoomID {
    var host = household.core(household.owner)
    let room = try host.create(create(of: plan))
    if plan.admission == nil {
      try enter(try makeEntrants(plan.entrants, plan.rules), in: room, of: &host, plan.seed)
    }
    guard let change = try host.prepareCommit(room) else { return room }
    try await household.store(change, allowed: host.ownHeads.takeAllowed())
    return room
  }

  private func create(of plan: Plan) -> Create {
    let (settings, definition) = (plan.settings, plan.rules.definition)
    let admission = plan.admission ?? Admission(Profile(name: "organizer"))
    return Create(
      rules: definition.name, rulesVersion: definition.version, parameters: plan.rules.parameters.encoded,
      seats: UInt16(settings.entrants), games: UInt16(settings.games),
      nonce: household.nonce("tournament \(household.now()) \(plan.seed)"), profile: admission.profile,
      creatorSeat: admission.plays ? 0 : Create.noSeat,
      starter: admission.drawsSeeds ? .jointDraw : .firstSeat, scope: admission.scope,
      hasOpenRounds: plan.hasOpenRounds && plan.admission == nil, bots: admission.bots,
      moveLimitMilliseconds: admission.moveLimitMilliseconds,
      clockMilliseconds: admission.clockMilliseconds, incrementMilliseconds: admission.incrementMilliseconds,
      referee: admission.plays ? .none : core.id, openings: plan.openings,
      purpose: .tournament(
        format: settings.format.rawValue, options: settings.options, seed: plan.seed,
        title: plan.title.prefix(utf8Bytes: 64)))
  }

  /// Writes that all ask for their seats, get them, and start: every key is here, and nobody is waited for.
  private func enter(
    _ entrants: [Household.Entrant], in room: RoomID, of host: inout PeerCore, _ seed: UInt64
  ) throws(PeerError) {
    let seats = entrants.indices.map { UInt16(truncatingIfNeeded: $0) }
    var requests: [EventID] = []
    for (entrant, seat) in zip(entrants, seats) {
      let profile = Profile(name: entrant.label, bot: BotEntry(entrant.bot.declaration, seed: seed))
      let member = host.admit(entrant.key)
      requests.append(try host.write(.request(seat: seat, profile), in: room, by: member).id)
    }
    for (request, seat) in zip(requests, seats) {
      _ = try host.write(.grant(request: request, seat: seat), in: room, citing: [request])
    }
    guard let seated = host.state(of: room), let roster = seated.roster else {
      throw .unplayable("the tournament's entrants could not all be seated")
    }
    _ = try host.write(.start(roster: roster), in: room)
    guard host.state(of: room)?.start != nil else {
      throw .unplayable("the tournament's entrants could not start")
    }
  }

  /// Bots with their keys. A key follows from the label, which stands in the log.
  private func makeEntrants(
    _ planned: [PlannedEntrant], _ rules: any GameRules
  ) throws(PeerError) -> [Household.Entrant] {
    var entrants: [Household.Entrant] = []
    for entrant in planned {
      let bot = try household.bot(entrant.specification, for: rules)
      entrants.append(.init(label: entrant.label, bot: bot, key: household.botKey(entrant.label)))
    }
    return entrants
  }

  /// One label per entrant, all different: the specification, numbered where it comes again. Over-long ones are
  /// cut so that every label fits into a profile.
  package static func labels(of specifications: [String]) -> [String] {
    let names = specifications.map { $0.prefix(utf8Bytes: Profile.limitNameBytes - 4) }
    return names.enumerated().map { index, name in
      let before = names[..<index].filter { $0 == name }.count
      return before == 0 ? name : "\(name)#\(before + 1)"
    }
  }

  // MARK: - Running

  /// Reads a tournament from the log.
  package func open(_ room: RoomID) async throws(PeerError) -> TournamentRoom {
    core.open(try await household.load(room), isDurable: true)
    core.ownHeads = household.ownHeads
    reading = nil
    return try tournament(room)
  }

  /// A tournament that is open here by its words alone, for whoever takes in those that ``run`` reports.
  package func fold(of room: RoomID) throws(PeerError) -> TournamentFold<Never> {
    if let reading, reading.tournament.room == room { return reading }
    guard let state = core.state(of: room) else { throw .unknownRoom(room) }
    let unplayed = try mapped { () throws(TournamentError) in
      try TournamentRoom(unplayed: state, household.games)
    }
    guard let unplayed else { throw .unplayable("room \(room.short) is not a started tournament") }
    var fold = TournamentFold<Never>(unplayed)
    fold.take(state.tournamentWords)
    reading = fold
    return fold
  }

  /// Plays what is left of a tournament.
  /// - Parameters:
  ///   - concurrency: how many rooms are played at once in this process.
  ///   - elsewhere: where rooms are played instead that others may play; `nil` for nowhere.
  ///   - timed: makes the bot of an entrant, by seed, one that does the same and is watched.
  ///   - isCancelled: asked between moves; when it answers `true`, what was played is made durable and `run`
  ///     returns.
  /// - Returns: where the tournament stands, as everybody is shown it.
  package func run(
    _ room: RoomID, concurrency: Int, elsewhere: Elsewhere? = nil,
    timed: (any Bot, Int) -> any Bot = { bot, _ in bot },
    isCancelled: @escaping @Sendable () -> Bool,
    report: @escaping @Sendable (Report) -> Void
  ) async throws(PeerError) -> TournamentRoom {
    let tournament = try await open(room)
    let rules = try household.rules(of: tournament.create)
    try checkKeys(tournament)
    let players = try players(of: tournament, rules, timed)
    let known = try knownRooms(of: room)
    let atOnce = elsewhere?.window ?? max(1, concurrency)
    let failure: PeerError? = await withTaskGroup(of: Result<PlayedRoom?, PeerError>.self) { group in
      var running: Set<String> = []
      while true {
        let free = isCancelled() ? 0 : atOnce - running.count
        for attempt in self.ready(first: free, besides: running) {
          running.insert(attempt.key)
          let host = household
          group.addTask {
            do throws(PeerError) {
              return .success(
                try await host.play(
                  attempt, in: known[attempt.key], of: tournament, rules, players, elsewhere,
                  isCancelled: { isCancelled() || Task.isCancelled }, report: report))
            } catch { return .failure(error) }
          }
        }
        guard let result = await group.next() else { return nil }
        do throws(PeerError) {
          guard let played = try result.get() else { continue }
          running.remove(played.attempt.key)
          report(.decided(played.attempt, try await self.write(played, in: room)))
        } catch {
          group.cancelAll()
          return error
        }
      }
    }
    if let failure { throw failure }
    return try told(room, isPlayed: self.tournament(room).state.isComplete)
  }

  private func ready(first count: Int, besides running: Set<String>) -> [PairingAttempt] {
    reading?.tournament.state.ready(first: count) { !running.contains($0.key) } ?? []
  }

  /// The entrants' bots, in the versions that they entered with.
  private func players(
    of tournament: TournamentRoom, _ rules: any GameRules, _ timed: (any Bot, Int) -> any Bot
  ) throws(PeerError) -> [Household.Entrant] {
    var players: [Household.Entrant] = []
    for (seed, entrant) in tournament.entrants.enumerated() {
      let label = entrant.profile.name
      guard let entry = entrant.profile.bot else {
        throw .unplayable("\(label) is no bot: nobody plays it here")
      }
      let bot = timed(try household.bot(entry, for: rules), seed)
      players.append(.init(label: label, bot: bot, key: household.botKey(label)))
    }
    return players
  }

  /// A tournament with the rooms of its games, which say whether it is complete.
  /// - Parameter isPlayed: whether the organizer's words say so: then nothing is left to be played.
  func told(_ room: RoomID, isPlayed: Bool) throws(PeerError) -> TournamentRoom {
    let told = try mapped { () throws(LogError) in try household.log.tournament(room, household.games) }
    guard let told else { throw .unknownRoom(room) }
    guard told.state.isComplete || !isPlayed else {
      throw .unplayable(
        "the results in the log of room \(room.short) are not those of its games; `parlor log verify` tells how"
      )
    }
    return told
  }

  /// The rooms that the log has already of this organizer's attempts, by attempt.
  func knownRooms(of tournament: RoomID) throws(PeerError) -> [String: RoomID] {
    let listings = try mapped { () throws(LogError) in try household.log.rooms(of: tournament) }
    var known: [String: RoomID] = [:]
    for listing in listings where listing.create.author == core.id {
      guard case .games(_, let pairing, let attempt)? = listing.create.createdPurpose else { continue }
      known[PairingAttempt.key(pairing, attempt)] =
        known[PairingAttempt.key(pairing, attempt)] ?? listing.room
    }
    return known
  }

  /// Writes the result of an attempt; when it returns, that is durable.
  /// - Throws: when it has no effect: the room would be played again and again.
  private func write(
    _ played: PlayedRoom, in room: RoomID
  ) async throws(PeerError) -> RoomState.TournamentWord {
    let result = Action.PairingResult(
      pairing: played.attempt.pairing.number.rawValue, attempt: played.attempt.attempt, room: played.room,
      heads: played.heads, walkover: .played, games: played.scores)
    let word = RoomState.TournamentWord.result(
      result, event: try await append(.pairingResult(result), in: room))
    reading?.takeNext(word)
    let open = reading?.tournament.state.record(played.attempt.pairing.number)?.open
    guard open?.attempt != played.attempt.attempt else {
      throw .unplayable("the log of room \(room.short) is damaged; `parlor log verify` tells how")
    }
    return word
  }

  /// Writes a word of the organizer's after which the tournament is read anew; when it returns, that is durable.
  func write(_ word: Action, in room: RoomID) async throws(PeerError) {
    _ = try await append(word, in: room)
    reading = nil
  }

  private func append(_ word: Action, in room: RoomID) async throws(PeerError) -> EventID {
    let event = try core.write(word, in: room)
    guard let change = try core.prepareCommit(room) else { return event.id }
    try await household.store(change, allowed: core.ownHeads.takeAllowed())
    core.markDurable(change)
    return event.id
  }

  func tournament(_ room: RoomID) throws(PeerError) -> TournamentRoom {
    try fold(of: room).tournament
  }

  /// The entrants' keys must be this household's, or their feeds could not be written.
  private func checkKeys(_ tournament: TournamentRoom) throws(PeerError) {
    guard household.plays(tournament), core.state(of: tournament.room)?.creator == core.id else {
      if tournament.organizer == core.id {
        throw .notAllowed(
          "the tournament's entrants play at tables of their own; `parlor tournament open \(tournament.room.short)`"
            + " goes on with it")
      }
      throw .notAllowed("the tournament was created with another identity; only that one can go on with it")
    }
  }

  func mapped<Value, Failure: Error & CustomStringConvertible>(
    _ body: () throws(Failure) -> Value
  ) throws(PeerError) -> Value {
    do throws(Failure) { return try body() } catch { throw .log(error.description) }
  }
}

/// An attempt that was played to its end.
struct PlayedRoom: Sendable {
  let attempt: PairingAttempt
  let room: RoomID
  let heads: [Action.PairingResult.Head]
  let scores: [[Int32]]

  /// The attempt that a log holds; `nil` where it did not come to an end on which all agree.
  init?(_ attempt: PairingAttempt, _ log: RoomLog, _ state: RoomState) {
    guard state.phase == .finished, state.games.count == attempt.games, state.games.allSatisfy(\.isAgreed)
    else { return nil }
    self.attempt = attempt
    room = state.room
    heads = log.heads(of: state.participants)
    scores = state.games.map { $0.ending?.outcome?.scores ?? [] }
  }
}

extension PairingAttempt {
  /// Pairing and attempt in one word.
  var key: String { Self.key(pairing.number.rawValue, attempt) }

  static func key(_ pairing: UInt32, _ attempt: UInt8) -> String { "\(pairing).\(attempt)" }
}

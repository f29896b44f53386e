import BotKit
import Events
import Games
import Platform
import PrisonersDilemmaBots
import Projection
import Rules
import SearchBots
import Testing
import Tournaments

@testable import EventLog
@testable import Peer

/// Rooms in a data folder, made through the library; the same bytes every time.
struct Samples {
  let household: Household
  let log: LMDBEventLog

  /// Opens a data folder for writing, with an identity; whoever holds this keeps the folder's lock.
  /// - Parameter families: bots besides those of the program.
  init(_ folder: String, with families: [BotFamily] = []) throws {
    let owner = try Identity.create(folder: folder, seed: [UInt8](repeating: 7, count: 32))
    log = try LMDBEventLog(folder: folder + "/log", access: .writing, network: .standard, program: "a test")
    let ticks = Guarded<UInt64>(1_700_000_000_000)
    let now: @Sendable () -> UInt64 = {
      ticks.withLock { ticks in
        ticks += 1
        return ticks
      }
    }
    household = Household(
      owner: owner, log: log, games: Games.catalog,
      bots: BotCatalog(SearchBots.families + PrisonersDilemmaBots.families + families), now: now, elapsed: now
    )
  }

  /// A match of bots in one room.
  /// - Parameter name: tells it from other matches; `nil` for one that nobody goes on with.
  func match(
    _ game: String, _ players: [String], games: Int = 1, named name: String? = nil
  ) async throws -> RoomID {
    let rules = try #require(Games.catalog.newest(game)).rules()
    let plan = Household.MatchPlan(rules: rules, players: players, games: games, seed: 7, name: name)
    return try await household.playMatchRoom(0, of: plan, isCancelled: { false }).room
  }

  /// A tournament of bots, played to its end.
  func tournament(
    _ entrants: [String], of game: String = "tic-tac-toe", format: TournamentFormat = .roundRobin,
    games: Int? = nil, seed: UInt64 = 7
  ) async throws -> RoomID {
    let rules = try #require(Games.catalog.newest(game)).rules()
    let settings = try TournamentSettings(format: format, entrants: entrants.count, games: games)
    let organizer = Organizer(household)
    let room = try await organizer.create(
      .init(rules: rules, settings: settings, entrants: entrants, seed: seed, title: "sample"))
    _ = try await organizer.run(room, concurrency: 1, isCancelled: { false }) { _ in }
    return room
  }

  /// A tournament of bots with places left at its start, into which others come between its results; the last one that
  /// came leaves.
  /// - Returns: its room, and how many entrants it has in the end.
  func lateEntrants(_ format: TournamentFormat, seed: Int) async throws -> (RoomID, entrants: Int) {
    var core = household.core(household.owner)
    let starters = 3 + seed % 4
    let rounds: UInt8 = 3
    let room = try core.create(
      Create(
        rules: TicTacToe.name, rulesVersion: TicTacToe.version, parameters: [], seats: UInt16(starters + 3),
        games: 2, nonce: household.nonce("late \(seed)"), profile: Profile(name: "organizer"),
        referee: household.owner.peer,
        purpose: .tournament(format: format.rawValue, options: rounds, seed: UInt64(seed), title: "late")))
    for number in 0..<starters { try letIn("random", number, room, &core) }
    try core.perform(.start, in: room)
    try log.write([try #require(try core.prepareCommit(room))])
    for late in 0..<3 {
      let results = Guarded(0)
      _ = try await Organizer(household).run(
        room, concurrency: 1, isCancelled: { results.withLock { $0 } > late * (seed % 3) }
      ) { report in if case .decided = report { results.withLock { $0 += 1 } } }
      core = household.core(household.owner)
      core.open(try await household.load(room), isDurable: true)
      let member = try letIn("greedy", starters + late, room, &core)
      if late == 2, seed.isMultiple(of: 2) { _ = try core.write(.leave(node: .none), in: room, by: member) }
      try log.write([try #require(try core.prepareCommit(room))])
    }
    let played = try await Organizer(household).run(room, concurrency: 1, isCancelled: { false }) { _ in }
    return (room, played.entrants.count)
  }

  /// Has a bot ask for a seat and gives it the next one.
  @discardableResult
  private func letIn(
    _ bot: String, _ number: Int, _ room: RoomID, _ core: inout PeerCore
  ) throws -> Int {
    let rules = try #require(Games.catalog.newest(TicTacToe.name)).rules()
    let label = "\(bot) \(number)"
    let member = core.admit(household.botKey(label))
    let entry = BotEntry(try household.bot(bot, for: rules).declaration, seed: 1)
    let request = try core.write(
      .request(seat: Create.noSeat, Profile(name: label, bot: entry)), in: room, by: member
    ).id
    _ = try core.write(.grant(request: request, seat: UInt16(number)), in: room, citing: [request])
    return member
  }

  /// A room whose creator says two different things as its second event.
  func fork() throws -> RoomID {
    var core = household.core(household.owner)
    let room = try core.create(
      Create(
        rules: TicTacToe.name, rulesVersion: TicTacToe.version, parameters: [], seats: 2,
        nonce: household.nonce("fork"), profile: Profile(name: "two faces")))
    try core.sign(room)
    let base = try #require(core.log(of: room))
    var merged = base
    for words in ["one thing", "another thing"] {
      var branch = household.core(household.owner)
      branch.open(base, isDurable: true)
      let event = try branch.write(.chat(words), in: room)
      let signature = household.owner.sign(event.id)
      _ = try merged.receive(Run(events: [event], signature: signature), scheme: Ed25519())
    }
    try log.write([RoomChange(merged, from: 0)])
    return room
  }

  /// A room for invited peers whose creator invites one of its bots twice; the bot asks for a seat under a name.
  func invitation() throws -> (room: RoomID, bot: PeerID) {
    var core = household.core(household.owner)
    let room = try core.create(
      Create(
        rules: TicTacToe.name, rulesVersion: TicTacToe.version, parameters: [], seats: 2,
        nonce: household.nonce("invitation"), profile: Profile(name: "host"), scope: .invited))
    let key = household.botKey("guest")
    let (guest, stranger) = (core.admit(key), core.admit(household.botKey("stranger")))
    for _ in 0..<2 { _ = try core.write(.invite(key.peer), in: room) }
    for (member, name) in [(guest, "guest"), (stranger, "stranger")] {
      _ = try core.write(.request(seat: Create.noSeat, Profile(name: name)), in: room, by: member)
    }
    try log.write([try #require(try core.prepareCommit(room))])
    return (room, key.peer)
  }

  /// A quiz of two questions with one player, who answers both; the second question is asked twice.
  /// - Parameter isFaulty: whether the host calls an answer unreadable that its player then shows.
  func quiz(isFaulty: Bool = false) throws -> RoomID {
    var core = household.core(household.owner)
    let room = try NewHostedRoom(
      rules: Quiz.name, rulesVersion: Quiz.version, parameters: Quiz().parameters.encoded, title: "sample",
      rounds: 2, players: 4, entries: 1, needsCode: true, scope: .local, profile: Profile(name: "host")
    ).create(in: &core, nonce: household.nonce("quiz"), by: 0)
    let player = core.admit(household.botKey("player"))
    let code = JoinCode.code(of: room, household.owner)
    try core.perform(.join(code: code, Profile(name: "player")), in: room, by: player, at: 0)
    _ = try core.host(room, at: 0)
    try core.perform(.say("welcome"), in: room)
    for at in [0, 1, 2] as [UInt64] {
      let question = try #require(QuizQuestion(text: "Which?", choices: ["this", "that"]))
      try core.perform(
        .open(content: question.content, solution: [1], limitMilliseconds: 9_000), in: room, by: 0,
        at: at * 10_000)
      // The second question is void, because the third is asked in its place.
      guard at != 1 else { continue }
      let opening = try #require(core.state(of: room)?.hosted?.round?.opening)
      try core.perform(.enter(opening: opening, choice: [1]), in: room, by: player, at: at * 10_000)
      if isFaulty, at == 0 { try deny(opening, in: room, &core) }
      _ = try core.host(room, at: at * 10_000 + 500)
      _ = try core.proveEntries(in: room, by: player)
    }
    try log.write([try #require(try core.prepareCommit(room))])
    return room
  }

  /// A drawing game of one word with two players: one draws, clears the sheet and draws again, the other guesses twice.
  func drawing() throws -> RoomID {
    var core = household.core(household.owner)
    let room = try NewHostedRoom(
      rules: DrawingGame.name, rulesVersion: DrawingGame.version,
      parameters: DrawingGame().parameters.encoded,
      title: "", rounds: 1, players: 2, entries: 30, needsCode: false, scope: .local,
      profile: Profile(name: "host")
    ).create(in: &core, nonce: household.nonce("drawing"), by: 0)
    let players = ["drawer", "guesser"].map { core.admit(household.botKey($0)) }
    for player in players {
      try core.perform(.join(code: nil, Profile(name: "player")), in: room, by: player, at: 0)
      _ = try core.host(room, at: 0)
    }
    let word = Array("tree".utf8)
    try core.perform(.open(content: [], solution: word, limitMilliseconds: 9_000), in: room, by: 0, at: 0)
    let opening = try #require(core.state(of: room)?.hosted?.round?.opening)
    let batches = ["line 1 1 2 2", "clear; line red 16 3 3"].compactMap { StrokeBatch(text: $0)?.bytes }
    let entries = batches.map { (players[0], $0) } + [Array("bush".utf8), word].map { (players[1], $0) }
    for (number, (player, choice)) in entries.enumerated() {
      let at = UInt64(500 * (number + 1))
      try core.perform(.enter(opening: opening, choice: choice), in: room, by: player, at: at)
      for later in [0, 100, 200] as [UInt64] { _ = try core.host(room, at: at + later) }
    }
    try log.write([try #require(try core.prepareCommit(room))])
    return room
  }

  /// A tap race to ten taps with one player, who makes them.
  func tapRace() throws -> RoomID {
    var core = household.core(household.owner)
    var parameters = Parameters()
    parameters["taps"] = "10"
    let room = try NewHostedRoom(
      rules: TapRace.name, rulesVersion: TapRace.version, parameters: parameters.encoded, title: "",
      rounds: 1, players: 2, entries: 5, needsCode: false, scope: .local, profile: Profile(name: "host")
    ).create(in: &core, nonce: household.nonce("tap race"), by: 0)
    let player = core.admit(household.botKey("player"))
    try core.perform(.join(code: nil, Profile(name: "player")), in: room, by: player, at: 0)
    _ = try core.host(room, at: 0)
    try core.perform(.open(content: [], solution: [], limitMilliseconds: 9_000), in: room, by: 0, at: 0)
    let opening = try #require(core.state(of: room)?.hosted?.round?.opening)
    for at in [300, 600, 900] as [UInt64] {
      try core.perform(.enter(opening: opening, choice: [0, 4]), in: room, by: player, at: at)
      _ = try core.host(room, at: at)
      _ = try core.host(room, at: at + 100)
    }
    try log.write([try #require(try core.prepareCommit(room))])
    return room
  }

  /// Settles a round as if the host could not read the answer.
  private func deny(_ opening: EventID, in room: RoomID, _ core: inout PeerCore) throws {
    let log = try #require(core.log(of: room))
    let entry = try #require(log.entries.last { $0.event.kind == .entry }?.event.id)
    let opened = try #require(log.graph.event(opening))
    let salt = core.secrets(of: 0, in: room).solution(round: 0, sequence: opened.sequence)
    let ends: [HostedAction] = [
      .receipts(opening: opening, [.init(parent: 0, milliseconds: 400)]),
      .close(opening: opening, milliseconds: 500),
      .settle(.init(opening: opening, solution: [1], salt: salt, entries: [nil])),
    ]
    for action in ends {
      _ = try core.write(.hosted(action), in: room, citing: action == ends[0] ? [entry] : [])
    }
  }

  /// A room of two games whose seats both sign a result of the first that its moves do not give.
  func falseResult() throws -> (room: RoomID, event: EventID) {
    var host = household.core(household.owner)
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    let room = try host.create(
      Create(
        rules: TicTacToe.name, rulesVersion: TicTacToe.version, parameters: rules.parameters.encoded,
        seats: 2,
        games: 2, nonce: household.nonce("false"), profile: Profile(name: "host")))
    let conduct = PeerCore.Conduct(profile: Profile(name: "host"))
    var players: [Session.Player] = []
    for (seat, name) in ["one", "two"].enumerated() {
      let bot = try household.bots.bot("greedy", for: rules)
      players.append(
        household.player(
          bot: bot, key: household.botKey(name), name: name, seat: UInt16(seat), seed: 7, signsEachGame: false
        )
      )
    }
    var session = try Session(
      room: room, core: host, conduct: conduct, guests: players, place: .init(seed: 7))
    while session.state.games[0].ending == nil, case .bot(let player, let turn) = session.wait() {
      let bot = try #require(session.players[player].bot)
      try session.play(try bot.choose(turn), by: player)
    }
    let ending = try #require(session.state.games[0].ending)
    let scores = ending.outcome?.scores == [0, 1] ? [1, 0] : [0, 1] as [Int32]
    var core = session.core
    for player in 1...2 {
      _ = try core.write(.result(game: 0, ending: ending.node, scores: scores), in: room, by: player)
    }
    let change = try #require(try core.prepareCommit(room))
    try log.write([change])
    return (room, try #require(change.entries.last { $0.event.kind == .result }).event.id)
  }

  /// Copies a tournament from another folder of the same owner with other words of the organizer's, and the rooms of
  /// its games.
  /// - Parameters:
  ///   - rooms: which of the rooms are copied, by the place of their words; all when it is `nil`.
  ///   - change: says something else.
  /// - Returns: the events of the words.
  @discardableResult
  func retell(
    _ tournament: RoomID, from other: Samples, rooms: [Int]? = nil,
    _ change: (inout [Action.PairingResult], _ rooms: [RoomLog]) throws -> Void
  ) throws -> [EventID] {
    let whole = try other.log.load(tournament, verify: true)
    let start = try #require(whole.entries.firstIndex { $0.event.kind == .pairingResult })
    var words = whole.entries.compactMap { entry in
      if case .pairingResult(let result) = entry.event.action { result } else { nil }
    }
    let games = try words.map { try other.log.load($0.room, verify: true) }
    try change(&words, games)
    var told = RoomLog(room: tournament)
    for entry in whole.entries[..<start] { told.restore(entry.event, signature: entry.signature) }
    var core = household.core(household.owner)
    core.open(told, isDurable: true)
    var events: [EventID] = []
    for word in words {
      let event = try core.write(.pairingResult(word), in: tournament)
      told.restore(event, signature: household.owner.sign(event.id))
      events.append(event.id)
    }
    let kept = (rooms ?? Array(games.indices)).map { games[$0] }
    try log.write(
      [RoomChange(told, from: 0)]
        + kept.map { RoomChange($0, from: 0) })
    return events
  }
}

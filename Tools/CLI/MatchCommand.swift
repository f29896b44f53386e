import BotKit
import Events
import Games
import Peer
import Platform
import Projection
import Ratings
import Rules
import Terminal

/// `parlor match`: many games between two bots.
enum MatchCommand: Command {
  static let definition = CommandDefinition(
    "match", group: Group.play, summary: "Let two bots play a match of many games.",
    text: [
      "The bots take turns at moving first. Games are stored in rooms of up to 256, each signed by both bots, "
        + "and repeat move for move from the same seed at any concurrency.",
      "With --wins a match is over when one bot has won that many games; draws count for nobody. It goes on for 256 "
        + "games at the most, or for --games, and then nobody has won it. Its games are played one after the "
        + "other, in one room.",
      "Between two bots the end tells the difference in Elo with an interval of 95 % and the likelihood that the first"
        + " is the better one. With --sprt the match ends when its games show, at the error rates alpha and beta, that"
        + " the first bot is better by elo0 or less, or by elo1 or more; else after --games, "
        + "\(SequentialTest.standardGames) when not given. Which games decide does not depend on the concurrency; "
        + "rooms that are played meanwhile stop.",
      Context.commandBots,
    ],
    arguments: [
      .init("game", "The game; `parlor games` lists them.", kind: Context.gameNames)
    ],
    options: [
      .value("players", "A,B", "the two bots", isRequired: true)
    ] + SeriesLength.options(standard: 2, side: "bot") + [
      SequentialTest.option,
      .value("seed", "N", "the seed of all random numbers", standard: "0"),
      .value("concurrency", "N", "how many rooms are played at once; one for each processor when not given"),
      Context.settings,
    ] + BotOptions.definitions,
    examples: [
      .init("match tic-tac-toe --players solver,random --games 100", "one hundred games"),
      .init("match othello --players lookahead:2,greedy --wins 5", "first with five wins"),
      .init(
        "match connect-four --players lookahead:3,lookahead:2 --sprt elo0=0,elo1=20",
        "until it is clear whether a ply more is worth 20 points"),
      .init("match gomoku --players ./mybot.py,gomocup:./brain --move-time 500", "half a second a move"),
      .init(
        "match prisoners-dilemma --players tit-for-tat,joss --set rounds=200 --set payoffs=5,3,1,0 --json",
        "moves and scores for a script"),
    ],
    objects: [
      .init(
        "game", "For each game, in order.",
        [
          "game": "its number in the match, from 1", "room": "the room that holds it",
          "first": "who moves first",
          "moves": "the moves as texts; lists of each player's choice where they choose together",
          "outcome": "the winner's name, or `draw`", "scores": "the score of each player",
        ]),
      .init(
        "finished", "At the end.",
        [
          "games": "how many were played", "players": "the players' names", "wins": "games won, by player",
          "wins-first": "those of them in which the player moved first",
          "draws": "games drawn", "scores": "sums of scores, by player",
          "target": "how many won games end the match, or null", "winner": "who has won as many, or null",
          "elo": MatchStrength.summary,
        ]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let rules = try context.rules(try context.game(parsed.argument("game") ?? "", parsed), parsed)
    var players = try parsed.list("players")
    guard players.count == rules.seats else {
      throw parsed.badValue(
        "players", "\(rules.definition.name) takes \(rules.seats) players, separated by a comma")
    }
    let test = try SequentialTest.option(parsed)
    if test != nil {
      if parsed.text("wins") != nil { throw parsed.badValue("sprt", "it is given with --wins") }
      guard rules.seats == 2 else { throw parsed.badValue("sprt", "it is for games of two") }
    }
    let length = try SeriesLength(
      parsed, standard: test == nil ? 2 : SequentialTest.standardGames, limit: 10_000_000)
    players = try players.map { try context.checkedBot($0, for: rules) }
    let plan = Household.MatchPlan(
      rules: rules, players: players, games: length.games, wins: length.wins,
      seed: try parsed.integer("seed", in: 0...UInt64.max) ?? 0)
    let concurrency = try parsed.integer("concurrency", in: 1...256) ?? CurrentProcess.processors
    let household = try await context.household()
    return try await play(plan, test, household, concurrency: concurrency, context)
  }

  private static func play(
    _ plan: Household.MatchPlan, _ test: SequentialTest?, _ household: Household, concurrency: Int,
    _ context: Context
  ) async throws -> ExitStatus {
    let roomCount = (plan.games + Int(Create.limitGames) - 1) / Int(Create.limitGames)
    let running = RunningScore(plan, test)
    let progress = ProgressLine(
      on: context.console, label: "match", unit: "games", total: plan.games, now: context.stopwatch,
      note: { running.words })
    let fault = OutputFault()
    let isCancelled: @Sendable () -> Bool = { [interrupts = context.interrupts] in
      interrupts.isStopRequested || fault.isThere || running.isDecided || Task.isCancelled
    }
    var score = MatchScore(plan)
    var printer = OrderedRooms()
    try await withThrowingTaskGroup(of: (Int, Household.MatchRoom?).self) { group in
      var next = 0
      func add() {
        guard next < roomCount, !isCancelled() else { return }
        let number = next
        next += 1
        group.addTask {
          (
            number,
            try await household.playMatchRoom(number, of: plan, isCancelled: isCancelled) {
              running.count($0, room: number)
              progress.advance()
            }
          )
        }
      }
      for _ in 0..<concurrency { add() }
      while let (number, room) = try await group.next() {
        if let room {
          score.count(room)
          for done in printer.add(number, room) {
            fault.attempt { () throws(ConsoleError) in try print(done, plan, context) }
          }
        }
        add()
      }
    }
    let played = progress.done
    progress.finish()
    try fault.check()
    try score.tell(running.strength, context)
    guard context.interrupts.isStopRequested else { return .ok }
    let all = "\(plan.wins == nil ? "" : "at most ")\(Room.count(plan.games, "game"))"
    context.console.note(
      "Stopped after \(played) of \(all): those are stored, but a match cannot be resumed.")
    return .interrupted
  }

  /// One line of JSON for each game of a room.
  private static func print(_ room: Household.MatchRoom, _ plan: Household.MatchPlan, _ context: Context)
    throws(ConsoleError)
  {
    guard context.isJSON else { return }
    for game in room.games {
      let view = game.state.view(for: nil)
      let moves = game.plies.map { ply -> JSONValue in
        let texts = ply.texts(in: view).map { JSONValue.string($0) }
        return texts.count == 1 ? texts[0] : .array(texts)
      }
      try context.object(
        "game",
        [
          "game": .integer(Int64(room.firstGame + game.number + 1)),
          "room": .string(room.room.description),
          "first": .string(Organizer.labels(of: plan.players)[game.first.index]),
          "moves": .array(moves),
          "outcome": .optional(
            game.ending?.outcome.map { outcome in
              outcome.winner.map { Organizer.labels(of: plan.players)[$0.index] } ?? "draw"
            }),
          "scores": .array((game.ending?.outcome?.scores ?? []).map { .integer(Int64($0)) }),
        ])
    }
  }
}

/// Rooms that end in any order, given out in the order of their numbers.
private struct OrderedRooms {
  private var next = 0
  private var waiting: [Int: Household.MatchRoom] = [:]

  mutating func add(_ number: Int, _ room: Household.MatchRoom) -> [Household.MatchRoom] {
    waiting[number] = room
    var ready: [Household.MatchRoom] = []
    while let room = waiting.removeValue(forKey: next) {
      ready.append(room)
      next += 1
    }
    return ready
  }
}

/// The score of games as they end, in any order and on any thread.
private final class RunningScore: Sendable {
  private let state: Guarded<(score: MatchScore, strength: MatchStrength)>

  init(_ plan: Household.MatchPlan, _ test: SequentialTest?) {
    state = Guarded((MatchScore(plan), MatchStrength(test)))
  }

  func count(_ game: GameRecord, room: Int) {
    state.withLock { state in
      state.score.count(game)
      state.strength.take(game, room: room)
    }
  }

  var strength: MatchStrength { state.withLock { $0.strength } }

  /// Whether the test has decided.
  var isDecided: Bool { state.withLock { $0.strength.decision != .undecided } }

  /// The score and what the test has; empty before a game has ended.
  var words: String {
    state.withLock { state in
      guard state.score.games > 0 else { return "" }
      return [state.score.words, state.strength.words].filter { !$0.isEmpty }.joined(separator: "; ")
    }
  }
}

/// Wins, draws and points of a match.
private struct MatchScore {
  private(set) var games = 0
  private var wins: [Int]
  /// Those in which the winner moved first.
  private var winsFirst: [Int]
  private var points: [Int64]
  private var draws = 0
  private var rooms: [RoomID] = []
  private let labels: [String]
  /// How many won games end the match.
  private let needed: Int?

  init(_ plan: Household.MatchPlan) {
    needed = plan.wins
    labels = Organizer.labels(of: plan.players)
    wins = labels.map { _ in 0 }
    winsFirst = wins
    points = labels.map { _ in 0 }
  }

  mutating func count(_ room: Household.MatchRoom) {
    rooms.append(room.room)
    for game in room.games { count(game) }
  }

  mutating func count(_ game: GameRecord) {
    guard let outcome = game.ending?.outcome else { return }
    games += 1
    for (seat, score) in outcome.scores.enumerated() { points[seat] += Int64(score) }
    guard let winner = outcome.winner else {
      draws += 1
      return
    }
    wins[winner.index] += 1
    if winner == game.first { winsFirst[winner.index] += 1 }
  }

  /// The score so far: of each player the games won when moving first and when not.
  var words: String {
    let players = labels.indices.map { "\(labels[$0]) \(winsFirst[$0])+\(wins[$0] - winsFirst[$0])" }
    return (players + ["drawn \(draws)"]).joined(separator: ", ")
  }

  /// Who has won as many games as end the match.
  private var winner: String? {
    needed.flatMap { needed in wins.firstIndex { $0 >= needed } }.map { labels[$0] }
  }

  /// - Parameter strength: what the games say of the strength of two bots.
  func tell(_ strength: MatchStrength, _ context: Context) throws {
    if context.isJSON {
      try context.object(
        "finished",
        [
          "games": .integer(Int64(games)), "players": .array(labels.map { .string($0) }),
          "wins": .array(wins.map { .integer(Int64($0)) }),
          "wins-first": .array(winsFirst.map { .integer(Int64($0)) }), "draws": .integer(Int64(draws)),
          "scores": .array(points.map { .integer($0) }),
          "target": needed.map { .integer(Int64($0)) } ?? .null, "winner": .optional(winner),
          "elo": labels.count == 2 ? strength.json : .null,
        ])
      return
    }
    var table = TextTable([
      .text("player"), .number("wins"), .number("first").yielding(1), .number("second").yielding(2),
      .number("draws"), .number("losses"), .number("score"),
    ])
    for (seat, label) in labels.enumerated() {
      table.append([
        SafeText(label).text, "\(wins[seat])", "\(winsFirst[seat])", "\(wins[seat] - winsFirst[seat])",
        "\(draws)", "\(games - draws - wins[seat])", "\(points[seat])",
      ])
    }
    try context.table(table)
    if let needed {
      let games = Room.count(games, "game")
      let wins = Room.count(needed, "win")
      try context.console.line(
        winner.map { "\(SafeText($0).text) is the first with \(wins), after \(games)." }
          ?? "Nobody has \(wins) after \(games).")
    }
    if labels.count == 2 {
      for sentence in strength.sentences(labels) { try context.console.paragraph(sentence) }
    }
    if let room = rooms.first {
      let folder = try context.folderText()
      try context.console.paragraph(
        "Stored in \(folder); `parlor replay \(room.short)` shows the first room's games.")
    }
  }
}

import BotKit
import Evolution
import Games
import PrisonersDilemmaBots
import Rules
import Terminal

/// The strategies of a population, how many each has, and what they gain from each other in games without a log.
struct DilemmaPopulation {
  /// The strategies' names, each once, in the order in which they were named.
  let names: [String]
  /// How often each was named.
  let counts: [Int]
  /// The seed of all random numbers.
  let seed: UInt64
  private let players: [BarePlayer]
  private let game: PrisonersDilemma
  /// How many games those play with each other that draw something.
  private let games: Int

  private static let limitNamed = 1_000
  private static let limitStrategies = 200
  private static let gameCounts = 1...1_000

  static let options: [OptionDefinition] = [
    .value(
      "entrants", "A,B,…",
      "The strategies, 2 to \(limitStrategies) different ones; who is named twice begins with twice as many.",
      isRequired: true, kind: .list(PrisonersDilemmaBots.families.map(\.name) + lists)),
    .value(
      "games", "N",
      "How many games two strategies play where something is drawn; one tells all elsewhere.", standard: "20"),
    .value("seed", "N", "The seed of all random numbers.", standard: "0"),
    GameOptions.settings,
    .value(
      "format", "FORMAT", "How it is written; `json` is what --json writes.", standard: "text",
      kind: .choice(["text", "csv", "json", "svg"])),
  ]

  private static var lists: [String] { PrisonersDilemmaBots.collections.map(\.name) }

  /// What both commands say of games and gains.
  static let text =
    "Each two of them play games of the prisoner's dilemma, as --set says (such as `--set rounds=200 --set"
    + " payoffs=axelrod`). What one gains from another is the mean score of their games; where S is below 0 it"
    + " counts from S upwards in each round, so that nobody gains less than nothing. Nothing of it is logged."

  init(_ parsed: ParsedCommand, _ context: Context) throws {
    let definition = GameDefinition(PrisonersDilemma.self)
    let rules = try definition.rules(parsed)
    game = try PrisonersDilemma(rules.parameters)
    seed = try parsed.integer("seed", in: 0...UInt64.max) ?? 0
    games = try parsed.integer("games", in: Self.gameCounts) ?? 1
    let named = try parsed.list("entrants").flatMap { context.bots.members($0, playing: definition.name) }
    guard named.count <= Self.limitNamed else {
      throw parsed.badValue("entrants", "\(named.count) are named, and \(Self.limitNamed) may be")
    }
    var found: [(name: String, player: BarePlayer, count: Int)] = []
    for typed in named {
      guard !BotCatalog.isCommand(typed) else {
        throw parsed.badValue(
          "entrants", "strategies of this program are meant; `parlor tournament run` plays with commands")
      }
      let name = try context.ownBots.checked(typed, for: rules)
      if let place = found.firstIndex(where: { $0.name == name }) {
        found[place].count += 1
      } else if let strategy = Strategy(of: try context.bots.bot(name, for: rules)) {
        found.append((name, BarePlayer(strategy, in: game), 1))
      } else {
        throw parsed.badValue("entrants", "\(SafeText(name).text) is a bot, but no strategy of the dilemma")
      }
    }
    guard (2...Self.limitStrategies).contains(found.count) else {
      throw parsed.badValue("entrants", "2 to \(Self.limitStrategies) different strategies are needed")
    }
    (names, players, counts) = (found.map(\.name), found.map(\.player), found.map(\.count))
  }

  /// The game's settings in a few words.
  var settings: String {
    let settings = game.parameters
    let chances = ["noise", "ending"].filter { settings[$0] != "0" }
    return "\(Room.count(game.rounds, "round")), payoffs \(game.payoffs)"
      + chances.map { ", \($0) \(settings[$0] ?? "")" }.joined() + ", seed \(seed)"
  }

  /// Plays all games that tell what each gains from each.
  /// - Returns: `nil` when it was asked to stop.
  func encounters(_ context: Context) -> PrisonersDilemma.Encounters? {
    var encounters = PrisonersDilemma.Encounters(count: names.count)
    let pairs = names.indices.flatMap { one in (one..<names.count).map { (one, $0) } }
    let line = ProgressLine(
      on: context.console, label: "playing", unit: "games", total: pairs.reduce(0) { $0 + games(of: $1) },
      now: ContinuousClock().stopwatch)
    defer { line.finish() }
    for (one, other) in pairs {
      let games = games(of: (one, other))
      for number in 0..<games {
        if context.interrupts.isStopRequested { return nil }
        let place = RandomSource(
          seed: seed, round: UInt32(one), pairing: UInt32(other), game: UInt32(number), seat: Seat(0), ply: 0)
        encounters.add(players[one].play(players[other], at: place), of: (one, other))
        line.advance()
      }
    }
    return encounters
  }

  private func games(of pair: (Int, Int)) -> Int {
    game.usesChance || players[pair.0].strategy.isStochastic || players[pair.1].strategy.isStochastic
      ? games : 1
  }

  /// What each gains from each, in whole units that are the same for all.
  func gains(_ encounters: PrisonersDilemma.Encounters) -> GainTable {
    let least = min(0, Int(game.payoffs.sucker))
    return GainTable(
      names.indices.map { one in
        names.indices.map { other in
          let sums = encounters[one, other]
          // Against itself a strategy has both seats of each game.
          let seats = one == other ? 1 : 2
          return (sums.score - least * sums.rounds) * seats * (games / games(of: (one, other)))
        }
      })
  }

  /// Random numbers of a run that have nothing to do with those of games.
  func chance(ofRun run: Int) -> Chance {
    let source = RandomSource(seed: seed, round: .max, game: UInt32(run), seat: Seat(0), ply: 0)
    var numbers = source.generator()
    return Chance(seed: numbers.next())
  }

  /// What was played, as members of a JSON object.
  func members(_ encounters: PrisonersDilemma.Encounters) -> [JSONMember] {
    [
      JSONMember("strategies", .array(names.map { .string($0) })),
      JSONMember("rounds", encounters.rows(\.rounds)), JSONMember("scores", encounters.rows(\.score)),
    ]
  }

  /// The documentation of `members`.
  static let fields: KeyValuePairs<String, String> = [
    "strategies": "their names; lists of numbers are in this order",
    "rounds": "rounds that were played, a list of rows; of a strategy with itself both seats count",
    "scores": "the sums of the row's scores",
  ]
}

extension PrisonersDilemma.Encounters {
  /// A sum of each player against each, a list of rows.
  func rows(_ value: (Sums) -> Int) -> JSONValue {
    .array((0..<count).map { row in .array((0..<count).map { .integer(Int64(value(self[row, $0]))) }) })
  }
}

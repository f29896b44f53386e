public import BotKit
import Games
import Rules

/// Bots that search: greedy, lookahead, monte-carlo, solver and level, for games of two seats that move in turn; and
/// random beside them.
public enum SearchBots {
  /// The families, weakest first; then the one that is as strong as one wishes.
  public static let families: [BotFamily] = [random, greedy, lookahead, monteCarlo, solver, level]

  private static let random = BotFamily(
    name: "random", summary: "plays any legal move", plays: { plays($0) || $0 == MemoryMatch.name },
    build: { (_, _) throws(BotError) in RandomBot() })

  private static let greedy = BotFamily(
    name: "greedy", summary: "takes a win, blocks a threat, else plays what the game prefers", plays: plays,
    build: { (rules, _) throws(BotError) in GreedyBot(game: try game(of: rules, for: "greedy")) })

  private static let lookahead = BotFamily(
    name: "lookahead", summary: "looks DEPTH plies ahead (alpha-beta)", argument: "DEPTH", plays: plays,
    build: { (rules, argument) throws(BotError) in
      let expected = "a depth from 1 to 20 plies follows its name, as in lookahead:4"
      guard let depth = number(argument ?? "").flatMap(Int.init(exactly:)),
        LookaheadBot.depths.contains(depth)
      else { throw .badArgument(bot: "lookahead", argument: argument ?? "", expected: expected) }
      return LookaheadBot(game: try game(of: rules, for: "lookahead"), depth: depth)
    })

  private static let monteCarlo = BotFamily(
    name: "monte-carlo",
    summary: "plays GAMES random games from here on and goes where most are won (1000 by default)",
    argument: "[GAMES]", plays: plays,
    build: { (rules, argument) throws(BotError) in
      let expected = "a number of games from 1 to 200000 may follow its name, as in monte-carlo:5000"
      guard
        let games = (argument.map(number) ?? UInt64(MonteCarloBot.standardGames)).flatMap(Int.init(exactly:)),
        MonteCarloBot.games.contains(games)
      else { throw .badArgument(bot: "monte-carlo", argument: argument ?? "", expected: expected) }
      return MonteCarloBot(game: try game(of: rules, for: "monte-carlo"), games: games)
    })

  private static let solver = BotFamily(
    name: "solver", summary: "plays perfectly where a search of NODES nodes suffices (20000000 by default)",
    argument: "[NODES]", plays: { SearchedGames.solved($0) != nil },
    build: { (rules, argument) throws(BotError) in
      let expected = "a number of nodes from 1 may follow its name, as in solver:1000000"
      guard let nodes = argument.map(number) ?? SolverBot.standardNodes, nodes > 0 else {
        throw .badArgument(bot: "solver", argument: argument ?? "", expected: expected)
      }
      let name = rules.definition.name
      guard let game = SearchedGames.solved(name) else {
        throw .wrongGame(bot: "solver", game: name, players: [])
      }
      return SolverBot(game: game, nodes: nodes)
    })

  private static let level = BotFamily(
    name: "level", summary: "plays at level N, from 1 for a beginner to 10; it overlooks what lies far off",
    argument: "N", plays: plays,
    build: { (rules, argument) throws(BotError) in
      let game = try game(of: rules, for: "level")
      let number = number(argument ?? "").flatMap(Int.init(exactly:))
      guard let number, let level = LevelTable.level(number, of: game.name) else {
        let expected = "a number from 1 to 10 follows its name, as in level:3"
        throw .badArgument(bot: "level", argument: argument ?? "", expected: expected)
      }
      return LevelBot(game: game, number: number, level: level)
    })

  @Sendable private static func plays(_ game: String) -> Bool { SearchedGames.named(game) != nil }

  private static func game(of rules: any GameRules, for bot: String) throws(BotError) -> any SearchedGame {
    let name = rules.definition.name
    guard let game = SearchedGames.named(name) else { throw .wrongGame(bot: bot, game: name, players: []) }
    return game
  }

  /// What a search said of a move, in words for players: the end that it has proven, else how the position looks to
  /// whoever has moved, in the game's own units.
  /// - Parameters:
  ///   - game: the game's name.
  ///   - plies: how many moves were made, with that one.
  package static func words(for note: MoveNote, in game: String, after plies: Int) -> String {
    guard note.isProven, let game = SearchedGames.named(game) else {
      return note.value == 0 ? "even" : note.value > 0 ? "+\(note.value)" : "\(note.value)"
    }
    return game.words(forProven: note.value, after: plies)
  }

  /// A number of digits alone, `nil` for anything else.
  private static func number(_ text: String) -> UInt64? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(text) : nil
  }
}

import BotKit
import Events
import Peer
import Projection
import Rules
import Terminal

/// `parlor branch ROOM --at PLY`: a new game from a position of an old one.
enum BranchCommand: Command {
  static let definition = CommandDefinition(
    "branch", group: Group.play, summary: "Play on from a position of an earlier game, against bots.",
    text: [
      "The new game is a room of its own, whose first event says which game it goes on from. The old game stays as it "
        + "is: it may be anybody's, over or not, in the data folder or in a bundle file.",
      "Who moves next is as it was, and you take the seat of the side to move unless --seat says otherwise. Nobody"
        + " takes back the moves before the position. With --games you play a series from it, and the sides change.",
      "Games of two that move in turn can be branched: not those with secret choices or chance.",
      OwnBots.text,
    ],
    arguments: [
      .init(
        "room",
        "The first digits of a room's id, `last` for the newest, a bundle file, or `-` for one on standard "
          + "input.", kind: .stored(.rooms, orFile: true))
    ],
    options: [
      .value(
        "at", "PLY", "the position after so many moves, as `parlor replay` counts them; 0 for the start"),
      .value("game", "N", "the game of the room, from 1; the last one when not given"),
    ] + PlayCommand.opponents + [
      .value(
        "seat", "SEAT",
        "whether you are who moved first in the game or the second, or a draw decides who is who; the side to move"
          + " when not given", kind: .choice(Household.PlayPlan.Order.allCases.map(\.rawValue)))
    ] + SeriesLength.options(standard: 1, side: "player") + [
      .value("seed", "N", "the seed of the bot's random numbers; drawn when not given"),
      Context.plain, Context.verbose,
    ] + ProfileWish.options + BotOptions.definitions,
    examples: [
      .init("branch last --at 7", "the newest game, from the position after its seventh move"),
      .init("branch 3f2a --at 12 --game 2 --against lookahead:4", "its second game, against another bot"),
      .init("branch game.parlor --at 20 --seat second", "from a file, on the other side"),
    ],
    exitStatuses: [
      .init(.ok, "The game is over, or waits: `parlor play --resume` goes on with it."),
      .init(.noInput, "There is no such room or file."),
    ],
    objects: PlayView.objects + [OwnBots.object])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    guard let name = parsed.argument("room") else { preconditionFailure("\(parsed.name) has a room") }
    guard parsed.text("at") != nil else {
      throw UsageError(.missingOption("--at PLY"), path: definition.path)
    }
    var plan = try plan(from: try NamedRoom(name, context).room, parsed, context)
    let wish = try ProfileWish(parsed, context.console)
    let household = try await context.household()
    plan.profile = wish.profile(of: household.owner.peer)
    let session = try await household.startPlay(plan)
    return try await PlayCommand.play(session, plan, household, context)
  }

  private static func plan(
    from room: Room, _ parsed: ParsedCommand, _ context: Context
  ) throws -> Household.PlayPlan {
    let (rules, game) = try game(of: room, parsed)
    let at = try parsed.integer("at", in: 0...UInt16.max).map(Int.init) ?? 0
    let point: BranchPoint
    do throws(BranchFault) {
      point = try BranchPoint(after: at, of: game, in: room.state.room, rules)
    } catch {
      if case .opening = error { throw Failure(.usage, error.description) }
      throw parsed.badValue("at", error.description)
    }
    let length = try SeriesLength(parsed, standard: 1, limit: Int(Create.limitGames))
    var plan = Household.PlayPlan(
      rules: rules, bots: try PlayCommand.opponents(for: rules, parsed, context), games: length.games,
      wins: length.wins,
      order: parsed.text("seat").flatMap(Household.PlayPlan.Order.init)
        ?? (point.mover == Seat(0) ? .first : .second),
      seed: try parsed.integer("seed", in: 0...UInt64.max) ?? RandomSource.drawnSeed())
    (plan.openings, plan.branchOf) = (point.openings, point.branch)
    return plan
  }

  /// The game that is meant, and its rules.
  private static func game(
    of room: Room, _ parsed: ParsedCommand
  ) throws -> (any GameRules, GameRecord) {
    let id = room.state.room.short
    guard !room.isTournament else {
      throw Failure(
        .usage, "\(id) is a tournament; its games are branched room by room",
        hint: "`parlor tournament show \(id)` lists its rooms")
    }
    guard let rules = room.rules else {
      throw Failure(.dataError, "\(room.title) is no game that can be played on from a position")
    }
    guard let game = try ReplayCommand.chosenGames(of: room, parsed).last else {
      throw Failure(.usage, "the game \(id) has not begun, so it has no position to go on from")
    }
    return (rules, game)
  }
}

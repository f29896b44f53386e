import BotKit
import Events
import Games
import Peer
import Projection
import Rules
import Synchronization
import Testing
import Tournaments

/// Bots are told what was played, wherever they play.
@Suite struct BotHistoryTests {
  /// Plays the history from the beginning, and expects to come to the position that it was given.
  private struct HistorianBot: Bot {
    let declaration = BotDeclaration(specification: "historian", version: 1, nodeBudget: 0)
    let rules: any GameRules
    let note: @Sendable (BotTurn) -> Void

    func choose(_ turn: BotTurn) throws(BotError) -> BotChoice {
      // The seats take turns at moving first.
      var game = rules.start(first: Seat(UInt16(turn.randomness.game % 2)))
      for ply in turn.history {
        let codes = ply.choices.map { $0 ?? .none }
        let isLegal = ply.seat == nil ? game.resolve(codes, by: .none) : game.play(codes[0])
        #expect(isLegal)
      }
      #expect(game.encoded == turn.game.encoded)
      #expect(turn.history.count == Int(turn.randomness.ply))
      #expect(turn.leftMilliseconds == nil)
      note(turn)
      return BotChoice(turn.game.legalMoves[0])
    }
  }

  /// The last history of each game.
  private final class Notes: Sendable {
    let lengths = Mutex<[UInt32: Int]>([:])
  }

  private let notes = Notes()

  private var home: Household {
    let family = BotFamily(
      name: "historian", summary: "knows what was played", plays: { _ in true },
      build: { [notes] rules, _ in
        HistorianBot(rules: rules) { turn in
          notes.lengths.withLock { $0[turn.randomness.game] = turn.history.count }
        }
      })
    return household(with: [family])
  }

  @Test func aMatchTellsItsBotsWhatWasPlayed() async throws {
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    let plan = Household.MatchPlan(rules: rules, players: ["historian", "random"], games: 3, seed: 5)
    let match = try await home.playMatchRoom(0, of: plan, isCancelled: { false })
    #expect(match.games.count == 3)
    #expect(notes.lengths.withLock { $0.count == 3 && $0.values.allSatisfy { $0 >= 3 } })
  }

  @Test func anOpeningIsPartOfWhatWasPlayed() async throws {
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    let plan = Household.MatchPlan(
      rules: rules, players: ["historian", "random"], games: 4, seed: 5, openings: [[4, 0], [8, 4, 1]])
    let match = try await home.playMatchRoom(0, of: plan, isCancelled: { false })
    #expect(match.games.map(\.opening) == [2, 2, 3, 3])
    #expect(notes.lengths.withLock { $0.count == 4 && $0.values.allSatisfy { $0 >= 2 } })
  }

  @Test func nothingOfAnOpeningIsTakenBack() async throws {
    let home = home
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    var plan = Household.PlayPlan(
      rules: rules, bots: ["random"], order: .first, profile: Profile(name: "Ada"), seed: 1)
    plan.openings = [[4, 0]]
    var session = try await home.startPlay(plan)
    #expect(session.state.refusal(of: .requestUndo, by: home.owner.peer) != nil)
    try session.play(BotChoice(MoveCode(8)), by: 0)
    #expect(session.state.refusal(of: .requestUndo, by: home.owner.peer) == nil)
    try session.perform(.requestUndo, by: 0)
    #expect(session.state.plyCount == 2 && session.state.plies.map(\.code.rawValue) == [4, 0])
    #expect(session.state.refusal(of: .requestUndo, by: home.owner.peer) != nil)
  }

  @Test func aTournamentTellsItsBotsTheRounds() async throws {
    var parameters = Parameters()
    parameters["rounds"] = "6"
    let home = home
    let organizer = Organizer(home)
    let plan = Organizer.Plan(
      rules: try #require(Games.catalog.newest("prisoners-dilemma")).rules(parameters),
      settings: try TournamentSettings(format: .roundRobin, entrants: 2),
      entrants: ["historian", "tit-for-tat"], seed: 7, title: "test")
    let room = try await organizer.create(plan)
    let end = try await organizer.run(room, concurrency: 1, isCancelled: { false }) { _ in }
    #expect(end.state.isComplete)
    #expect(notes.lengths.withLock { $0[0] } == 5)
  }

  @Test func aBotAtAPersonsTableIsToldWhatWasTakenBackNoMore() async throws {
    let home = home
    let rules = try #require(Games.catalog.newest("tic-tac-toe")).rules()
    var session = try await home.startPlay(
      .init(rules: rules, bots: ["historian"], order: .first, profile: Profile(name: "Ada"), seed: 1))
    func answer() throws {
      guard case .bot(let player, let turn) = session.wait(), let bot = session.players[player].bot,
        case .choice(let choice) = try home.think(bot, turn)
      else {
        Issue.record("the bot is not asked")
        return
      }
      try session.play(choice, by: player)
    }
    try session.play(BotChoice(MoveCode(4)), by: 0)
    try answer()
    try session.perform(.requestUndo, by: 0)
    #expect(session.state.plyCount == 0)
    try session.play(BotChoice(MoveCode(8)), by: 0)
    try answer()
    #expect(session.state.plyCount == 2)
    #expect(session.state.games[0].plies[0].code == MoveCode(8))
  }

  @Test func aHistoryIsMadeOfPliesForATest() {
    let plies = [
      GameHistory.Ply(seat: Seat(0), choices: [MoveCode(4)]),
      GameHistory.Ply(seat: nil, choices: [MoveCode(1), nil]),
    ]
    let history = GameHistory(plies)
    #expect(history.count == 2 && Array(history) == plies && history.last?.choices == [MoveCode(1), nil])
    #expect(GameHistory().isEmpty)
  }
}

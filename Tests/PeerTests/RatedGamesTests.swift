import BotKit
import Events
import Games
import Peer
import Platform
import Projection
import Ratings
import Rules
import TestKit
import Testing
import Tournaments

@testable import EventLog

/// Which games of a store count for ratings.
@Suite struct RatedGamesTests {
  private let ticTacToe: any GameRules

  init() throws { ticTacToe = try #require(Games.catalog.newest("tic-tac-toe")).rules() }

  private func plan(_ game: String, _ players: [String], games: Int) throws -> Household.MatchPlan {
    let rules = try #require(Games.catalog.newest(game)).rules()
    return Household.MatchPlan(rules: rules, players: players, games: games, seed: 3)
  }

  /// A store with matches, a stopped one among them, and a tournament.
  private func filled() async throws -> (home: Household, tournament: RoomID) {
    let home = household()
    for players in [["random", "greedy"], ["lookahead:1", "random"], ["greedy", "greedy"]] {
      _ = try await home.playMatchRoom(0, of: plan("tic-tac-toe", players, games: 9), isCancelled: { false })
    }
    let ended = Guarded(0)
    _ = try await home.playMatchRoom(
      0, of: plan("connect-four", ["random", "greedy"], games: 50),
      isCancelled: { ended.withLock { $0 } >= 3 }
    ) { _ in ended.withLock { $0 += 1 } }
    let organizer = Organizer(home)
    let room = try await organizer.create(
      Organizer.Plan(
        rules: ticTacToe, settings: try TournamentSettings(format: .roundRobin, entrants: 3),
        entrants: ["random", "greedy", "solver"], seed: 7, title: "test"))
    _ = try await organizer.run(room, concurrency: 1, isCancelled: { false }) { _ in }
    return (home, room)
  }

  private func pools(_ tables: [RatedGames]) -> [EloPool<Int>?] {
    tables.flatMap { table in [false, true].map { EloPool(Crosstable(table.duels), advantage: $0) } }
  }

  @Test func branchesDoNotCount() async throws {
    let room = RoomID(Bytes32([UInt8](repeating: 9, count: 32)) ?? .zero)
    for branch in [nil, Create.Branch(room: room, game: 0, ply: 2)] {
      let home = household()
      var plan = Household.PlayPlan(
        rules: ticTacToe, bots: ["random"], order: .first, profile: Profile(name: "Ada"), seed: 1)
      (plan.openings, plan.branchOf) = ([[4, 0]], branch)
      var session = try await home.startPlay(plan)
      try session.play(BotChoice(MoveCode(8)), by: 0)
      try session.perform(.resign, by: 0)
      #expect(session.state.games[0].isAgreed)
      try await home.commit(&session)
      #expect(try home.log.ratedGames(home.games).flatMap(\.duels).count == (branch == nil ? 1 : 0))
    }
  }

  @Test func whatCounts() async throws {
    let (home, tournament) = try await filled()
    let tables = try home.log.ratedGames(home.games)
    #expect(tables.map(\.game) == ["connect-four", "tic-tac-toe"])
    // The games of a match that was stopped: its end, which nobody signed, is not needed.
    #expect(tables[0].duels.count >= 3 && tables[0].duels.count < 50)
    #expect(tables[0].provisional == 0)
    let names = tables[1].players.map { player in
      if case .bot(let specification, _) = player {
        String(decoding: specification, as: UTF8.self)
      } else {
        ""
      }
    }
    #expect(names == ["greedy", "lookahead:1", "random", "solver"])
    let sealed = try home.log.ratedGames(in: tournament, home.games)
    #expect(sealed.map(\.game) == ["tic-tac-toe"])
    #expect(sealed[0].players.count == 3)
    #expect(tables[1].duels.count == 27 + sealed[0].duels.count)
    #expect(tables[1].mirrored == 9)
    #expect(try home.log.ratedGames(of: "othello", home.games).isEmpty)
    let one = try home.log.ratedGames(of: "connect-four", home.games)
    #expect(one.map(\.duels) == [tables[0].duels])
  }

  /// A store that got the same rooms in other orders has the same ratings to the last bit.
  @Test func orderOfArrival() async throws {
    let (home, _) = try await filled()
    let tables = try home.log.ratedGames(home.games)
    let rooms = try home.log.rooms(limit: nil).map(\.room)
    for turn in 0..<rooms.count {
      let other = MemoryEventLog(network: .standard)
      let order = turn % 2 == 0 ? rooms : rooms.reversed()
      for room in order[turn...] + order[..<turn] {
        try other.write([RoomChange(try home.log.load(room, verify: false), from: 0)])
      }
      let retold = try other.ratedGames(home.games)
      #expect(retold.map(\.players) == tables.map(\.players))
      #expect(pools(retold) == pools(tables))
    }
  }

  /// A game that is over and that nobody has signed does not count, unless a referee lets its own bots play.
  @Test(arguments: [false, true]) func unsignedResults(hasReferee: Bool) throws {
    let home = household()
    var host = home.core(home.owner)
    let room = try host.create(
      Create(
        rules: TicTacToe.name, rulesVersion: TicTacToe.version, parameters: ticTacToe.parameters.encoded,
        seats: 2, games: 2, nonce: home.nonce("unsigned"), profile: Profile(name: "host"),
        referee: hasReferee ? host.id : .none))
    let players = try ["one", "two"].enumerated().map { seat, name in
      home.player(
        bot: try home.bots.bot("greedy", for: ticTacToe), key: home.botKey(name), name: name,
        seat: UInt16(seat), seed: 7, signsEachGame: false)
    }
    var session = try Session(
      room: room, core: host, conduct: PeerCore.Conduct(profile: Profile(name: "host")), guests: players,
      place: .init(seed: 7))
    while session.state.games[0].ending == nil, case .bot(let player, let turn) = session.wait() {
      let bot = try #require(session.players[player].bot)
      try session.play(try bot.choose(turn), by: player)
    }
    var core = session.core
    try home.log.write([try #require(try core.prepareCommit(room))])
    let table = try #require(try home.log.ratedGames(home.games).first)
    #expect(table.duels.count == (hasReferee ? 1 : 0))
    #expect(table.provisional == (hasReferee ? 0 : 1))
  }
}

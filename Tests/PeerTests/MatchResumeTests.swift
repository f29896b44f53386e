import BotKit
import Events
import Games
import Platform
import Projection
import Rules
import Testing

@testable import EventLog
@testable import Peer

/// Matches that go on where their log ends.
@Suite struct MatchResumeTests {
  private func plan(
    _ home: Household, _ game: String = "tic-tac-toe", _ players: [String] = ["random", "greedy"],
    games: Int = 6, wins: Int? = nil
  ) throws -> Household.MatchPlan {
    Household.MatchPlan(
      rules: try #require(Games.catalog.newest(game)).rules(), players: players, games: games, wins: wins,
      seed: 5, name: home.newMatchName(seed: 5))
  }

  /// What was played, without the ids of events, which differ.
  private func moves(_ room: Household.MatchRoom) -> [[[MoveCode]]] {
    room.games.map { $0.plies.map(\.codes) }
  }

  /// A stop before each choice of a match in turn; then it goes on, and is stopped again at the same distance.
  @Test(arguments: [
    ("tic-tac-toe", ["random", "greedy"], [1, 2, 7]), ("prisoners-dilemma", ["joss", "random"], [150]),
  ])
  func aRoomStoppedAnywhereComesToTheSameGames(
    _ game: String, _ players: [String], _ stops: [Int]
  ) async throws {
    let whole = household()
    let all = try await whole.playMatchRoom(0, of: plan(whole, game, players), isCancelled: { false })
    #expect(all.isOver && all.games.count == 6)
    for stop in stops {
      let home = household()
      let plan = try plan(home, game, players)
      var known: RoomID?
      var last: Household.MatchRoom?
      var ended = 0
      for _ in 0..<10_000 where last?.isOver != true {
        let asked = Guarded(0)
        let told = Guarded(0)
        let played = try await home.playMatchRoom(0, of: plan, in: known) {
          asked.withLock { asked in
            asked += 1
            return asked > 2 * stop
          }
        } onGame: { _ in
          told.withLock { $0 += 1 }
        }
        ended += told.withLock { $0 }
        #expect(played.games.count == ended)
        known = played.room
        last = played
        let stored = try home.match(of: played.room)
        #expect(stored.rooms == [0: played.room] && stored.plan.players == players)
        #expect(try home.storedMatchRoom(0, of: stored).map(moves) == moves(played))
      }
      let end = try #require(last)
      #expect(moves(end) == moves(all))
      #expect(try home.log.rooms(limit: nil).count == 1)
    }
  }

  @Test func thePlanStandsInItsRooms() async throws {
    let home = household()
    var plan = try plan(home, games: 600)
    plan.test = "elo0=0,elo1=5"
    #expect(plan.rooms == 3)
    // The rooms begin in any order, and one may be missing.
    for number in [2, 0] {
      let asked = Guarded(0)
      let room = try await home.playMatchRoom(number, of: plan) {
        asked.withLock { asked in
          asked += 1
          return asked > 9
        }
      }
      #expect(!room.isOver)
    }
    let rooms = try home.log.rooms(limit: nil).map(\.room)
    for room in rooms {
      let stored = try home.match(of: room)
      #expect(stored.rooms.keys.sorted() == [0, 2])
      #expect(stored.plan.games == 600 && stored.plan.test == "elo0=0,elo1=5" && stored.plan.wins == nil)
      #expect(stored.plan.seed == 5 && stored.plan.name == plan.name && stored.plan.players == plan.players)
      #expect(stored.plan.rules.parameters.encoded == plan.rules.parameters.encoded)
      #expect(try home.storedMatchRoom(1, of: stored) == nil)
      #expect(try home.storedMatchRoom(2, of: stored)?.firstGame == 512)
    }
    #expect(try home.newestMatch { _ in true }?.plan.name == plan.name)
    #expect(try home.newestMatch { _ in false } == nil)
  }

  @Test func aMatchToWinsEndsWhereItWouldHave() async throws {
    let whole = household()
    let all = try await whole.playMatchRoom(0, of: plan(whole, games: 60, wins: 4), isCancelled: { false })
    let home = household()
    let plan = try plan(home, games: 60, wins: 4)
    let ended = Guarded(0)
    let part = try await home.playMatchRoom(0, of: plan, isCancelled: { ended.withLock { $0 } >= 3 }) { _ in
      ended.withLock { $0 += 1 }
    }
    #expect(!part.isOver && part.games.count == 3)
    let stored = try home.match(of: part.room)
    #expect(stored.plan.wins == 4)
    let end = try await home.playMatchRoom(0, of: stored.plan, in: part.room, isCancelled: { false })
    #expect(end.isOver && moves(end) == moves(all))
  }

  /// Rooms of the program that played matches before they had names, of tournaments and of people.
  @Test func whatIsNoMatchIsRefused() async throws {
    let home = household()
    var plan = try plan(home)
    plan.name = nil
    let unnamed = try await home.playMatchRoom(0, of: plan, isCancelled: { false })
    let session = try await home.startPlay(
      .init(rules: plan.rules, bots: ["greedy"], order: .first, profile: Profile(name: "Ada"), seed: 1))
    for room in [unnamed.room, session.room] {
      #expect(throws: PeerError.self) { try home.match(of: room) }
    }
    #expect(try home.newestMatch { _ in true } == nil)
    let other = household(home.log, owner: 2)
    let room = try await other.playMatchRoom(0, of: try self.plan(other), isCancelled: { false }).room
    #expect(throws: PeerError.self) { try home.match(of: room) }
    #expect(try other.match(of: room).rooms == [0: room])
  }

  /// Such rooms are replayed in one pass like all others that are played at one table.
  @Test func aRoomOfAMatchIsStraight() async throws {
    let home = household()
    let match = try await home.playMatchRoom(0, of: plan(home), isCancelled: { false })
    let straight = try home.log.straightState(of: match.room, verify: true, home.games)
    var whole = try home.log.projection(of: match.room, home.games)
    #expect(straight?.state.encoded == whole.state.encoded)
    #expect(straight != nil)
  }

  @Test func theWordIsReadAsItIsWritten() throws {
    let name = "00112233445566778899aabbccddeeff"
    for (room, test) in [(0, ""), (2, "elo0=0,elo1=20")] {
      let word = MatchWord(match: name, games: 1000, room: room, test: test)
      #expect(MatchWord(word.text) == word)
    }
    let text = MatchWord(match: name, games: 1000, room: 2, test: "").text
    #expect(text == "room 3 of match \(name) of 1000 games")
    for end in text.indices { #expect(MatchWord(String(text[..<end])) == nil) }
    for wrong in [
      "room 0 of match \(name) of 9 games", "room 1 of match \(name) of 0 games",
      "room 1 of match \(name) of +9 games", "room 01 of match \(name) of 9 games",
      "room 1 of match abc of 9 games",
      text + " ", text + ",  x", "", "hello", "Room 3 of match \(name) of 1000 games",
    ] { #expect(MatchWord(wrong) == nil, "\(wrong)") }
  }
}

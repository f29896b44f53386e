import Events
import Games
import Projection
import Rules
import TestKit
import Testing

/// Positions of games from which other games go on.
@Suite("Branch points")
struct BranchPointTests {
  private static let room = RoomID(Bytes32([UInt8](repeating: 7, count: 32), at: 0))

  /// A series of two games: the first is won with its fifth move, and in the second three moves were made.
  private func games() throws -> [GameRecord] {
    var (script, start) = try RoomScript.started(RoomScript.Room(games: 2))
    let end = try script.play([0, 3, 1, 4, 2], from: start)
    _ = try script.play([4, 0, 8], from: Place(node: end.node, game: 1), first: 1)
    return script.state.games
  }

  private func rules(_ name: String = "tic-tac-toe") throws -> any GameRules {
    try #require(Games.catalog.newest(name)).rules()
  }

  private func fault(_ plies: Int, of game: GameRecord, _ rules: any GameRules) -> BranchFault? {
    do throws(BranchFault) {
      _ = try BranchPoint(after: plies, of: game, in: Self.room, rules)
      return nil
    } catch { return error }
  }

  @Test("Every position but the last of a game that was won, and of one that is on the last too")
  func positions() throws {
    let (games, rules) = (try games(), try rules())
    let played: [(game: GameRecord, codes: [UInt16], last: Int)] = [
      (games[0], [0, 3, 1, 4, 2], 4), (games[1], [4, 0, 8], 3),
    ]
    for (game, codes, last) in played {
      for plies in 0...last {
        let point = try BranchPoint(after: plies, of: game, in: Self.room, rules)
        #expect(point.openings == (plies == 0 ? [] : [Array(codes.prefix(plies))]))
        #expect(
          point.branch
            == Create.Branch(room: Self.room, game: UInt16(game.number), ply: UInt16(plies)))
        // Seat 0 moves first in the new game, whoever did in the old one.
        #expect(point.mover == Seat(UInt16(plies % 2)))
      }
    }
  }

  @Test("A room that is made of a point begins there")
  func roundTrip() throws {
    let point = try BranchPoint(after: 3, of: try games()[1], in: Self.room, try rules())
    let (script, _) = try RoomScript.started(RoomScript.Room(openings: point.openings))
    let game = try #require(script.state.games.first)
    #expect(game.opening == 3 && game.plies.map(\.code.rawValue) == [4, 0, 8])
    #expect(game.turn == .seat(point.mover))
  }

  @Test("What no game can go on from")
  func faults() throws {
    let games = try games()
    #expect(fault(6, of: games[0], try rules()) == .tooFar(game: 1, plies: 5))
    #expect(fault(4, of: games[1], try rules()) == .tooFar(game: 2, plies: 3))
    #expect(fault(-1, of: games[1], try rules()) == .tooFar(game: 2, plies: 3))
    #expect(fault(5, of: games[0], try rules()) == .over)
    #expect(
      fault(1, of: games[0], try rules("prisoners-dilemma"))
        == .opening(.noOpenings(game: "prisoners-dilemma")))
    #expect(fault(0, of: games[0], try rules("memory-match")) != nil)
    // Rules other than the game's: the words stay words.
    #expect(fault(4, of: games[0], try rules("othello")) == .opening(.illegal(place: 1)))
  }
}

import BotKit
import Events
import Games
import Projection
import Rules
import TestKit
import Testing

@Suite("Rounds in the open")
struct OpenRoundTests {
  private func game(rounds: Int = 3, games: Int = 1, noise: Int = 0) throws -> (RoomScript, Place) {
    var room = RoomScript.Room.dilemma(
      rounds: rounds, games: games, referee: TestPeer.rita.id, noise: noise)
    room.hasOpenRounds = true
    return try RoomScript.started(room)
  }

  /// Both choose in a round; alice first.
  private func round(_ script: inout RoomScript, _ place: Place, _ choices: (UInt32, UInt32)) throws -> Place
  {
    var middle = place
    middle.node = try script.move(.alice, choices.0, at: place).id
    return middle.after(try script.move(.bob, choices.1, at: middle))
  }

  @Test("They come to the games that rounds with commitments come to, with half as many events")
  func sameGames() throws {
    for number in 0..<Effort.size(100, quick: 20) {
      var random = RandomStream(seed: UInt64(number))
      var (open, place) = try game(games: 2)
      var (secret, at) = try RoomScript.started(
        .dilemma(rounds: 3, games: 2, referee: TestPeer.rita.id))
      let before = (open.events.count, secret.events.count)
      for game in 0..<2 {
        for _ in 0..<3 {
          let choices = (UInt32(random.below(2)), UInt32(random.below(2)))
          place = try round(&open, place, choices)
          let first = try secret.commit(.alice, seat: 0, choices.0, at: at)
          let second = try secret.commit(.bob, seat: 1, choices.1, at: at)
          let reveal = try secret.reveal(.alice, seat: 0, choices.0, of: first, at: at)
          try secret.reveal(.bob, seat: 1, choices.1, of: second, at: at)
          at = at.after(reveal)
        }
        (place.game, place.ply, at.game, at.ply) = (game + 1, 0, game + 1, 0)
      }
      #expect(open.state.phase == .finished && secret.state.phase == .finished)
      #expect(open.state.games.map(\.ending?.outcome) == secret.state.games.map(\.ending?.outcome))
      #expect(
        open.state.games.map { $0.plies.map(\.codes) } == secret.state.games.map { $0.plies.map(\.codes) })
      #expect(2 * (open.events.count - before.0) == secret.events.count - before.1)
    }
  }

  @Test("One seat chooses after the other; a choice is a ply when it is the round's last")
  func inOrder() throws {
    var (script, place) = try game()
    #expect(script.state.turn == .seat(Seat(0)))
    let early = try script.move(.bob, 0, at: place)
    #expect(script.verdict(early) == .notYourTurn)
    var middle = place
    middle.node = try script.move(.alice, 1, at: place).id
    #expect(script.state.turn == .seat(Seat(1)))
    #expect(script.state.plyCount == 0)
    #expect(script.state.games[0].choosing == SeatSet([Seat(1)]))
    let illegal = try script.move(.bob, 7, at: middle)
    #expect(script.verdict(illegal) == .illegal)
    let last = try script.move(.bob, 0, at: middle)
    #expect(script.verdict(last) == .effective)
    #expect(script.state.plyCount == 1)
    #expect(script.state.tip == last.id)
    #expect(script.state.games[0].plies[0].codes == [MoveCode(1), MoveCode(0)])
  }

  @Test("A commitment has no effect there, nor has a move where chance has a part")
  func otherWays() throws {
    var (script, place) = try game()
    let commit = try script.commit(.alice, seat: 0, 0, at: place)
    #expect(script.verdict(commit) != .effective)
    #expect(script.state.turn == .seat(Seat(0)))
    var (chancy, start) = try game(noise: 10)
    #expect(chancy.state.turn?.isRound == true)
    let move = try chancy.move(.alice, 0, at: start)
    #expect(chancy.verdict(move) == .illegal)
    try chancy.commit(.alice, seat: 0, 0, at: start)
    #expect(chancy.state.round.commit(of: Seat(0)) != nil)
  }

  @Test("A second choice in a round is an offence")
  func twice() throws {
    var (script, place) = try game()
    try script.move(.alice, 0, at: place)
    let second = try script.move(.alice, 1, at: place)
    #expect(script.state.games[0].ending?.cause == .offence(Seat(0)))
    #expect(script.state.games[0].ending?.node == second.id)
  }

  @Test("Whoever leaves between two choices leaves the round undecided")
  func leaving() throws {
    var (script, place) = try game()
    place = try round(&script, place, (0, 0))
    let first = try script.move(.alice, 1, at: place)
    try script.write(.bob, .resign(node: first.id))
    #expect(script.state.games[0].ending?.cause == .resigned(Seat(1)))
    #expect(script.state.games[0].plies.count == 1)
  }

  @Test("What both have signed pins the games, in whichever order all of it comes")
  func anyOrder() throws {
    for seed in 0..<UInt64(Effort.size(60, quick: 15)) {
      var random = RandomStream(seed: seed)
      var (script, place) = try game(rounds: 2, games: 2)
      for number in 0..<2 {
        for _ in 0..<2 {
          place = try round(&script, place, (UInt32(random.below(2)), UInt32(random.below(2))))
        }
        let scores = try #require(script.state.games[number].ending?.outcome?.scores)
        for peer in [TestPeer.alice, .bob] { try script.result(peer, game: number, place.node, scores) }
        (place.game, place.ply) = (number + 1, 0)
      }
      #expect(script.state.games.allSatisfy { $0.isAgreed })
      let deliveries = Deliveries(script.events)
      var projection = try #require(RoomProjection(create: script.create, catalog: Games.catalog))
      for event in deliveries.order(&random) {
        projection.apply(event)
        if random.below(3) == 0 { _ = projection.state }
      }
      #expect(projection.state.encoded == script.state.encoded)
    }
  }
}

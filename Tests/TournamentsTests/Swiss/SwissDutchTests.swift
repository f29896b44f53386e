import TestKit
import Testing

@testable import Tournaments

/// The quick pairing against the text's own procedure, and what must hold of every pairing.
struct SwissDutchTests {
  /// A tournament that is paired and played at random, round by round.
  private struct Play {
    var players: [SwissPlayer]
    let rules: SwissRules
    var random: SeededGenerator

    init(_ count: Int, rounds: Int, seed: UInt64) {
      players = (0..<count).map { SwissPlayer(number: $0 + 1, games: []) }
      rules = SwissRules(rounds: rounds, initialColour: seed.isMultiple(of: 2) ? .white : .black)
      random = SeededGenerator(state: seed)
    }

    mutating func chooseAbsent(percent: Int) {
      for place in players.indices {
        players[place].isPresent = Int.random(in: 0..<100, using: &random) >= percent
      }
    }

    /// Results of a round; some games are won by forfeit, and some who are absent have half a point.
    mutating func play(_ pairing: SwissPairing) {
      for place in players.indices where !players[place].isPresent {
        add(
          nil, nil, isPlayed: false, isPaired: false, points: 5 * Int.random(in: 0...1, using: &random),
          to: place)
      }
      if let bye = pairing.bye { add(nil, nil, isPlayed: false, isPaired: true, points: 10, to: bye) }
      for board in pairing.boards {
        let points = 5 * Int.random(in: 0...2, using: &random)
        let isPlayed = points == 5 || Int.random(in: 0..<20, using: &random) > 0
        add(board.black, .white, isPlayed: isPlayed, isPaired: true, points: points, to: board.white)
        add(board.white, .black, isPlayed: isPlayed, isPaired: true, points: 10 - points, to: board.black)
      }
    }

    private mutating func add(
      _ opponent: Int?, _ colour: SwissColour?, isPlayed: Bool, isPaired: Bool, points: Int, to place: Int
    ) {
      players[place].games.append(
        SwissGame(opponent: opponent, colour: colour, isPlayed: isPlayed, isPaired: isPaired, points: points))
    }
  }

  @Test(arguments: 0..<Effort.size(200, quick: 40)) func pairsAsTheTextDoes(_ seed: Int) throws {
    var play = Play(3 + seed % 6, rounds: 3 + seed / 6 % 5, seed: UInt64(seed))
    for round in 1...play.rules.rounds {
      play.chooseAbsent(percent: seed.isMultiple(of: 3) ? 15 : 0)
      let slow = SlowSwiss(players: play.players, rules: play.rules).pairing()
      do throws(SwissError) {
        let pairing = try SwissDutch(rules: play.rules).pairing(of: play.players)
        let pairs = pairing.boards.map { [$0.white, $0.black].sorted() }.sorted { $0[0] < $1[0] }
        #expect(pairs == slow?.pairs, "round \(round)")
        #expect(pairing.bye == slow?.bye, "round \(round)")
        play.play(pairing)
      } catch {
        #expect(error == .noPairing && slow == nil)
        return
      }
    }
  }

  /// Larger tournaments keep to the absolute criteria, with everybody paired once.
  @Test func absoluteCriteriaHold() throws {
    var play = Play(61, rounds: 7, seed: 5)
    for _ in 0..<play.rules.rounds {
      play.chooseAbsent(percent: 5)
      let pairing = try SwissDutch(rules: play.rules).pairing(of: play.players)
      let seated = pairing.boards.flatMap { [$0.white, $0.black] } + (pairing.bye.map { [$0] } ?? [])
      #expect(seated.sorted() == play.players.indices.filter { play.players[$0].isPresent })
      for board in pairing.boards {
        #expect(!play.players[board.white].games.contains { $0.isPlayed && $0.opponent == board.black })
      }
      if let bye = pairing.bye {
        #expect(!play.players[bye].games.contains { !$0.isPlayed && $0.points == 10 })
      }
      play.play(pairing)
    }
    for player in play.players {
      let colours = player.games.filter(\.isPlayed).compactMap(\.colour)
      #expect(abs(colours.reduce(0) { $0 + ($1 == .white ? 1 : -1) }) <= 3)
    }
  }

  @Test func firstRoundIsTopHalfAgainstBottomHalf() throws {
    let play = Play(7, rounds: 5, seed: 0)
    let pairing = try SwissDutch(rules: play.rules).pairing(of: play.players)
    #expect(pairing.bye == 6)
    #expect(
      pairing.boards == [.init(white: 0, black: 3), .init(white: 4, black: 1), .init(white: 2, black: 5)])
  }

  /// A hundred players of as many scores have met each other and float down to those whom they can meet.
  @Test func tooManyScoresInOneBracketAreRefused() throws {
    let count = 100
    let players = (0..<2 * count).map { place in
      let games = (0..<count).filter { $0 != place }.prefix(count - 1).map { opponent in
        place < count
          ? SwissGame(
            opponent: opponent, colour: opponent.isMultiple(of: 2) ? .white : .black, isPlayed: true,
            isPaired: true, points: count - place)
          : SwissGame(opponent: nil, colour: nil, isPlayed: false, isPaired: false, points: 0)
      }
      return SwissPlayer(number: place + 1, games: games)
    }
    #expect(throws: SwissError.tooManyScores) {
      try SwissDutch(rules: SwissRules(rounds: 200, initialColour: .white)).pairing(of: players)
    }
  }

  @Test func whatCannotBePairedIsSaid() throws {
    var play = Play(2, rounds: 3, seed: 0)
    play.play(SwissPairing(boards: [.init(white: 0, black: 1)], bye: nil))
    play.players[0].games[0].isPlayed = true
    play.players[1].games[0].isPlayed = true
    #expect(throws: SwissError.noPairing) { try SwissDutch(rules: play.rules).pairing(of: play.players) }
    let many = (0...SwissDutch.mostPlayers).map { SwissPlayer(number: $0 + 1, games: []) }
    #expect(throws: SwissError.tooManyPlayers(many.count)) {
      try SwissDutch(rules: play.rules).pairing(of: many)
    }
    for error in [SwissError.noPairing, .tooManyPlayers(1), .tooManyScores] {
      #expect(!error.description.isEmpty)
    }
    #expect(try SwissDutch(rules: play.rules).pairing(of: []) == SwissPairing(boards: [], bye: nil))
  }
}

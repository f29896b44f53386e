import Games
import Rules

/// Games of uniformly random legal moves, from the start to the end, without bots and without a log.
struct RandomGames: Figure {
  let name: String
  /// Random games a second that OpenSpiel 2.0.2 played in C++, measured elsewhere; `nil` for games that it was not
  /// measured with.
  let openSpiel: Double?
  /// Games of a round.
  let games: Int
  /// Plays so many games; compiled for the game, as a host of one game is.
  /// - Returns: how many moves they had, or `nil` where a checked call took one otherwise.
  private let play: @Sendable (_ games: Int, _ random: inout Chance, _ isChecked: Bool) throws -> Int?

  init<R: Rules>(_ type: R.Type, openSpiel: Double?, games: Int) {
    name = "random.\(R.name)"
    self.openSpiel = openSpiel
    self.games = games
    play = { games, random, isChecked in
      var play = RandomPlay(try R(Parameters()))
      for number in 0..<games where !play.game(number, by: &random, isChecked: isChecked) { return nil }
      return play.moves
    }
  }

  var summary: String { "games a second of CPU: random legal moves until the game is over, nothing logged" }

  /// How many games are played through the checked calls first.
  private static let checkedGames = 100

  func measure(_ bench: Bench) async throws {
    let (rounds, count) = (bench.size(5, quick: 1), bench.size(games, quick: max(games / 50, 1)))
    bench.tell("\(name): \(rounds) rounds of \(count) games")
    var random = Chance(seed: 20)
    guard try play(Self.checkedGames, &random, true) != nil else {
      throw BenchFailure.differs(name, "a game has a listed move that the checked calls take otherwise")
    }
    var moves = 0
    let spans = try (0..<rounds).map { _ in
      try Span.of { moves += try play(count, &random, false) ?? 0 }.0
    }
    let value = Double(count) / spans.map(\.cpu).median
    var line = FigureLine(
      name, value: value, unit: "games/s of CPU time", floor: openSpiel, ratio: openSpiel.map { value / $0 })
    if openSpiel != nil {
      line.add("floor_is", .text("OpenSpiel 2.0.2's random games in C++; measured elsewhere"))
    }
    line.add("moves_per_game", .decimal(Double(moves) / Double(rounds * count)))
    line.add("games", .integer(count))
    line.add("rounds", .integer(rounds))
    try bench.print(line)
  }
}

/// Plays random games of one kind.
private struct RandomPlay<R: Rules> {
  let rules: R
  /// Moves and choices played.
  var moves = 0

  init(_ rules: R) { self.rules = rules }

  /// Plays one game; seats begin in turn.
  /// - Returns: whether the checked calls came to the same end, where that was asked for.
  mutating func game(_ number: Int, by random: inout Chance, isChecked: Bool) -> Bool {
    var position = rules.start(first: Seat(UInt16(truncatingIfNeeded: number % rules.seats)))
    let checked = isChecked ? end(from: position, by: random) : nil
    moves += rules.playOut(&position, by: &random)
    return !isChecked || checked == position
  }

  /// Where a game ends that is played move by move through the checked calls; `nil` where one is not listed or refused.
  private func end(from start: R.Position, by chance: Chance) -> R.Position? {
    var (position, random) = (start, chance)
    while true {
      switch rules.turn(in: position) {
      case .over: return position
      case .seat(let seat):
        let move = rules.randomMove(of: seat, in: position, by: &random)
        guard rules.legalMoves(of: seat, in: position).contains(move),
          rules.play(code: rules.code(of: move), by: seat, in: &position) != nil
        else { return nil }
      case .round(let choosing):
        let choices = (0..<rules.seats).map { index -> R.Move? in
          let seat = Seat(UInt16(index))
          guard choosing.contains(seat) else { return nil }
          return rules.randomMove(of: seat, in: position, by: &random)
        }
        rules.resolve(choices, by: &random, in: &position)
      }
    }
  }
}

/// The random games that are measured: every game of turns or rounds.
enum RandomGamesFigures {
  static let all: [any Figure] = [
    RandomGames(TicTacToe.self, openSpiel: 1_720_000, games: 500_000),
    RandomGames(UltimateTicTacToe.self, openSpiel: 109_000, games: 50_000),
    RandomGames(ConnectFour.self, openSpiel: 151_000, games: 200_000),
    RandomGames(KInARow.self, openSpiel: nil, games: 20_000),
    RandomGames(Gomoku.self, openSpiel: 14_600, games: 10_000),
    RandomGames(Othello.self, openSpiel: 4_500, games: 10_000),
    RandomGames(PrisonersDilemma.self, openSpiel: nil, games: 2_000),
    RandomGames(MemoryMatch.self, openSpiel: nil, games: 5_000),
  ]
}

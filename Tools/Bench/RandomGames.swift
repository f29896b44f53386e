import Games
import Rules

/// Games of uniformly random legal moves, from the start to the end, without bots and without a log.
struct RandomGames<R: Rules>: Figure {
  /// Random games a second that OpenSpiel 2.0.2 played in C++, measured elsewhere; `nil` for games that it was not
  /// measured with.
  let openSpiel: Double?
  /// Games of a round.
  let games: Int

  var name: String { "random.\(R.name)" }
  var summary: String { "games a second of CPU: random legal moves until the game is over, nothing logged" }

  /// How many games are played through the checked calls first.
  private static var checkedGames: Int { 100 }

  func measure(_ bench: Bench) async throws {
    let (rounds, count) = (bench.size(5, quick: 1), bench.size(games, quick: max(games / 50, 1)))
    bench.tell("\(name): \(rounds) rounds of \(count) games")
    let rules = try R(Parameters())
    var random = Chance(seed: 20)
    var play = RandomPlay(rules)
    for number in 0..<Self.checkedGames {
      guard play.game(number, by: &random, isChecked: true) else {
        throw BenchFailure.differs(
          name, "game \(number) has a listed move that the checked calls take otherwise")
      }
    }
    play.moves = 0
    let spans = (0..<rounds).map { _ in
      Span.of { for number in 0..<count { _ = play.game(number, by: &random, isChecked: false) } }.0
    }
    let value = Double(count) / spans.map(\.cpu).median
    var line = FigureLine(
      name, value: value, unit: "games/s of CPU time", floor: openSpiel, ratio: openSpiel.map { value / $0 })
    if openSpiel != nil {
      line.add("floor_is", .text("OpenSpiel 2.0.2's random games in C++; measured elsewhere"))
    }
    line.add("moves_per_game", .decimal(Double(play.moves) / Double(rounds * count)))
    line.add("games", .integer(count))
    line.add("rounds", .integer(rounds))
    try bench.print(line)
  }
}

/// Plays random games of one kind; the lists that it needs are made once.
private struct RandomPlay<R: Rules> {
  let rules: R
  /// Moves and choices played.
  var moves = 0
  private var legal: [R.Move] = []

  init(_ rules: R) {
    self.rules = rules
    legal.reserveCapacity(512)
  }

  /// Plays one game; seats begin in turn.
  /// - Returns: whether every move was taken by the checked calls as well, where that was asked for.
  mutating func game(_ number: Int, by random: inout Chance, isChecked: Bool) -> Bool {
    var position = rules.start(first: Seat(UInt16(number % rules.seats)))
    while true {
      switch rules.turn(in: position) {
      case .over: return true
      case .seat(let seat):
        let move = choose(seat, in: position, by: &random)
        var checked = position
        rules.play(move, in: &position)
        guard isChecked else { continue }
        guard rules.play(code: rules.code(of: move), by: seat, in: &checked) != nil, checked == position
        else {
          return false
        }
      case .round(let choosing):
        let choices = (0..<rules.seats).map { index -> R.Move? in
          let seat = Seat(UInt16(index))
          return choosing.contains(seat) ? choose(seat, in: position, by: &random) : nil
        }
        rules.resolve(choices, by: &random, in: &position)
      }
    }
  }

  private mutating func choose(_ seat: Seat, in position: R.Position, by random: inout Chance) -> R.Move {
    legal.removeAll(keepingCapacity: true)
    rules.forEachMove(of: seat, in: position) { legal.append($0) }
    moves += 1
    return legal[Int(random.below(UInt64(legal.count)))]
  }
}

/// The random games that are measured: every game of turns or rounds.
enum RandomGamesFigures {
  static let all: [any Figure] = [
    RandomGames<TicTacToe>(openSpiel: 1_720_000, games: 500_000),
    RandomGames<UltimateTicTacToe>(openSpiel: 109_000, games: 50_000),
    RandomGames<ConnectFour>(openSpiel: 151_000, games: 200_000),
    RandomGames<KInARow>(openSpiel: nil, games: 20_000),
    RandomGames<Gomoku>(openSpiel: 14_600, games: 10_000),
    RandomGames<Othello>(openSpiel: 4_500, games: 10_000),
    RandomGames<PrisonersDilemma>(openSpiel: nil, games: 2_000),
    RandomGames<MemoryMatch>(openSpiel: nil, games: 5_000),
  ]
}

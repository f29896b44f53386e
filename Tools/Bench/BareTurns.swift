import BotKit
import Games
import PrisonersDilemmaBots
import Rules

/// Rounds of the prisoner's dilemma between strategies of memory one, without a log, on one core.
struct BareTurns: Figure {
  let name = "dilemma.bare-turns"

  var summary: String { "rounds a second of CPU time: five strategies of memory one, each against each" }

  private static let strategies = [
    "tit-for-tat", "win-stay-lose-shift", "suspicious-tit-for-tat", "bully", "anti-tit-for-tat",
  ]

  func measure(_ bench: Bench) async throws {
    let strategies = Self.strategies.compactMap { name in Strategy.all.first { $0.name == name } }
    guard strategies.count == Self.strategies.count else {
      throw BenchFailure.differs(name, "there are \(strategies.count) of the strategies")
    }
    var parameters = Parameters()
    (parameters["rounds"], parameters["payoffs"]) = ("200", "axelrod")
    let game = try PrisonersDilemma(parameters)
    let players = strategies.map { BarePlayer($0, in: game) }
    let count = bench.size(2_000, quick: 20)
    bench.tell("\(name): \(count) round robins of games of 200 rounds")
    var (rounds, score): (Int, Int) = (0, 0)
    let span = Span.of {
      for number in 0..<UInt32(count) {
        let place = RandomSource(seed: 1, game: number, seat: Seat(0), ply: 0)
        for one in players {
          for other in players {
            let position = one.play(other, at: place)
            rounds += position.roundsPlayed
            score += Int(position.scores[0])
          }
        }
      }
    }.0
    // The first two cooperate for ever, which is 3 a round for each of them; whoever counts is seen here.
    guard score >= count * 4 * 600, rounds == count * 25 * 200 else {
      throw BenchFailure.differs(name, "\(rounds) rounds with a score of \(score)")
    }
    let line = FigureLine(
      name, value: Double(rounds) / span.cpu, unit: "rounds a second of CPU time", floor: nil, ratio: nil)
    try bench.print(line)
  }
}

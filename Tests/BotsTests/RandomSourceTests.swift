import BotKit
import Rules
import Testing

@Suite struct RandomStreamTests {
  /// The published outputs of SplitMix64 for the seed 1234567.
  @Test func publishedVector() {
    var stream = RandomStream(seed: 1_234_567)
    let numbers = (0..<5).map { _ in stream.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  @Test func sameSeedSameStream() {
    var (a, b, c) = (RandomStream(seed: 7), RandomStream(seed: 7), RandomStream(seed: 8))
    let (first, second, third) = (
      (0..<100).map { _ in a.next() }, (0..<100).map { _ in b.next() }, (0..<100).map { _ in c.next() }
    )
    #expect(first == second)
    #expect(Set(first).isDisjoint(with: third))
  }

  @Test(arguments: [1, 2, 3, 7, 10, 1000, 1 << 32, (1 << 63) + 1, UInt64.max] as [UInt64])
  func belowStaysInRange(bound: UInt64) {
    var stream = RandomStream(seed: bound)
    for _ in 0..<1000 { #expect(stream.below(bound) < bound) }
  }

  /// Chi-squared of 100,000 draws below the bound against its 99.99 % quantile, in whole numbers.
  @Test(arguments: [(2, 15), (3, 18), (6, 26), (7, 28), (10, 34), (100, 161)])
  func belowIsUniform(bound: Int, quantile: Int) {
    var stream = RandomStream(seed: 99)
    var counts = [Int](repeating: 0, count: bound)
    let draws = 100_000
    for _ in 0..<draws { counts[Int(stream.below(UInt64(bound)))] += 1 }
    let squares = counts.reduce(0) { $0 + ($1 * bound - draws) * ($1 * bound - draws) }
    #expect(squares < quantile * draws * bound, "\(counts)")
  }

  /// With a bound of three quarters of 2^64, taking the remainder or the product alone would favour a third
  /// of the numbers twofold.
  @Test func belowRejectsWhatWouldBias() {
    var stream = RandomStream(seed: 5)
    let quarter: UInt64 = 1 << 62
    var counts = [0, 0, 0]
    var residues = [0, 0, 0]
    for _ in 0..<30_000 {
      let number = stream.below(3 * quarter)
      counts[Int(number / quarter)] += 1
      residues[Int(number % 3)] += 1
    }
    for count in counts + residues { #expect((9_600...10_400).contains(count), "\(counts) \(residues)") }
  }
}

@Suite struct RandomSourceTests {
  private let base = RandomSource(seed: 1, seat: Seat(0), ply: 0)

  private func first(_ source: RandomSource) -> UInt64 {
    var generator = source.generator()
    return generator.next()
  }

  @Test func eachCallStartsTheStreamAgain() {
    var (a, b) = (base.generator(), base.generator())
    for _ in 0..<10 { #expect(a.next() == b.next()) }
  }

  @Test func everyPartChangesTheStream() {
    let others = [
      RandomSource(seed: 2, seat: Seat(0), ply: 0), RandomSource(seed: 1, round: 1, seat: Seat(0), ply: 0),
      RandomSource(seed: 1, pairing: 1, seat: Seat(0), ply: 0),
      RandomSource(seed: 1, game: 1, seat: Seat(0), ply: 0),
      RandomSource(seed: 1, seat: Seat(1), ply: 0), RandomSource(seed: 1, seat: Seat(0), ply: 1),
    ]
    #expect(Set(others.map(first) + [first(base)]).count == 7)
  }

  /// A grid of decisions, also at the ends of the ranges: no two draw the same first number.
  @Test func decisionsOfATournamentDiffer() {
    let parts: [UInt32] = [0, 1, 2, 255, .max]
    var numbers: Set<UInt64> = []
    for seed in [0, 1, UInt64.max] {
      for round in parts {
        for pairing in parts {
          for game in parts {
            for seat in [Seat(0), Seat(1), Seat(255)] {
              for ply in parts {
                numbers.insert(
                  first(
                    RandomSource(seed: seed, round: round, pairing: pairing, game: game, seat: seat, ply: ply)
                  ))
              }
            }
          }
        }
      }
    }
    #expect(numbers.count == 3 * 625 * 3)
  }

  /// Fixed for ever: games replay from these numbers.
  @Test func streamsNeverChange() {
    let source = RandomSource(seed: 42, round: 1, pairing: 2, game: 3, seat: Seat(1), ply: 5)
    var generator = source.generator()
    #expect(
      [first(base), generator.next(), generator.next()] == [
        18_167_412_353_352_935_020, 2_322_289_452_275_286_002, 17_524_152_699_378_482_981,
      ])
  }
}

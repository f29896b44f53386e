import Rules
import Testing

@testable import Evolution

/// Processes worked out by hand, and what is known of their ends.
@Suite struct EvolutionTests {
  /// Ten rounds of tit-for-tat (kind 0) and a defector (kind 1) with payoffs 5, 3, 1, 0.
  private static let dilemma = GainTable([[30, 9], [14, 10]])
  /// Kind 0 is twice as fit as kind 1, whoever it meets.
  private static let twice = GainTable([[2, 2], [1, 1]])

  private func process(
    _ table: GainTable, _ counts: [Int], mutation: Int = 0, seed: UInt64
  ) -> MoranProcess {
    MoranProcess(table, counts: counts, mutation: mutation, chance: Chance(seed: seed))
  }

  // MARK: - Ecology

  /// From equal shares kind 0 gains 39/2 and kind 1 12 of a mean of 63/4: the shares are 13/21 and 8/21.
  @Test func generationsByHand() {
    var ecology = Ecology(Self.dilemma, weights: [1, 1])
    #expect(ecology.shares == [0.5, 0.5])
    ecology.advance()
    #expect(ecology.shares == [0.5 * 19.5 / 15.75, 0.5 * 12 / 15.75])
    #expect(abs(ecology.shares[0] - 13.0 / 21) < 1e-15)
    // 13/21 and 8/21 gain 462/21 and 262/21; the mean is 8102/441.
    ecology.advance()
    #expect(abs(ecology.shares[0] - 6006.0 / 8102) < 1e-15 && ecology.generation == 2)
  }

  /// The bits themselves: another order of sums, or a fused multiplication, gives others.
  @Test func theSameBitsEverywhere() {
    var ecology = Ecology(GainTable([[3, 0, 7], [5, 1, 2], [1, 6, 2]]), weights: [3, 1, 2])
    for _ in 0..<50 { ecology.advance() }
    #expect(
      ecology.shares.map(\.bitPattern) == [
        0x3FD8_69BD_016D_1487, 0x3FD4_890B_86C5_5B81, 0x3FD3_0D37_77CD_8FF7,
      ])
    #expect(abs(ecology.shares.reduce(0, +) - 1) < 1e-12)
  }

  @Test func defectorsTakeOverCooperators() {
    let table = GainTable([[3, 0], [5, 1]])
    var ecology = Ecology(table, weights: [99, 1])
    for _ in 0..<100 { ecology.advance() }
    #expect(ecology.shares[1] > 0.999)
    let takeovers = (0..<200 as Range<UInt64>).count { seed in
      var process = process(table, [9, 1], seed: seed)
      while process.fixed == nil { process.step() }
      return process.fixed == 1
    }
    // A neutral one would take over 20 times.
    #expect(takeovers > 60, "\(takeovers)")
  }

  @Test func nobodyGainsAnything() {
    let nothing = GainTable([[0, 0], [0, 0]])
    var ecology = Ecology(nothing, weights: [1, 3])
    ecology.advance()
    #expect(ecology.shares == [0.25, 0.75])
    var process = process(nothing, [5, 5], seed: 1)
    while process.fixed == nil { process.step() }
    #expect(process.counts.reduce(0, +) == 10)
  }

  // MARK: - Moran

  /// One individual of four that is r = 2 times as fit takes over with probability (1 - 1/r) / (1 - 1/r⁴) = 8/15.
  @Test func fixationByTheFormula() {
    let runs = 4_000
    let takeovers = (0..<UInt64(runs)).count { seed in
      var process = process(Self.twice, [1, 3], seed: seed)
      while process.fixed == nil { process.step() }
      return process.fixed == 0
    }
    let error = 5 * (8.0 / 15 * 7 / 15 / Double(runs)).squareRoot()
    #expect(abs(Double(takeovers) / Double(runs) - 8.0 / 15) < error, "\(takeovers) of \(runs)")
  }

  /// In ten rounds with a defector, the sum of fitness at each number of tit-for-tat of five, by hand: the first
  /// step from two of five goes up with probability 2·57/(2·57+3·48) · 3/5.
  @Test func oneStepByHand() {
    let runs = 20_000
    var after = [0, 0, 0]
    for seed in 0..<UInt64(runs) {
      var process = process(Self.dilemma, [2, 3], seed: seed)
      process.step()
      after[process.counts[0] - 1] += 1
    }
    let (up, down) = (114.0 / 258 * 3 / 5, 144.0 / 258 * 2 / 5)
    for (count, expected) in zip(after, [down, 1 - up - down, up]) {
      let error = 5 * (expected * (1 - expected) / Double(runs)).squareRoot()
      #expect(abs(Double(count) / Double(runs) - expected) < error, "\(after)")
    }
  }

  /// In long games one tit-for-tat of ten takes over from defectors more often than the one in ten of chance.
  @Test func titForTatInvadesDefectors() {
    // A hundred rounds: 300 with itself, 99 against a defector, who gets 104, and 100 from its like.
    let table = GainTable([[300, 99], [104, 100]])
    let runs = 1_000
    let takeovers = (0..<UInt64(runs)).count { seed in
      var process = process(table, [1, 9], seed: seed)
      while process.fixed == nil { process.step() }
      return process.fixed == 0
    }
    #expect(takeovers > runs / 10 + 50, "\(takeovers) of \(runs)")
  }

  @Test func theSameSeedTheSameSteps() {
    var one = process(Self.dilemma, [6, 6], mutation: 20, seed: 5)
    var same = one
    var other = process(Self.dilemma, [6, 6], mutation: 20, seed: 6)
    var courses: [[Int]] = [[], [], []]
    for _ in 0..<500 {
      one.step()
      same.step()
      other.step()
      courses[0].append(one.counts[0])
      courses[1].append(same.counts[0])
      courses[2].append(other.counts[0])
    }
    #expect(courses[0] == courses[1] && courses[0] != courses[2])
    #expect(courses[0].allSatisfy { (0...12).contains($0) } && one.steps == 500)
  }

  /// Where each child is of another kind, all of one kind do not stay so.
  @Test func mutationLeadsBack() {
    var process = process(Self.dilemma, [4, 0], mutation: 1_000, seed: 3)
    #expect(process.fixed == 0)
    process.step()
    #expect(process.counts == [3, 1] && process.fixed == nil)
  }

  /// The fitness that is kept from step to step is that of a population that begins so.
  @Test func fitnessIsKeptRight() {
    let table = GainTable([[3, 0, 9], [5, 1, 0], [2, 8, 4]])
    var process = process(table, [4, 4, 4], mutation: 300, seed: 11)
    for _ in 0..<300 {
      let fresh = self.process(table, process.counts, seed: 0)
      #expect(process.fitness == fresh.fitness)
      process.step()
    }
  }

  // MARK: - Course

  @Test func aCourseKeepsMomentsFarApart() {
    for (limit, last) in [(2, 0), (2, 1), (4, 3), (4, 4), (4, 5), (8, 1_000)] {
      var course = Course<Int>(limit: limit)
      for time in 0...last { course.take(time, [time], isLast: time == last) }
      let times = course.moments.map(\.time)
      #expect(times.first == 0 && times.last == last && times.count <= limit + 1, "\(times)")
      #expect(Set(zip(times, times.dropFirst().dropLast()).map { $1 - $0 }).count <= 1, "\(times)")
      #expect(course.moments.allSatisfy { $0.numbers == [$0.time] })
    }
  }
}

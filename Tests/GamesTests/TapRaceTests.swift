import BotKit
import Games
import Rules
import TestKit
import Testing

@Suite("The tap race") struct TapRaceTests {
  private typealias Batch = (player: UInt16, milliseconds: UInt32, taps: UInt16)

  private func race(_ name: String, _ value: Int) throws -> TapRace {
    var parameters = Parameters()
    parameters[name] = "\(value)"
    return try TapRace(parameters)
  }

  private func round(_ batches: [Batch], closed: UInt32 = .max) -> HostedRound {
    HostedRound(
      content: [], solution: [], limitMilliseconds: 10_000, closedMilliseconds: closed,
      entries: batches.map {
        .init(player: $0.player, milliseconds: $0.milliseconds, choice: TapRace.batch($0.taps))
      })
  }

  /// The taps of each player that count, by number.
  private func taps(_ race: TapRace, _ batches: [Batch], closed: UInt32 = .max) -> [UInt16: UInt32] {
    Dictionary(race.counts(round(batches, closed: closed)).map { ($0.player, $0.count) }) { $1 }
  }

  // MARK: - The rate

  @Test("Twenty taps a second count, to the millisecond")
  func rate() throws {
    let race = try race("seconds", 60)
    for (time, most) in [
      (0, 0), (49, 0), (50, 1), (99, 1), (100, 2), (999, 19), (1_000, 20), (60_000, 1_200),
    ] {
      #expect(taps(race, [(0, UInt32(time), 1_000), (0, UInt32(time), 1_000)])[0] ?? 0 == most, "\(time) ms")
    }
    #expect(TapRace.allowance(until: .max) == 85_899_345)
  }

  @Test("What is claimed too early is lost, and what is tapped slower than the rate all counts")
  func lost() throws {
    let race = try race("seconds", 10)
    #expect(taps(race, [(0, 100, 50), (0, 10_000, 1)]) == [0: 3])
    #expect(taps(race, (1...50).map { (0, 200 * $0, 4) }) == [0: 200])
    // A batch that was held up on its way counts as a whole: nobody can show when the taps were.
    #expect(taps(race, [(0, 9_000, 100), (0, 9_000, 12)]) == [0: 112])
  }

  /// Tap by tap, millisecond by millisecond.
  private func slowly(_ batches: [Batch], until end: UInt32) -> [UInt16: UInt32] {
    var counted: [UInt16: UInt32] = [:]
    var allowed: UInt32 = 0
    for time in 0...end {
      if time > 0, time % 50 == 0 { allowed += 1 }
      for batch in batches where batch.milliseconds == time {
        for _ in 0..<batch.taps where counted[batch.player, default: 0] < allowed {
          counted[batch.player, default: 0] += 1
        }
      }
    }
    return counted
  }

  @Test("The count is that of a slow reference; claims and splits never bring more than the rate")
  func property() throws {
    let race = try race("seconds", 3)
    for seed in 0..<Effort.size(2_000, quick: 100) {
      var random = RandomStream(seed: UInt64(seed))
      let batches = (0..<Int(1 + random.below(30))).map { _ in
        Batch(UInt16(random.below(4)), UInt32(random.below(3_400)), UInt16(1 + random.below(12)))
      }.sorted { $0.milliseconds < $1.milliseconds }
      let counted = taps(race, batches, closed: 3_200)
      #expect(counted == slowly(batches, until: 3_000), "seed \(seed)")
      // The same taps in more batches, at the same moments.
      let split = batches.flatMap { batch in
        (0..<batch.taps).map { _ in Batch(batch.player, batch.milliseconds, 1) }
      }
      #expect(taps(race, split, closed: 3_200) == counted, "seed \(seed)")
      let inflated = batches.map { Batch($0.player, $0.milliseconds, UInt16(1 + random.below(1_000))) }
      for (player, count) in taps(race, inflated, closed: 3_200) {
        let last = batches.last { $0.player == player && $0.milliseconds <= 3_000 }?.milliseconds ?? 0
        #expect(count <= TapRace.allowance(until: last) && count <= 60, "seed \(seed)")
      }
    }
  }

  // MARK: - Who wins

  @Test("Who first has all taps wins, by the order of receipts; then come those who have most")
  func firstToTaps() throws {
    let race = try race("taps", 5)
    let batches: [Batch] = [(2, 400, 4), (0, 500, 9), (1, 500, 5), (2, 500, 1), (3, 600, 2)]
    #expect(race.counts(round(batches)).map(\.player) == [0, 1, 2, 3])
    #expect(race.counts(round(batches)).map(\.count) == [5, 5, 5, 2])
    #expect(race.counts(round(batches)).map(\.place) == [1, 2, 3, 4])
    #expect(race.points(round(batches)) == [0, 25, 18, 15, 12])
    #expect(!race.isDecided(round(Array(batches[..<1]))) && race.isDecided(round(Array(batches[..<2]))))
  }

  @Test("After the seconds who has most wins; equal taps are equal places, and the next place is left out")
  func mostTaps() throws {
    let race = try race("seconds", 10)
    let batches: [Batch] = [(3, 1_000, 7), (1, 2_000, 7), (0, 3_000, 9), (2, 10_000, 1), (2, 10_001, 9)]
    #expect(race.counts(round(batches)).map(\.player) == [0, 1, 3, 2])
    #expect(race.counts(round(batches)).map(\.place) == [1, 2, 2, 4])
    #expect(race.points(round(batches)) == [18, 18, 25, 12, 0])
    #expect(!race.isDecided(round(batches)))
    // What comes behind the close counts nothing, however early that was.
    #expect(race.points(round(batches, closed: 2_999)) == [25, 25, 0, 0, 0])
  }

  @Test("Eleven players and more: who is behind the tenth has no points, and who has no taps has no place")
  func places() throws {
    let race = try race("seconds", 3)
    let batches = (0..<16).map { Batch($0, 3_000, 16 - $0) }
    #expect(race.points(round(batches)) == [25, 18, 15, 12, 10, 8, 6, 4, 2, 1, 0, 0, 0, 0, 0, 0])
    #expect(race.points(round([(0, 49, 1)])) == [0] && race.counts(round([(0, 49, 1)])).isEmpty)
  }

  // MARK: - Bytes and settings

  @Test("A batch is two bytes, from one tap to a thousand")
  func batches() {
    for taps in 0...UInt16.max {
      let bytes = [UInt8(taps >> 8), UInt8(taps & 0xFF)]
      let isBatch = (1...1_000).contains(taps)
      #expect(TapRace().isEntry(bytes, in: []) == isBatch && TapRace.batch(taps) == (isBatch ? bytes : nil))
    }
    #expect([[], [1], [0, 1, 0]].allSatisfy { !TapRace().isEntry($0, in: []) })
    #expect(
      ["1", "1000", "0", "1001", "01", "+1", "x", ""].map { TapRace().entry(text: $0, in: []) }
        == [[0, 1], [3, 232], nil, nil, nil, nil, nil, nil])
    #expect(TapRace().question([0]) == nil && TapRace().question([])?.goal == 50)
    #expect(!TapRace().isSolution([0], of: []))
  }

  @Test("Settings have one spelling, and wrong ones are refused with words")
  func settings() throws {
    #expect(try TapRace(Parameters()).parameters.encoded == Array("taps=50\n".utf8))
    #expect(try race("seconds", 10).parameters.encoded == Array("seconds=10\n".utf8))
    for (name, values) in [("taps", [0, 1_001]), ("seconds", [2, 61]), ("races", [3])] {
      for value in values { #expect(throws: RulesError.self) { try self.race(name, value) } }
    }
    var both = Parameters()
    (both["taps"], both["seconds"]) = ("50", "10")
    #expect(throws: RulesError.self) { try TapRace(both) }
    // As many batches as a program may send fit into a room of sixteen players.
    for race in [try race("taps", 1_000), try race("seconds", 60)] {
      #expect(16 * UInt32(race.limitBatches) <= UInt32(UInt16.max))
      #expect(UInt32(race.limitBatches) * TapRace.batchMilliseconds > race.limitMilliseconds)
    }
  }
}

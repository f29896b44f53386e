import BotKit
import Foundation
import Games
import Rules
import TapRaceBots
import TestKit
import Testing

/// The bots of tap races: their levels, and that they tap as hands do.
@Suite struct TapRaceBotTests {
  /// When a bot taps within so many milliseconds.
  private func moments(_ level: Int, seed: UInt64, race: UInt32 = 1, until end: UInt32) -> [UInt32] {
    var bot = TapRaceBot(level: level, seed: seed, race: race)
    var moments: [UInt32] = []
    for millisecond in 0...end {
      let taps = bot.taps(until: millisecond)
      moments += Array(repeating: millisecond, count: taps - moments.count)
    }
    return moments
  }

  @Test func theSeedTheRaceAndTheLevelSayWhenItTaps() {
    let taps = moments(5, seed: 7, until: 10_000)
    #expect(taps == moments(5, seed: 7, until: 10_000))
    #expect(taps != moments(5, seed: 8, until: 10_000) && taps != moments(5, seed: 7, race: 2, until: 10_000))
    // However often it is asked.
    var asked = TapRaceBot(level: 5, seed: 7, race: 1)
    for (index, millisecond) in stride(from: UInt32(0), through: 10_000, by: 200).enumerated() {
      #expect(asked.taps(until: millisecond) == taps.count { $0 <= millisecond }, "batch \(index)")
    }
  }

  /// The first tap takes a moment, gaps differ, and nobody taps quicker than the quickest hands.
  @Test(arguments: TapRaceBot.levels) func itTapsAsHandsDo(_ level: Int) throws {
    for seed in 0..<UInt64(Effort.size(300, quick: 10)) {
      let taps = moments(level, seed: seed, until: 20_000)
      #expect(try (200..<351).contains(#require(taps.first)))
      let gaps = zip(taps, taps.dropFirst()).map { $1 - $0 }
      #expect(gaps.allSatisfy { $0 >= 50 } && Set(gaps).count > 15)
      for (index, tap) in taps.enumerated() {
        #expect(taps[index...].prefix { $0 < tap + 1_000 }.count <= 16)
        #expect(index + 1 <= TapRace.allowance(until: tap))
      }
    }
  }

  @Test func itTires() {
    for level in [1, 5, 10] {
      var (early, late) = (0, 0)
      for seed in 0..<UInt64(200) {
        var bot = TapRaceBot(level: level, seed: seed, race: 1)
        let first = bot.taps(until: 1_000)
        let second = bot.taps(until: 10_000)
        early += second - first
        late += bot.taps(until: 19_000) - second
      }
      #expect(late < early)
    }
  }

  // MARK: - Each level against the one below

  private static let races = 1_000

  /// The place of each of two players in a race to fifty taps. Both say every 200 milliseconds what they have.
  private func race(_ levels: [Int], number: Int) -> [Int] {
    var numbers = RandomStream(seed: UInt64(number))
    var bots = levels.enumerated().map { index, level in
      TapRaceBot(level: level, seed: UInt64(2 * number + index), race: 1)
    }
    let interval = UInt64(TapRace.batchMilliseconds)
    let phases = bots.map { _ in UInt32(numbers.below(interval)) }
    var order = Array(bots.indices)
    order.sort { phases[$0] < phases[$1] }
    var (sent, entries) = ([0, 0], [HostedRound.Entry]())
    let rules = TapRace()
    for tick in UInt32(0)... {
      for player in order where !sent.contains(50) {
        let now = tick * TapRace.batchMilliseconds + phases[player]
        let taps = min(bots[player].taps(until: now), Int(TapRace.allowance(until: now)), 50) - sent[player]
        guard taps > 0 else { continue }
        sent[player] += taps
        let choice = TapRace.batch(UInt16(taps))
        entries.append(.init(player: UInt16(player), milliseconds: now, choice: choice))
      }
      if sent.contains(50) { break }
    }
    let round = HostedRound(
      content: [], solution: [], limitMilliseconds: rules.limitMilliseconds,
      closedMilliseconds: entries.last?.milliseconds ?? 0, entries: entries)
    let places = rules.counts(round)
    return bots.indices.map { index in places.first { $0.player == index }?.place ?? 3 }
  }

  /// Taps a second over ten seconds, with one digit.
  private func speed(_ level: Int) -> String {
    let taps = (0..<Self.races).reduce(0) { sum, seed in
      var bot = TapRaceBot(level: level, seed: UInt64(seed), race: 1)
      return sum + bot.taps(until: 10_000)
    }
    let tenths = taps / Self.races
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Docs/LEVELS.md holds the table; `PARLOR_WRITE_SNAPSHOTS=1` writes it.
  @Test func eachLevelBeatsTheOneBelow() throws {
    var lines = [
      "| level | against | races | won | lost | taps a second |", "| --- | --- | --- | --- | --- | --- |",
    ]
    for level in TapRaceBot.levels.dropFirst() {
      // Who is first in the order of players alternates.
      let won = (0..<Self.races).count { number in
        let isFirst = number.isMultiple(of: 2)
        let places = race(isFirst ? [level, level - 1] : [level - 1, level], number: number)
        return places[isFirst ? 0 : 1] == 1
      }
      #expect(won > Self.races * 9 / 10, "level \(level) wins \(won)")
      lines.append(
        "| \(level) | \(level - 1) | \(Self.races) | \(won) | \(Self.races - won) | \(speed(level)) |")
    }
    let table = lines.joined(separator: "\n")
    let file = PackageFolder.file("Docs/LEVELS.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: "| level | against | races |"))
    let end =
      text.range(of: "\n\n", range: start.lowerBound..<text.endIndex)?.lowerBound
      ?? text.index(before: text.endIndex)
    if ProcessInfo.processInfo.environment["PARLOR_WRITE_SNAPSHOTS"] == nil {
      #expect(text[start.lowerBound..<end] == table, "PARLOR_WRITE_SNAPSHOTS=1 writes the table")
    } else {
      let written = text.replacingCharacters(in: start.lowerBound..<end, with: table)
      try Data(written.utf8).write(to: file, options: .atomic)
    }
  }
}

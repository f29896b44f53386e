import Synchronization
import Terminal
import TestKit
import Testing

@Suite struct ProgressTests {
  @Test func aTerminalGetsABarAtMostTenTimesASecond() {
    var progress = Progress(label: "playing", unit: "games", total: 200, isTerminal: true, now: 5000)
    #expect(
      progress.advance(to: 0, now: 5000) == .status("playing [░░░░░░░░░░░░░░░░░░░░░░░░░░░░] 0/200 games"))
    #expect(progress.advance(to: 1, now: 5099) == nil)
    #expect(
      progress.advance(to: 50, now: 15_000)
        == .status("playing [███████░░░░░░░░░░░░░░░░░░░░░] 50/200 games, 5.0/s, 30.0 s left"))
    #expect(progress.advance(to: 51, now: 15_050) == nil)
    #expect(
      progress.advance(to: 200, now: 15_051, columns: 50, drawing: Drawing(hasUnicode: false))
        == .status("playing [############] 200/200 games, took 10.0 s"))
    var updates = 0
    for now in Int64(20_000)..<21_000 where progress.advance(to: 100, now: now) != nil { updates += 1 }
    #expect(updates == 10)
  }

  @Test func elsewhereFiveLinesAtMost() {
    var progress = Progress(label: "playing", unit: "games", total: 1000, isTerminal: false, now: 0)
    var lines: [String] = []
    for done in 0...1000 {
      if case .line(let text) = progress.advance(to: done, now: Int64(done) * 10) { lines.append(text) }
    }
    #expect(
      lines == [
        "playing: 0/1000 games, 0 %",
        "playing: 250/1000 games, 25 %, 100.0/s, 7.5 s left",
        "playing: 500/1000 games, 50 %, 100.0/s, 5.0 s left",
        "playing: 750/1000 games, 75 %, 100.0/s, 2.5 s left",
        "playing: 1000/1000 games, 100 %, took 10.0 s",
      ])
  }

  @Test func aContinuedRunCountsOnlyItsOwnWork() {
    var progress = Progress(label: "p", unit: "g", total: 100, done: 90, isTerminal: false, now: 0)
    #expect(progress.advance(to: 95, now: 5000) == .line("p: 95/100 g, 95 %, 1.0/s, 5.0 s left"))
  }

  @Test func whatTurnsUpMeanwhileIsNoRate() {
    var progress = Progress(label: "p", unit: "g", total: 100, isTerminal: false, now: 0)
    progress.include(before: 40, more: 60)
    #expect(progress.done == 40)
    #expect(progress.advance(to: 50, now: 5000) == .line("p: 50/160 g, 31 %, 2.0/s, 55.0 s left"))
    progress.include(before: -1, more: -1)
    #expect(progress.done == 50)
    progress.include(before: 1000, more: 0)
    #expect(progress.done == 160)
    #expect(progress.advance(to: 160, now: 6000) == .line("p: 160/160 g, 100 %, took 6.0 s"))
  }

  /// After a tenth of the work the time left is right within a factor of two, as long as what comes takes as long on
  /// average as what was done: things of which the longest take twenty times as long as the shortest, in any order. Of
  /// the last few the average says little.
  @Test(arguments: 1...UInt64(Effort.size(200, quick: 40)))
  func theTimeLeftIsRightWithinAFactorOfTwo(_ seed: UInt64) throws {
    var random = SeededGenerator(state: seed)
    let total = 300
    let costs = (0..<total).map { _ in Int64.random(in: 50...1000, using: &random) }
    let end = costs.reduce(0, +)
    var progress = Progress(label: "p", unit: "g", total: total, isTerminal: true, now: 0)
    var now: Int64 = 0
    for (index, cost) in costs.enumerated() {
      now += cost
      guard let left = progress.millisecondsLeft(index + 1, now: now), index + 1 >= total / 10,
        index + 1 <= total * 9 / 10
      else {
        _ = progress.advance(to: index + 1, now: now)
        continue
      }
      #expect(left * 2 >= end - now && left <= 2 * (end - now), "after \(index + 1): \(left) of \(end - now)")
    }
  }

  @Test func strangeNumbersDoNotTrap() {
    for total in [Int.min, -1, 0, 1, .max] {
      for done in [Int.min, -1, 0, 1, .max] {
        for now in [-(Int64.max / 2), -1, 0, 1, Int64.max / 2] {
          for isTerminal in [false, true] {
            var progress = Progress(
              label: "\u{1B}", unit: "g", total: total, done: done, isTerminal: isTerminal, now: 0)
            for columns in [0, 1, 20, 1000] { _ = progress.advance(to: done, now: now, columns: columns) }
          }
        }
      }
    }
  }

  @Test func theStatusNeverFillsTheLine() {
    for columns in 0..<120 {
      var progress = Progress(label: "日本語", unit: "games", total: 9, isTerminal: true, now: 0)
      guard case .status(let text) = progress.advance(to: 3, now: 9000, columns: columns) else {
        Issue.record("no status")
        return
      }
      #expect(DisplayWidth.columns(of: text) <= max(0, columns - 1))
    }
  }

  @Test func theLineStaysOffStandardOutputAndGoesAway() throws {
    let (out, terminal) = (try TestPipe(), try TestTerminal(columns: 60))
    let console = Console(output: out.write, errors: terminal.program) { $0 == "LANG" ? "C" : nil }
    let clock = Mutex<Int64>(0)
    let line = ProgressLine(on: console, label: "p", unit: "g", total: 4) { clock.withLock { $0 } }
    line.advance(to: 1)
    clock.withLock { $0 = 200 }
    line.advance(to: 2)
    line.finish()
    let wipe = "\r\u{1B}[K"
    let empty = String(repeating: ".", count: 28)
    let half = String(repeating: "#", count: 14) + String(repeating: ".", count: 14)
    #expect(try terminal.seen() == "\(wipe)p [\(empty)] 0/4 g\(wipe)p [\(half)] 2/4 g\(wipe)")
    #expect(try out.received() == "")
  }

  @Test func durations() {
    let cases: [(Int64, String)] = [
      (.min, "0 ms"), (0, "0 ms"), (999, "999 ms"), (1000, "1.0 s"), (12_345, "12.3 s"), (59_999, "59.9 s"),
      (60_000, "1 min 00 s"), (3_599_999, "59 min 59 s"), (3_600_000, "1 h 00 min"),
      (86_399_999, "23 h 59 min"),
      (86_400_000, "1 d 00 h"), (1_000_000_000, "11 d 13 h"),
    ]
    for (milliseconds, text) in cases { #expect(DurationText.text(milliseconds: milliseconds) == text) }
  }
}

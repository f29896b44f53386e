import Events
import Platform
import ServiceSimulation
import Simulation
import Terminal

/// Runs many seeds, several at once, and tells what came out in the order of the seeds.
struct SeedRunner {
  let options: SimulateOptions
  let console: Console
  let interrupts: Interrupts

  /// What is known so far.
  private struct Tally {
    /// Seeds that have ended before one that has not.
    var waiting: [UInt64: RunReport] = [:]
    var next: UInt64
    var sum = RunStatistics()
    var failed = 0
  }

  /// Runs all seeds, or those that were begun when somebody asked to stop.
  func run() async throws -> ExitStatus {
    let start = MonotonicClock.milliseconds
    let progress = ProgressLine(
      on: console, label: "simulating", unit: "seeds", total: Int(options.seeds),
      now: { Int64(MonotonicClock.milliseconds - start) })
    defer { progress.finish() }
    let tally = try await runAll { progress.advance() }
    progress.finish()
    let milliseconds = max(1, Int64(MonotonicClock.milliseconds - start))
    let count = tally.next - options.first
    try finish(tally, count: count, rate: Int64(count) * 10_000 / milliseconds)
    if interrupts.isStopRequested, count < options.seeds {
      console.note("Stopped; go on with --first \(tally.next) --seeds \(options.seeds - count)")
      return .interrupted
    }
    return tally.failed == 0 ? .ok : .negative
  }

  private func runAll(_ advance: @escaping @Sendable () -> Void) async throws -> Tally {
    var tally = Tally(next: options.first)
    try await withThrowingTaskGroup(of: RunReport.self) { group in
      var next = options.first
      func add() {
        guard next < options.first + options.seeds, !interrupts.isStopRequested else { return }
        let simulation = options.simulation(next)
        next += 1
        group.addTask { await Simulator.report(of: simulation) }
      }
      for _ in 0..<options.jobs { add() }
      while let report = try await group.next() {
        advance()
        add()
        try take(report, &tally)
      }
    }
    return tally
  }

  private func take(_ report: RunReport, _ tally: inout Tally) throws {
    tally.waiting[report.options.seed] = report
    while let report = tally.waiting.removeValue(forKey: tally.next) {
      tally.next += 1
      tally.sum.add(report.statistics)
      if !report.violations.isEmpty { tally.failed += 1 }
      try keepFiles(of: report)
      try tell(report)
    }
  }

  private func keepFiles(of report: RunReport) throws {
    guard let folder = options.files else { return }
    do throws(SystemError) {
      for (peer, bytes) in report.files.sorted(by: { $0.key < $1.key }) {
        let path = "\(folder)/\(report.options.seed)-\(peer).cup"
        let new = try NewFile(path, replaces: true)
        try new.descriptor.write(bytes, path: path)
        try new.keep()
      }
    } catch { throw FileError(.creating, error) }
  }

  // MARK: - Telling

  private func tell(_ report: RunReport) throws {
    if options.isJSON { return try console.json(line(report)) }
    guard !report.violations.isEmpty else { return }
    try console.lines(
      ["seed \(report.options.seed):"] + report.violations.map { "  \($0)" }
        + ["  again: parlor-simulate \(report.options.words) --trace"])
  }

  private func line(_ report: RunReport) -> JSONLine {
    let violations = report.violations.map { violation -> JSONValue in
      .object([
        "promise": .string(violation.promise.rawValue), "time_ms": .unsigned(violation.time),
        "peer": violation.peer.map { .integer(Int64($0)) } ?? .null,
        "room": violation.room.map { .integer(Int64($0)) } ?? .null, "words": .string(violation.words),
      ])
    }
    return JSONLine([
      "type": "seed", "seed": .unsigned(report.options.seed), "digest": .string(report.digest.description),
      "violations": .array(violations), "again": .string(report.options.words),
    ])
  }

  private func finish(_ tally: Tally, count: UInt64, rate: Int64) throws {
    let sum = tally.sum
    let perSecond = "\(rate / 10).\(rate % 10)"
    guard options.isJSON else {
      return try console.line(
        "\(count) seeds, \(tally.failed) with violations, \(perSecond) a second; \(sum.events) events, "
          + "\(sum.messages) messages, \(sum.agreedGames) agreed games, \(sum.draws) draws, "
          + "\(sum.settledRounds) settled rounds, \(sum.crashes) crashes, "
          + "\(sum.restores) restores, \(sum.partitions) partitions, \(sum.rulings) rulings, "
          + "\(sum.overruled) overruled results, \(sum.departures) departures, "
          + "\(sum.lateEntrants) late entrants, \(sum.convictions) convictions, "
          + "\(sum.attacks) attacks, \(sum.insiderFrauds) frauds of insiders, "
          + "\(sum.shownLies) lies shown, "
          + "\(sum.visitedGames) games in browsers, \(sum.shownEvents) events shown there, "
          + "\(sum.roundFrauds.values.reduce(0, +)) frauds in rounds, "
          + "alike after \(sum.convergenceMilliseconds) ms at most"
      )
    }
    try console.json(
      JSONLine([
        "type": "finished", "seeds": .unsigned(count), "failed": .integer(Int64(tally.failed)),
        "seeds_per_second": .integer(rate / 10), "events": .integer(Int64(sum.events)),
        "messages": .integer(Int64(sum.messages)), "agreed_games": .integer(Int64(sum.agreedGames)),
        "pairings": .integer(Int64(sum.pairings)), "draws": .integer(Int64(sum.draws)),
        "settled_rounds": .integer(Int64(sum.settledRounds)),
        "crashes": .integer(Int64(sum.crashes)), "restores": .integer(Int64(sum.restores)),
        "partitions": .integer(Int64(sum.partitions)), "rulings": .integer(Int64(sum.rulings)),
        "overruled": .integer(Int64(sum.overruled)), "departures": .integer(Int64(sum.departures)),
        "late_entrants": .integer(Int64(sum.lateEntrants)),
        "convictions": .integer(Int64(sum.convictions)), "attacks": .integer(Int64(sum.attacks)),
        "insider_frauds": .integer(Int64(sum.insiderFrauds)), "shown_lies": .integer(Int64(sum.shownLies)),
        "visited_games": .integer(Int64(sum.visitedGames)), "shown_events": .integer(Int64(sum.shownEvents)),
        "round_frauds": .object(
          sum.roundFrauds.sorted { $0.key < $1.key }.map { JSONMember($0.key, .integer(Int64($0.value))) }),
        "slowest_convergence_ms": .unsigned(sum.convergenceMilliseconds),
      ]))
  }
}

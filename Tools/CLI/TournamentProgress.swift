import Peer
import Platform
import Projection
import Rules
import Terminal
import Tournaments

/// What is shown of a tournament while it is played: how many of its games are over, what is being played, and results
/// as they come.
final class TournamentProgress: Sendable {
  private let line: ProgressLine
  private let play: Guarded<Play>
  private let context: Context
  /// One for all times, as each has its own start.
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - fold: the tournament as it stands in the log, by the organizer's words.
  ///   - times: what its bots take.
  init(_ fold: TournamentFold<Never>, _ times: ThinkingTimes, _ context: Context) {
    let tournament = fold.tournament
    let view = TournamentView(tournament: tournament, context: context)
    let names = tournament.state.seeds.map { view.label($0) }
    let now = ContinuousClock().stopwatch
    let play = Guarded(Play(fold, times, now: now()))
    let games = tournament.state.settings.games
    // Whoever goes to deciders has played the pairing's games, and decider games come on top of the plan.
    let level = tournament.state.ready.count { $0.attempt > 0 }
    line = ProgressLine(
      on: context.console, label: "tournament", unit: "games", total: tournament.state.pairingCount * games,
      done: (tournament.state.decidedCount + level) * games, now: now,
      note: { play.withLock { $0.words(names) } }, left: { now in play.withLock { $0.millisecondsLeft(now) } }
    )
    self.play = play
    self.now = now
    self.context = context
  }

  /// Shows what has happened.
  func take(_ report: Organizer.Report) {
    let now = now()
    switch report {
    case .started(let attempt, _, let ended):
      play.withLock { $0.start(attempt, ended: ended, now) }
      line.include(before: ended, more: attempt.attempt > 0 ? attempt.games : 0)
    case .ended(let attempt, let game):
      play.withLock { $0.end(attempt, game, now) }
      line.advance()
    case .elsewhere(let attempt, let news): tell(attempt, news)
    case .decided(let attempt, let word):
      let line = play.withLock { play in
        play.decide(attempt, word)
        return context.isJSON
          ? nil
          : TournamentView(tournament: play.tournament, context: context).line(attempt.pairing.number)
      }
      if let line { context.console.note(line) }
    }
  }

  /// Tells what came of having an attempt played elsewhere.
  private func tell(_ attempt: PairingAttempt, _ news: Elsewhere.News) {
    let pairing = attempt.pairing.number
    switch news {
    case .accepted(let worker, let onWord):
      guard !onWord.isEmpty else { return }
      let names = onWord.map { SafeText($0).text }.joined(separator: " and ")
      context.console.note("\(pairing): moves of \(names) are taken on the word of \(SafeText(worker).text).")
    case .refused(let worker, let reason):
      context.console.note(
        "\(pairing): what \(SafeText(worker).text) gave back does not count: \(SafeText(reason).text).")
    case .playedHere(let reason):
      context.console.note("\(pairing) is played here: \(SafeText(reason).text).")
    }
  }

  /// Prints the standings so far, with how many pairings they count.
  func tellStandings() throws(ConsoleError) {
    let view = TournamentView(tournament: play.withLock { $0.tournament }, context: context)
    let state = view.tournament.state
    try context.console.lines(
      ["After \(state.decidedCount) of \(state.pairingCount) pairings:"] + view.standings() + [""])
  }

  /// Takes the line away, at the end or when the work is given up.
  func finish() { line.finish() }
}

extension TournamentProgress {
  /// What is being played, in the order in which it began, and what games take.
  private struct Play: Sendable {
    private struct Table {
      let attempt: PairingAttempt
      var ended: Int
      /// When the game began that is on.
      var since: Int64
    }

    private var tables: [Table] = []
    /// After the result that came last. Nobody else holds it for long: it would be copied then.
    private var fold: TournamentFold<Never>
    private var costs: GameCosts
    private let times: ThinkingTimes
    private let start: Int64

    var tournament: TournamentRoom { fold.tournament }

    init(_ fold: TournamentFold<Never>, _ times: ThinkingTimes, now: Int64) {
      self.times = times
      self.fold = fold
      costs = GameCosts(entrants: fold.tournament.entrants.count)
      start = now
    }

    mutating func start(_ attempt: PairingAttempt, ended: Int, _ now: Int64) {
      tables.append(Table(attempt: attempt, ended: ended, since: now))
    }

    mutating func end(_ attempt: PairingAttempt, _ game: GameRecord, _ now: Int64) {
      guard let at = tables.firstIndex(where: { $0.attempt == attempt }) else { return }
      let (first, second) = (attempt.entrants[0], attempt.entrants[1])
      costs.add(
        first, second, milliseconds: now - tables[at].since,
        choices: game.plies.dropFirst(game.opening).reduce(0) { $0 + $1.codes.count },
        winner: game.ending?.outcome?.winner.map { attempt.entrants[$0.index] })
      tables[at].ended += 1
      tables[at].since = now
    }

    mutating func decide(_ attempt: PairingAttempt, _ word: RoomState.TournamentWord) {
      tables.removeAll { $0.attempt == attempt }
      fold.takeNext(word)
    }

    func words(_ names: [String]) -> String {
      tables.map { table in
        let pairing = table.attempt.pairing
        return "\(pairing.number) \(names[pairing.first.index]) – \(names[pairing.second.index])"
      }.joined(separator: ", ")
    }

    /// What is left at as many games at once as so far; `nil` before one is over.
    func millisecondsLeft(_ now: Int64) -> Int64? {
      var costs = costs
      for (entrant, taken) in times.all.enumerated() {
        costs.note(
          EntrantIndex(UInt16(entrant)), choices: taken.choices, microseconds: taken.nanoseconds / 1_000)
      }
      let ahead = GameCosts.ahead(of: fold.tournament.state) { attempt in
        tables.first { $0.attempt == attempt }.map { .init(ended: $0.ended, milliseconds: now - $0.since) }
      }
      return costs.millisecondsLeft(of: ahead, elapsed: now - start)
    }
  }
}

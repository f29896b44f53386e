import Peer
import Platform
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

  /// - Parameter tournament: as it stands in the log.
  init(_ tournament: TournamentRoom, _ context: Context) {
    let view = TournamentView(tournament: tournament, context: context)
    let names = tournament.state.settings.seeds.map { view.label($0) }
    let now = context.stopwatch
    let play = Guarded(Play(state: tournament.state, now: now()))
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
    case .ended(let attempt, _):
      play.withLock { $0.end(attempt, now) }
      line.advance()
    case .decided(let attempt, _, let tournament):
      play.withLock { $0.decide(attempt, tournament.state) }
      guard !context.isJSON else { return }
      let view = TournamentView(tournament: tournament, context: context)
      context.console.note(view.line(attempt.pairing.number))
    }
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
      /// Whether one of its games was over in this run.
      var hasCounted = false
      /// When the game began that is on.
      var since: Int64
    }

    private var tables: [Table] = []
    private var state: TournamentState
    private var costs: GameCosts
    private let start: Int64

    init(state: TournamentState, now: Int64) {
      self.state = state
      costs = GameCosts(entrants: state.settings.entrants)
      start = now
    }

    mutating func start(_ attempt: PairingAttempt, ended: Int, _ now: Int64) {
      tables.append(Table(attempt: attempt, ended: ended, since: now))
    }

    mutating func end(_ attempt: PairingAttempt, _ now: Int64) {
      guard let at = tables.firstIndex(where: { $0.attempt == attempt }) else { return }
      costs.add(attempt.pairing.first, attempt.pairing.second, milliseconds: now - tables[at].since)
      tables[at].ended += 1
      tables[at].hasCounted = true
      tables[at].since = now
    }

    mutating func decide(_ attempt: PairingAttempt, _ state: TournamentState) {
      tables.removeAll { $0.attempt == attempt }
      self.state = state
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
      guard let mean = costs.milliseconds(of: .init(pairs: [], unknown: 1)) else { return nil }
      // What games have taken that are on, and as much of it as the games ahead count.
      var (begun, counted) = (Int64(0), Int64(0))
      for table in tables where table.ended < table.attempt.games {
        let (pairing, taken) = (table.attempt.pairing, now - table.since)
        begun += taken
        // Of those of whom none is over all that is known is that one takes longer than this.
        guard !table.hasCounted, taken > mean else { continue }
        counted += taken
        costs.add(pairing.first, pairing.second, milliseconds: taken)
      }
      let played = self.costs.milliseconds + begun
      guard let ahead = costs.milliseconds(of: ahead), played > 0 else { return nil }
      return Int64(Double(max(0, ahead - counted)) * Double(max(0, now - start)) / Double(played))
    }

    private var ahead: GameCosts.Ahead {
      let known = state.known
      var ahead = GameCosts.Ahead(
        pairs: [], unknown: (state.pairingCount - known.count) * state.settings.games)
      for record in known {
        guard let open = record.open else { continue }
        let ended = tables.first { $0.attempt == open }?.ended ?? 0
        let pairing = record.pairing
        ahead.pairs.append((pairing.first, pairing.second, max(0, open.games - ended)))
      }
      return ahead
    }
  }
}

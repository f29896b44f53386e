import Peer
import Platform
import Terminal
import Tournaments

/// What is shown of a tournament while it is played: how many of its games are over, what is being played, and results
/// as they come.
final class TournamentProgress: Sendable {
  private let line: ProgressLine
  /// What is being played, in the order in which it began.
  private let playing: Guarded<[PairingAttempt]>
  private let context: Context

  /// - Parameter tournament: as it stands in the log.
  init(_ tournament: TournamentRoom, _ context: Context) {
    let view = TournamentView(tournament: tournament, context: context)
    let names = tournament.state.settings.seeds.map { view.label($0) }
    let playing = Guarded<[PairingAttempt]>([])
    let games = tournament.state.settings.games
    // Whoever goes to deciders has played the pairing's games, and decider games come on top of the plan.
    let level = tournament.state.ready.count { $0.attempt > 0 }
    line = ProgressLine(
      on: context.console, label: "tournament", unit: "games", total: tournament.state.pairingCount * games,
      done: (tournament.state.decidedCount + level) * games, now: context.stopwatch
    ) {
      playing.withLock { attempts in
        attempts.map {
          "\($0.pairing.number) \($0.pairing.entrants.map { names[$0.index] }.joined(separator: " – "))"
        }
        .joined(separator: ", ")
      }
    }
    self.playing = playing
    self.context = context
  }

  /// Shows what has happened.
  func take(_ report: Organizer.Report) {
    switch report {
    case .started(let attempt, _, let ended):
      playing.withLock { $0.append(attempt) }
      line.include(before: ended, more: attempt.attempt > 0 ? attempt.games : 0)
    case .ended: line.advance()
    case .decided(let attempt, _, let tournament):
      playing.withLock { $0.removeAll { $0 == attempt } }
      guard !context.isJSON else { return }
      context.console.note(
        TournamentView(tournament: tournament, context: context).line(attempt.pairing.number))
    }
  }

  /// Takes the line away, at the end or when the work is given up.
  func finish() { line.finish() }
}

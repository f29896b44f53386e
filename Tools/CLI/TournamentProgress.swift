import Peer
import Platform
import Projection
import Terminal
import Tournaments

/// What is shown of a tournament while it is played: how many of its games are over, what is being played, and results
/// as they come.
final class TournamentProgress: Sendable {
  private let line: ProgressLine
  private let play: Guarded<Play>
  private let context: Context
  /// The tournament after the result that came last.
  private let newest: Guarded<TournamentRoom>
  /// One for all times, as each has its own start.
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - tournament: as it stands in the log.
  ///   - times: what its bots take.
  init(_ tournament: TournamentRoom, _ times: ThinkingTimes, _ context: Context) {
    let view = TournamentView(tournament: tournament, context: context)
    newest = Guarded(tournament)
    let names = tournament.state.settings.seeds.map { view.label($0) }
    let now = context.stopwatch
    let play = Guarded(Play(state: tournament.state, times, now: now()))
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
    case .decided(let attempt, _, let tournament):
      play.withLock { $0.decide(attempt, tournament.state) }
      newest.withLock { $0 = tournament }
      guard !context.isJSON else { return }
      let view = TournamentView(tournament: tournament, context: context)
      context.console.note(view.line(attempt.pairing.number))
    }
  }

  /// Prints the standings so far, with how many pairings they count.
  func tellStandings() throws(ConsoleError) {
    let view = TournamentView(tournament: newest.withLock { $0 }, context: context)
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
    private var state: TournamentState
    private var costs: GameCosts
    private let times: ThinkingTimes
    private let start: Int64
    /// Whether who plays in later rounds follows from results.
    private let waits: Bool

    init(state: TournamentState, _ times: ThinkingTimes, now: Int64) {
      self.times = times
      self.state = state
      costs = GameCosts(entrants: state.settings.entrants)
      start = now
      waits = TournamentState(settings: state.settings).schedule.joined().contains {
        $0.number != nil && $0.entrants == nil
      }
    }

    mutating func start(_ attempt: PairingAttempt, ended: Int, _ now: Int64) {
      tables.append(Table(attempt: attempt, ended: ended, since: now))
    }

    mutating func end(_ attempt: PairingAttempt, _ game: GameRecord, _ now: Int64) {
      guard let at = tables.firstIndex(where: { $0.attempt == attempt }) else { return }
      let pairing = attempt.pairing
      costs.add(
        pairing.first, pairing.second, milliseconds: now - tables[at].since,
        choices: game.plies.reduce(0) { $0 + $1.codes.count })
      tables[at].ended += 1
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
      for (entrant, taken) in times.all.enumerated() {
        costs.note(
          EntrantIndex(UInt16(entrant)), choices: taken.choices, microseconds: taken.nanoseconds / 1_000)
      }
      return costs.millisecondsLeft(of: ahead(now), elapsed: now - start)
    }

    /// What is to be played, in the order of rounds.
    private func ahead(_ now: Int64) -> [GameCosts.Games] {
      var ahead: [GameCosts.Games] = []
      var (places, lastRound) = ([PairingNumber: Int](), 0)
      for place in state.schedule.joined() where place.decision == nil {
        guard let number = place.number else { continue }
        lastRound = max(lastRound, place.round)
        let open = state.record(number)?.open
        var (count, begun) = (open?.games ?? state.settings.games, Int64(0))
        if let open, let table = tables.first(where: { $0.attempt == open }) {
          count = max(0, count - table.ended)
          begun = count > 0 ? max(0, now - table.since) : 0
        }
        func side(_ slot: ScheduledPairing.Slot) -> GameCosts.Side {
          switch slot {
          case .entrant(let entrant): .entrant(entrant)
          case .winner(let number): places[number].map { .winner(of: $0) } ?? .unknown
          default: .unknown
          }
        }
        places[number] = ahead.count
        ahead.append(
          GameCosts.Games(
            side(place.upper), side(place.lower), count: count, begun: begun, round: waits ? place.round : 0,
            isOfWinners: waits && place.round > 0))
      }
      // Of rounds that are not paired yet nobody knows who meets.
      let listed = state.schedule.joined().count { $0.number != nil }
      for _ in 0..<max(0, state.pairingCount - listed) {
        ahead.append(.init(.unknown, .unknown, count: state.settings.games, round: lastRound + 1))
      }
      return ahead
    }
  }
}

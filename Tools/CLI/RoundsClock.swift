import Events
import Service
import Terminal

/// How much of a round is left.
struct TimeLeft: Hashable {
  /// In seconds.
  let seconds: Int
  /// Whether it may be less: the round was opened before anybody looked here.
  let isMost: Bool

  /// It in words.
  var words: String { "\(isMost ? "at most " : "")\(seconds) s left" }
}

/// Has a loop look again while a round is open, because something is to be shown or done as time passes.
struct RoundsClock {
  private let input: TableInput
  private let interval: Duration
  private var ticks: Task<Void, any Error>?
  /// The round that is on, and since when it is open at the latest: since it was seen here, and since so long before
  /// as the host says.
  private var seen: (opening: EventID, since: ContinuousClock.Instant)?
  /// Whether the round was open already when this process looked first: then it may be open for longer.
  private var isLate = false
  private var hasLooked = false

  /// - Parameter interval: how often the loop is to look.
  init(_ input: TableInput, every interval: Duration = .milliseconds(500)) {
    (self.input, self.interval) = (input, interval)
  }

  /// Notes how the round stands.
  /// - Parameter isTicking: whether anything is shown or done that changes with time.
  mutating func note(_ round: HostedView.Round?, isTicking: Bool) {
    if let round {
      let latest = ContinuousClock.now - .milliseconds(round.passed)
      if round.opening != seen?.opening {
        (seen, isLate) = ((round.opening, latest), !hasLooked && round.elapsed == nil)
      } else if let since = seen?.since {
        seen?.since = min(since, latest)
      }
    }
    hasLooked = true
    let isOn = round.map { $0.phase == .open } ?? false
    guard isOn, isTicking else {
      ticks?.cancel()
      ticks = nil
      return
    }
    guard ticks == nil else { return }
    ticks = Task { [input, interval] in
      while true {
        try await Task.sleep(for: interval)
        await input.noteChange()
      }
    }
  }

  /// How long a round is open, in milliseconds, by the host's clock where this is the host, else at least, as far as is
  /// known here; `nil` where it was not seen.
  func elapsed(_ round: HostedView.Round?) -> Int? {
    guard let round, let seen, seen.opening == round.opening else { return nil }
    return round.elapsed ?? Int((ContinuousClock.now - seen.since) / .milliseconds(1))
  }

  /// What is left of a round.
  func left(_ round: HostedView.Round?) -> TimeLeft? {
    guard let round, round.phase == .open, let passed = elapsed(round) else { return nil }
    return TimeLeft(seconds: max(0, round.limit - passed + 999) / 1_000, isMost: isLate)
  }

  func stop() { ticks?.cancel() }
}
